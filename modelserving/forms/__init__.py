"""The forms of models. The options of a kind of model become a form made of its dataclass (`options.py`)."""
