"""Every write to webhooks that a person asks for."""
