"""One file is one command of manage.py."""
