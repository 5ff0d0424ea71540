"""Settings derived from environment variables."""
