"""The figures of the metrics that need no model, on made texts: 5 systems, 1,000 sentences, 4 references.

`python -m config.bench.battery` scores them in a process of its own, so that nothing is imported or kept before; the
time of imports is in the first figure. A part is scored by the libraries at hand too, sacreBLEU and NLTK.
"""

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from itertools import chain

from config.bench.made_texts import Texts, made_texts

SYSTEMS, SENTENCES, REFERENCES = 5, 1000, 4
PART = 100  # sentences of one system that the libraries score
BATTERY = (
    "bleu", "self_bleu", "chrf", "rouge_1", "rouge_2", "rouge_l", "cider", "sari", "ter", "meteor", "pinc",
    "edit_distance", "fkgl", "gunning_fog", "coleman_liau",
)  # fmt: skip
SHARED = ("bleu", "self_bleu", "chrf", "ter", "meteor")  # those that the libraries have too


@dataclass
class Battery:
    """Seconds: of the whole cold, and again; of each metric, cold; of the part here and by the libraries.

    `apart` is how far the libraries' numbers are from ours, at most.
    """

    cold: float
    again: float
    each: dict[str, float]
    ours: float
    theirs: float
    apart: float


def battery() -> dict[str, float]:
    """Seconds of each figure by its words. A ValueError where the libraries' numbers are others."""
    command = [sys.executable, "-m", "config.bench.battery"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    found = Battery(**json.loads(done.stdout))
    if found.apart > 1e-6:
        raise ValueError(f"The libraries' numbers are {found.apart:g} from ours.")
    whole = f"{len(BATTERY)} metrics of {SYSTEMS} systems x {SENTENCES:,} sentences x {REFERENCES} references"
    part = f"{', '.join(SHARED)} of {PART} sentences of one system"
    return {
        f"{whole}, cold": found.cold,
        f"{whole}, again in the process": found.again,
        **{f"of the cold ones {name}": took for name, took in found.each.items() if took > 0.1 * found.cold},
        f"{part}": found.ours,
        f"{part}, by sacreBLEU and NLTK": found.theirs,
    }


def _measured() -> Battery:
    texts = made_texts(SYSTEMS, SENTENCES, REFERENCES)
    cold, again = (_each(texts) for _ in range(2))
    few = texts.first(PART)
    clock = [time.perf_counter()]
    ours = _ours(few)
    clock.append(time.perf_counter())
    theirs = _libraries(few)
    clock.append(time.perf_counter())
    pairs = zip(chain(*ours), chain(*theirs), strict=True)
    apart = max(abs(mine - yours) for mine, yours in pairs)
    took = clock[1] - clock[0], clock[2] - clock[1]
    return Battery(sum(cold.values()), sum(again.values()), cold, *took, apart)


def _each(texts: Texts) -> dict[str, float]:
    """Seconds of each metric over all systems; METEOR knows synonyms where WordNet is at hand."""
    from evaluation.metrics import METRICS, Batch

    took = {}
    for name in BATTERY:
        started = time.perf_counter()
        metric = METRICS[name]
        settings = {"synonyms": False} if metric.unavailable() else {}
        for outputs in texts.outputs:
            metric.score(Batch(texts.sources, outputs, texts.references), **settings)
        took[name] = time.perf_counter() - started
    return took


def _ours(texts: Texts) -> list[list[float]]:
    """Of each of the shared metrics the score of the whole and of each sentence; METEOR without synonyms."""
    from evaluation.metrics import METRICS, Batch

    batch = Batch(texts.sources, texts.outputs[0], texts.references)
    scores = [METRICS[name].score(batch, **({"synonyms": False} if name == "meteor" else {})) for name in SHARED]
    return [[each.corpus, *each.sentences] for each in scores]


def _libraries(texts: Texts) -> list[list[float]]:
    """The same numbers as a script of the usual libraries has them."""
    import sacrebleu
    from nltk.translate.meteor_score import meteor_score

    outputs, references = texts.outputs[0], texts.references
    bleu, effective = sacrebleu.BLEU(), sacrebleu.BLEU(effective_order=True)
    found = []
    for whole, single, against in (
        (bleu, effective, references),
        (bleu, effective, [[source] for source in texts.sources]),
        (sacrebleu.CHRF(), sacrebleu.CHRF(), references),
        (sacrebleu.TER(), sacrebleu.TER(), references),
    ):
        streams = [list(each) for each in zip(*against, strict=True)]
        sentences = [single.sentence_score(*pair).score for pair in zip(outputs, against, strict=True)]
        found.append([whole.corpus_score(outputs, streams).score, *sentences])
    split = bleu.tokenizer
    meteors = [
        meteor_score([split(one.lower()).split() for one in each], split(output.lower()).split(), wordnet=NoWords())
        for output, each in zip(outputs, references, strict=True)
    ]
    return [*found, [sum(meteors) / len(meteors), *meteors]]


class NoWords:
    """A WordNet that knows no word: NLTK's METEOR cannot go without one."""

    def synsets(self, _word: str) -> list[object]:
        return []


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(_measured())) + "\n")
