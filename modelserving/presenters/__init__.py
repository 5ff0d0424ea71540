"""What is stored of models, as pages show it."""
