"""Whether the metrics of a paper's table are set as in its authors' program, said in the table's notes.

A table names the parts of a signature that the program has: `PROGRAM = {"sari": {"like": "hf"}}`.
"""

from collections.abc import Mapping

from evaluation.corpus_statistics.signed_settings import signed_parts
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import joined

Parts = Mapping[str, str]


def program_notes(snapshot: StudySnapshot, program: Mapping[str, Parts]) -> list[str]:
    """A sentence for the metrics that are set as in the program, and one for each set of them that is not.

    Args:
        snapshot: The study; a metric without scores is in no sentence.
        program: By metric the parts of its signature, each with the program's value.
    """
    as_there: list[str] = []
    otherwise: dict[str, list[str]] = {}
    for name, parts in program.items():
        said = signed_parts(snapshot, name)
        if not said:
            continue
        differing = [key for key in parts if said.get(key) != parts[key]]
        if not differing:
            as_there.append(METRICS[name].label)
            continue
        here, there = (_signed(of, differing) for of in (said, parts))
        otherwise.setdefault(f"{here} where the authors' program has {there}", []).append(METRICS[name].label)
    return [
        *([f"Set as in the authors' program: {', '.join(as_there)}."] if as_there else []),
        *(f"{', '.join(labels)}: {how}." for how, labels in otherwise.items()),
    ]


def _signed(parts: Parts, keys: list[str]) -> str:
    """'stem:no, refs:best-f1'; what a signature does not say is its default."""
    return joined(*(f"{key}:{parts.get(key, 'default')}" for key in keys))
