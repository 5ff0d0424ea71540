"""The types of the client's answers are those of the API's description."""

from tools.client.types_of_answers import FILE, current_schema, formed, types_of


def test_the_types_are_those_of_the_description() -> None:
    assert formed(types_of(current_schema())) == FILE.read_text(), "run python -m tools.client"
