"""Ids to embeddings."""
