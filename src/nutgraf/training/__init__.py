"""Training of networks. It works on ids, not on words."""
