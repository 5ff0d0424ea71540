"""The annotation engine: who gets which item, what an answer does, and how stages follow each other."""
