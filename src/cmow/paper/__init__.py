"""The paper's laboratory: what repeats and shows its experiments, and nothing that users need."""
