"""How far campaigns have come, how fast they go, and what was labelled in them."""
