"""The network: one `Seq2Seq` with slots, one file a mechanism. It works on ids, not on words."""
