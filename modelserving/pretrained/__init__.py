"""Pretrained models from folders of this machine: looked at, trained by transformers' Trainer, kept, generating."""
