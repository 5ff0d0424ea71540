"""What a removal takes along, and what forbids it."""
