"""What the fields of a campaign may be; a UserError names the one that does not fit."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from annotation.annotator_pool import eligibility as crews
from annotation.campaigns.criteria import criteria_of
from annotation.models import Campaign
from annotation.models.campaign import every_role
from annotation.quality import check_checks
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Sentence, Study
from foundation.errors import UserError

NO_ITEMS = "There is nothing to work on: the study has no texts that this kind of work could use."
BOUNDS = {
    "overlap": (1, 100, "From 1 to 100 people may work on an item."),
    "lease_minutes": (1, 7 * 24 * 60, "A lease lasts from 1 minute to 7 days."),
    "seed": (-(2**31), 2**31 - 1, "A seed is a whole number of at most 32 bits."),
    "control_every": (0, 1000, "Of at most 1000 items one is a control item; 0 is none."),
    "prefetch": (0, 20, "At most 20 items may be leased ahead; 0 is none."),
}
PAY = ("currency", "item", "hour", "rejected", "minutes")
EXAMPLE = ("about", "good", "bad", "why")
LONGEST_EXAMPLE, MOST_EXAMPLES = 2000, 100
LONGEST_MINUTES = 24 * 60


def checked(study: Study, kind: TaskType, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, in their stored form."""
    checked_fields = dict(fields)
    for name, (low, high, sentence) in BOUNDS.items():
        if name in checked_fields and not low <= checked_fields[name] <= high:
            raise UserError(sentence, where=name)
    for name, check in CHECKS.items():
        if name in checked_fields:
            checked_fields[name] = check(checked_fields[name])
    if checked_fields.get("direction") is not None and checked_fields["direction"].study_id != study.pk:
        raise UserError("The direction is another study's.", where="direction")
    if "after" in checked_fields:
        _check_after(study, kind, checked_fields["after"], checked_fields.get("purpose", Campaign.Purpose.WORK))
    return checked_fields


def checked_settings(study: Study, task_type: str, settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings of the kind of work, complete; ratings that name no criteria take those of the study."""
    kind = TASK_TYPES[task_type]
    complete: dict[str, Any] = storable(kind.check_settings(_with_criteria(study, kind, settings or {})))
    return complete


def storable(settings: Any, where: str = "settings") -> Any:
    """The settings; a UserError where a text in them holds what PostgreSQL cannot keep."""
    try:
        clean = "\x00" not in "".join(_texts(orjson.loads(orjson.dumps(settings))))
    except TypeError:  # half of a surrogate pair
        clean = False
    if not clean:
        raise UserError("A text of the {place} holds a character that cannot be stored.", place=where, where=where)
    return settings


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for text in value:
            yield from _texts(text)


def _with_criteria(study: Study, kind: TaskType, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings; where the work rates on criteria and names none, with those of the study."""
    if "criteria" in kind.defaults and not settings.get("criteria"):
        own = criteria_of(study)
        return {**settings, "criteria": own} if own else {k: v for k, v in settings.items() if k != "criteria"}
    return dict(settings)


def _check_after(study: Study, kind: TaskType, after: Campaign | None, purpose: str) -> None:
    if after is None:
        if kind.works_on == "stage":
            raise UserError("This kind of work needs a campaign before it, whose answers it takes.", where="after")
        return
    if after.study_id != study.pk:
        raise UserError("The campaign before is another study's.", where="after")
    if purpose != Campaign.Purpose.WORK or after.purpose != Campaign.Purpose.WORK:
        raise UserError("A training or a qualification is no stage.", where="after")


def _name(name: str) -> str:
    if not name.strip() or len(name) > 200:
        raise UserError("A campaign needs a name of at most 200 characters.", where="name")
    return name.strip()


def _roles(roles: Sequence[str]) -> list[str]:
    for role in roles:
        if role not in every_role():
            raise UserError(
                "Expected roles among {every_role}; found {role!r}.",
                every_role=", ".join(every_role()),
                role=role,
                where="roles",
            )
    return list(roles) or every_role()


def _among(choices: Sequence[str], where: str) -> Any:
    def check(value: str) -> str:
        if value not in choices:
            raise UserError(
                "Expected one of {choices}; found {value!r}.", choices=", ".join(choices), value=value, where=where
            )
        return value

    return check


def _splits(splits: Sequence[str]) -> list[str]:
    return [_among(Sentence.Split.values, "splits")(split) for split in splits]


def _reasons(reasons: Sequence[str]) -> list[str]:
    clean = list(dict.fromkeys(reason.strip() for reason in reasons if reason.strip()))
    if any(len(reason) > 200 for reason in clean):
        raise UserError("A reason has at most 200 characters.", where="reasons")
    return clean


def _pay(pay: Mapping[str, Any]) -> dict[str, Any]:
    """`currency`, what an `item` and an `hour` earn, whether items that were `rejected` are paid too, and how many
    `minutes` of one item are paid at most."""
    for key, value in pay.items():
        if key not in PAY:
            raise UserError("Expected {pay}; found {key!r}.", pay=", ".join(PAY), key=key, where="pay")
        if key == "currency":
            if not isinstance(value, str) or not 0 < len(value) <= 10:
                raise UserError("A currency has from 1 to 10 characters, such as EUR.", where="pay.currency")
        elif key == "rejected":
            if not isinstance(value, bool):
                raise UserError("Whether rejected items are paid is true or false.", where="pay.rejected")
        elif key == "minutes":
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LONGEST_MINUTES:
                raise UserError("The minutes paid for an item are more than 0 and at most a day.", where="pay.minutes")
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1_000_000:
            raise UserError("Pay is a number from 0 on.", where=f"pay.{key}")
    return dict(pay)


def _examples(examples: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Rows of `about`, `good`, `bad` and `why`; those that show nothing are left out."""
    clean = []
    for place, row in enumerate(examples):
        if not isinstance(row, Mapping) or not set(row) <= set(EXAMPLE):
            raise UserError("An example has {keys}.", keys=", ".join(EXAMPLE), where=f"examples.{place}")
        told = {key: row.get(key, "") for key in EXAMPLE}
        if not all(isinstance(text, str) and len(text) <= LONGEST_EXAMPLE for text in told.values()):
            sentence = "Each part of an example is a text of at most {longest} characters."
            raise UserError(sentence, longest=LONGEST_EXAMPLE, where=f"examples.{place}")
        if told["good"].strip() or told["bad"].strip():
            clean.append({key: text.strip() for key, text in told.items()})
    if len(clean) > MOST_EXAMPLES:
        raise UserError("At most {most} examples are given.", most=MOST_EXAMPLES, where="examples")
    return clean


CHECKS = {
    "name": _name,
    "roles": _roles,
    "purpose": _among(Campaign.Purpose.values, "purpose"),
    "takes": _among(Campaign.Takes.values, "takes"),
    "splits": _splits,
    "reasons": _reasons,
    "examples": lambda examples: storable(_examples(examples), "examples"),
    "crew": lambda crew: storable(crews.check(crew), "crew"),
    "checks": lambda checks: storable(check_checks(checks), "checks"),
    "pay": lambda pay: storable(_pay(pay), "pay"),
}
