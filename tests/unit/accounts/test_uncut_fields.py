"""Forms leave what somebody types whole: the page and the check say how many characters are too many."""

import pytest

from accounts.option_fields import UncutField, form_field
from foundation.options import Option


@pytest.mark.parametrize("lines", [False, True])
def test_no_browser_cuts_a_declared_text(lines: bool) -> None:
    field = form_field(Option("note", "", "What it is about.", characters=300, lines=lines))
    assert isinstance(field, UncutField)
    attributes = field.widget.attrs
    assert ("maxlength" in attributes, attributes["data-longest"]) == (False, "300")
