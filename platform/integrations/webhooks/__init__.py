"""Webhooks: events sent to an address, signed as Standard Webhooks says, and tried again where it does not answer."""
