"""Training runs: what they require of a study, their dataset snapshot, their execution and their progress."""
