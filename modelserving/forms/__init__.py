"""The forms of models. What a kind of model lets one choose is a form made of its dataclass (`options.py`)."""
