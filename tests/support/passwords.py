"""Passwords that cost no time, and passwords as the site keeps them, worked out once for people who share a few."""

from functools import lru_cache

from django.contrib.auth.hashers import PBKDF2PasswordHasher

CHEAP = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""Of the tests and of their web servers: the site's own take a third of a second for each sign-in by form."""
SALT = "ThisSaltIsTheSameForAll"


class Remembered(PBKDF2PasswordHasher):
    """What it makes is what Django's own makes, and a web server checks it: a third of a second for each new one."""

    def salt(self) -> str:
        """The same for all: else no two people would share what was worked out."""
        return SALT

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """As Django's, and kept."""
        return _encoded(password, salt, iterations)


@lru_cache(maxsize=256)
def _encoded(password: str, salt: str, iterations: int | None) -> str:
    return PBKDF2PasswordHasher().encode(password, salt, iterations)
