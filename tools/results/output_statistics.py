"""What outputs look like beside their sources: numbers that explain a score, and are none."""

from collections.abc import Sequence
from itertools import pairwise

from corpora.knowledge.words import tokens


def output_statistics(sources: Sequence[str], outputs: Sequence[str]) -> dict[str, float]:
    """Over all outputs together, case aside; `copied` is a share of texts, the others are of tokens.

    `copied`: outputs that are their source. `length`: tokens for one of the source. `new`: tokens that the source
    lacks. `repeated`: tokens that repeat the one before. `again`: tokens that end two in a row that stood in the text
    before, as they do where a model goes round in circles.
    """
    pairs = [(_split(source), _split(output)) for source, output in zip(sources, outputs, strict=True)]
    written = sum(len(output) for _, output in pairs)
    return {
        "copied": sum(source == output for source, output in pairs) / len(pairs),
        "length": written / sum(len(source) for source, _ in pairs),
        "new": sum(_new(source, output) for source, output in pairs) / max(1, written),
        "repeated": sum(_repeated(output) for _, output in pairs) / max(1, written),
        "again": sum(_again(output) for _, output in pairs) / max(1, written),
    }


def _split(text: str) -> list[str]:
    return [token.lower() for token in tokens(text)]


def _new(source: Sequence[str], output: Sequence[str]) -> int:
    known = set(source)
    return sum(token not in known for token in output)


def _again(output: Sequence[str]) -> int:
    found = list(pairwise(output))
    return len(found) - len(set(found))


def _repeated(output: Sequence[str]) -> int:
    return sum(first == second for first, second in pairwise(output))
