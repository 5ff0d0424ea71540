"""Sentences of several corpora and languages, cut into words and joined again: what changes is one of a few kinds."""

import csv
import re
from itertools import islice
from pathlib import Path

import pytest

from modelserving.training.tokenization import WordTokenizer, detokenize, keep_together

ROOT = Path(__file__).resolve().parents[4]
DATA = ROOT.parent / "shared" / "data"
CATALOGS = ROOT / "platform/config/locale"
MESSAGE = re.compile(r'^msgstr "(.+)"$', re.M)


def corpora(most: int) -> dict[str, list[str]]:
    """At most so many sentences of each."""
    shakespeare, asset = DATA / "shakespeare/train.original.txt", sorted(DATA.glob("asset/asset.valid.*"))
    formality = list(csv.DictReader((DATA / "pt16/train.csv").open(encoding="utf-8")))
    toxic = (DATA / "paradetox/paradetox.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = {
        "asset": [line for path in asset for line in lines(path)[::7]],
        "cochrane": [line for name in ("val.source", "val.target") for line in lines(DATA / "cochrane" / name)],
        "amazon": lines(DATA / "amazon/sentiment.test.0"),
        "captions": lines(DATA / "captions/sentiment.train.0"),
        "shakespeare": lines(shakespeare),
        "formality": [row["sentence"] for row in formality],
        "paradetox": [line.split("\t")[0] for line in toxic],
    }
    return {name: texts[:most] for name, texts in found.items()} | translations(most)


def translations(most: int) -> dict[str, list[str]]:
    """The site's own sentences in other languages."""
    texts = {path.parent.parent.name: path.read_text(encoding="utf-8") for path in CATALOGS.glob("*/LC_MESSAGES/*.po")}
    return {name: list(islice(map(str, MESSAGE.findall(text)), most)) for name, text in sorted(texts.items())}


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def changes(text: str) -> tuple[str, int, int]:
    """Where a text is changed in another way than listed ("" where it is not), and how often in either listed way.

    A space is lost before a mark that closes or a clitic, and behind one that opens; one comes where it is missing
    behind a mark before a letter, and around a dash.
    """
    text = " ".join(text.split())
    back = detokenize(WordTokenizer().tokenize(text))
    lost = added = at = 0
    for place, letter in enumerate(text):
        if back[at : at + 1] == " " != letter and _may_be_added(text, place):
            added += 1
            at += 1
        if back[at : at + 1] == letter:
            at += 1
        elif letter == " " and _may_be_lost(text, place):
            lost += 1
        else:
            return text[max(0, place - 20) : place + 20], lost, added
    return back[at:], lost, added


def _may_be_lost(text: str, place: int) -> bool:
    clitic = re.compile(r"(?:n['’]t|['’](?:s|m|d|ll|re|ve)?)(?!\w)", re.I).match(text, place + 1)
    opened = re.search(r"(?:^|\s|[(\[{])[(\[{$#“«\"]+$", text[:place])
    return bool(clitic or opened or re.compile(r"[.,;:!?%)\]}…”»\"]").match(text, place + 1))


def _may_be_added(text: str, place: int) -> bool:
    behind, ahead = text[:place], text[place:]
    dash = re.search(r"--$", behind) or re.match(r"--", ahead)
    return bool(dash or (re.search(r"[.,;:!?…]$", behind) and ahead[0].isalpha()))


@pytest.mark.parametrize(
    "text",
    [
        "me@x.org", "http://a", "p<0.05", "5'11\"", 'he is 5\'11" tall, and "well".', "mail me@x.org!", "(p<0.05).",
        "see http://x.org/a.cfm?destination=b&c.", "fun :) and :-D ;)", "R&D at AT&T, C#", "50%-60% >=3",
        "f(x) word(s)",
        "<b>x</b>", "12:30pm", "€5 £3 $4.50", "“p<0.05”",
    ],
)  # fmt: skip
def test_what_a_copier_must_keep_comes_back_as_it_stood(text: str) -> None:
    assert detokenize(WordTokenizer().tokenize(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mail me@x.org (p<0.05).", ["Mail", "me@x.org", "(", "p<0.05", ")", "."]),
        ("so...funny", ["so", "...", "funny"]),
        ("a word--a word", ["a", "word", "--", "a", "word"]),
        ("Go, don't!", ["Go", ",", "do", "n't", "!"]),
    ],
)
def test_marks_and_dashes_stay_words_of_their_own(text: str, words: list[str]) -> None:
    assert WordTokenizer().tokenize(text) == words


@pytest.mark.skipif(not DATA.exists(), reason="the corpora of ../shared/data are not here")
@pytest.mark.parametrize("most", [30, pytest.param(800, marks=pytest.mark.soak)])
def test_real_sentences_come_back_but_for_the_listed_changes(most: int) -> None:
    """Ten thousand in the soak. In corpora that are not cut into words already, few are changed at all."""
    for name, texts in corpora(most).items():
        found = [changes(text) for text in texts]
        assert [odd for odd, _, _ in found if odd] == [] or name == "paradetox", name
        assert not any(odd for odd, _, _ in found)
        if name in ("asset", "cochrane", "ar", "de", "he", "zh_Hans"):
            assert sum(lost + added > 0 for _, lost, added in found) <= 0.1 * len(texts), name


def test_a_long_run_without_spaces_is_cut_in_linear_time() -> None:
    run = "p<" * 20_000
    words = keep_together(run, list(run))
    assert "".join(words) == run
    assert max(map(len, words)) <= 1_000
