"""A declared study as parts, each with its settings and the digests of its files.

The study keeps the declaration that was applied. The next application leaves a part alone that is the same, adds a new
part, and states a part that differs, key by key. Moving a file is no change: its content counts, not its path.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.scales import SCALES
from evaluation.report_fields import ReportFields
from foundation.errors import SHOWN, UserError
from foundation.options import list_options
from study_file.parser.spec import ReportSpec, StudySpec

Opener = Callable[[str], Any]
Settings = dict[str, Any]
FILE_KEYS = ("file", "sources", "checkpoint")
SHOWN_CHARACTERS = 60
FIRST_OF_REPORT = ("alpha", "correction", "variant", "human_systems")


class ScaleValues(dict[str, Sequence[float]]):
    """The values of each scale, of a lab's own too."""

    def __missing__(self, name: str) -> Sequence[float]:
        return SCALES[name].values


def parts_of(spec: StudySpec) -> dict[str, Settings]:
    """The settings of each part by the part's name, flat: `{"system A": {"outputs[1].file": "a.txt", ...}}`."""
    study = {"title": spec.title, "styles": spec.styles, "license": spec.license, "description": spec.description}
    named = {"template": spec.template, "style_words": spec.style_words, "poles": spec.poles}
    named["language"] = spec.language
    named |= {"style_descriptions": spec.style_descriptions, **spec.access}
    named["unit"] = spec.unit if spec.unit != "sentence" else ""
    parts: dict[str, Any] = {"study": study | {key: value for key, value in named.items() if value}}
    parts |= _parts("direction", spec.directions) | _parts("documents", spec.documents) | _parts("gold", spec.gold)
    groups = asdict(spec.groups) if spec.groups else {}
    linked = groups.pop("references", "")  # a part of its own, which comes behind the selections
    parts |= {"groups": groups} if groups else {}
    parts |= _parts("selection", spec.selections)
    parts |= {"splits": asdict(spec.splits)} if spec.splits else {}
    parts |= {"linked references": {"direction": linked}} if linked else {}
    parts |= _parts("references", spec.references, "marks")
    parts |= _parts("system", spec.systems, "family", "seed", "options", "references")
    parts |= _parts("table", spec.tables)
    parts |= {"concepts": {"link_concepts": True}} if spec.links_concepts else {}
    parts |= _parts("training", spec.trainings, "preset", "seeds", "silver")
    parts |= _parts("sweep", spec.sweeps, "silver") | _parts("run", spec.runs, "seeds")
    parts |= _parts("ratings", spec.ratings, "table")
    parts |= {f"metric {name}": settings for name, settings in spec.metrics.items()}
    parts |= {"report": _report(spec.report)} if spec.report else {}
    parts |= {f"stage {stage.slug}": {"slug": stage.slug, **stage.changes} for stage in spec.stages}
    parts |= {name: part.pop("rules") | part for name, part in _parts("campaign", spec.campaigns).items()}
    parts |= {name: part.pop("fields") | part for name, part in _parts("human study", spec.human_studies).items()}
    return {
        name: {_kept(key): value for key, value in _flat(part) if value != "" or not _is_file(key)}
        for name, part in parts.items()
    }


def _kept(key: str) -> str:
    """The key under the name that it had when studies were applied first."""
    return key.replace("eligibility", "crew", 1) if key.startswith("eligibility.") else key


def _report(report: ReportSpec) -> Settings:
    """The first fields even where they are left out, so that a report applied before a later field came is the same."""
    usual = {one.name: one.default for one in list_options(ReportFields) if one.name in FIRST_OF_REPORT}
    return usual | {"baseline": report.baseline} | _without(dict(report.fields), "split", "joint")


def _parts(kind: str, blocks: Iterable[Any], *later: str) -> dict[str, Settings]:
    """The blocks of a kind by name, or else by number; keys that came `later` only where they are given."""
    named = ((getattr(block, "name", number), block) for number, block in enumerate(blocks, 1))
    return {f"{kind} {name}": _without(asdict(block), *later) for name, block in named}


def _without(part: Settings, *later: str) -> Settings:
    """The part without keys that came later and are not given, so that one applied before them is the same."""
    return {key: value for key, value in part.items() if key not in later or value not in ("", None, {}, (), 0)}


def digested(parts: Mapping[str, Settings], digests: Mapping[str, str]) -> dict[str, Settings]:
    """The parts with the digest of each file in the place of its name, as they are stored and compared."""
    return {
        name: {key: digests[value] if _is_file(key) else value for key, value in part.items()}
        for name, part in parts.items()
    }


def digests_of(names: list[str], opened: Opener) -> dict[str, str]:
    """The SHA-256 of each file. Files that are not there are one UserError that names the first five."""
    found: dict[str, str] = {}
    faults: list[str] = []
    for name in names:
        try:
            found[name] = _digest(opened(name))
        except UserError as error:
            faults.append(str(error))
    if faults:
        more = f" ({len(faults) - SHOWN} more files like these.)" if len(faults) > SHOWN else ""
        raise UserError(" ".join(faults[:SHOWN]) + more)
    return found


def differences(
    applied: Mapping[str, Settings], now: Mapping[str, Settings], parts: Mapping[str, Settings]
) -> list[str]:
    """Each difference between the applied parts and `now`, in words; a new part is none. `parts` names the files."""
    stated = [f"{name} is no longer in the file" for name in applied if name not in now]
    for name in (name for name in now if name in applied):
        was, new = applied[name], now[name]
        for key in [*new, *(key for key in was if key not in new)]:
            if was.get(key) != new.get(key):
                stated.append(f"{name}: {_difference(key, was.get(key), new.get(key), parts[name].get(key))}")
    return stated


def _difference(key: str, was: Any, now: Any, file: Any) -> str:
    if _is_file(key) and was is not None and now is not None:
        return f"the content of {file} has changed"
    return f"{key} was {_shown(key, was)}, and is now {_shown(key, now)}"


def _shown(key: str, value: Any) -> str:
    if value is None:
        return "not there"
    if _is_file(key):
        return "a file"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f"'{value}'" if isinstance(value, str) else str(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def _is_file(key: str) -> bool:
    """Whether a key names a file: `file`, `sources`, `outputs[1].files.train`."""
    *before, last = key.split(".")
    return last in FILE_KEYS or before[-1:] == ["files"]


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested tables and lists with their paths; elements count from 1. Values of None are left out."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _flat(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value, 1):
            yield from _flat(one, f"{path}[{number}]")
    elif value is not None:
        yield path, value


def _digest(source: Path | bytes | Any) -> str:
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    if isinstance(source, Path):
        with source.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    return hashlib.file_digest(source, "sha256").hexdigest()
