"""docs/reference/ and the JSON Schema of the study file are what the declarations give."""

from tools import reference


def test_the_pages_are_written_from_the_declarations() -> None:
    written = {path.relative_to(reference.DOCS): text for path, text in reference.pages().items()}
    stored = {name: (reference.DOCS / name).read_text(encoding="utf-8") for name in written}
    assert [str(name) for name in written if stored[name] != written[name]] == [], "python -m tools.reference"
