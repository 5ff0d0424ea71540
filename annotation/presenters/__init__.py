"""Answers, drafts and items as pages show them."""
