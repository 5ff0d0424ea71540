"""People of crowd sites: their way through a campaign, and what they are due."""
