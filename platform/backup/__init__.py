"""A whole site in one file, of one moment, and back (docs/backup.md).

`exported_snapshot` holds the database still, `postgres_programs` finds PostgreSQL's own, `archive` is the file and its
checksums, `creation` writes one, `local_file` into a file, `verification` says whether one can be restored here,
`restoration` does it, `schedule` makes them by the clock.
"""
