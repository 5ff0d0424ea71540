"""The figures of pretrained models that write: by transformers' `generate` as it is, by this project, by CTranslate2.

`python -m tools.bench.generation_figures`: models of the shapes of T5-small and BART-base with random weights, 8 texts
of 30 tokens, 24 tokens each, one thread, by turns. It fails where this project's float32 outputs differ from
transformers'.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

TEXTS, LENGTH, WRITTEN, TURNS, BEAMS = 8, 30, 24, 4, (1, 4)
BART = {"vocab_size": 50_265, "d_model": 768} | {
    f"{side}_{name}": value
    for side in ("encoder", "decoder")
    for name, value in (("layers", 6), ("ffn_dim", 3072), ("attention_heads", 12))
}

Write = Callable[[], list[list[int]]]


def main() -> None:
    import torch

    torch.set_num_threads(1)
    for name, make in (("T5-small", _t5), ("BART-base", _bart)):
        net = make()
        rows = np.random.default_rng(1).integers(10, 30_000, (TEXTS, LENGTH)).tolist()
        for beam in BEAMS:
            ways = _ways(net, rows, beam)
            best = dict.fromkeys(ways, float("inf"))
            for _ in range(TURNS):
                found: dict[str, list[list[int]]] = {}
                for way, write in ways.items():
                    begun = time.process_time()
                    found[way] = write()
                    best[way] = min(best[way], time.process_time() - begun)
                _check(found)
            plain = best["transformers"]
            figures = (f"{way} {took:.2f} s, {plain / took:.2f} times" for way, took in best.items())
            sys.stdout.write(f"{name}, a beam of {beam}: {'; '.join(figures)}\n")


def _ways(net: Any, rows: Sequence[Sequence[int]], beam: int) -> dict[str, Write]:
    import torch

    from modelserving.pretrained.model import ConvertedWriter
    from modelserving.pretrained.options import SidesGenerationOptions
    from modelserving.pretrained.writing import configuration, write

    options = SidesGenerationOptions(beam=beam, longest=WRITTEN, early_stopping=True)
    config, ids = configuration(net.generation_config, options), torch.tensor(rows)

    def plain() -> list[list[int]]:
        with torch.inference_mode():
            found = net.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=config)
        return [list(map(int, row)) for row in found.tolist()]

    ways: dict[str, Write] = {"transformers": plain, "restyle": lambda: write(net, rows, options)}
    for kind in ("float32", "int8"):
        chosen = SidesGenerationOptions(
            beam=beam, longest=WRITTEN, early_stopping=True, engine="ctranslate2", quantization=kind
        )
        writer = ConvertedWriter(net)
        writer.write(rows[:1], chosen)  # its conversion is done once
        ways[f"CTranslate2 {kind}"] = partial(writer.write, rows, chosen)
    return ways


def _check(found: dict[str, list[list[int]]]) -> None:
    if found["restyle"] != found["transformers"]:
        raise ValueError("The outputs differ from transformers'.")
    for way, texts in found.items():
        if min(map(len, texts)) < WRITTEN - 1:  # CTranslate2 leaves the end of a text out
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
    main()
