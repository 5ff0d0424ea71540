"""The contract of a degenerate baseline: outputs of no good system, made from a study's texts (MSD, section 4.10)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from foundation.papers import Paper


@dataclass(frozen=True)
class BaselineInput:
    """The n units that a baseline is made from; `style_words[style]` are words that mark a style, strongest first.

    `language` says what words are.
    """

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    target_styles: Sequence[str]
    style_words: Mapping[str, Sequence[str]]
    seed: int = 1
    language: str = ""


@dataclass(frozen=True, kw_only=True)
class DegenerateBaseline:
    """An entry of this folder. `about` says in one sentence what a metric that likes it does not see.

    `make(texts)` gives one output a unit, None where it cannot be made; equal arguments give equal outputs.
    """

    label: str
    about: str
    make: Callable[[BaselineInput], list[str | None]]
    paper: Paper | None = None
