"""The names of columns on the page of an import."""

import pytest
from django.utils.translation import override

from corpora.table_parser.column_names import said_column


@pytest.mark.parametrize(("column", "said"), [
    ("Column 2", "Spalte 2"), ("Column 2 (3)", "Spalte 2 (3)"), ("Column width", "Column width"), ("text", "text"),
])  # fmt: skip
def test_a_column_that_its_file_does_not_name_is_said_in_the_readers_language(column, said):
    with override("de"):
        assert said_column(column) == said
    assert said_column(column) == column
