"""The actions of people on their notifications."""
