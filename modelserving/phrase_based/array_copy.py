"""Arrays copied one number after the other: `to[:] = of` looks at shapes and overlaps, which takes long to compile."""

from modelserving.phrase_based.jit import within
from modelserving.phrase_based.phrase_table import WordIds


@within
def copy(of: WordIds, to: WordIds) -> None:
    """Write an array into another one of its length."""
    for i in range(len(of)):
        to[i] = of[i]
