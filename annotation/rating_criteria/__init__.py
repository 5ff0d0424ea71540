"""What texts are rated on: criteria, their aspects, and what stands beside a text while it is rated."""
