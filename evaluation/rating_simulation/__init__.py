"""Simulated human studies: ratings on a scale, and the variance components that they are drawn from."""
