"""How a phrase-based model is trained (Rao and Tetreault 2018, section 4.2): rounds, each of which trains anew.

The first round trains on the pairs. Each further one rewrites texts of the source style with the model before it,
keeps the rewrites that change enough, and trains on these and on the pairs, which are repeated (Ueffing 2006). Where
rules are used, they come first everywhere: what is trained on, tuned on and translated is their output.
"""

import hashlib
import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from foundation.errors import UserError
from foundation.kneser_ney import UNKNOWN, Model, estimate
from foundation.kneser_ney import Model as LanguageModel
from foundation.local_resources import local_path, missing_resource_message
from foundation.papers import Paper
from foundation.seeds import generator
from foundation.translation import translatable
from modelserving.phrase_based import table_builder, word_alignment
from modelserving.phrase_based.decoder import Decoder
from modelserving.phrase_based.phrase_table import FEATURES, START, DecoderOptions, Floats, PhraseTable
from modelserving.phrase_based.table_files import load_model, load_table, rounded, save_model, save_table
from modelserving.phrase_based.training_options import PhraseTrainingOptions
from modelserving.phrase_based.word_alignment import Pair, align
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import Lines, TrainingData
from modelserving.training.tokenization import WordTokenizer, detokenize

PAPER = Paper(
    "Moore and Lewis",
    2010,
    "Intelligent Selection of Language Model Training Data",
    "https://aclanthology.org/P10-2041/",
)
ORDER = 4  # of both models, theirs
SEEN = 2  # the least count of a word in the own texts; rarer ones are unknown to both models
TOGETHER = 1000
Words = list[str]


def select_in_domain(
    own: Sequence[str],
    others: Sequence[str],
    share: float,
    seed: int,
    cut: Callable[[str], Words],
    pulse: Callable[[], None],
) -> list[int]:
    """The places of the `share` of the `others` that are the most similar to the `own`, in their order.

    The measure is bits per word under a model of the own minus those under a model of as many of the others, drawn by
    the seed; the lowest are taken, the first among equal ones.
    """
    known = _known(map(cut, own))
    mine = estimate(_masked(map(cut, own), known), ORDER)
    theirs = estimate(_masked((cut(others[place]) for place in _drawn(len(others), len(own), seed)), known), ORDER)
    differences = np.full(len(others), math.inf)
    for first in range(0, len(others), TOGETHER):
        pulse()
        some = list(_masked(map(cut, others[first : first + TOGETHER]), known))
        differences[first : first + len(some)] = _bits(mine, some) - _bits(theirs, some)
    count = min(round(share * len(others)), int(np.isfinite(differences).sum()))
    return sorted(np.argsort(differences, kind="stable")[:count].tolist())


def _known(sentences: Iterable[Words]) -> set[str]:
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word for word, count in counts.items() if count >= SEEN}


def _masked(sentences: Iterable[Words], known: set[str]) -> Iterator[Words]:
    return ([word if word in known else UNKNOWN for word in sentence] for sentence in sentences)


def _drawn(others: int, count: int, seed: int) -> list[int]:
    rng = generator(seed, "out of domain")
    return sorted(rng.choice(others, size=min(count, others), replace=False).tolist())


def _bits(model: Model, sentences: list[Words]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """A word and the end of each sentence; an empty sentence has none (nan)."""
    found = [-each.sum() / len(each) / math.log(2) if len(each) > 1 else math.nan for each in model.logprobs(sentences)]
    return np.array(found)


# Many sentences cut into words, and translated on all cores.

AT_A_TIME = 64  # sentences between two looks whether somebody asked to stop


def tokenize(text: str) -> Words:
    """The words of a text; case stays as it is."""
    return WordTokenizer().tokenize(text)


def translate_all(decoder: Decoder, sentences: Sequence[Words], pulse: Callable[[], None]) -> Iterator[Words]:
    """Each sentence's best output, in order, by as many threads as there are processors."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        for first in range(0, len(sentences), AT_A_TIME):
            pulse()
            yield from threads.map(decoder.translate, sentences[first : first + AT_A_TIME])


@dataclass(frozen=True)
class PhraseModel:
    """The parts of a model; `weights` are in the order of FEATURES."""

    table: PhraseTable
    model: LanguageModel
    weights: Floats

    def decoder(self, search: DecoderOptions) -> Decoder:
        return Decoder(self.table, self.model, self.weights, search)

    def save(self, folder: Path) -> None:
        save_table(self.table, folder)
        save_model(self.model, folder)


STARTS = (
    {"language model": 2.0},
    {"words": 0.0},
    {"p(s|t)": 0.0, "lex(s|t)": 0.0},
    {"p(s|t)": 0.0, "lex(s|t)": 0.0, "language model": 2.0},
)
"""Times as high that weights are where tuning may start, beside the usual ones: freer ways to rewrite."""


def scaled_weights(weights: Floats) -> Iterator[Floats]:
    """The weights (15,), scaled by each row of STARTS."""
    for factors in STARTS:
        yield np.asarray(weights * np.array([factors.get(feature, 1.0) for feature in FEATURES]))


SAMPLES = 5
LOOK = 0.2  # seconds between two looks
ROUND = "round.json"
STAGES = 5  # of a round: rewriting, aligning, counting, tuning, scoring


@dataclass
class SelfTraining:
    """One training. Every source goes through the `rules` first."""

    data: TrainingData
    options: PhraseTrainingOptions
    callbacks: Callbacks
    rules: Callable[[str], str]
    done: int = 0

    def run(self) -> PhraseModel:
        """The model of the last round; resumes behind the last round that was kept."""
        number, parts = self._kept()
        while number < self.options.self_training + 1:
            parts = self._round(number, parts)
            number += 1
            self._keep(number, parts)
            shutil.rmtree(self._folder(number - 2), ignore_errors=True)
            if number == 1 and self.options.self_training and not self._untranslated():
                self.callbacks.say("There are no texts of the source style to train itself on.")
                break
        assert parts is not None
        return parts

    def pulse(self) -> None:
        self.callbacks.at(self.done, STAGES * (self.options.self_training + 1))

    def _round(self, number: int, before: PhraseModel | None) -> PhraseModel:
        self.done = STAGES * number
        pairs = self._pairs(before)
        self._next("Aligning words.")
        texts = word_alignment.write(self._folder(number), self._beating(pairs), self.options.longest)
        if not len(texts):
            raise UserError("No pair has texts of 1 to {longest} words.", longest=self.options.longest, where="train")
        links = align(texts, self.callbacks.seed, self.pulse)
        self._next(f"Counting phrases of {len(texts):,} pairs.")
        phrases = table_builder.build(texts, links, self._shape(), self.pulse)
        self.callbacks.say(f"{len(phrases.options) - 1:,} phrases with {len(phrases):,} translations.")
        model = before.model if before else self._language_model()
        self._next("Tuning the weights.")
        parts = self._tuned(PhraseModel(phrases, model, before.weights if before else START))
        self._next("")
        self._score(number, parts)
        return parts

    def _folder(self, number: int) -> Path:
        return self.callbacks.folder / f"round-{number}"

    def _next(self, line: str) -> None:
        self.done += 1
        if line:
            self.callbacks.say(line)
        self.pulse()

    def _beating(self, pairs: Iterator[Pair]) -> Iterator[Pair]:
        for number, pair in enumerate(pairs):
            if number % TOGETHER == 0:
                self.pulse()
            yield pair

    def _shape(self) -> table_builder.Shape:
        options = self.options
        lexicalized = options.reordering == "lexicalized"
        return table_builder.Shape(options.phrase_length, options.translations, options.seen, lexicalized)

    # The training data

    def _pairs(self, before: PhraseModel | None) -> Iterator[Pair]:
        """The pairs, and from the second round on the previous model's rewrites."""
        rewrites = list(self._rewrites(before)) if before else []
        often = self.options.duplication or max(1, round(len(rewrites) / max(1, len(self.data.train))))
        if rewrites:
            self.callbacks.say(f"{len(rewrites):,} rewrites of its own to train on; the pairs count {often} times.")
        yield from self._given(often if rewrites else 1)
        yield from rewrites

    def _given(self, often: int) -> Iterator[Pair]:
        for source, target in zip(self.data.train.sources, self.data.train.targets, strict=True):
            yield self._read(source), tokenize(target), often

    def _rewrites(self, before: PhraseModel) -> Iterator[Pair]:
        """The texts of the source style that the model changes by more than `edits` characters, with their rewrites."""
        texts = self._untranslated()
        self.callbacks.say(f"Rewriting {len(texts):,} texts of the source style.")
        sources = [words for words in map(self._read, texts) if 0 < len(words) <= self.options.longest]
        decoder = before.decoder(DecoderOptions())
        for words, found in zip(sources, translate_all(decoder, sources, self.pulse), strict=True):
            if found and Levenshtein.distance(detokenize(words), detokenize(found)) > self.options.edits:
                yield words, found, 1

    def _untranslated(self) -> list[str]:
        """The different texts of the source style, at most as many as the options ask for, drawn by the seed."""
        texts = list(dict.fromkeys(self.data.texts.get(self.data.source_style, ())))
        most = self.options.self_training_texts
        if not most or len(texts) <= most:
            return texts
        drawn = generator(self.callbacks.seed, "self-training").choice(len(texts), size=most, replace=False)
        return [texts[place] for place in sorted(drawn.tolist())]

    def _read(self, text: str) -> Words:
        return tokenize(self.rules(text))

    # The language model

    def _language_model(self) -> LanguageModel:
        own = self.data.texts.get(self.data.target_style) or self.data.train.targets
        others = self._others(own) if self.options.out_of_domain else []
        self.callbacks.say(f"Estimating the language model of {len(own) + len(others):,} texts.")
        texts = [*own, *others]
        return self._beside(lambda: rounded(estimate(map(tokenize, texts), self.options.order)))

    def _others(self, own: Sequence[str]) -> list[str]:
        """The texts from elsewhere that are the most similar to the study's own."""
        name = self.options.out_of_domain
        path = local_path(name, where="out_of_domain")
        if path is None or not path.is_file():
            raise UserError(missing_resource_message(translatable("file of texts"), name), where="out_of_domain")
        with path.open("rb") as file:
            self.callbacks.say(f"{name}: SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()}.")
        lines = Lines(path)
        places = select_in_domain(
            own, lines, self.options.out_of_domain_share, self.callbacks.seed, tokenize, self.pulse
        )
        self.callbacks.say(f"{len(places):,} of {len(lines):,} texts from elsewhere are taken.")
        return [lines[place] for place in places]

    def _beside(self, work: Callable[[], LanguageModel]) -> LanguageModel:
        """The result of `work`, which does not check itself whether somebody asked to stop."""
        threads = ThreadPoolExecutor(1)
        future = threads.submit(work)
        threads.shutdown(wait=False)
        while True:
            self.pulse()
            try:
                return future.result(timeout=LOOK)
            except TimeoutError:
                continue

    # Weights

    def _tune_set(self) -> tuple[list[str], list[list[str]]]:
        rows = zip(self.data.dev.sources, self.data.dev.of_each, strict=True)
        some = [(source, texts) for source, texts in rows if texts and source.strip()][: self.options.tune_most]
        return [source for source, _ in some], [texts for _, texts in some]

    def _tuned(self, parts: PhraseModel) -> PhraseModel:
        sources, references = self._tune_set()
        if not self.options.tune or not sources:
            self.callbacks.say("The weights are those that tuning starts from.")
            return parts
        from modelserving.phrase_based.mert import tune_weights

        weights = tune_weights(
            parts.decoder(DecoderOptions()).weighing(self._start(parts, sources, references)),
            [self._read(source) for source in sources],
            [[tokenize(text) for text in texts] for texts in references],
            self.callbacks.seed,
            metric=self.options.tune_metric,  # type: ignore[arg-type]
            rounds=self.options.tune_rounds,
            say=self.callbacks.say,
            pulse=self.pulse,
        )
        return replace(parts, weights=weights)

    def _start(self, parts: PhraseModel, sources: list[str], references: list[list[str]]) -> Floats:
        """The best of a few weights to tune from: from lists of near copies alone the tuning finds nothing else."""
        decoder, scores = parts.decoder(DecoderOptions()), []
        starts = [parts.weights, *scaled_weights(parts.weights)]
        read = list(map(self._read, sources))
        for weights in starts:
            outputs = list(map(detokenize, translate_all(decoder.weighing(weights), read, self.pulse)))
            found = self._scored(sources, outputs, references)
            scores.append(-np.inf if found is None else found)
        return starts[int(np.argmax(scores))]

    def _scored(self, sources: list[str], outputs: list[str], references: list[list[str]]) -> float | None:
        batch = Texts(sources, outputs, references, language=self.data.language)
        return METRICS[self.options.tune_metric].score(batch).corpus

    def _score(self, number: int, parts: PhraseModel) -> None:
        """Report the tune set's score and some of its outputs."""
        sources, references = self._tune_set()
        if not sources:
            return
        read = list(map(self._read, sources))
        outputs = list(map(detokenize, translate_all(parts.decoder(DecoderOptions()), read, self.pulse)))
        metric = self.options.tune_metric
        score = self._scored(sources, outputs, references)
        if score is not None:
            self.callbacks.score(metric, number, score, higher_is_better=bool(METRICS[metric].higher_is_better))
        rows = list(zip(sources, outputs, references, strict=True))[:SAMPLES]
        self.callbacks.samples(number, [Sample(source, output, texts[0]) for source, output, texts in rows])

    # The kept state

    def _keep(self, number: int, parts: PhraseModel) -> None:
        def write(folder: Path) -> None:
            parts.save(folder)
            about = {"round": number, "order": parts.model.order, "weights": parts.weights.tolist()}
            (folder / ROUND).write_text(json.dumps(about))

        self.callbacks.keep("last", write)

    def _kept(self) -> tuple[int, PhraseModel | None]:
        folder = self.callbacks.kept("last")
        if folder is None:
            return 0, None
        about: dict[str, Any] = json.loads((folder / ROUND).read_text())
        self.callbacks.say(f"Going on behind round {about['round']}.")
        parts = PhraseModel(load_table(folder), load_model(folder, about["order"]), np.array(about["weights"]))
        return int(about["round"]), parts
