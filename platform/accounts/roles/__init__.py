"""What holds of roles beside permissions: one admin stays."""
