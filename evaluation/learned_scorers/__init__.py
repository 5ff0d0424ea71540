"""Classifiers, regressors, encoders and language models that metrics train or load, and their training data."""
