"""Arrays copied one number after the other: `to[:] = of` looks at shapes and overlaps, which takes long to compile."""

from modelserving.phrases._base import Words
from modelserving.phrases.compiling import within


@within
def copy(of: Words, to: Words) -> None:
    """Write an array into another one of its length."""
    for i in range(len(of)):
        to[i] = of[i]
