"""The tables and figures of PLABA (Attal et al. 2023)."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from evaluation.aggregation import correct_p_values, correction_of, method, significance_star
from evaluation.comparability.better_ends import end_of
from evaluation.corpus_statistics import (
    FKGL,
    fkgl_of_references,
    fkgl_of_sources,
    how_lengths_are_counted,
    mean_grades_of_references,
    mean_of,
    rouge_settings,
    words_and_sentences,
)
from evaluation.languages import count_words
from evaluation.metric_contract import Floats, Scores
from evaluation.metrics import METRICS, MetricInput
from evaluation.ngrams import PRINTED, PUNKT, REFERENCES
from evaluation.readability import VERSION
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.columns import HUNDREDTH, OURS, ranking_notes, scale_notes
from evaluation.table_parts.contents import (
    DASH,
    Cell,
    MissingContent,
    Table,
    joined,
    missing_content,
    no_metric,
    number,
    p_text,
    traced,
)
from evaluation.table_parts.model_rows import digits_of, families_of, not_chosen, program_notes
from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import Passage, cell_of, drawn, lacking_in, passages_of
from foundation.papers import PLABA
from foundation.text_keys import text_key
from foundation.translation import translatable

# How long questions, sources, references and outputs are (Attal et al. 2023, Table 2).

TABLE_2_TITLE = "Average words and sentences"
TABLE_2_NO_OUTPUTS = "It has no outputs."
NO_REFERENCES = translatable("No source has a reference: add references to the study.")


def table_2(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for questions, sources, references, and each model with the texts of all its seeds."""
    references = [text for given in snapshot.units.references for text in given]
    if not references:
        return missing_content(TABLE_2_TITLE, NO_REFERENCES)
    questions = list(dict.fromkeys(passage.question for passage in passages_of(snapshot) if passage.question))
    named = [("Questions", questions)] if questions else []
    named += [("Sources", list(snapshot.units.sources)), ("References", references)]
    for family in families_of(snapshot):
        texts = [text for place in family.places for text in snapshot.systems[place].outputs if text is not None]
        named.append((family.name, texts))
    rows = [_row(name, texts, snapshot.language) for name, texts in named]
    notes = [f"A text is a {snapshot.unit}'s.", *how_lengths_are_counted(snapshot.language)]
    return Table(TABLE_2_TITLE, ["Texts", "Words a text", "Sentences a text", "Number of texts"], rows, notes)


def _row(name: str, texts: Sequence[str], language: str) -> list[Cell]:
    lengths = words_and_sentences(texts, language)
    if lengths is None:
        none = number(None, why=TABLE_2_NO_OUTPUTS)
        return [Cell(name), none, none, number(0, 0)]
    words = _table_2_cell(lengths.words, lengths.words_deviation)
    return [Cell(name), words, _table_2_cell(lengths.sentences, lengths.sentences_deviation), number(len(texts), 0)]


def _table_2_cell(mean: float, deviation: float | None) -> Cell:
    if deviation is None:
        return number(mean, 2)
    return number(mean, 2, small=f"± {deviation:.2f}", parts={"deviation": deviation})


# Questions with abstracts that answer them and their adaptations (Attal et al. 2023, Table 1).

TABLE_1_TITLE = "Questions, abstracts and adaptations"
TABLE_1_MOST = 3
NO_QUESTION = translatable(
    "No source comes from a document that answers a question: add questions with their documents."
)
NOT_WHOLE = "No document that answers a question has a reference for each of its sources."
TABLE_1_NOTE = (
    "Drawn at random, the same with every report, from the documents all of whose sources have a reference; of several "
    "references the first is shown."
)


def table_1(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a document."""
    asked = [passage for passage in passages_of(snapshot) if passage.question]
    whole = [passage for passage in asked if passage.references(snapshot)]
    if not whole:
        none = "" if any(snapshot.units.references) else NO_REFERENCES
        return missing_content(TABLE_1_TITLE, none, NO_QUESTION if not asked else "" if none else NOT_WHOLE)
    chosen = [whole[number] for number in drawn(snapshot, "questions", range(len(whole)), TABLE_1_MOST)]
    rows = [[Cell(text) for text in _texts(snapshot, passage)] for passage in chosen]
    return Table(TABLE_1_TITLE, ["Document", "Question", "Source", "Reference"], rows, [TABLE_1_NOTE], [None] * 4)


def named(passage: Passage) -> str:
    """Its code and its title, as far as they are there."""
    return ", ".join(part for part in (passage.code, passage.title) if part) or "A document"


def _texts(snapshot: StudySnapshot, passage: Passage) -> list[str]:
    return [named(passage), passage.question, passage.joined(snapshot.units.sources), passage.references(snapshot)[0]]


# Outputs against the references (Attal et al. 2023, Table 5).

TABLE_5_TITLE = "Outputs against the references"
REQUIRED, TABLE_5_IF_THERE = ("rouge_1", "rouge_2", "rouge_l", "bleu", "sari"), ("bertscore",)
TABLE_5_COLUMNS = ("rouge_1", "rouge_2", "rouge_l", "bleu", "bertscore", "sari")
SCALES = {"bleu": HUNDREDTH}
ROUGE_PROGRAM = {
    name: {"of": "f1", "stem": "porter", "refs": REFERENCES[PRINTED], "sentences": PUNKT}
    for name in TABLE_5_COLUMNS[:3]
}
TABLE_5_PROGRAM = {**ROUGE_PROGRAM, "sari": {"like": "hf"}}
NO_SYSTEM = translatable("There is no system: add one, with its outputs.")
SEEDS = "A model with several seeds has their mean, and the deviation (n - 1)."


def table_5(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model: mean and deviation over its seeds, the best marked, stars against the baseline."""
    models = model_rows.families_of(snapshot)
    if reasons := [*model_rows.not_chosen(snapshot, *REQUIRED), *([] if models else [NO_SYSTEM])]:
        return missing_content(TABLE_5_TITLE, *reasons)
    base = model_rows.family_at(models, snapshot.baseline)
    columns = [
        model_rows.marked_scores(snapshot, name, models, stars_of(snapshot, name, models, base), SCALES.get(name, OURS))
        for name in TABLE_5_COLUMNS
    ]
    over = ranking_notes(
        [(METRICS[name].label, ranking) for name, (_, ranking) in zip(TABLE_5_COLUMNS, columns, strict=True)]
    )
    names = [Cell(model.name) for model in models]
    rows = [list(row) for row in zip(names, *(cells for cells, _ in columns), strict=True)]
    left = [no_metric(name) for name in TABLE_5_IF_THERE if name not in snapshot.scores]
    heads = [METRICS[name].label for name in TABLE_5_COLUMNS]
    set_as = [*scale_notes(SCALES, zip(TABLE_5_COLUMNS, heads, strict=True)), *program_notes(snapshot, TABLE_5_PROGRAM)]
    notes = [SEEDS, *set_as, *([star_note(snapshot, base)] if base else []), *over, *left]
    head = ["System", *heads]
    return Table(TABLE_5_TITLE, head, rows, notes, [None, *(end_of(snapshot, name) for name in TABLE_5_COLUMNS)])


def stars_of(
    snapshot: StudySnapshot, metric: str, models: list[model_rows.Family], base: model_rows.Family | None
) -> list[str]:
    """By Wilcoxon's test over the sources that both have, each with the mean over seeds."""
    if base is None or metric not in snapshot.scores:
        return [""] * len(models)
    other = model_rows.sentence_scores(snapshot, metric, base)
    tests = [
        None if model == base else _p(snapshot, model_rows.sentence_scores(snapshot, metric, model), other)
        for model in models
    ]
    return [significance_star(snapshot, p) for p in correct_p_values(snapshot, tests)]


def _p(snapshot: StudySnapshot, these: Floats, those: Floats) -> float | None:
    both = np.isfinite(these) & np.isfinite(those)
    homes = snapshot.units.home[both]
    p: float | None = method("wilcoxon").compare(these[both], those[both], homes).p
    return p


def star_note(snapshot: StudySnapshot, base: model_rows.Family) -> str:
    """The meaning of a star."""
    correction = correction_of(snapshot)
    return (
        f"* differs from {base.name} with p < {snapshot.alpha:g}"
        f"{f', corrected a column ({correction})' if correction else ''}, by Wilcoxon's signed-rank test."
    )


# How near sources are to their references, as if they were outputs (Attal et al. 2023, Table 3).

TABLE_3_TITLE = "Sources beside the references"
TABLE_3_COLUMNS, TABLE_3_IF_THERE = ("rouge_1", "rouge_2", "rouge_l", "bleu"), ("bertscore",)
BASELINE = "copied_source"
TABLE_3_NOTE = "The source is the candidate, and all references of a unit stand against it."
UNSCORED = translatable("The sources have not been scored against the references yet: make the report again.")


def table_3(snapshot: StudySnapshot) -> Table | MissingContent:
    """One row: the scores of the source as the output for itself."""
    scores = snapshot.baselines.get(BASELINE, {})
    reasons = not_chosen(snapshot, *TABLE_3_COLUMNS)
    if not reasons and not any(scores[name].corpus is not None for name in TABLE_3_COLUMNS if name in scores):
        reasons = list(dict.fromkeys(scores[name].undefined for name in TABLE_3_COLUMNS if name in scores)) or [
            UNSCORED
        ]
    if reasons:
        return missing_content(TABLE_3_TITLE, *reasons)
    names = [*TABLE_3_COLUMNS, *TABLE_3_IF_THERE]
    cells = [_table_3_cell(snapshot, name, scores.get(name)) for name in names]
    heads = [METRICS[name].label for name in names]
    lacking = [f"{head}: {cell.why}" for head, cell in zip(heads, cells, strict=True) if cell.why]
    scales, program = scale_notes(SCALES, zip(names, heads, strict=True)), program_notes(snapshot, ROUGE_PROGRAM)
    return Table(
        TABLE_3_TITLE, ["Texts", *heads], [[Cell("Sources"), *cells]], [TABLE_3_NOTE, *scales, *program, *lacking]
    )


def _table_3_cell(snapshot: StudySnapshot, name: str, scored: Scores | None) -> Cell:
    if scored is not None:
        scale = SCALES.get(name, OURS)
        return number(scale.of(scored.corpus), digits_of(name) + scale.digits, scored.undefined)
    return number(None, why=no_metric(name) if name not in snapshot.scores else UNSCORED)


# Readability of outputs beside sources and human adaptations (Attal et al. 2023, Table 4).

TABLE_4_TITLE = "FKGL of outputs, sources and human adaptations"
HEAD = ["System", "FKGL", "Against the sources", "Against the references"]
OWN = "These are the texts that the others are held against."
FEW = "There is no test: fewer than two texts have both grades, or all grades of one side are the same."
MEANS = (
    "FKGL is the mean of the texts' grades, as the authors' program takes it, whatever the metric itself pools. The "
    "references of a text count once, by their mean."
)
TABLE_4_PROGRAM = {FKGL: {"like": VERSION}}


def table_4(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row for sources, references and each model, and how its grades go with those of the first two."""
    references = fkgl_of_references(snapshot)
    if references is None or FKGL not in snapshot.scores:
        no_references = "" if references else NO_REFERENCES
        return missing_content(TABLE_4_TITLE, *model_rows.not_chosen(snapshot, FKGL), no_references)
    sources, models = fkgl_of_sources(snapshot), model_rows.families_of(snapshot)
    first = [sources.sentences, mean_grades_of_references(snapshot, references.sentences)]
    given = [*first, *(model_rows.sentence_scores(snapshot, FKGL, model) for model in models)]
    names = [Cell(name) for name in ("Sources", "References", *(model.name for model in models))]
    own = [_mean(grades, scores.undefined) for grades, scores in zip(first, (sources, references), strict=True)]
    own += [_of_seeds(snapshot, model) for model in models]
    columns = [_against(snapshot, given, place) for place in (0, 1)]
    rows = [list(row) for row in zip(names, own, *columns, strict=True)]
    return Table(TABLE_4_TITLE, HEAD, rows, [MEANS, *program_notes(snapshot, TABLE_4_PROGRAM), _note(snapshot)])


def _mean(grades: Floats, why: str) -> Cell:
    mean = mean_of(grades)
    return number(None if np.isnan(mean) else mean, 2, why)


def _of_seeds(snapshot: StudySnapshot, model: model_rows.Family) -> Cell:
    """The mean over its texts; of several seeds the mean of these, and the deviation beneath it."""
    scored = [snapshot.scores[FKGL][place] for place in model.places]
    means = [mean_of(outputs.sentences) for outputs in scored if outputs is not None]
    known = [mean for mean in means if not np.isnan(mean)]
    if not known:
        return number(None, why=model_rows.why_none(snapshot, FKGL, model.places[0]))
    if len(model.places) == 1:
        return number(
            known[0], 2, rows=traced(system=snapshot.systems[model.places[0]].name, metric=FKGL, mean="texts")
        )
    return model_rows.seeds_cell(known, len(model.places), 2)


def _against(snapshot: StudySnapshot, given: Sequence[Floats], place: int) -> list[Cell]:
    """Each group of grades with the one at `place`."""
    tests = {group: _tau(grades, given[place]) for group, grades in enumerate(given) if group != place}
    p = dict(zip(tests, correct_p_values(snapshot, [test and test[1] for test in tests.values()]), strict=True))
    return [
        number(None, why=OWN)
        if group == place
        else _table_4_cell(tests[group], p[group], significance_star(snapshot, p[group]))
        for group in range(len(given))
    ]


def _tau(these: Floats, those: Floats) -> tuple[float, float] | None:
    """tau-b of the grades that the same texts have on both sides, and p."""
    both = np.isfinite(these) & np.isfinite(those)
    if both.sum() < 2 or any(values.min() == values.max() for values in (these[both], those[both])):
        return None
    correlation: tuple[float, float] = method("kendall").point(these[both], those[both])
    return correlation


def _table_4_cell(correlation: tuple[float, float] | None, p: float | None, stars: str) -> Cell:
    if correlation is None:
        return number(None, why=FEW)
    return number(correlation[0], 2, small=p_text(p), parts={"p": p}, stars=stars)


def _note(snapshot: StudySnapshot) -> str:
    correction = correction_of(snapshot)
    return (
        "Kendall's tau-b of a text's grade with that of its source, or of its references, as in the authors' program: "
        f"* p < {snapshot.alpha:g}{f', corrected a column ({correction})' if correction else ''} says that the two "
        "rise together. It does not say which is the lower, which the paper reads from it. A text's grade is the mean "
        "over seeds."
    )


# Outputs against their sources: the part that is kept (Attal et al. 2023, Table 6).

TABLE_6_TITLE = "Outputs against their sources"
ROUGE, BLEU = ("rouge_1", "rouge_2", "rouge_l"), "self_bleu"
NOTES = (
    "The source is the one reference. A copy has the highest scores, so that neither end is the better one.",
    "ROUGE is worked out for this table, with the settings of the study's own; BLEU is the report's Self-BLEU.",
    SEEDS,
)
TABLE_6_NO_OUTPUTS = "It has no outputs."


def table_6(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model."""
    models = model_rows.families_of(snapshot)
    if reasons := [*model_rows.not_chosen(snapshot, *ROUGE, BLEU), *([] if models else [NO_SYSTEM])]:
        return missing_content(TABLE_6_TITLE, *reasons)
    columns = [
        *([_table_6_cell(snapshot, name, model) for model in models] for name in ROUGE),
        model_rows.score_column(snapshot, BLEU, models, scale=HUNDREDTH),
    ]
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    notes = [*NOTES, *scale_notes({BLEU: HUNDREDTH}, [(BLEU, "BLEU")]), *program_notes(snapshot, ROUGE_PROGRAM)]
    return Table(TABLE_6_TITLE, ["System", *(METRICS[name].label for name in ROUGE), "BLEU"], rows, notes)


def _table_6_cell(snapshot: StudySnapshot, name: str, model: model_rows.Family) -> Cell:
    scores = [_score(snapshot, name, place) for place in model.places]
    values = [score for score in scores if score is not None]
    return model_rows.seeds_cell(values, len(scores), 4) if values else number(None, why=TABLE_6_NO_OUTPUTS)


def _score(snapshot: StudySnapshot, name: str, place: int) -> float | None:
    """A system's; None without outputs."""
    outputs = snapshot.systems[place].outputs
    pairs = [(text, [source]) for text, source in zip(outputs, snapshot.units.sources, strict=True) if text is not None]
    if not pairs:
        return None
    texts, sources = (list(column) for column in zip(*pairs, strict=True))
    batch = MetricInput([], texts, sources, language=snapshot.language)
    return METRICS[name].score(batch, **rouge_settings(snapshot, name)).corpus


# Every model's output of one text (Attal et al. 2023, Table 7).

TABLE_7_TITLE = "Adaptations of one text by every model"
NO_OUTPUT = translatable(
    "No system has outputs of a whole text: upload some on the page Upload outputs, or run a model."
)
NONE = "It has no output of the whole text."


def table_7(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for the question, the source, the reference, and each model, of several seeds the first."""
    models = families_of(snapshot)
    first = [min(family.places) for family in models]
    chosen = _chosen(snapshot, first) if models else None
    if chosen is None:
        return missing_content(TABLE_7_TITLE, NO_OUTPUT if models else NO_SYSTEM)
    references = chosen.references(snapshot)
    about = [("Question", chosen.question), ("Source", chosen.joined(snapshot.units.sources))]
    rows = [[Cell(name), Cell(text)] for name, text in [*about, ("Reference", next(iter(references), ""))] if text]
    for model, place in zip(models, first, strict=True):
        text = chosen.joined(snapshot.systems[place].outputs)
        rows.append([Cell(model.name), Cell(text) if text else Cell(DASH, why=NONE)])
    where = named(chosen) if chosen.code or chosen.title else ""
    notes = [joined(where, "drawn at random from the texts of which most models have an output") + ".",
             *(["The first seed of a model is shown."] if any(len(family.places) > 1 for family in models)
               else [])]  # fmt: skip
    return Table(TABLE_7_TITLE, ["From", "Text"], rows, [note[0].upper() + note[1:] for note in notes], [None, None])


def _chosen(snapshot: StudySnapshot, places: list[int]) -> Passage | None:
    """One of the passages of which most of these systems have all outputs; None where none has any."""
    every = passages_of(snapshot)
    counts = [sum(bool(passage.joined(snapshot.systems[place].outputs)) for place in places) for passage in every]
    fullest = max(counts, default=0)
    if not fullest:
        return None
    fullest_passages = [number for number, count in enumerate(counts) if count == fullest]
    return every[drawn(snapshot, "one text", fullest_passages, 1)[0]]


# Two people's adaptations of one text that share few words (Attal et al. 2023, Figure 3).

FIGURE_3_TITLE = "Two references of one text that share few words"
FIGURE_3_MOST, LEAST_WORDS = 500, 8
ONE_REFERENCE = translatable(
    "No source has two references that differ: have two people rewrite each, or add a second set."
)
FIGURE_3_NOTE = (
    f"The pair has the lowest BLEU-4 of those of {FIGURE_3_MOST} sources at most, drawn at random, each text of "
    f"{LEAST_WORDS} words or more where there are such; the first is the reference. Words that the other lacks are "
    "marked."
)
Pair = tuple[int, int, int]
"""A unit, and the places of two of its references."""


def figure_3(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for the question, the source and the two references."""
    pairs = _pairs(snapshot)
    if not pairs:
        return missing_content(FIGURE_3_TITLE, ONE_REFERENCE)
    if why := METRICS["bleu"].undefined_for(snapshot.language):
        return missing_content(FIGURE_3_TITLE, why)
    (unit, first, second), bleu = _lowest(snapshot, pairs)
    texts = snapshot.units.references[unit]
    around, document = snapshot.context, snapshot.context.document_of(unit)
    passage = Passage([unit], around.titles[document], around.codes[document], around.questions[document]) if (
        document >= 0) else Passage([unit])  # fmt: skip
    rows = [[Cell("Question"), Cell(passage.question)]] if passage.question else []
    rows += [
        [Cell("Source"), Cell(snapshot.units.sources[unit])],
        [Cell(f"Reference {first + 1}"), cell_of(lacking_in(texts[second], texts[first]))],
        [Cell(f"Reference {second + 1}"), cell_of(lacking_in(texts[first], texts[second]), f"BLEU-4 {bleu:.2f}")],
    ]
    return Table(FIGURE_3_TITLE, ["From", "Text"], rows, [_place(snapshot, passage, unit), FIGURE_3_NOTE], [None, None])


def _pairs(snapshot: StudySnapshot) -> list[Pair]:
    """Two different references of one unit, of the units that are drawn."""
    units = snapshot.units
    several = [unit for unit in range(len(units.ids)) if len(units.references[unit]) > 1 and units.home[unit] == unit]
    return [
        (unit, first, second)
        for unit in drawn(snapshot, "two references", several, FIGURE_3_MOST)
        for first, second in combinations(range(len(units.references[unit])), 2)
        if text_key(units.references[unit][first]) != text_key(units.references[unit][second])
    ]


def _lowest(snapshot: StudySnapshot, pairs: list[Pair]) -> tuple[Pair, float]:
    references = snapshot.units.references
    texts = [(references[unit][first], references[unit][second]) for unit, first, second in pairs]
    words = [min(count_words(text, snapshot.language) for text in pair) for pair in texts]
    long = [number for number, count in enumerate(words) if count >= LEAST_WORDS]
    usable = long or list(range(len(pairs)))
    first, second = ([texts[number][side] for number in usable] for side in (0, 1))
    batch = MetricInput([], second, [[text] for text in first], language=snapshot.language)
    scores = METRICS["bleu"].score(batch).sentences
    lowest = int(scores.argmin())
    return pairs[usable[lowest]], float(scores[lowest])


def _place(snapshot: StudySnapshot, passage: Passage, unit: int) -> str:
    """'12345, A title, sentence 4 of it.'"""
    if snapshot.context.document_of(unit) < 0:
        return f"{'Sentence' if snapshot.unit == 'sentence' else 'Document'} {unit + 1} of the study."
    number = "" if snapshot.unit == "document" else f"sentence {snapshot.context.numbers[unit]} of it"
    return joined(named(passage), number) + "."


ENTRIES = {
    "plaba_table_1": TableOrFigure(title=TABLE_1_TITLE, make=table_1, paper=PLABA, number="Table 1", order=310),
    "plaba_table_2": TableOrFigure(title=TABLE_2_TITLE, make=table_2, paper=PLABA, number="Table 2", order=320),
    "plaba_table_3": TableOrFigure(title=TABLE_3_TITLE, make=table_3, paper=PLABA, number="Table 3", order=330),
    "plaba_table_4": TableOrFigure(title=TABLE_4_TITLE, make=table_4, paper=PLABA, number="Table 4", order=340),
    "plaba_table_5": TableOrFigure(title=TABLE_5_TITLE, make=table_5, paper=PLABA, number="Table 5", order=350),
    "plaba_table_6": TableOrFigure(title=TABLE_6_TITLE, make=table_6, paper=PLABA, number="Table 6", order=360),
    "plaba_table_7": TableOrFigure(title=TABLE_7_TITLE, make=table_7, paper=PLABA, number="Table 7", order=370),
    "plaba_figure_3": TableOrFigure(title=FIGURE_3_TITLE, make=figure_3, paper=PLABA, number="Figure 3", order=315),
}
