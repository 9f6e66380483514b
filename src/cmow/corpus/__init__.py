"""Text files of any size become ids on disk."""
