"""Rate each output of a source on the study's scales (GYAFC section 5.1)."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, Literal

from annotation.presentation_order import latin_square
from annotation.presentation_order.candidates import CandidateMaker
from annotation.scales import SCALES, canonical_line
from annotation.task_data import Material
from annotation.task_types._base import (
    Answer,
    Content,
    ItemContent,
    Judgement,
    JudgesCandidates,
    Settings,
    flag,
    known_keys,
    one_of,
    words,
)
from foundation.aspects import ASPECTS, BESIDE, NO_ASPECT, aspect_named, beside_of
from foundation.criterion_names import REFUSED, is_criterion_name
from foundation.errors import UserError
from foundation.key_labels import label_of_key
from foundation.papers import GYAFC
from foundation.text_keys import text_key
from foundation.translation import translated

KEYS = ("name", "label", "scale", "aspect", "beside", "optional", "help")
COLUMNS: Collection[str] = ("output", "role", "systems")
"""What a table of answers says of each text, beside what it was rated."""


def check_criteria(given: object, taken: Collection[str] = COLUMNS) -> list[dict[str, Any]]:
    """The criteria in their stored form, a list in the order of the page; a UserError names the key.

    `given` is `{name: {"scale": ...}}` as a study file has it, or a list of `{"name": ..., "scale": ...}`. `taken` are
    columns that stand beside those of the criteria.
    """
    if isinstance(given, Mapping):
        given = [
            {"name": name, **_table(criterion_table, f"criteria.{name}")} for name, criterion_table in given.items()
        ]
    if not isinstance(given, list) or not given:
        raise UserError("Expected at least one criterion.", where="criteria")
    checked = [
        _criterion(_table(criterion_table, f"criteria.{place}"), place) for place, criterion_table in enumerate(given)
    ]
    names = [criterion["name"] for criterion in checked]
    for name in names:
        if names.count(name) > 1:
            raise UserError("Two criteria have this name.", where=f"criteria.{name}")
        if name.casefold() in taken:
            raise UserError(
                "Tables of answers have a column of this name already; give the criterion another name.",
                where=f"criteria.{name}",
            )
    return sorted(checked, key=lambda criterion: BESIDE.index(criterion["beside"]))


def _table(given: object, where: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise UserError('Expected a table such as { scale = "likert_5" }.', where=where)
    return dict(given)


def _criterion(given: dict[str, Any], place: int) -> dict[str, Any]:
    name = given.get("name")
    if not isinstance(name, str) or not is_criterion_name(name := unicodedata.normalize("NFC", name)):
        raise UserError(REFUSED, where=f"criteria.{place}")
    where = f"criteria.{name}."
    known_keys(given, KEYS, where)
    scale = given.get("scale")
    if not isinstance(scale, str) or scale not in SCALES:
        raise UserError(
            "Expected one of the scales {names}; found {scale!r}.",
            names=", ".join(SCALES.names()),
            scale=scale,
            where=f"{where}scale",
        )
    aspect = one_of(given, "aspect", aspect_named(name), ("", *ASPECTS), where)
    scale = canonical_line(scale)
    beside = SCALES[scale].beside or beside_of(aspect)
    # A scale of agreement needs a statement to agree with; one with anchors says itself what it asks.
    agrees = SCALES[scale].kind == "range" and len(SCALES[scale].levels) == 2
    statement = ASPECTS.get(aspect, NO_ASPECT).statement if agrees else ""
    return {
        "name": name,
        "label": words(given, "label", label_of_key(name), where, longest=100),
        "scale": scale,
        "aspect": aspect,
        "beside": one_of(given, "beside", beside, BESIDE, where),
        "optional": flag(given, "optional", False),
        "help": words(given, "help", statement, where),
    }


CRITERIA = {
    "formality": {"scale": "formality_7"},
    "fluency": {"scale": "fluency_5"},
    "meaning": {"scale": "meaning_6"},
}


class Rate(JudgesCandidates):
    label = "Rate"
    verb = "Rate each text"
    answer_content = (
        '{"ratings": [{"fluency": 4}, ...]}: for each place of the item the values by the names of the criteria'
    )
    template = "annotation/work/rate.html"
    of_outputs = True
    quick: ClassVar[Literal["", "choice", "line"]] = "choice"
    paper = GYAFC
    defaults = {"criteria": CRITERIA, "outputs_per_item": 0, "rate_reference": False, "rate_source": False}
    bounds = {"outputs_per_item": (0, 100)}
    taken = COLUMNS

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        if key == "criteria":
            return check_criteria(settings.get(key, default), self.taken)
        return super().check_setting(settings, key, default)

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """An item a page of texts.

        Where some criteria show the source beside the text and others nothing, the source is rated on the others alone,
        in an item of its own: GYAFC's source has no rating of meaning, which would be against itself.
        """
        alone = _without_source(settings["criteria"]) if settings["rate_source"] else []
        apart = 0 < len(alone) < len(settings["criteria"])
        rate_source = settings["rate_source"] and not apart
        maker = CandidateMaker(seed, rate_reference=settings["rate_reference"], rate_source=rate_source)
        for source in material:
            contents = list(maker.contents(source, settings["outputs_per_item"]))
            if apart and not _has(contents, source.source):
                text = source.source.strip()
                contents.append({"source": source.source, "references": [], "candidates": [text], "criteria": alone})
            for part, content in enumerate(contents):
                yield ItemContent(source.sentence_id, content, part)

    def scripts(self, settings: Settings) -> Sequence[str]:
        ranges = any(SCALES[criterion["scale"]].kind == "range" for criterion in settings["criteria"])
        return ("slider.js", "judging.js") if ranges else ("judging.js",)

    def names_target(self, settings: Settings) -> bool:
        """False where raters say themselves which of the styles a text is in."""
        return not any(SCALES[criterion["scale"]].poles for criterion in settings["criteria"])

    def beside(self, content: Content, settings: Settings) -> Iterable[str]:
        shown = {criterion["beside"] for criterion in _asked(content, settings)}
        source = [content["source"]] if shown != {"nothing"} else []
        return [*source, *(content["references"] if "source_and_reference" in shown else [])]

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """`groups` in the order of the page: first the criteria that show nothing, then those with the source.

        Each group is {"beside", "criteria": [{"name", "label", "help", "optional", "scale", "kind", "levels"}],
        "rows": [{"place", "text", "fields": [{"name", "criterion", "value"}]}]}; the form posts a field by its name.
        The levels of a scale of the kind "range" are its ends and anchors, and the numbers between them are values too.
        The source and the references are empty where no criterion shows them.
        """
        asked = _asked(content, settings)
        shown = {criterion["beside"] for criterion in asked}
        ratings = (answer or {}).get("ratings") or [{}] * len(content["candidates"])
        groups = groupby(asked, key=lambda criterion: criterion["beside"])
        return {
            "source": content["source"] if shown != {"nothing"} else "",
            "references": content["references"] if "source_and_reference" in shown else [],
            "groups": [_group(beside, list(criteria), content, order, ratings) for beside, criteria in groups],
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        ratings: list[dict[str, Any]] = [{} for _ in content["candidates"]]
        for index, criterion in _in_page_order(len(ratings), _asked(content, settings)):
            field = _field(index, criterion["name"])
            raw = form.get(field, "")
            if raw:
                try:
                    ratings[index][criterion["name"]] = SCALES[criterion["scale"]].parse(raw)
                except UserError as error:
                    raise UserError(error.sentence, where=field) from None
            elif not criterion["optional"]:
                raise _missing(index, criterion, len(ratings))
        return {"ratings": ratings}

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        ratings = answer.get("ratings")
        count = len(content["candidates"])
        if not isinstance(ratings, list) or len(ratings) != count or not all(isinstance(row, dict) for row in ratings):
            raise UserError("Expected a list of {count} objects, one for each candidate.", count=count, where="ratings")
        for index, row in enumerate(ratings):
            _check_known(row, index, _asked(content, settings))
        checked: list[dict[str, Any]] = [{} for _ in ratings]
        for index, criterion in _in_page_order(count, _asked(content, settings)):
            value = ratings[index].get(criterion["name"])
            if value is None and not criterion["optional"]:
                raise _missing(index, criterion, count)
            if value is not None:
                checked[index][criterion["name"]] = _check_value(value, index, criterion)
        return {"ratings": checked}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        asked = _asked(content, settings)
        return {"ratings": [_partial_row(form, index, asked) for index in range(len(content["candidates"]))]}

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        return {"ratings": latin_square.by_candidate(answer["ratings"], order)}

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        return {"ratings": latin_square.by_place(answer["ratings"], order)}

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        for text, row in zip(content["candidates"], answer["ratings"], strict=True):
            for name, value in row.items():
                yield Judgement(text, name, value)

    def values(self, answer: Answer, content: Content, settings: Settings) -> list[dict[str, Any]]:
        ratings: list[dict[str, Any]] = answer["ratings"]
        return ratings

    def asked(self, settings: Settings) -> list[str]:
        return [criterion["name"] for criterion in settings["criteria"]]

    def span(self, criterion: str, content: Content, settings: Settings) -> float:
        scales = {described["name"]: SCALES[described["scale"]] for described in settings["criteria"]}
        scale = scales[criterion]
        return float(scale.highest - scale.lowest) if scale.is_ordered else 0.0


def _without_source(criteria: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the criteria that show nothing beside the text: the source itself can be rated on these."""
    return [criterion["name"] for criterion in criteria if criterion["beside"] == "nothing"]


def _has(contents: Sequence[Content], text: str) -> bool:
    """Whether the text is rated there already, or has no words to rate."""
    keys = {text_key(candidate) for content in contents for candidate in content["candidates"]}
    return not text.strip() or text_key(text) in keys


def _asked(content: Content, settings: Settings) -> list[Mapping[str, Any]]:
    """The criteria of this item: all, or those that it names."""
    named = content.get("criteria")
    return [criterion for criterion in settings["criteria"] if named is None or criterion["name"] in named]


def _field(index: int, name: str) -> str:
    return f"rating-{index}-{name}"


def _in_page_order(count: int, criteria: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each text's place with each criterion, stage by stage: the first missing one can always be answered."""
    for _beside, stage in groupby(criteria, key=lambda criterion: criterion["beside"]):
        together = list(stage)
        yield from ((index, criterion) for index in range(count) for criterion in together)


def _missing(index: int, criterion: Mapping[str, Any], count: int) -> UserError:
    field, label = _field(index, criterion["name"]), criterion["label"]
    label = translated(label) if label == label_of_key(criterion["name"]) else label
    if count == 1:
        return UserError("{label} is not rated yet.", label=label, where=field)
    return UserError("Text {number}: {label} is not rated yet.", number=index + 1, label=label, where=field)


def _check_known(row: Mapping[str, Any], index: int, criteria: Sequence[Mapping[str, Any]]) -> None:
    known = {criterion["name"] for criterion in criteria}
    for name in row:
        if name not in known:
            raise UserError("There is no such criterion.", where=_field(index, name))


def _check_value(value: Any, index: int, criterion: Mapping[str, Any]) -> int | float:
    try:
        return SCALES[criterion["scale"]].check(value)
    except UserError as error:
        raise UserError(error.sentence, where=_field(index, criterion["name"])) from None


def _partial_row(form: Mapping[str, str], index: int, criteria: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    row = {}
    for criterion in criteria:
        try:
            row[criterion["name"]] = SCALES[criterion["scale"]].parse(form.get(_field(index, criterion["name"]), ""))
        except UserError:
            continue
    return row


def _group(
    beside: str, criteria: list[Mapping[str, Any]], content: Content, order: Sequence[int], ratings: Sequence[Any]
) -> dict[str, Any]:
    described = [
        {
            "name": criterion["name"],
            "label": criterion["label"],
            "help": criterion["help"],
            "optional": criterion["optional"],
            "scale": criterion["scale"],
            "kind": SCALES[criterion["scale"]].kind,
            "levels": SCALES[criterion["scale"]].shown,
        }
        for criterion in criteria
    ]
    rows = [
        {
            "place": place,
            "text": content["candidates"][index],
            "fields": [
                {
                    "name": _field(place - 1, described_criterion["name"]),
                    "criterion": described_criterion,
                    "value": ratings[index].get(described_criterion["name"]),
                }
                for described_criterion in described
            ],
        }
        for place, index in enumerate(order, start=1)
    ]
    return {"beside": beside, "criteria": described, "rows": rows}


TASK_TYPE = Rate()
