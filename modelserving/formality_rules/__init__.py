"""Hand-made rules between formal and informal text, their word lists, and the use of them before a trained model."""
