"""What reads texts that people send takes linear time on the worst of them; in the soak up to a million characters.

Of each parser the text is found that takes it longest, at a small size; on that, and on a mixture of all, time must
grow as the text does.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from rest_framework.exceptions import ParseError
from support import linear

from annotation import patient_language, text_marks
from corpora import tabular_files  # fmt: skip
from corpora.formats import (
    TextFile,
    documents_csv,
    documents_jsonl,
    gold,
    gold_csv,
    gyafc,
    medlane,
    msd,
    parallel_text,
    plaba,
    plain_documents,
    pubmed_xml,
    sentence_lines,
)
from corpora.knowledge import brackets, formality_features, identifiers, lemmas, notes, sentences, words
from corpora.knowledge.concepts import lexicon
from corpora.knowledge.concepts.mentions import Concept
from corpora.selection_rules import medlane as selected
from corpora.table_parser.table_recognition import understand_here as understand
from evaluation import readability, text_examples
from evaluation.imported_judgements import columns
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS
from evaluation.rendering import latex
from foundation import text_keys, word_diff
from foundation.errors import UserError
from modelserving.formality_rules import informal_to_formal, word_lists
from modelserving.training import tokenization as model_words

PUMPS = (
    *(
        "a",
        "A",
        "1",
        " ",
        "-",
        ".",
        "[",
        "[**",
        "(",
        '"',
        "'",
        "\n",
        "\t",
        ",",
        "{",
        "\\",
        "\0",
        "é",
        "🙂",
        "\u0301",
        "\x1c",
    ),
    *(
        "a ",
        "Hi. ",
        "K. ",
        "a.b",
        "- ",
        "?! ",
        "1. ",
        "a[b] ",
        "a@b.com ",
        "www.a.com ",
        "Dr. A",
        "n't ",
        '"a" ',
        "a|b",
        "a\n",
    ),
    *('{"a":', "<p>", "&a;", "x\n\n", "x,y\n", "x\ty\n", "1 2\n", "HPI:\n", "her ", "\r", "a = 1\n", "pt ", "(a"),
)
SIZE = 2000
LEXICON = lexicon.Lexicon([Concept("C1", ("a a a", "a", "heart attack", "K"), (), "")])


def table(content: str) -> Any:
    with understand(file(content)) as made:
        return list(made.records())


def file(content: str) -> TextFile:
    return TextFile(content.encode(errors="replace"), "it")


def answered(content: str) -> Any:
    import config.urls  # noqa: F401  (in the order in which the platform itself is imported)
    from config.api.conventions import StorableJSON

    return StorableJSON().parse(BytesIO(content.encode()), "application/json", {})


def unfolded(content: str) -> list[Any]:
    """By each preset, with the text as a cell and as a column's name."""
    cells = dict.fromkeys(("Answer.a", "annotations.1.result.1.x", "a:::b", content), content)
    rows, names = [cells], list(cells)
    presets = list(TOOL_FORMATS.values())
    return [
        (preset.fits(names, rows), preset.guess(names, rows, ["a"], ["b"]), list(preset.unfold(cells)))
        for preset in presets
    ]


PARSERS: dict[str, Callable[[str], Any]] = {
    "lines of texts": lambda one: parallel_text.read_texts(file(one)),
    "MedLane": lambda one: list(medlane.read(file(f"a\n{one}\nb\n"))),
    "MedLane's brackets": medlane.segments,
    "GYAFC": lambda one: list(gyafc.read(file(one))),
    "MSD": lambda one: list(msd.read(file(one))),
    "PLABA": lambda one: list(plaba.read(file(one))),
    "PubMed": lambda one: list(pubmed_xml.read(file("<PubmedArticleSet>" + one), {})),
    "documents": lambda one: list(plain_documents.read(file(one), {})),
    "sentences of a file": lambda one: list(sentence_lines.read(file(one), {})),
    "documents as CSV": lambda one: list(documents_csv.read(file("text,a\n" + one), {})),
    "documents as JSON": lambda one: list(documents_jsonl.read(file(one), {})),
    "gold": lambda one: list(gold.read(file(one))),
    "gold as CSV": lambda one: list(gold_csv.read(file(one))),
    "a cell": lambda one: tabular_files.restore_cell(tabular_files.escape_cell(one)),
    "judgements from elsewhere": unfolded,
    "a table": table,
    "a table as CSV": lambda one: table("source,output\n" + one),
    "a table as JSON": lambda one: table('[{"a": "' + one),
    "a table as JSON lines": lambda one: table('{"a": 1}\n' + one),
    "the API's JSON": answered,
    "sentences": sentences.split,
    "identifiers": lambda one: identifiers.find(one),
    "tokens": words.tokens,
    "words": words.words,
    "notes": lambda one: list(notes.sections(one)),
    "full forms in brackets": brackets.bracketed,
    "a lemma": lemmas.lemma,
    "formality": lambda one: formality_features.matrix([one]),
    "concepts": LEXICON.link,
    "MedLane's selection": lambda one: selected.SELECTION.keep(one, selected.SELECTION.defaults),
    "a patient addressed": patient_language.addressed_text,
    "marked abbreviations": lambda one: list(text_marks.TAKEN_OUT.finditer(one)),
    "sentences of metrics": readability.sentences,
    "readability": readability.text_counts,
    "syllables": readability.syllables,
    "LaTeX": lambda one: (latex.safe(one), latex.breakable(one)),
    "lines of a column": lambda one: latex.wrapped(one, 20.0),
    "a column's name": columns.numbered,
    "a column's meaning": lambda one: columns.columns_of({"a": "rating: " + one}),
    "words marked": lambda one: text_examples.lacking_in(one, one[1:] + " x"),
    "what a rewrite changed": lambda one: list(word_diff.word_diff(one, one[1:] + " b")),
    "another text": lambda one: list(word_diff.word_diff(one, one[::-1])),
    "the loose key": text_keys.normalized_key,
    "to formal": lambda one: [rule(one) for rule in informal_to_formal.RULES] + [informal_to_formal.ended(one)],
    "spaces": lambda one: word_lists.set_apart(word_lists.attach(one), one),
    "put aside": word_lists.put_aside,
    "words of models": lambda one: model_words.detokenize(model_words.WordTokenizer().tokenize(one)),
}
REFUSED = (UserError, ParseError, RecursionError)


def spent(work: Callable[[str], Any], content: str) -> float:
    start = time.perf_counter()
    with suppress(*REFUSED):
        work(content)
    return time.perf_counter() - start


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("upto", [linear.SOONER, pytest.param({}, marks=pytest.mark.soak)], ids=["article", "million"])
def test_it_takes_linear_time(name: str, upto: dict[str, Any]) -> None:
    work = PARSERS[name]

    def of(pump: str) -> Callable[[int], Callable[[], Any]]:
        return lambda size: lambda: spent(work, pump * (size // len(pump)))

    times: dict[str, float] = {}
    linear.seconds(lambda: times.update({pump: spent(work, pump * (SIZE // len(pump))) for pump in PUMPS}))
    for pump in (max(times, key=lambda pump: times[pump]), "".join(PUMPS)):
        assert linear.grows_evenly(of(pump), SIZE, **upto), f"{name}: {pump!r}"
