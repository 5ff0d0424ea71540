"""Tables whose cells stand between semicolons, without quoting."""
