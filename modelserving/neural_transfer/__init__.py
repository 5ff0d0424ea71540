"""What transfer models that are networks share: options, the ready model, its training and its validation."""
