"""Members of a study: the roles that they may be given, and how an invitation makes one."""
