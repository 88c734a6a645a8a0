"""The network: one `Seq2Seq` with slots, one file a mechanism. It knows numbers, and no words."""
