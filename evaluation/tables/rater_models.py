"""Systems as models of raters see them: severe raters, hard items, guesses and ties taken out."""

from collections.abc import Mapping
from typing import Any

from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import Cell, MissingContent, Table, interval_text, missing_content, number, p_text
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

Json = Mapping[str, Any]

RATINGS = translatable("Systems by a model of raters and items")
RATINGS_HEAD = ["Criterion", "System", "Log odds", "Sources"]
NO_RATINGS = "No criterion has ordinal ratings by people."
ABOUT = (
    "Cumulative logit model, rating ~ system + (1 | rater) + (1 | item), by Laplace's approximation: the log odds of a "
    "higher rating against the average system, with 95% intervals."
)
SPREAD = (
    "{criterion}: deviation of raters {raters:.2f}, of items {items:.2f}, {n:,} judgements; all systems alike: {p}."
)
MISFIT = (
    "{criterion}: the ratings of {count} of {items} items are farther apart than the model expects: {named}. Read "
    "these items beside the guideline: it may not say how to rate them."
)
LABELS = "Labels by models of raters"
LABELS_HEAD = ["Criterion", "System", "Label", "As given"]
NO_LABELS = translatable("No criterion has labels without an order.")
SKILLS = "{criterion}, {model}, {skill} of the raters: {skills}."
RANKS = translatable("Systems by a model of ranks with ties")
RANKS_HEAD = ["System", "Log strength", "Sources"]
NO_RANKS = translatable("Nobody ranked the outputs.")


def ratings(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion and system."""
    models = snapshot.report["rater_models"]["ratings"]
    rows = [
        [Cell(name), Cell(of["system"]), _strength(of), number(of["n"], 0)]
        for name, model in models.items() for of in model["systems"]
    ]  # fmt: skip
    if not rows:
        return missing_content(
            RATINGS, *([f"{name}: {of['undefined']}" for name, of in models.items()] or [NO_RATINGS])
        )
    return Table(
        RATINGS, RATINGS_HEAD, rows, [ABOUT, *(said for name, of in models.items() for said in _said(name, of))]
    )


def _strength(of: Json) -> Cell:
    parts = {"low": of["low"], "high": of["high"]}
    return number(of["value"], 2, of["undefined"], small=interval_text(of["low"], of["high"], 2), parts=parts)


def _said(name: str, model: Json) -> list[str]:
    if model["undefined"]:
        return [f"{name}: {model['undefined']}"]
    spread = SPREAD.format(
        criterion=name, raters=model["rater_deviation"], items=model["item_deviation"], n=model["n"],
        p=p_text(model["p"]) or "one system",
    )  # fmt: skip
    if not model["misfits"]:
        return [spread]
    named = ", ".join(f"{fit['item']} ({fit['misfit']:.1f} times)" for fit in model["misfits"])
    return [spread, MISFIT.format(criterion=name, count=model["misfitting"], items=model["items"], named=named)]


def labels(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion, system and label; a column the judgements as given and each model."""
    models = snapshot.report["rater_models"]["labels"]
    fitted = {name: of for name, of in models.items() if of["models"]}
    if not fitted:
        return missing_content(LABELS, *([f"{name}: {of['undefined']}" for name, of in models.items()] or [NO_LABELS]))
    names = [model["model"] for model in next(iter(fitted.values()))["models"]]
    rows = [row for name, of in fitted.items() for row in _label_rows(name, of)]
    notes = [_skills(name, model) for name, of in fitted.items() for model in of["models"]]
    notes += [f"{name}: {of['undefined']}" for name, of in models.items() if of["undefined"]]
    return Table(LABELS, [*LABELS_HEAD, *(STATISTICS[name].label for name in names)], rows, notes)


def _label_rows(name: str, of: Json) -> list[list[Cell]]:
    by_model = [of["raw"], *(model["systems"] for model in of["models"])]
    return [
        [Cell(name), Cell(row["system"]), Cell(f"{share['label']:g}"),
         *(number(systems[place]["shares"][at]["share"], 3) for systems in by_model)]
        for place, row in enumerate(of["raw"]) for at, share in enumerate(row["shares"])
    ]  # fmt: skip


def _skills(name: str, model: Json) -> str:
    skills = ", ".join(f"{of['rater']}: {of['skill']:.2f}" for of in model["skills"])
    return SKILLS.format(criterion=name, model=STATISTICS[model["model"]].label, skill=model["skill"], skills=skills)


def _of_ties(criterion: str, ties: float) -> str:
    value = ties / (1 + ties)
    if criterion:
        return f"{criterion}: two equal systems tie with the chance {value:.2f}."
    return f"Two equal systems tie with the chance {value:.2f}."


def ranks(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a system, best first."""
    models: Mapping[str, Json] = snapshot.report["rater_models"]["ranks"]
    known = {name: model for name, model in models.items() if not model["undefined"]}
    if not known:
        return missing_content(RANKS, *[model["undefined"] for model in models.values()] or [NO_RANKS])
    several = len(models) > 1  # rankings that are apart: each has its own scale
    rows = [
        [*([Cell(name)] if several else []), Cell(of["system"]), _strength(of), number(of["n"], 0)]
        for name, model in known.items()
        for of in model["systems"]
    ]
    entry = STATISTICS["davidson"]
    notes = [
        f"{entry.label} ({entry.paper.authors} {entry.paper.year}): {entry.unit}, with 95% intervals over sources.",  # type: ignore[attr-defined]
        *(
            _of_ties(name if several else "", model["ties"])
            for name, model in known.items()
            if model["ties"] is not None
        ),
    ]
    return Table(RANKS, [*(["Criterion"] if several else []), *RANKS_HEAD], rows, notes)


ENTRIES = {
    "rater_model": TableOrFigure(title=RATINGS, make=ratings, kind="study", order=11),
    "label_models": TableOrFigure(title=LABELS, make=labels, kind="study", order=12),
    "rank_model": TableOrFigure(title=RANKS, make=ranks, kind="study", order=13),
}
