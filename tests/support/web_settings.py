"""The settings of the web servers of the tests: the site's own, with passwords that cost no time."""

from support.passwords import CHEAP

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = CHEAP
