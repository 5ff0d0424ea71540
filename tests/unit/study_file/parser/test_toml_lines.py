import tomllib

from hypothesis import given
from hypothesis import strategies as st

from study_file.parser.toml_lines import lines_of

TEXT = '''# a comment with [brackets] and a = sign
[study]
slug = "a # no comment"   # "a" = 3
"quoted key" = 1
a.b = 2

[[systems]]
name = "x"
outputs = [
  { direction = "a-b", file = "f" }, # [not]
  { direction = "b-a", file = """two
lines = [
]""" },
]
  [[systems]]
  text = \'\'\'
name = "inside a text"
\'\'\'
  name = "y"

  [systems.criteria]
  one = { scale = "s" }
numbers = [1, [2,
  3], 1979-05-27T07:32:00Z]
'''


def test_every_key_has_its_line():
    assert lines_of(TEXT) == {
        ("study",): 2,
        ("study", "slug"): 3,
        ("study", "quoted key"): 4,
        ("study", "a", "b"): 5,
        ("systems",): 7,
        ("systems", 0): 7,
        ("systems", 0, "name"): 8,
        ("systems", 0, "outputs"): 9,
        ("systems", 0, "outputs", 0): 10,
        ("systems", 0, "outputs", 0, "direction"): 10,
        ("systems", 0, "outputs", 0, "file"): 10,
        ("systems", 0, "outputs", 1): 11,
        ("systems", 0, "outputs", 1, "direction"): 11,
        ("systems", 0, "outputs", 1, "file"): 11,
        ("systems", 1): 15,
        ("systems", 1, "text"): 16,
        ("systems", 1, "name"): 19,
        ("systems", 1, "criteria"): 21,
        ("systems", 1, "criteria", "one"): 22,
        ("systems", 1, "criteria", "one", "scale"): 22,
        ("systems", 1, "criteria", "numbers"): 23,
        ("systems", 1, "criteria", "numbers", 0): 23,
        ("systems", 1, "criteria", "numbers", 1): 23,
        ("systems", 1, "criteria", "numbers", 1, 0): 23,
        ("systems", 1, "criteria", "numbers", 1, 1): 24,
        ("systems", 1, "criteria", "numbers", 2): 24,
    }


def test_crlf_counts_once():
    assert lines_of(TEXT.replace("\n", "\r\n")) == lines_of(TEXT)


def paths_of(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from paths_of(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield (*path, number)
            yield from paths_of(inner, (*path, number))


def test_it_finds_what_tomllib_finds():
    assert set(paths_of(tomllib.loads(TEXT))) - {("study", "a")} == set(lines_of(TEXT))


@given(st.text(alphabet="ab=[]{}\"'#,.\n \\1"))
def test_it_ends_on_any_text(text):
    assert all(line >= 1 for line in lines_of(text).values())
