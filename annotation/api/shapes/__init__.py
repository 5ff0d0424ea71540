"""The shapes of the API: what requests hold, and what answers to them hold."""
