"""The parts of a campaign: its checked fields, criteria, materials, items and expected answers."""
