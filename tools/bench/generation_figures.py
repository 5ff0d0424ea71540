"""The figures of pretrained models that write: by transformers' `generate` as it is, by this project, by CTranslate2.

`python -m tools.bench.generation_figures [t5|bart] [TEXTS ...]`: models of the shapes of T5-small and BART-base with
random weights, batches of texts of 30 tokens, 24 tokens written of each, and one of sources of many lengths; one
thread, by turns. It fails where this project's float32 outputs differ from transformers'.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

SIZES, LENGTH, WRITTEN, BEAMS = (1, 8, 16, 64), 30, 24, (1, 4)
TURNS, MANY = (4, 2), 16  # turns of batches below MANY texts, and of others
MIXED = (16, 60, 48)  # texts of many lengths, the longest of them, tokens that are written
BART = {"vocab_size": 50_265, "d_model": 768} | {
    f"{side}_{name}": value
    for side in ("encoder", "decoder")
    for name, value in (("layers", 6), ("ffn_dim", 3072), ("attention_heads", 12))
}

Write = Callable[[], list[list[int]]]


def main(only: str = "", *sizes: str) -> None:
    import torch

    torch.set_num_threads(1)
    chance = np.random.default_rng(1)
    for kind, name, make in (("t5", "T5-small", _t5), ("bart", "BART-base", _bart)):
        net = make() if only in ("", kind) else None
        for beam in BEAMS if net else ():
            for count in map(int, sizes or SIZES):
                rows = chance.integers(10, 30_000, (count, LENGTH)).tolist()
                _say(f"{name}, a beam of {beam}, {count} texts", _ways(net, rows, beam, WRITTEN), count, WRITTEN)
        if net:
            count, longest, written = MIXED
            rows = [chance.integers(10, 30_000, length).tolist() for length in chance.integers(5, longest, count)]
            for beam in BEAMS:
                _say(
                    f"{name}, a beam of {beam}, {count} texts of many lengths",
                    _ways(net, rows, beam, written),
                    count,
                    written,
                )


def _say(what: str, ways: dict[str, Write], count: int, least: int = 0) -> None:
    best = dict.fromkeys(ways, float("inf"))
    found: dict[str, list[list[int]]] = {}
    for _ in range(TURNS[count >= MANY]):
        for way, write in ways.items():
            begun = time.process_time()
            found[way] = write()
            best[way] = min(best[way], time.process_time() - begun)
        _check(found, least)
    plain, lengths = best["transformers"], sorted(map(len, found["restyle"]))
    figures = (f"{way} {took:.2f} s, {plain / took:.2f} times" for way, took in best.items())
    sys.stdout.write(f"{what} ({lengths[0]} to {lengths[-1]} tokens): {'; '.join(figures)}\n")
    sys.stdout.flush()


def _ways(net: Any, rows: Sequence[Sequence[int]], beam: int, longest: int) -> dict[str, Write]:
    import torch

    from modelserving.pretrained.model import ConvertedWriter
    from modelserving.pretrained.options import SidesGenerationOptions
    from modelserving.pretrained.quick_search import HeldDecoder
    from modelserving.pretrained.sides import up_to_end
    from modelserving.pretrained.token_rows import pad
    from modelserving.pretrained.writing import configuration, write

    options = SidesGenerationOptions(beam=beam, longest=longest, early_stopping=True)
    config, held = configuration(net.generation_config, options), HeldDecoder()
    ids = pad(rows, net.config.pad_token_id)
    mask = (torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]).long()

    def plain() -> list[list[int]]:
        with torch.inference_mode():
            found = net.generate(input_ids=ids, attention_mask=mask, generation_config=config)
        return [row[:1] + up_to_end(row[1:], [config.eos_token_id]) for row in found.tolist()]

    write(net, rows, options, held=held)  # weights are put in order once, as the conversion is done once
    ways: dict[str, Write] = {"transformers": plain, "restyle": lambda: write(net, rows, options, held=held)}
    for kind in ("float32", "int8"):
        chosen = SidesGenerationOptions(
            beam=beam, longest=longest, early_stopping=True, engine="ctranslate2", quantization=kind
        )
        writer = ConvertedWriter(net)
        writer.write(rows[:1], chosen)
        ways[f"CTranslate2 {kind}"] = partial(writer.write, rows, chosen)
    return ways


def _check(found: dict[str, list[list[int]]], least: int) -> None:
    if found["restyle"] != found["transformers"]:
        raise ValueError("The outputs differ from transformers'.")
    for way, texts in found.items():
        if min(map(len, texts)) < least - 1:  # CTranslate2 leaves the end of a text out
            raise ValueError(f"A text of {way} ended early: the work is not the same.")


def _t5() -> Any:
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(1)
    return T5ForConditionalGeneration(T5Config(decoder_start_token_id=0)).eval()  # T5-small's sizes are the defaults


def _bart() -> Any:
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(1)
    return BartForConditionalGeneration(BartConfig(**BART, decoder_start_token_id=0)).eval()  # 2 also ends a text


if __name__ == "__main__":
    main(*sys.argv[1:])
