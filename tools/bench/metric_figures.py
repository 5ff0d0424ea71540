"""The figures of the metrics that need no model, on made texts: 5 systems, 1,000 sentences, 4 references.

`python -m tools.bench.metric_figures` scores them in a process of its own, so that nothing is imported or kept before;
the time of imports is in the first figure. A part is scored by the libraries at hand too, sacreBLEU and NLTK.
"""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from typing import Any

from tools.bench.bench_study import Texts, made_texts
from tools.bench.clock import Took, timed

SYSTEMS, SENTENCES, REFERENCES = 5, 1000, 4
PART = 100  # sentences of one system that the libraries score
BATTERY = (
    "bleu", "self_bleu", "chrf", "rouge_1", "rouge_2", "rouge_l", "cider", "sari", "ter", "meteor", "pinc",
    "edit_distance", "fkgl", "gunning_fog", "coleman_liau",
)  # fmt: skip
SHARED = ("bleu", "self_bleu", "chrf", "ter", "meteor")  # those that the libraries have too


@dataclass
class Battery:
    """The whole cold, and again; each metric, cold; the part here and by the libraries.

    `apart` is the largest difference of the libraries' numbers from ours.
    """

    cold: Took
    again: Took
    each: dict[str, Took]
    ours: Took
    theirs: Took
    apart: float


def battery() -> dict[str, Took]:
    """Each figure by its words. A ValueError where the libraries' numbers are others."""
    command = [sys.executable, "-m", "tools.bench.metric_figures"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    found = _read(json.loads(done.stdout))
    if found.apart > 1e-6:
        raise ValueError(f"The libraries' numbers are {found.apart:g} from ours.")
    whole = f"{len(BATTERY)} metrics of {SYSTEMS} systems x {SENTENCES:,} sentences x {REFERENCES} references"
    part = f"{', '.join(SHARED)} of {PART} sentences of one system"
    return {
        f"{whole}, cold": found.cold,
        f"{whole}, again in the process": found.again,
        **{f"of the cold ones {name}": took for name, took in found.each.items() if took.wall > 0.1 * found.cold.wall},
        f"{part}": found.ours,
        f"{part}, by sacreBLEU and NLTK": found.theirs,
    }


def _read(given: dict[str, Any]) -> Battery:
    each = {name: Took(*took) for name, took in given.pop("each").items()}
    apart = given.pop("apart")
    return Battery(**{name: Took(*took) for name, took in given.items()}, each=each, apart=apart)


def _measured() -> Battery:
    texts = made_texts(SYSTEMS, SENTENCES, REFERENCES)
    cold, again = (_each(texts) for _ in range(2))
    few, found = texts.first(PART), []
    ours, theirs = (timed(lambda work=work: found.append(work(few))) for work in (_ours, _libraries))
    pairs = zip(*(chain(*numbers) for numbers in found), strict=True)
    apart = max(abs(mine - yours) for mine, yours in pairs)
    return Battery(_sum(cold), _sum(again), cold, ours, theirs, apart)


def _sum(each: dict[str, Took]) -> Took:
    return sum(each.values(), start=Took(0.0, 0.0))


def _each(texts: Texts) -> dict[str, Took]:
    return {name: timed(partial(_score, name, texts)) for name in BATTERY}


def _score(name: str, texts: Texts) -> None:
    """All systems by one metric; METEOR knows synonyms where WordNet is at hand."""
    from evaluation.metrics import METRICS, MetricInput

    metric = METRICS[name]
    settings = {"synonyms": False} if metric.unavailable() else {}
    for outputs in texts.outputs:
        metric.score(MetricInput(texts.sources, outputs, texts.references), **settings)


def _ours(texts: Texts) -> list[list[float]]:
    """The scores of the whole and of each sentence by each of the shared metrics; METEOR without synonyms."""
    from evaluation.metrics import METRICS, MetricInput

    batch = MetricInput(texts.sources, texts.outputs[0], texts.references)
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
