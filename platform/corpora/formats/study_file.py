"""The study file: a study declared in TOML, as docs/study-file.md says; `study_file.parser` reads it."""

from corpora.formats._base import Format

FORMAT = Format("Study file", "A study declared in TOML.", (".toml",))
