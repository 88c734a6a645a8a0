"""Text: documents, sentences, words, vectors and summaries. No tensors."""
