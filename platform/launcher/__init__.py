"""How Restyle is started: `bootstrap` makes .venv, `__main__` starts and watches everything, `command` is manage.py."""
