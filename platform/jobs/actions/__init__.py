"""Every write to jobs that a person asks for."""
