"""Joint scores: what several criteria say of a system together, as a study declares it in a line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from foundation.errors import UserError

LINE = re.compile(
    r"\s*+(?P<name>[^\s=](?:[^=]{0,58}[^\s=])?)\s*+="
    r"\s*+(?P<how>product|mean)\s++(?P<over>by sentence|of means):(?P<of>.+)"
)
EXAMPLES = "J = product by sentence: style, content, fluency"
MOST = 20


@dataclass(frozen=True)
class JointScore:
    """A product or a mean of criteria, each from 0, the worst of its scale, to 1, the best.

    By sentence it is worked out for each output, over the mean of its judgements on each criterion, and averaged over
    the outputs that were judged on all of them (Krishna, Wieting and Iyyer 2020, J). Of means it is worked out once,
    from the system's means (TextDetox 2024).
    """

    name: str
    how: Literal["product", "mean"]
    over: Literal["by sentence", "of means"]
    of: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} = {self.how} {self.over}: {', '.join(self.of)}"


def joint_score(line: str) -> JointScore:
    """The joint score of a line, such as `J = product by sentence: style, content, fluency`. UserError: it is none."""
    match = LINE.fullmatch(line)
    of = tuple(part.strip() for part in match["of"].split(",")) if match else ()
    if match is None or len(of) < 2 or not all(of) or len(set(of)) < len(of):
        raise UserError(
            "'{line}' is no joint score; expected a name, 'product' or 'mean', 'by sentence' or 'of means', and two "
            "criteria or more, as in '{example}'.", line=line, example=EXAMPLES, where="joint",
        )  # fmt: skip
    return JointScore(match["name"], match["how"], match["over"], of)  # type: ignore[arg-type]


def joint_scores(lines: Sequence[str]) -> list[JointScore]:
    """Those of several lines. UserError: one is none, two have one name, or there are more than 20."""
    scores = [joint_score(line) for line in lines]
    names = [score.name for score in scores]
    if doubled := next((name for name in names if names.count(name) > 1), ""):
        raise UserError("Two joint scores are named '{name}'.", name=doubled, where="joint")
    if len(scores) > MOST:
        raise UserError(
            "There are {n} joint scores; at most {most} were expected.", n=len(scores), most=MOST, where="joint"
        )
    return scores
