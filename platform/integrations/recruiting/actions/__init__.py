"""Every write to recruiting that a person asks for. Nothing is paid without one of them."""
