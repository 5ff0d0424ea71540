"""The study file: a study declared in TOML, as docs/study-file.md says; `corpora.study_file_parser` reads it."""

from corpora.formats._base import Format

FORMAT = Format("Study file", "A study declared in TOML.", (".toml",))
