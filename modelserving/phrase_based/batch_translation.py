"""Many sentences cut into words, and translated on all cores."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from modelserving.phrase_based.decoder import Decoder
from modelserving.training.tokenization import WordTokenizer

TOGETHER = 64  # sentences between two looks whether somebody asked to stop
Words = list[str]


def tokenize(text: str) -> Words:
    """The words of a text; case stays as it is."""
    return WordTokenizer().tokenize(text)


def translate_all(decoder: Decoder, sentences: Sequence[Words], pulse: Callable[[], None]) -> Iterator[Words]:
    """Each sentence's best output, in order, by as many threads as there are processors."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        for first in range(0, len(sentences), TOGETHER):
            pulse()
            yield from threads.map(decoder.translate, sentences[first : first + TOGETHER])
