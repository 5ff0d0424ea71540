"""What the Acme lab adds to Restyle."""
