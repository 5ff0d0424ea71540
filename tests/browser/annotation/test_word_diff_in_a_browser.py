"""The diff in the browser and the one on the server give the same pieces, for the table and for texts at random."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route
from support.chromium import Chromium
from support.diff_cases import CASES, random_pairs

from foundation.word_diff import word_diff

SITE = "http://diff.invalid"
MODULE = f"{SITE}/static/restyle/js/annotation/diff/pieces.js"
SCRIPT = """async ([module, pairs, withoutSegmenter]) => {
  const { wordDiff } = await import(module);
  const by = withoutSegmenter ? [null] : [];
  return pairs.map(([before, after]) => wordDiff(before, after, ...by).map(({ kind, text }) => [kind, text]));
}"""


def answer(route: Route) -> None:
    found = finders.find(route.request.url.removeprefix(f"{SITE}/static/"))
    if found is None:
        return route.fulfill(body="<!doctype html><title>Diff</title>", content_type="text/html")
    return route.fulfill(body=Path(found).read_bytes(), content_type="text/javascript")


@pytest.fixture
def page(_chromium: Chromium) -> Iterator[Page]:
    with _chromium.profiles(SITE) as open_page:
        page = open_page()
        page.route("**/*", answer)
        page.goto("/")
        yield page


@pytest.mark.parametrize("without_segmenter", [False, True])
def test_the_table(page: Page, without_segmenter: bool) -> None:
    pairs = [[case["before"], case["after"]] for case in CASES]
    assert page.evaluate(SCRIPT, [MODULE, pairs, without_segmenter]) == [case["pieces"] for case in CASES]


def test_texts_at_random(page: Page) -> None:
    pairs = random_pairs()
    here = [[list(piece) for piece in word_diff(*pair)] for pair in pairs]
    there = page.evaluate(SCRIPT, [MODULE, pairs, False])
    for pair, one, other in zip(pairs, here, there, strict=True):
        assert one == other, json.dumps(pair)
