"""Running a job: the holder of its row, progress, heartbeat, time limits."""
