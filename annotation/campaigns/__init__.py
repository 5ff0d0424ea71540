"""What a campaign is made of: its checked fields, criteria, materials, items and expected answers."""
