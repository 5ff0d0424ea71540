"""How models are trained: dataset snapshots, callbacks, batches, checkpoints, and the trainer of networks. No Django."""
