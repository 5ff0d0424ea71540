"""Every language says all that pages say, in the places that they have, and is compiled as it is written."""

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog
from django.conf import settings
from django.utils.translation import to_locale

from foundation.options import list_options
from modelserving.transfer import TRANSFERS
from tools.message_catalogs.catalog_files import (
    catalog_files,
    language_of,
    misplaced,
    mo_bytes,
    po_bytes,
    read_catalog,
    untranslated,
)
from tools.message_catalogs.project_messages import project_catalog

FILES = list(catalog_files())
by_language = pytest.mark.parametrize("path", FILES, ids=language_of)


@cache
def project() -> Catalog:
    return project_catalog()


@cache
def catalog(path: Path) -> Catalog:
    return read_catalog(path)


def keys(of: Catalog) -> set[object]:
    return {(message.id, message.context) for message in of if message.id}


def test_helps_and_groups_of_the_options_of_models_are_messages() -> None:
    for name, model in TRANSFERS.items():
        for option in (*list_options(model.Options), *list_options(model.Decoding)):
            missing = [word for word in (option.help, option.group) if word and word not in project()]
            assert not missing, f"{option.name} of {name}"


def test_each_language_of_the_interface_has_a_catalog() -> None:
    offered = {to_locale(code) for code, _ in settings.LANGUAGES} - {"en"}
    assert {language_of(path) for path in FILES} == offered


@by_language
def test_it_has_the_messages_of_the_project(path: Path) -> None:
    """`make messages` brings a catalog up to date."""
    assert keys(catalog(path)) ^ keys(project()) == set()


@by_language
def test_each_message_has_a_translation(path: Path) -> None:
    assert untranslated(catalog(path)) == []


@by_language
def test_a_translation_has_the_places_of_its_message(path: Path) -> None:
    assert misplaced(catalog(path)) == []


@by_language
def test_the_compiled_file_is_of_the_catalog(path: Path) -> None:
    compiled = GNUTranslations(path.with_suffix(".mo").open("rb"))
    fresh = GNUTranslations(BytesIO(mo_bytes(catalog(path))))
    assert compiled._catalog | {"": ""} == fresh._catalog | {"": ""}  # type: ignore[attr-defined]
    assert [compiled.plural(n) for n in range(200)] == [fresh.plural(n) for n in range(200)]  # type: ignore[attr-defined]


@by_language
def test_no_file_names_the_release_that_wrote_it(path: Path) -> None:
    assert b"Babel" not in po_bytes(catalog(path)).split(b"\n\n")[0]
    assert "generated-by" not in GNUTranslations(BytesIO(mo_bytes(catalog(path)))).info()
    assert b"Generated-By" not in path.read_bytes() + path.with_suffix(".mo").read_bytes()


def test_what_lacks_a_translation_or_a_place_is_found() -> None:
    wrong = Catalog(locale="de")
    wrong.add("There is no {name}.", "Es gibt keine Datei.")
    wrong.add("Submit", "")
    wrong.add(("%(n)s item", "%(n)s items"), ("eine Aufgabe", "%(n)s Aufgaben"))
    wrong.add("Skip", "Überspringen", flags=["fuzzy"])
    assert misplaced(wrong) == ["There is no {name}."]
    assert sorted(untranslated(wrong)) == ["Skip", "Submit"]
