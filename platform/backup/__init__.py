"""A whole site in one file, of one moment, and back (docs/backup.md).

`moment` holds the database still, `programs` finds PostgreSQL's own, `archive` is the file and its checksums, `making`
writes one, `checking` says whether one can be restored here, `restoring` does it, `schedule` makes them by the clock.
"""
