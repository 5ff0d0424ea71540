"""Whatever a page wants translated is in the catalogs: labels of plain folders too, which no call there names."""

from collections.abc import Callable
from gettext import GNUTranslations
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from support.demo_site import DemoSite
from support.every_page import MORE, PAGES, address

from message_catalogs.project_messages import project_catalog

UNTRANSLATED = {"No response body"}
"""What a package asks for and has in no language: drf-spectacular's, for the reference of the API, which is English."""
PACKAGES = ("django", "allauth", "rest_framework", "drf_spectacular")
FORMED = ("RESTYLE_", "did you mean")
"""Sentences that say what a machine lacks, and errors that are formed already, come to a page in English."""


class Recorder:
    """Gettext's functions, which remember what they are asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def remembers(self, function: Callable[..., Any], place: int) -> Callable[..., Any]:
        """The function, whose argument at `place` is the message."""

        def remembering(*arguments: Any) -> Any:
            self.asked.add(str(arguments[place]))
            return function(*arguments)

        return remembering


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    recorder = Recorder()
    for name, place in (("gettext", 0), ("ngettext", 0), ("pgettext", 1), ("npgettext", 1)):
        function = getattr(translation._trans, name)
        monkeypatch.setattr(translation._trans, name, recorder.remembers(function, place))
    return recorder.asked


def firsts(catalog: dict[Any, Any]) -> set[str]:
    """The messages of a compiled catalog, those of a number by their first form."""
    return {(key[0] if isinstance(key, tuple) else key).split("\x04")[-1] for key in catalog}


def of_packages() -> set[str]:
    """What Django and its apps have translated themselves, into any language: German may lag behind a new release."""
    found: set[str] = set()
    for package in PACKAGES:
        [folder] = find_spec(package).submodule_search_locations  # type: ignore[union-attr, misc]
        for file in Path(folder).rglob("locale/*/LC_MESSAGES/django.mo"):
            with file.open("rb") as compiled:
                found |= firsts(GNUTranslations(compiled)._catalog)  # type: ignore[attr-defined]
    return found


@pytest.mark.slow
def test_each_message_that_a_page_asks_for_is_in_the_catalogs(
    transactional_db: None, settings: Any, asked: set[str]
) -> None:
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    site = DemoSite()
    asked.clear()
    for name, who, values in [*((name, who, {}) for name, who in PAGES.items()), *MORE]:
        client = Client()
        if who in site.people:
            client.force_login(site.people[who])
        assert client.get(address(site, name, values)).status_code in {200, 302, 401, 404}
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in project_catalog()}
    languages = {name for _, name in settings.LANGUAGES}
    missing = asked - known - languages - of_packages() - UNTRANSLATED
    assert len(asked) > 1_000
    missing = {message for message in missing if any(map(str.isalpha, message))}
    assert {message for message in missing if not any(part in message for part in FORMED)} == set()
