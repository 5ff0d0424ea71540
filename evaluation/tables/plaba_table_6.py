"""Outputs against their sources: how much of them is kept (Attal et al. 2023, Table 6)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import LCSseq

from evaluation.metrics import METRICS
from evaluation.ngrams.rouge import precision_recall_f1, rouge_tokenizer
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.paper_scales import HUNDREDTH, scale_notes
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import NO_SYSTEM, SEEDS
from foundation.papers import PLABA

TITLE = "Outputs against their sources"
ROUGE, BLEU = ("rouge_1", "rouge_2", "rouge_l"), "self_bleu"
NOTES = (
    "The source is the one reference. A copy has the highest scores, so that neither end is the better one.",
    "ROUGE is the mean F1 of tokens in lower case, worked out for this table; BLEU is the report's Self-BLEU.",
    SEEDS,
)
NO_OUTPUTS = "It has no outputs."


@dataclass(frozen=True)
class Split:
    """A text's tokens, and how often it has each of them and each two in a row."""

    tokens: list[str]
    grams: tuple[Counter[object], Counter[object]]


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model."""
    models = model_rows.families_of(snapshot)
    if reasons := [*model_rows.not_chosen(snapshot, *ROUGE, BLEU), *([] if models else [NO_SYSTEM])]:
        return missing_content(TITLE, *reasons)
    sources = [_split(text) for text in snapshot.units.sources]
    scores = {place: _scores(sources, snapshot.systems[place].outputs) for model in models for place in model.places}
    columns = [
        *(
            [_cell([scores[place][number] for place in model.places]) for model in models]
            for number in range(len(ROUGE))
        ),
        model_rows.score_column(snapshot, BLEU, models, scale=HUNDREDTH),
    ]
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    notes = [*NOTES, *scale_notes({BLEU: HUNDREDTH}, [(BLEU, "BLEU")])]
    return Table(TITLE, ["System", *(METRICS[name].label for name in ROUGE), "BLEU"], rows, notes)


def _split(text: str) -> Split:
    tokens = rouge_tokenizer("ascii", stem=False)(text)
    return Split(tokens, (Counter(tokens), Counter(pairwise(tokens))))


def _scores(sources: Sequence[Split], outputs: Sequence[str | None]) -> list[float | None]:
    """ROUGE-1, ROUGE-2 and ROUGE-L of a system; None without outputs."""
    pairs = [_pair(_split(text), source) for source, text in zip(sources, outputs, strict=True) if text is not None]
    return [float(mean) for mean in np.mean(pairs, axis=0)] if pairs else [None] * len(ROUGE)


def _pair(output: Split, source: Split) -> list[float]:
    shared = [
        (sum(min(many, wanted[gram]) for gram, many in said.items() if gram in wanted), said, wanted)
        for said, wanted in zip(output.grams, source.grams, strict=True)
    ]
    longest = LCSseq.similarity(output.tokens, source.tokens)
    units = [
        *((overlap, said.total(), wanted.total()) for overlap, said, wanted in shared),
        (longest, len(output.tokens), len(source.tokens)),
    ]
    return list(map(float, precision_recall_f1(np.array(units, dtype=np.float64))[:, 2]))


def _cell(scores: Sequence[float | None]) -> Cell:
    values = [score for score in scores if score is not None]
    return model_rows.seeds_cell(values, len(scores), 4) if values else number(None, why=NO_OUTPUTS)


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Table 6", order=360)
