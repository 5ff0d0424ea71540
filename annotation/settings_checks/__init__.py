"""Checks of the settings that a campaign's task type and its eligibility rules are given."""
