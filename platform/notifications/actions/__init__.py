"""What people do about their notifications."""
