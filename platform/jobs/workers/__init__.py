"""The workers: which of them live, which process holds a job, and why a job waits for one."""
