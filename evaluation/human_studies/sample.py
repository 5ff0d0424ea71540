"""The sample of a human study: sentences drawn by length, the rating tasks on them, the attention checks among them."""

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np

from annotation.campaigns.materials import sentences
from annotation.models import Campaign
from annotation.review import words_read
from annotation.task_types import TASK_TYPES, Material
from corpora.models import System
from evaluation.attention_checks import ATTENTION_CHECKS, CheckTexts
from evaluation.human_studies.chosen_sources import by_diversity, by_variance
from evaluation.human_studies.plan_validation import ATTENTION_CHECK_RULES
from evaluation.human_studies.workers import FEWEST_ANSWERS, FEWEST_CONTROLS, FEWEST_VALUES, rules_of
from evaluation.languages import count_words, language_or_unnamed
from evaluation.models import HumanStudy
from foundation.seeds import generator
from foundation.text_keys import text_key

STRATA = 10
OTHERS = 500  # texts from elsewhere that a broken one may take its words from


class RatingTask(NamedTuple):
    """One campaign of a human study: its kind of work, its settings, the texts of each item, the words on all pages."""

    task_type: str
    settings: dict[str, Any]
    items: list[tuple[int | None, list[str]]]
    words: int = 0


def material_of(human_study: HumanStudy, systems: Sequence[System]) -> list[Material]:
    """Every source of the study's direction and splits that has something to judge.

    One that stands several times is judged each time, as any segment is: else a mean would have fewer sentences than
    the scores beside it.
    """
    return [source for source in _sources(human_study, systems) if source.empty or any(_texts(human_study, source))]


def material_drawn(human_study: HumanStudy, systems: Sequence[System]) -> Iterator[Material]:
    """The texts that were drawn when the study opened, as they are now."""
    wanted = set(human_study.sentence_ids)
    for source in _sources(human_study, systems):
        if source.sentence_id in wanted:
            yield source


def draw_sample(
    human_study: HumanStudy, material: Sequence[Material], systems: Sequence[System] = ()
) -> list[Material]:
    """The sample, in the order of the material: all of it, so many of it, as many of each length, or those on which
    `systems` differ most."""
    if human_study.sampling == HumanStudy.Sampling.ALL or human_study.size >= len(material):
        return list(material)
    draws = generator(human_study.seed, "sample")
    places = np.arange(len(material))
    chosen: list[int]
    if human_study.is_chosen:
        scores = by_diversity(material) if human_study.sampling == HumanStudy.Sampling.DIVERSITY else None
        scores = by_variance(human_study, material, systems) if scores is None else scores
        chosen = np.argsort(-scores, kind="stable")[: human_study.size].tolist()
    elif human_study.sampling == HumanStudy.Sampling.RANDOM:
        chosen = draws.permutation(places)[: human_study.size].tolist()
    else:
        chosen = _by_length(human_study, material, draws)
    return [material[place] for place in sorted(chosen)]


def rating_tasks_of(
    human_study: HumanStudy, material: Sequence[Material], controls: Sequence[Mapping[str, Any]] = ()
) -> list[RatingTask]:
    """The campaigns that the study asks for, with their items as they are built; attention checks are rated alone.

    A ranking shows the source. Where criteria judge the source, it takes no place among the texts that are made of it
    (GYAFC, section 5.1); in a plan without criteria it can be judged in no other way.
    """
    extras = extras_of(controls)
    rated = [sentence._replace(extras=extras.get(sentence.sentence_id, ())) for sentence in material]
    judged = {"rate_reference": human_study.rate_reference, "rate_source": human_study.rate_source}
    wanted: list[tuple[str, dict[str, Any]]] = []
    if human_study.criteria:
        pages = {"outputs_per_item": human_study.outputs_per_item}
        wanted.append(("rate", {"criteria": human_study.criteria, **pages, **judged}))
    placed = {**judged, "rate_source": human_study.rate_source and not human_study.criteria}
    wanted += [("rank", placed)] if human_study.ranks else []
    wanted += [("best_worst", placed)] if human_study.best_worst else []
    materials = {"rate": rated, "rank": _once(human_study, material)}
    return [_task(name, settings, materials.get(name, material), human_study.seed) for name, settings in wanted]


def _once(human_study: HumanStudy, material: Sequence[Material]) -> list[Material]:
    """A source with the same texts once: a place in an order is of a source, wherever that stands."""
    distinct: dict[tuple[str, str], Material] = {}
    for source in material:
        judged = "\n".join(text_key(text) for text in _texts(human_study, source))
        distinct.setdefault((text_key(source.source), judged), source)
    return list(distinct.values())


def extras_of(controls: Sequence[Mapping[str, Any]]) -> dict[int, list[str]]:
    """The attention checks by sentence."""
    return {control["sentence"]: [control["text"]] for control in controls}


def attention_check_texts(human_study: HumanStudy, material: Sequence[Material]) -> list[dict[str, Any]]:
    """Attention checks: `{"sentence", "kind", "text", "of"}`, at most one a sentence, one in `every` rated items."""
    if not human_study.controls:
        return []
    rated = next(work for work in rating_tasks_of(human_study, material) if work.task_type == "rate")
    wanted = len(rated.items) // human_study.controls["every"]
    draws = generator(human_study.seed, "controls")
    others = [text for sentence in material for text in _texts(human_study, sentence) if text]
    if len(others) > OTHERS:
        others = [others[place] for place in draws.permutation(len(others))[:OTHERS]]
    language = _language(human_study, material)
    checks: list[dict[str, Any]] = []
    for place in draws.permutation(len(material)).tolist():
        if len(checks) == wanted:
            break
        check = _control(human_study, material[place], others, language, len(checks), draws)
        checks += [check] if check else []
    return checks


def _control(
    human_study: HumanStudy, material: Material, others: list[str], language: str, number: int,
    draws: np.random.Generator,
) -> dict[str, Any] | None:  # fmt: skip
    """An attention check of the kind whose turn it is, else of the next that can be made of this sentence."""
    kinds = human_study.controls["kinds"]
    texts = [text for text in _texts(human_study, material) if text]
    ordinary = [text for text in material.outputs if text.strip()] or texts
    given = CheckTexts(material.source, ordinary[int(draws.integers(len(ordinary)))].strip(), others, language)
    keys = {text_key(text) for text in texts}
    for turn in range(len(kinds)):
        kind = kinds[(number + turn) % len(kinds)]
        text = ATTENTION_CHECKS[kind].make(given, draws)
        if text and text_key(text) not in keys:
            return {
                "sentence": material.sentence_id,
                "kind": kind,
                "text": text,
                "of": ATTENTION_CHECKS[kind].of(given),
            }
    return None


def _sources(human_study: HumanStudy, systems: Sequence[System]) -> Iterator[Material]:
    """The texts that a campaign of judgements would be made of."""
    like = Campaign(
        study=human_study.study, direction=human_study.direction, splits=human_study.splits, task_type="rate"
    )
    return sentences(like, systems)


def _texts(human_study: HumanStudy, material: Material) -> list[str]:
    """The texts of a source that may be judged, with all references, since one of them is drawn."""
    references = list(material.references) if human_study.rate_reference else []
    return [text.strip() for text in (*material.outputs, *references, *[material.source] * human_study.rate_source)]


def _task(task_type: str, settings: dict[str, Any], material: Sequence[Material], seed: int) -> RatingTask:
    kind = TASK_TYPES[task_type]
    checked = kind.check_settings(settings)
    built = list(kind.build(material, checked, seed))
    words = sum(words_read(kind, item.content, checked) for item in built)
    return RatingTask(task_type, settings, [(item.key, item.content["candidates"]) for item in built], words)


def _language(human_study: HumanStudy, material: Sequence[Material]) -> str:
    return language_or_unnamed(human_study.study.language, (sentence.source for sentence in material))


def _by_length(human_study: HumanStudy, material: Sequence[Material], draws: np.random.Generator) -> list[int]:
    """As many of each tenth of the lengths, in words; the remainder is drawn by the seed."""
    size, language = human_study.size, _language(human_study, material)
    by_length = np.argsort([count_words(sentence.source, language) for sentence in material], kind="stable")
    strata = [draws.permutation(stratum) for stratum in np.array_split(by_length, min(STRATA, size))]
    chosen: list[int] = []
    turn = 0
    while len(chosen) < size:
        order = draws.permutation(len(strata)) if len(chosen) + len(strata) > size else np.arange(len(strata))
        for place in order.tolist():
            if turn < len(strata[place]) and len(chosen) < size:
                chosen.append(int(strata[place][turn]))
        turn += 1
    return chosen


# Feasibility of a plan: a rule that can exclude nobody or pass nobody is named before the plan is frozen.


def why_infeasible(human_study: HumanStudy, works: list[RatingTask], controls: int) -> str:
    """Why the plan cannot be opened: too few attention checks; "" where it can. `controls` of the texts are such."""
    if human_study.controls and not controls:
        return "There are too few pages for an attention check on one of so many; ask for more, or have none."
    rules = rules_of(human_study)
    return _controls(human_study, works, controls, rules.get("control_p")) if ATTENTION_CHECK_RULES & set(rules) else ""


def idle_rules(human_study: HumanStudy, works: list[RatingTask], controls: int) -> list[str]:
    """The other rules that will leave nobody out, for lack of enough data. `controls` of the rated texts are checks."""
    return list(_idle(human_study, works, controls))


def existing_rating_tasks(human_study: HumanStudy) -> list[RatingTask]:
    """The work of a study that opened, as its campaigns have it."""
    campaigns = human_study.campaigns.prefetch_related("items")
    return [
        RatingTask(
            campaign.task_type,
            campaign.settings,
            [(item.sentence_id, item.content["candidates"]) for item in campaign.items.all()],
        )
        for campaign in campaigns
    ]


def _idle(human_study: HumanStudy, works: list[RatingTask], controls: int) -> Iterator[str]:
    rules = rules_of(human_study)
    pages = sum(len(work.items) for work in works)
    counts = [(work.task_type, sum(len(texts) for _key, texts in work.items)) for work in works]
    texts = max((count for _, count in counts), default=0)
    ordinary = max((count - controls * (kind == "rate") for kind, count in counts), default=0)
    if "least_agreement" in rules and human_study.judgements < 2:
        yield "The rule on agreement needs 2 people an output, and 1 is planned."
    for name, about, count in (
        ("straight_lining", "one value", texts), ("least_agreement", "agreement", ordinary),
    ):  # fmt: skip
        if name in rules and count < FEWEST_VALUES:
            yield f"The rule on {about} needs {FEWEST_VALUES} texts, and there are {count}."
    if "least_seconds" in rules and pages < FEWEST_ANSWERS:
        yield f"The rule on seconds needs {FEWEST_ANSWERS} pages, and there are {pages}."


def _controls(human_study: HumanStudy, works: list[RatingTask], controls: int, bound: float | None) -> str:
    rated = next((work.items for work in works if work.task_type == "rate"), [])
    ordinary = sum(len(texts) for _key, texts in rated) - controls
    quota = human_study.eligibility.get("quota") or len(rated)
    most = min(controls, round(controls * quota / len(rated))) if rated and quota < len(rated) else controls
    if most < FEWEST_CONTROLS:
        number = f"there are {controls}" if most == controls else f"who does {quota} pages meets {most} of {controls}"
        return (
            f"The rules on attention checks need {FEWEST_CONTROLS} of them a person, and {number}; put them on more "
            "pages, judge more, or leave the rules out."
        )
    if bound is not None and ordinary and 1 / comb(ordinary + controls, controls) > bound:
        return (
            f"Nobody could pass the test of {controls} attention checks at {bound:g} beside {ordinary} ordinary ones; "
            "judge more, or leave the rule out."
        )
    return ""
