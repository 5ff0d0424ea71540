"""A study as a whole, across the rooms: its page, its next step, archiving, duplication, removal."""
