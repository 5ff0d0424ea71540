"""Settings, addresses and wiring: the Django project."""
