"""Whether a stored report still holds: a digest of all that it is made from."""
