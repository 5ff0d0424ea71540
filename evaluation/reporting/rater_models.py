"""Models of raters in the report: of ordinal ratings, of labels without an order, and of ranks with ties."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from evaluation.numerics import Floats
from evaluation.rater_labels import Labelled
from evaluation.reporting.kept_parts import KeptParts
from evaluation.snapshot import CriterionJudgements, StudySnapshot, compared_as
from evaluation.statistics import STATISTICS, LabelModel, Ranking, named, of_kind

Json = dict[str, Any]
MOST_FITS = 10  # items that fit the model worst
LEVEL = 0.05  # of the corrected p of an item's fit
BEST_WORST = "best_worst"


def rater_models(snapshot: StudySnapshot, kept: KeptParts) -> Json:
    """`ratings`, `labels` and `ranks`, by criterion; one that cannot be modelled says why."""
    judged = snapshot.judgements["filtered" if snapshot.variant == "filtered" else "raw"]
    ordinal = {
        name: one
        for name, one in judged.items()
        if one.level == "ordinal" and not one.is_rank and compared_as(one.own_name) != BEST_WORST
    }
    return {
        "ratings": {name: _kept_ratings(snapshot, one, kept) for name, one in ordinal.items()},
        "labels": {name: _labels(snapshot, one) for name, one in snapshot.unordered.items()},
        "ranks": {name: _ranks(snapshot, one) for name, one in judged.items() if one.is_rank},
    }


def _kept_ratings(snapshot: StudySnapshot, judged: CriterionJudgements, kept: KeptParts) -> Json:
    given = judged.system, judged.rater, snapshot.units.home[judged.unit], judged.value
    names = [system.name for system in snapshot.systems]
    made: Json = kept.of("ordinal_mixed", [names, *given], lambda: _ratings(snapshot, *given))
    return made


def _ratings(snapshot: StudySnapshot, *given: Any) -> Json:
    model = STATISTICS["ordinal_mixed"].fit(*given)  # type: ignore[attr-defined]  # which this entry alone has
    fits = [fit for fit in model.fits if fit.corrected < LEVEL]
    return {
        "systems": _strengths(snapshot, model.systems),
        "raters": [{"rater": int(rater) + 1, "effect": effect} for rater, effect in model.raters.items()],
        "rater_deviation": model.rater_deviation, "item_deviation": model.item_deviation,
        "thresholds": list(model.thresholds), "p": model.p, "n": model.n, "items": len(model.fits),
        "misfits": [asdict(fit) | {"item": int(fit.item) + 1} for fit in fits[:MOST_FITS]],
        "misfitting": len(fits), "undefined": model.undefined,
    }  # fmt: skip


def _strengths(snapshot: StudySnapshot, strengths: Mapping[Any, Any]) -> list[Json]:
    return [{"system": snapshot.systems[place].name, **vars(of)} for place, of in strengths.items()]


def _labels(snapshot: StudySnapshot, judged: CriterionJudgements) -> Json:
    """The shares of each label by model, of each system's texts, and the raters' skills; a text counts once a rater."""
    keys = judged.text * (int(judged.rater.max(initial=0)) + 1) + judged.rater
    _, once = np.unique(keys, return_index=True)
    models = {
        name: entry.infer(judged.rater[once], judged.text[once], judged.value[once])
        for name, entry in of_kind(LabelModel).items()
    }
    undefined = next((model.undefined for model in models.values() if model.undefined), "")
    return {
        "models": [] if undefined else [_model(snapshot, judged, name, model) for name, model in models.items()],
        "raw": [] if undefined else _raw_shares(snapshot, judged),
        "undefined": undefined,
    }


def _model(snapshot: StudySnapshot, judged: CriterionJudgements, name: str, model: Labelled) -> Json:
    places = {text: place for place, text in enumerate(model.items)}
    shares = []
    for system in range(len(snapshot.systems)):
        texts = np.unique(judged.text[judged.system == system]).tolist()
        rows = [places[text] for text in texts]
        shares.append(model.chances[rows].mean(axis=0) if rows else None)
    skills = [
        {"rater": int(rater) + 1, "skill": skill}  # type: ignore[call-overload]
        for rater, skill in zip(model.raters, model.skills.tolist(), strict=True)
    ]
    return {
        "model": name, "skill": named(LabelModel, name).skill, "skills": skills,
        "systems": _shares(snapshot, model.labels, shares),
        "sure": float(np.mean(model.chances.max(axis=1))),
    }  # fmt: skip


def _raw_shares(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Json]:
    labels, which = np.unique(judged.value, return_inverse=True)
    counts = [
        np.bincount(which[judged.system == system], minlength=len(labels)) for system in range(len(snapshot.systems))
    ]
    return _shares(snapshot, labels.tolist(), [count / count.sum() if count.any() else None for count in counts])


def _shares(snapshot: StudySnapshot, labels: Sequence[object], shares: Sequence[Floats | None]) -> list[Json]:
    return [
        {"system": system.name, "shares": [
            {"label": label, "share": share} for label, share in zip(labels, of.tolist(), strict=True)
        ]}
        for system, of in zip(snapshot.systems, shares, strict=True) if of is not None
    ]  # fmt: skip


def _ranks(snapshot: StudySnapshot, judged: CriterionJudgements) -> Json:
    given = snapshot.units.home[judged.unit], judged.rater, judged.system, judged.value
    strengths = named(Ranking, "davidson").rank(*given)
    return {
        "systems": _strengths(snapshot, strengths),
        "ties": STATISTICS["davidson"].tie_parameter(*given),  # type: ignore[attr-defined]
        "undefined": next((of.undefined for of in strengths.values() if of.value is None), ""),
    }
