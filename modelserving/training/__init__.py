"""How models are trained: the frozen data, what is told of a training, and the trainer of networks. No Django."""
