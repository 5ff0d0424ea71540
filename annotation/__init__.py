"""Campaigns, items and answers: how people write, rate and review texts."""
