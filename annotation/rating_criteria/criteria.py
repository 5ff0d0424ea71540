"""What outputs are rated on: each criterion's scale, and what stands beside the output while it is rated."""

from collections.abc import Mapping
from typing import Any

from annotation.scales import SCALES, canonical_line
from annotation.settings_checks.task_settings import flag, known_keys, one_of, words
from foundation.aspects import ASPECTS, BESIDE, NO_ASPECT, aspect_named, beside_of
from foundation.errors import UserError
from foundation.key_labels import label_of_key

KEYS = ("name", "label", "scale", "aspect", "beside", "optional", "help")


def check_criteria(given: object) -> list[dict[str, Any]]:
    """The criteria in their stored form, a list in the order of the page; a UserError names the key.

    `given` is `{name: {"scale": ...}}` as a study file has it, or a list of `{"name": ..., "scale": ...}`.
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
    return sorted(checked, key=lambda criterion: BESIDE.index(criterion["beside"]))


def _table(given: object, where: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise UserError('Expected a table such as { scale = "likert_5" }.', where=where)
    return dict(given)


def _criterion(given: dict[str, Any], place: int) -> dict[str, Any]:
    name = given.get("name")
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii() or len(name) > 50:
        raise UserError("A criterion's name is letters, digits and _, from a letter on.", where=f"criteria.{place}")
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
    # What is said on a scale of agreement needs a statement to agree with.
    statement = ASPECTS.get(aspect, NO_ASPECT).statement if SCALES[scale].kind == "range" else ""
    return {
        "name": name,
        "label": words(given, "label", label_of_key(name), where, longest=100),
        "scale": scale,
        "aspect": aspect,
        "beside": one_of(given, "beside", beside, BESIDE, where),
        "optional": flag(given, "optional", False),
        "help": words(given, "help", statement, where),
    }
