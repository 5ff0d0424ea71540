"""Denoising, the task that T5 and BART are pretrained by: pure functions over token ids, and nothing else."""
