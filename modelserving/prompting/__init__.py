"""Language models that are prompted: endpoints, prompts, examples, calls side by side, and their answers."""
