"""The figures of phrase-based translation, on made pairs: words aligned and phrases counted, sentences decoded.

The time in which Numba compiles at the first use is not in them.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from tools.bench.bench_study import SEED, Writer
from tools.bench.clock import Took, timed
from tools.bench.phrase_memory_figures import nothing

if TYPE_CHECKING:
    from modelserving.phrase_based.decoder import Decoder
    from modelserving.phrase_based.phrase_table import PhraseTable

PAIRS, WARM, SENTENCES, WORDS, CHANGES = 20_000, 20, 200, 20, 3
LISTED = 20  # sentences of which many outputs are asked
Pairs = list[tuple[list[str], list[str]]]


def phrases() -> dict[str, Took]:
    """Each figure by its words; sentences are decoded with the weights that a tuning starts from."""
    writer = Writer(SEED)
    sources = [writer.sentence() for _ in range(PAIRS)]
    pairs = [(source, writer.rewritten(source, CHANGES)) for source in sources]
    _table(pairs[:WARM])
    made: list[PhraseTable] = []
    took = timed(lambda: made.append(_table(pairs)))
    return {f"{PAIRS:,} pairs aligned, phrases counted": took} | _decoded(made[0], pairs, writer)


def _table(pairs: Pairs) -> "PhraseTable":
    """The phrase table of the pairs, in memory."""
    from modelserving.phrase_based import table_builder, word_alignment
    from modelserving.phrase_based.table_files import load_table, save_table
    from modelserving.phrase_based.word_alignment import align

    with tempfile.TemporaryDirectory() as folder:
        texts = word_alignment.write(Path(folder), ((source, target, 1) for source, target in pairs), 100)
        made = table_builder.build(texts, align(texts, SEED, nothing), table_builder.Shape(), nothing)
        (Path(folder) / "kept").mkdir()
        save_table(made, Path(folder) / "kept")
        return load_table(Path(folder) / "kept")


def _decoded(table: "PhraseTable", pairs: Pairs, writer: Writer) -> dict[str, Took]:
    from foundation.kneser_ney import estimate
    from modelserving.phrase_based.decoder import Decoder

    model = estimate([target for _, target in pairs], 5)
    decoder = Decoder(table, model)
    words = chain.from_iterable(iter(writer.sentence, None))
    sentences = [list(islice(words, WORDS)) for _ in range(SENTENCES)]
    decoder.nbest(sentences[0], 2)
    of = f"{SENTENCES} sentences of {WORDS} words"
    return {
        f"{of} decoded, stack {decoder.search.stack}, distortion {decoder.search.distortion}": timed(
            lambda: [decoder.translate(sentence) for sentence in sentences]
        ),
        f"{of}, two threads": timed(lambda: _by_threads(decoder, sentences)),
        f"100 outputs of each of {LISTED} of them": timed(
            lambda: [decoder.nbest(sentence, 100) for sentence in sentences[:LISTED]]
        ),
        "2,000 words decoded as one sentence": timed(lambda: decoder.translate(list(islice(words, 2000)))),
    }


def _by_threads(decoder: "Decoder", sentences: list[list[str]]) -> None:
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(decoder.translate, sentences))
