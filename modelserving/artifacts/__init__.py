"""Files of models: checkpoints, dataset snapshots and results in storage, this machine's copies, downloads."""
