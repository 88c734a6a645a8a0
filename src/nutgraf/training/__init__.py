"""Training of networks. It works on ids and knows no words."""
