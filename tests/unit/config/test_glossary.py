"""Pages say one thing by one term: none of the words that the glossary of docs/look.md gave up."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GIVEN_UP = re.compile(
    r"\b(worked out|works? (it )?out|working out|people an item|seconds an item|answers a day|shared? out|anew|trail"
    r"|leads(?! (out of|to|here|nowhere))"
    r"|judgements? from elsewhere|bring(s|ing)? (it |them |some )?in|brought in|take (all of )?it with you"
    r"|the same, drawn|drawn)\b",
    re.IGNORECASE,
)
# Names of things, which docstrings and sentences of tables and endpoints do not use any more either.
NAMES = re.compile(
    r"\b(foils?|crews?|seats?|entran(ce|t)s?|bring(s|ing)? (it |them |some )?in|brought in|judgements from elsewhere"
    r")\b",
    re.IGNORECASE,
)
SAID = {"_", "gettext", "gettext_noop", "gettext_lazy", "ngettext", "ngettext_lazy", "_now", "UserError"}
TAG = re.compile(r"{%\s*translate\s+(\"[^\"]*\"|'[^']*')|_\((\"[^\"]*\")\)")
BLOCK = re.compile(r"{%\s*blocktranslate[^%]*%}([^{]*(?:{(?!%\s*endblock)[^{]*)*){%\s*endblocktranslate")
VARIABLE = re.compile(r"{{[^}]*}}")


def in_template(text):
    """The words that a template shows, without the names of variables."""
    for one, other in TAG.findall(text):
        yield (one or other).strip("\"'")
    for block in BLOCK.findall(text):
        yield VARIABLE.sub("", block)


def in_module(text):
    """The string literals that a module has translated or raises as a sentence for people."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAID:
            for argument in node.args:
                yield from (
                    part.value
                    for part in ast.walk(argument)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                )


def sentences(text):
    """The docstrings and other sentences of a module, without what stands in `...`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.match(r"[A-Z]\S* ", node.value):
            yield re.sub(r"`[^`]*`|{[^}]*}", "", node.value)


def files():
    yield from sorted((ROOT / "templates").rglob("*.html"))
    for room in ("platform", "annotation", "evaluation", "modelserving"):
        yield from (path for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts)


def given_up(words):
    """The given up words among `words`; names in %(...)s are no words."""
    return [one for one in words if GIVEN_UP.search(re.sub(r"%\(\w+\)s", "", one))]


def test_no_page_uses_a_word_that_was_given_up():
    found = []
    for path in files():
        read = in_template if path.suffix == ".html" else in_module
        text = path.read_text()
        words = read(text) if GIVEN_UP.search(text) else ()  # most files need not be parsed
        found += [f"{path.relative_to(ROOT)}: {' '.join(one.split())}" for one in given_up(words)]
    assert not found, "\n".join(found)


def test_no_sentence_of_a_module_uses_a_name_that_was_given_up():
    found = []
    for path in files():
        if path.suffix == ".py" and NAMES.search(text := path.read_text()):
            found += [f"{path.relative_to(ROOT)}: {one}" for one in sentences(text) if NAMES.search(one)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("text", "read"), [
    ('{% translate "Bring in a table" %}', in_template),
    ("{% translate 'Audit trail' %}", in_template),
    ("{% blocktranslate with n=1 trimmed %}\n  {{ n }} was worked out.\n{% endblocktranslate %}", in_template),
    ('{% include "x" with label=_("Share out") %}', in_template),
    ('label = _("People an item")', in_module),
    ('raise UserError(f"{who} leads.", where="x")', in_module),
])  # fmt: skip
def test_a_word_that_was_given_up_is_found(text, read):
    assert given_up(read(text))


def test_what_nobody_reads_is_not_looked_at():
    assert not given_up(in_template('{# anew #}{{ drawn }}{% translate "Draft" %}'))
    assert not given_up(in_module('key = "drawn"\nsaid = _("%(drawn)s of them")'))
