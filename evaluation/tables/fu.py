"""The tables and figures of Fu et al. (2018)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import regex

from evaluation import charts
from evaluation.aggregation import method
from evaluation.comparability.better_ends import measured
from evaluation.languages import lowered, writes_spaces
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.aspects import criterion_of, places_of
from evaluation.table_parts.contents import Cell, Figure, MissingContent, Table, missing_content, no_criterion, p_text
from evaluation.table_parts.model_rows import not_chosen, options_text, why_none
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_tables import counted
from evaluation.tables.plaba import NO_SYSTEM
from evaluation.text_examples import examples
from foundation.papers import FU
from foundation.seeds import generator
from foundation.translation import translatable
from foundation.word_diff import words

# Transfer strength and content preservation by the dimensions of a model (Fu et al. 2018, Tables 3 to 5).

NO_MODEL = translatable(
    "No system is of the family {name}: give its systems that family, and their dimensions as options."
)
NO_OPTIONS = translatable(
    "The systems of the family {name} have no options: give each its dimensions, such as the encoder's."
)
HEADS = {"transfer_strength": "Transfer strength", "content_preservation": "Content preservation"}
AS_PROGRAM = {
    "transfer_strength": ("|longest:20-last|", translatable('the setting like = "fu"')),
    "content_preservation": (
        "|case:mixed|tok:none|no_words:the|",
        translatable('words at spaces, as written, and "the" for none'),
    ),
}
"""What the signature of a metric says that was computed as Fu et al.'s program, and how that is chosen."""
USUAL = {"hidden": 64, "embedding": 64}
"""The options of the three models as they usually are (`modelserving.neural_transfer.styled`)."""
SEEDS = "Several seeds with the same options have their mean, and the deviation (n - 1)."


def _by_dimensions(
    title: str, model: str, names: Sequence[str], usual: Mapping[str, int], number: str, order: int
) -> TableOrFigure:
    """The table of one kind of model, which a study has where a family's name begins with one of `names`.

    A system that was trained here names no option that has its usual value; `usual` gives that value.
    """

    def make(snapshot: StudySnapshot) -> Table | MissingContent:
        return _made(snapshot, title, model, names, usual)

    return TableOrFigure(title=title, make=make, paper=FU, number=number, order=order)


def _made(
    snapshot: StudySnapshot, title: str, model: str, names: Sequence[str], usual: Mapping[str, int]
) -> Table | MissingContent:
    named = [family for family in model_rows.families_of(snapshot) if _plain(family.model).startswith(tuple(names))]
    keys = dict.fromkeys(key for family in named for key in family.options if key in usual)
    models = [
        replace(family, options={key: usual[key] for key in keys} | dict(family.options)) if trained else family
        for family in named
        if (trained := snapshot.systems[family.places[0]].seed is not None and bool(keys)) or family.options
    ]
    no_model = "" if named else NO_MODEL.format(name=model)
    no_options = NO_OPTIONS.format(name=named[0].model) if named and not models else ""
    reasons = [*model_rows.not_chosen(snapshot, *HEADS), no_model, no_options]
    if any(reasons):
        return missing_content(title, *reasons)
    return _table(snapshot, title, models)


def program_notes(snapshot: StudySnapshot) -> list[str]:
    """The metrics with a setting that differs from the authors' program."""
    signed = {
        name: [scored.signature for scored in snapshot.scores.get(name, ()) if scored is not None]
        for name in AS_PROGRAM
    }
    return [
        f"{HEADS[name]}: not all as the authors' program, which {how} would have."
        for name, (sign, how) in AS_PROGRAM.items()
        if any(f"metric:{name}|" in each and sign not in each for each in signed[name])
    ]


def _plain(name: str) -> str:
    """'Multi-Decoder' and 'multi_decoder' are one."""
    return re.sub(r"[\W_]", "", name).casefold()


def _table(snapshot: StudySnapshot, title: str, models: Sequence[model_rows.Family]) -> Table:
    """A column for each option that differs, and one a metric; options that are the same in all stand beneath.

    Where options do not tell all rows apart, their families do.
    """
    keys = list(dict.fromkeys(key for model in models for key in model.options))
    values = {key: [model.options.get(key) for model in models] for key in keys}
    differing = [key for key in keys if len(models) == 1 or any(value != values[key][0] for value in values[key])]
    constant = [f"{key} is {values[key][0]}" for key in keys if key not in differing]
    told_apart = {tuple(str(model.options.get(key)) for key in differing) for model in models}
    several = len({model.model for model in models}) > 1 and len(told_apart) < len(models)
    order = sorted(range(len(models)), key=lambda number: [_sortable(values[key][number]) for key in differing])
    columns = [model_rows.score_column(snapshot, name, models) for name in HEADS]
    rows = [
        [*([Cell(models[number].model)] if several else []), *(_option(values[key][number]) for key in differing),
         *(column[number] for column in columns)]
        for number in order
    ]  # fmt: skip
    head = [*(["Family"] if several else []), *differing, *HEADS.values()]
    notes = [*([f"In all of them {', '.join(constant)}."] if constant else []), SEEDS, *program_notes(snapshot)]
    better = [*[None] * (len(head) - len(HEADS)), *(measured(snapshot, name).better for name in HEADS)]
    return Table(title, head, rows, notes, better)


def _option(value: object) -> Cell:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Cell(f"{value:g}", float(value))
    return Cell("" if value is None else str(value))


def _sortable(value: object) -> tuple[bool, float, str]:
    """Numbers by size, before words."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (False, float(value), "")
    return (True, 0.0, str(value))


# How many sentences each style has, and of how many words (Fu et al. 2018, Table 1).

TABLE_1_TITLE = "Size of the texts"
MOST_WORDS = 20
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NUMBERED = "<num>"
WORD = regex.compile(r"<num>|[\w\p{M}]+(?:['’-][\w\p{M}]+)*|[^\w\s\p{M}]")
NO_TEXTS = translatable("The study has no texts yet: add some on the page Texts.")
SPLITS = {"train": "to train on", "tune": "to tune on", "test": "to test on", "": "in no split"}
TABLE_1_NOTE = (
    f"As the paper has it, sentences of more than {MOST_WORDS} words are left out, letters are lower case and a number "
    "is one word, <num>. Words are counted once each; marks of punctuation are words, and so are the characters of "
    "languages without spaces. All texts count: sources, references and sentences of documents."
)


def table_1(snapshot: StudySnapshot) -> Table | MissingContent:
    """A column a style and one of all: sentences, by split too, those that are left out, and different words."""
    columns = {style: _short(snapshot, style) for style in snapshot.styles}
    every = sum((counts for counts, _, _ in columns.values()), Counter[str]())
    if not sum(every.values()):
        return missing_content(TABLE_1_TITLE, NO_TEXTS)
    left = sum(left for _, left, _ in columns.values())
    whole = (every, left, set().union(*(words for _, _, words in columns.values())))
    splits = [split for split in SPLITS if every[split]]
    shown = [_column(*entry, splits) for entry in (*columns.values(), whole)]
    names = [
        "Sentences",
        *(f"Sentences {SPLITS[split]}" for split in splits),
        "Longer ones, left out",
        "Vocabulary size",
    ]
    rows = [[Cell(name), *cells] for name, *cells in zip(names, *shown, strict=True)]
    head = ["Counted", *(style.capitalize() for style in columns), "All"]
    return Table(TABLE_1_TITLE, head, rows, [TABLE_1_NOTE], [None] * len(head))


def _short(snapshot: StudySnapshot, style: str) -> tuple[Counter[str], int, set[str]]:
    """A style's short sentences by split, the number of longer ones, and the words of the short ones."""
    counts, left, vocabulary = Counter[str](), 0, set[str]()
    spaced = writes_spaces(snapshot.language)
    for split, text in _texts(snapshot, style):
        small = NUMBER.sub(f" {NUMBERED} ", lowered(text, snapshot.language))
        tokens = WORD.findall(small) if spaced else [piece for run in small.split() for piece in _pieces(run)]
        if len(tokens) > MOST_WORDS:
            left += 1
        else:
            counts[split] += 1
            vocabulary.update(tokens)
    return counts, left, vocabulary


def _pieces(run: str) -> list[str]:
    """The characters of a language without spaces, and whole words in other letters; a number as it stands."""
    return [run] if run == NUMBERED else [word.text for word in words(run) if word.text]


def _texts(snapshot: StudySnapshot, style: str) -> Iterable[tuple[str, str]]:
    return ((split, text) for (of, split), texts in snapshot.counts.texts.items() if of == style for text in texts)


def _column(counts: Counter[str], left: int, words: set[str], splits: list[str]) -> list[Cell]:
    return [counted(n) for n in (sum(counts.values()), *(counts[split] for split in splits), left, len(words))]


# Examples of each transfer by every system (Fu et al. 2018, Table 2).

TABLE_2_TITLE = "Case study"


# Transfer strength against content preservation, a point a system (Fu et al. 2018, Figure 2).

FIGURE_2_TITLE = "Transfer strength and content preservation"
STRENGTH, CONTENT, BOUND = "transfer_strength", "content_preservation", "lower_bound"
COPY = "copied_source"
FIGURE_2_NONE = "No system has both a transfer strength and a content preservation. {why}"
FIGURE_2_NOTE = "The rule is the lower bound of content preservation: its mean over random pairs of texts that differ."
Row = dict[str, str | float | None]


def figure_2(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A colour and a line a family; the lower bound as a rule, where it is known."""
    if reasons := not_chosen(snapshot, STRENGTH, CONTENT):
        return missing_content(FIGURE_2_TITLE, *reasons)
    bound = lower_bound(snapshot)
    rows = [row for place in places_of(snapshot, "system") if (row := _row(snapshot, place, bound))]
    if not rows:
        return missing_content(FIGURE_2_TITLE, _none(snapshot))
    families = list(dict.fromkeys(str(row["family"]) for row in rows))
    x = charts.amount(STRENGTH, "Transfer strength", zero=False)
    y = charts.amount(CONTENT, "Content preservation", zero=False)
    tip = ("system", "family", "options", "seed", STRENGTH, CONTENT)
    by = charts.colour("family", families, "Family")
    spec = charts.points(x, y, by, tip=tip)
    if len(families) < len(rows):
        spec["layer"].insert(0, {"mark": {"type": "line", "strokeWidth": 1}, "encoding": {"x": x, "y": y, "color": by}})
    if bound is not None:
        spec["layer"].append(_rule())
    return Figure(
        FIGURE_2_TITLE,
        spec,
        rows,
        _describes(rows, families, bound),
        [*([FIGURE_2_NOTE] if bound is not None else []), *program_notes(snapshot)],
    )


def _none(snapshot: StudySnapshot) -> str:
    """With the first reason that a metric gave."""
    places = places_of(snapshot, "system")
    whys = [why_none(snapshot, name, place) for place in places for name in (STRENGTH, CONTENT)]
    return FIGURE_2_NONE.format(why=next(filter(None, whys), NO_SYSTEM))


def lower_bound(snapshot: StudySnapshot) -> float | None:
    """Over random pairs of the study's sources, which the copied source gives; else the systems' mean."""
    copied = snapshot.baselines.get(COPY, {}).get(CONTENT)
    if copied is not None and BOUND in copied.details:
        return copied.details[BOUND]
    known = [
        scored.details[BOUND] for scored in snapshot.scores[CONTENT] if scored is not None and BOUND in scored.details
    ]
    return float(np.mean(known)) if known else None


def _row(snapshot: StudySnapshot, place: int, bound: float | None) -> Row | None:
    strength, content = snapshot.scores[STRENGTH][place], snapshot.scores[CONTENT][place]
    if strength is None or content is None or strength.corpus is None or content.corpus is None:
        return None
    of = snapshot.systems[place]
    named: Row = {"system": of.name, "family": of.family, "options": options_text(of.options), "seed": of.seed}
    return {**named, STRENGTH: strength.corpus, CONTENT: content.corpus, BOUND: bound}


def _rule() -> charts.Spec:
    bound = {"field": BOUND, "type": "quantitative", "aggregate": "mean"}
    return {
        "mark": {"type": "rule", "color": "#6B6B6B", "strokeDash": [6, 4], "strokeWidth": 1.5},
        "encoding": {"y": bound, "tooltip": [{**bound, "title": "Lower bound"}]},
    }


def _describes(rows: list[Row], families: list[str], bound: float | None) -> str:
    points = "; ".join(f"{row['system']}: {row[STRENGTH]:.3f} and {row[CONTENT]:.3f}" for row in rows)
    rule = "" if bound is None else f" The lower bound of content preservation is {bound:.3f}."
    return f"A point a system, a colour a family ({', '.join(families)}), strength first: {points}.{rule}"


# Content preservation of each output against the similarity that people see (Fu et al. 2018, Figure 3).

FIGURE_3_TITLE = "Content preservation and people"
NOISE = 0.03  # of the scale's span: the deviation of what is added for the eye
FIGURE_3_NONE = "No output has both a judgement and a score of content preservation."
FIGURE_3_NOTE = (
    "Gaussian noise is added to the judgements that are drawn, that points do not hide one another; not to the data."
)


def figure_3(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A point an output of a system: the mean of its judgements, with noise, over its score."""
    judged = criterion_of(snapshot, "meaning", "similarity_3", direction=None)
    if judged is None or CONTENT not in snapshot.scores:
        no_people = no_criterion("meaning", "similarity_3") if judged is None else ""
        return missing_content(FIGURE_3_TITLE, *not_chosen(snapshot, CONTENT), no_people)
    rows, homes = _rows(snapshot, judged)
    if not rows:
        return missing_content(FIGURE_3_TITLE, FIGURE_3_NONE)
    x = charts.amount(CONTENT, "Content preservation", zero=False)
    y = charts.amount("shown", f"{judged.label}, mean of people", zero=False)
    systems = list(dict.fromkeys(str(row["system"]) for row in rows))
    spec = charts.points(x, y, charts.colour("system", systems, "System"), tip=("system", "unit", CONTENT, "people"))
    for layer in spec["layer"]:
        layer["mark"] |= {"size": 30, "opacity": 0.6}
    said = _correlation(rows, homes)
    return Figure(
        FIGURE_3_TITLE, spec, rows, f"{judged.label} over content preservation. {said}", [said, FIGURE_3_NOTE]
    )


def _rows(
    snapshot: StudySnapshot, judged: CriterionJudgements
) -> tuple[list[dict[str, str | float | None]], list[int]]:
    """The points, by system and unit, and the source of each."""
    units, systems = len(snapshot.units.ids), len(snapshot.systems)
    codes = judged.system * units + judged.unit
    counts = np.bincount(codes, minlength=units * systems)
    sums = np.bincount(codes, judged.value, units * systems)
    deviation = NOISE * (judged.highest - judged.lowest)
    noise = generator(snapshot.seed, "jitter").normal(0, deviation, units * systems)
    rows: list[dict[str, str | float | None]] = []
    homes = []
    for code in np.flatnonzero(counts).tolist():
        place, unit = divmod(code, units)
        scored = snapshot.scores[CONTENT][place]
        score = float("nan") if scored is None else float(scored.sentences[unit])
        if snapshot.systems[place].role == "system" and np.isfinite(score):
            mean = float(sums[code] / counts[code])
            rows.append({"system": snapshot.systems[place].name, "unit": snapshot.units.ids[unit], CONTENT: score,
                         "people": mean, "shown": mean + float(noise[code])})  # fmt: skip
            homes.append(int(snapshot.units.home[unit]))
    return rows, homes


def _correlation(rows: list[dict[str, str | float | None]], homes: list[int]) -> str:
    """'Spearman's rho is 0.566 over 200 outputs (p < 0.001).'"""
    values = [[float(row[key] or 0) for row in rows] for key in (CONTENT, "people")]
    correlation = method("spearman").correlate(*values, homes)
    if correlation.value is None:
        return f"There is no correlation: {correlation.undefined}"
    p = p_text(correlation.p)
    return f"Spearman's rho is {correlation.value:.3f} over {correlation.n} outputs{f' ({p})' if p else ''}."


ENTRIES = {
    "fu_table_1": TableOrFigure(
        title=TABLE_1_TITLE, make=table_1, paper=FU, number="Table 1", order=510, of_corpus=True
    ),
    "fu_table_2": TableOrFigure(
        title=TABLE_2_TITLE, make=partial(examples, title=TABLE_2_TITLE), paper=FU, number="Table 2", order=515
    ),
    "fu_figure_2": TableOrFigure(title=FIGURE_2_TITLE, make=figure_2, paper=FU, number="Figure 2", order=520),
    "fu_figure_3": TableOrFigure(title=FIGURE_3_TITLE, make=figure_3, paper=FU, number="Figure 3", order=525),
    "fu_table_3": _by_dimensions(
        translatable("Dimensions of the auto-encoder"), "auto-encoder", ("autoencoder",), USUAL, "Table 3", 530
    ),
    "fu_table_4": _by_dimensions(
        translatable("Dimensions of the multi-decoder"), "multi-decoder", ("multidecoder",), USUAL, "Table 4", 540
    ),
    "fu_table_5": _by_dimensions(
        translatable("Dimensions of the style-embedding"),
        "style-embedding",
        ("styleembedding", "styleembedded"),
        USUAL | {"style": 64},
        "Table 5",
        550,
    ),
}
