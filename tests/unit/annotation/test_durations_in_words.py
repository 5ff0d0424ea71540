"""How long is left is said in each language, also where one and two are said without a digit."""

import pytest
from django.conf import settings
from django.utils import translation

from annotation.templatetags.campaigns import for_so_long


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("hours", [1 / 60, 2 / 60, 0.5, 1, 2, 11, 48, 72, 2400])
def test_every_language_says_it(language, hours):
    with translation.override(language):
        said = for_so_long(hours)
    assert said
    assert "%" not in said
