"""Long work: the job row, the runner, the watchdog."""
