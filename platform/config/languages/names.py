"""The languages, each named in itself: who reads no other finds it. Pages in `ar` and `he` are mirrored.

Django translates these names: its own catalogs say "Englisch" for English. So English is a message of ours, which every
language translates by itself.
"""

from foundation.translation import translatable

LANGUAGES = [
    ("en", translatable("English")),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("he", "עברית"),
    ("zh-hans", "简体中文"),
]
