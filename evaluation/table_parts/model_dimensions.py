"""Transfer strength and content preservation by the dimensions of a model (Fu et al. 2018, Tables 3 to 5)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from evaluation.comparability.better_ends import measured
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.cells import Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content

NO_MODEL = "No system is of the family {name}: give its systems that family, and their dimensions as options."
NO_OPTIONS = "The systems of the family {name} have no options: give each its dimensions, such as the encoder's."
HEADS = {"transfer_strength": "Transfer strength", "content_preservation": "Content preservation"}
AS_PROGRAM = {
    "transfer_strength": ("|longest:20-last|", 'the setting like = "fu"'),
    "content_preservation": ("|case:mixed|tok:none|no_words:the|", 'words at spaces, as written, and "the" for none'),
}
"""What the signature of a metric says that was computed as Fu et al.'s program, and how that is chosen."""
USUAL = {"hidden": 64, "embedding": 64}
"""The options of the three models as they usually are (`modelserving.neural_transfer.styled`)."""
SEEDS = "Of several seeds with the same options the mean, and the deviation (n - 1)."


def title_of(model: str) -> str:
    """The title of the table of one kind of model."""
    return f"Dimensions of the {model}"


def table_maker(
    model: str, names: Sequence[str], usual: Mapping[str, int]
) -> Callable[[StudySnapshot], Table | MissingContent]:
    """What makes the table of one kind of model, which a study has where a family's name begins with one of `names`.

    A system that was trained here has no option that is as it usually is: `usual` says what that is.
    """

    def make(snapshot: StudySnapshot) -> Table | MissingContent:
        return _made(snapshot, title_of(model), model, names, usual)

    return make


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
    """Of which metric a setting that only the authors' program says is another one here."""
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
    """A column for each option that differs, and one a metric; what is the same in all is said beneath.

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
