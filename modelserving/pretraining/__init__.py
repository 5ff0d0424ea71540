"""Pretraining by denoising: a lab's own texts into a folder that transformers loads, from scratch or from another."""
