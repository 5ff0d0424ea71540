"""The endpoints of campaigns, of work in them, of the crowd and of releases."""
