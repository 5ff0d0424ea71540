"""Content preservation (Fu et al. 2018, equations 14 to 19): how near the pooled word vectors of two texts are."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluation.learned_scorers.cross_fitting import sample_texts
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.word_vectors import WIDTH, VectorFile, Vectors, file_stamp, train_vectors
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import BY_LANGUAGE, TOKENIZERS, Tokens, signed_tokenizer, tokenizer_for, tokenizer_of
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.papers import FU
from foundation.seeds import generator
from foundation.translation import translatable

WHERE = "metrics.content_preservation.vectors"
KIND = translatable("file of word vectors")
PAIRS, SEED = 2000, 1
UNDEFINED, THE = "undefined", "the"
NO_VECTORS = "There are too few texts to train word vectors on, and no file of word vectors is named."
Pooled = Sequence[Floats | None]
Entries = frozenset[tuple[str, ...]]


class ContentPreservation(Metric):
    """The cosine of the two texts' vectors, each the minimum, mean and maximum of its words' vectors, side by side.

    `vectors` names a file below RESTYLE_MODELS, in GloVe's or word2vec's text form, plain or .gz (the paper took
    GloVe's 100 dimensions of 6 billion words). Without one, vectors are trained on the study's texts, and the signature
    says so: `ppmi-svd-100` and what it was trained on. Texts are in small letters, as the paper's, unless `lowercase`
    is off; the file must be written alike. The study's style words are left out on both sides.

    The authors' program (`eval/emb_test.py`) splits texts at spaces and changes no letters, where 13a tears the paper's
    `<NUM>`: `tokenize` "none", `lowercase` off do so. A text none of whose words has a vector has no score; the
    program takes the vector of "the" for it, as `no_words` "the" does. Words without a vector count for nothing.
    Beside the score stands the `lower_bound` of the paper: the mean of up to 2,000 random `pairs` of a source with the
    output for another one.
    """

    name = "content_preservation"
    label = "Content"
    paper = FU
    unit = "-1 to 1"
    needs = frozenset({"sources", "texts", "style_words"})
    higher_is_better = True
    aspect = "meaning"
    defaults: Mapping[str, Setting] = {
        "vectors": "", "tokenize": BY_LANGUAGE, "lowercase": True, "no_words": UNDEFINED,
    }  # fmt: skip
    choices: Mapping[str, Sequence[str]] = {"tokenize": TOKENIZERS, "no_words": (UNDEFINED, THE)}
    by_language = {"tokenize": tokenizer_of}

    def unavailable(self, **settings: object) -> str:
        name = str(self.settings(**settings)["vectors"])
        try:
            return missing_resource_message(KIND, name) if name and _file(name) is None else ""
        except UserError as error:
            return str(error)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        material = batch.material or TrainingMaterial()
        split = _reader(chosen)
        left_out = frozenset(split(entry) for entry in material.style_words)
        sides = [[_without(split(text), left_out) for text in texts] for texts in (batch.sources, batch.outputs)]
        instead = [THE] if chosen["no_words"] == THE else []
        vectors = _vectors([*sides, [instead]], material, chosen)
        if not vectors and not chosen["vectors"]:
            return Scores(np.full(len(batch.outputs), np.nan), undefined=NO_VECTORS)
        sources, outputs = ([_pooled_or(tokens, instead, vectors) for tokens in side] for side in sides)
        sentences = np.array([cosine(*pair) for pair in zip(sources, outputs, strict=True)])
        details = {"without_score": float(np.isnan(sentences).sum())}
        return Scores(sentences, details | _lower_bound(sources, outputs, batch.sources))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        name = str(chosen["vectors"])
        file = _file(name) if name else None
        return {
            "vectors": (file_stamp(file) if file else "lacking") if name else f"ppmi-svd-{WIDTH}",
            "pool": "min-mean-max",
            "case": "lc" if chosen["lowercase"] else "mixed",
            "tok": signed_tokenizer(str(chosen["tokenize"])),
            **({"no_words": THE} if chosen["no_words"] == THE else {}),
            "seed": str(SEED),
        }

    def _signed_material(self, chosen: Mapping[str, Setting], material: TrainingMaterial) -> dict[str, str]:
        style_words = material.digest("style_words")[:8] if material.style_words else "none"
        texts = {} if chosen["vectors"] else super()._signed_material(chosen, material)
        return texts | {"style_words": style_words}


def pooled(tokens: Sequence[str], vectors: Vectors) -> Floats | None:
    """Equations 14 to 17: minimum, mean and maximum of the words that have a vector, (3 x width); None without any."""
    known = [vectors[token] for token in tokens if token in vectors]
    if not known:
        return None
    rows = np.array(known, dtype=np.float64)
    return np.concatenate((rows.min(axis=0), rows.mean(axis=0), rows.max(axis=0)))


def _pooled_or(tokens: Sequence[str], instead: Sequence[str], vectors: Vectors) -> Floats | None:
    """The pooled vector of a text, or of the words `instead` where no word of the text has a vector."""
    own = pooled(tokens, vectors)
    return pooled(instead, vectors) if own is None else own


def cosine(first: Floats | None, second: Floats | None) -> float:
    """Equation 18; NaN where a side is None or 0."""
    if first is None or second is None:
        return float("nan")
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.clip(float(first @ second) / lengths, -1.0, 1.0)) if lengths else float("nan")


def _file(name: str) -> Path | None:
    path = local_path(name, where=WHERE)
    return path if path is not None and path.is_file() else None


def _reader(chosen: Mapping[str, Setting]) -> Callable[[str], Tokens]:
    return tokenizer_for(str(chosen["tokenize"]), bool(chosen["lowercase"]), str(chosen["language"]))


def _vectors(
    sides: Sequence[Sequence[Sequence[str]]], material: TrainingMaterial, chosen: Mapping[str, Setting]
) -> Vectors:
    name = str(chosen["vectors"])
    if not name:
        key = ("word_vectors", *chosen.values())
        return material.remember(key, lambda: _trained(material, _reader(chosen)))
    path = _file(name)
    if path is None:
        raise UserError(missing_resource_message(KIND, name), where=WHERE)
    file = material.remember(("word_vectors", name), lambda: VectorFile(path))
    return file.of({token for side in sides for tokens in side for token in tokens})


def _trained(material: TrainingMaterial, split: Callable[[str], Tokens]) -> Vectors:
    return train_vectors(
        split(text) for name in sorted(material.texts) for text in sample_texts(material.texts[name], SEED, name)
    )


def _without(tokens: Sequence[str], entries: Entries) -> list[str]:
    """The tokens that belong to no entry, of which one may be several words; the longest goes first."""
    sizes = sorted({len(entry) for entry in entries if entry}, reverse=True)
    remaining, place = [], 0
    while place < len(tokens):
        size = next((size for size in sizes if tuple(tokens[place : place + size]) in entries), 0)
        if not size:
            remaining.append(tokens[place])
        place += size or 1
    return remaining


def _lower_bound(sources: Pooled, outputs: Pooled, texts: Sequence[str]) -> dict[str, float]:
    """The mean over random pairs of different sources, and how many; nothing where there are none."""
    n = len(texts)
    places = generator(SEED, "content_preservation").choice(n * n, min(n * n, PAIRS), replace=False)
    pairs = [divmod(int(place), n) for place in places]
    cosines = np.array([cosine(sources[i], outputs[j]) for i, j in pairs if texts[i] != texts[j]])
    cosines = cosines[~np.isnan(cosines)]
    return {"lower_bound": float(cosines.mean()), "pairs": float(len(cosines))} if len(cosines) else {}


METRIC = ContentPreservation()
