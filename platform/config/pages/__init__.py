"""Pages that belong to no room: home, errors, the header, the audit log as a file."""
