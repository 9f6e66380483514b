"""Order-aware sentence embeddings at bag-of-words speed."""
