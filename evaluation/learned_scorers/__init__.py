"""Classifiers, regressors, encoders and language models that metrics train or load, and what they are trained on."""
