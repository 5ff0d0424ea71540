"""Answers to typed sentences: questions and answers in Redis, and the worker that keeps models loaded."""
