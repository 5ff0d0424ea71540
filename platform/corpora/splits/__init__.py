"""Train, dev and test: random splits, and what is held out of training."""
