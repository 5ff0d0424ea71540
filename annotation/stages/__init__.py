"""Campaigns in stages: how an item ended, and the items of the next stage that follow from it."""
