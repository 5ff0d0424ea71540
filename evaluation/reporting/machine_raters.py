"""Language models that rate, beside the people who rated the same: means of systems, and how far they agree."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from evaluation.numerics import Floats
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.snapshot_builder.judgements import CriterionScale, JudgementTable
from evaluation.snapshot_builder.machines import MachineReading
from evaluation.statistics import STATISTICS, AgreementStatistic

Json = dict[str, Any]
FEWEST = 4  # texts that both judged, for a correlation
Key = tuple[int, str]


def machine_raters(built: BuiltSnapshot) -> list[Json]:
    """A row a machine and criterion. People count who judged the same texts."""
    return [row for machine in built.machines for row in _of(built, machine)]


def _of(built: BuiltSnapshot, machine: MachineReading) -> Iterator[Json]:
    scales = {kind.name: kind for kind in built.scales}
    for name, judged in machine.judgements.items():
        systems = [
            {"system": row.name, "mean": float(values.mean()) if judged.level != "nominal" else None, "n": len(values)}
            for place, row in enumerate(built.snapshot.systems)
            if len(values := judged.value[judged.system == place])
        ]
        yield {
            "name": machine.name, "criterion": name, "signature": machine.signature, "counted": machine.counted,
            "n": int(np.sum(machine.judgement_table.criterion == machine.judgement_table.criteria.index(name))),
            "systems": systems, **_beside_people(built, machine, scales.get(name), name),
        }  # fmt: skip


def _beside_people(built: BuiltSnapshot, machine: MachineReading, kind: CriterionScale | None, name: str) -> Json:
    """`r` with the mean of people, over texts that both judged; alpha of the people alone, and with the machine among
    them; and the `offset`, the machine's value minus the people's mean."""
    own = {key: values[0][1] for key, values in _by_text(machine.judgement_table, name).items()}
    people = _by_text(built.leading, name) if kind else {}
    both = {
        key: [one for one in values if one[0] != machine.name] for key, values in people.items() if key in own
    }  # fmt: skip
    both = {key: values for key, values in both.items() if values}
    if kind is None or not both:
        return {"both": 0, "r": None, "offset": None, "alpha_people": None, "alpha_with": None}
    means = np.array([np.mean([value for _, value in values]) for values in both.values()])
    mine = np.array([own[key] for key in both])
    rows = [(rater, place, value) for place, values in enumerate(both.values()) for rater, value in values]
    with_it = [*rows, *((machine.name, place, value) for place, value in enumerate(mine.tolist()))]
    ordered = kind.is_ordered
    return {
        "both": len(both),
        "r": _pearson(mine, means) if ordered else None,
        "offset": float(np.mean(mine - means)) if ordered else None,
        "alpha_people": _alpha(rows, kind),
        "alpha_with": _alpha(with_it, kind),
    }


def _by_text(given: JudgementTable, name: str) -> dict[Key, list[tuple[str, float]]]:
    """The raters and values of each text, by its unit and key."""
    found: defaultdict[Key, list[tuple[str, float]]] = defaultdict(list)
    if name not in given.criteria:
        return found
    rows = given.criterion == given.criteria.index(name)
    columns = given.text[rows].tolist(), given.rater[rows].tolist(), given.value[rows].tolist()
    for text, rater, value in zip(*columns, strict=True):
        unit, key, _ = given.texts[text]
        found[unit, key].append((given.raters[rater], value))
    return found


def _pearson(x: Floats, y: Floats) -> float | None:
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(np.corrcoef(x, y)[0, 1])


def _alpha(rows: list[tuple[str, int, float]], kind: CriterionScale) -> float | None:
    raters, items, values = zip(*rows, strict=True)
    entry = STATISTICS["krippendorff_alpha"]
    assert isinstance(entry, AgreementStatistic)
    return entry.agree(list(raters), list(items), np.array(values, dtype=np.float64), kind.level).value
