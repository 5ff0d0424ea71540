"""Every table and figure made from one snapshot, as JSON."""
