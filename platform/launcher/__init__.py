"""The start of Restyle: `bootstrap` makes .venv, `__main__` starts and watches all, `django_command` is manage.py."""
