"""A language model as a judge of outputs: its prompt, its answers as values, its scores, and the biases it shows."""
