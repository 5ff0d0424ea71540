"""A study as a whole, across the rooms: its page, what comes next, archiving, duplication, removal."""
