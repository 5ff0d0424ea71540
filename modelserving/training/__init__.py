"""How models are trained: dataset snapshots, callbacks, batches, checkpoints, the trainer of networks. No Django."""
