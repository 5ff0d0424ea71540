"""WCAG 3.1.2: each element of a template that shows or takes a text says its language, or that it is unknown."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.test import RequestFactory

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
ELEMENT = re.compile(r"<[a-z][a-z0-9]*\b(?:\{%.*?%\}|\{\{.*?\}\}|[^<>{}])*>", re.DOTALL)
CLASSES = re.compile(r'\bclass="([^"]*)"')


def lacking(source: str) -> list[str]:
    """The elements of class `text` without a language."""
    found = []
    for element in ELEMENT.findall(source):
        classes = CLASSES.search(element)
        if classes and "text" in classes[1].split() and "{% text_lang %}" not in element and " lang=" not in element:
            found.append(element)
    return found


def test_every_text_has_one() -> None:
    assert {path: without for path in TEMPLATES if (without := lacking(path.read_text(encoding="utf-8")))} == {}


def test_one_without_is_found() -> None:
    assert lacking('<p dir="auto" class="text large" {% if a > b %}hidden{% endif %}>x</p>')
    assert not lacking('<p class="text" dir="auto"{% text_lang %}>x</p><p class="text-cell">x</p>')


@pytest.mark.parametrize(("language", "attribute"), [("pt-BR", ' lang="pt-BR"'), ("", ' lang=""')])
def test_it_is_the_studys_or_unknown(language: str, attribute: str) -> None:
    request = RequestFactory().get("/")
    request.study = SimpleNamespace(language=language)  # type: ignore[attr-defined]
    assert Template("<p{% text_lang %}>").render(Context({"request": request})) == f"<p{attribute}>"


def test_a_page_of_no_study_says_that_it_is_unknown() -> None:
    assert Template("<p{% text_lang %}>").render(Context({})) == '<p lang="">'
