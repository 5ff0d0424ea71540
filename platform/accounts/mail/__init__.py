"""Mail that people get: invitations and links with which they choose a password."""
