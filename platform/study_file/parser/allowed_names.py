"""What a study file may name: metrics, scales, task types, templates, and checks of their settings."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


def _pass(name: str, settings: Mapping[str, Any]) -> object:
    return None


def _pass_training(name: str, options: Mapping[str, Any], preset: str) -> object:
    return None


def _pass_run(name: str, decoding: Mapping[str, Any], trained: bool) -> object:
    return None


@dataclass(frozen=True)
class TemplateShape:
    """What a study file may speak of where it names a template; a stage has its task and settings."""

    styles: tuple[str, ...]
    directions: tuple[str, ...]
    stages: Mapping[str, tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Allowed:
    """The names a study file may use, and the checks of the settings of metrics, tasks, selections and crews.

    Registries fit (`scales=SCALES`). `ratings`, `tables`, `documents` and `gold` are names of formats,
    `targets` what tables can hold. `beside` says of some
    scales what stands beside a text that is rated on them.
    """

    scales: Collection[str]
    metrics: Collection[str]
    tasks: Collection[str]
    ratings: Collection[str] = ("mturk",)
    tables: Collection[str] = ("csv", "jsonl", "tsv")
    check_metric: Callable[[str, Mapping[str, Any]], object] = _pass
    check_task: Callable[[str, Mapping[str, Any]], object] = _pass
    models: Collection[str] = ()
    check_training: Callable[[str, Mapping[str, Any], str], object] = _pass_training
    check_run: Callable[[str, Mapping[str, Any], bool], object] = _pass_run
    documents: Collection[str] = ()
    gold: Collection[str] = ()
    targets: Collection[str] = ()
    selections: Collection[str] = ()
    check_selection: Callable[[str, Mapping[str, Any]], object] = _pass
    check_human: Callable[[str, Mapping[str, Any]], object] = _pass
    templates: Mapping[str, TemplateShape] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    corrections: Collection[str] = ()
    variants: Collection[str] = ()
    averagings: Collection[str] = ()
    check_joint: Callable[[Sequence[str]], object] = list
    levels: tuple[float, float] = (0.0, 1.0)
