"""The languages, each named in itself: who reads no other finds it. Pages in `ar` and `he` are mirrored."""

LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("he", "עברית"),
    ("zh-hans", "简体中文"),
]
