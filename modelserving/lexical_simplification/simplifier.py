"""DECLARE (Luo et al. 2022, section 4): a locator, an interpreter and a polisher, each with an encoder of its own.

    locator       p_i = softmax(F x_i)                   x_i: what the encoder makes of piece i; is its word changed?
    interpreter   q_j = softmax_j(DCMN+(context with the term masked, term, full form j))          (`nets/co_matching`)
    polisher      writes what stands for each run of changed words, and copies the rest       (`copying_polisher`)

In training the polisher reads the right full forms where the rewrite tells them, and those that the interpreter chooses
where it does not. Its loss is of its own pieces alone, the marks that end them among these. The three losses are means,
over pieces, over terms whose right form is told, and over the polisher's own pieces, and are summed; each moves its own
part, since the parts share no weights (three encoders in the authors' program, too).

Shapes: n sentences, Tx pieces, Ty pieces to write, t terms, m full forms, H numbers a piece, V pieces known.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from corpora.knowledge.brackets import bracketed
from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.lexical_simplification.locator import CoMatching, Locator, Tokens, encoded
from modelserving.lexical_simplification.word_pieces import (
    Example,
    Pieces,
    Sentence,
    Special,
    WordPieces,
    aim,
    copied,
    interpreted,
)
from modelserving.nets.encoder_lstm import attend
from modelserving.training.batches import NO_IDS, Batch, Batches, Rows, bucket_by_length, bucket_by_tokens
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.network import Loss, Network, Start, Step, Tensors, in_float32
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

# Examples of DECLARE on disk and as batches: the inputs of the locator, the interpreter and the polisher.

UNTOLD = -1  # which full form is right


def packed(example: Example) -> list[int]:
    """words | which are located | place, right form, full forms of each word that has some | rewrites of the runs."""
    found = [*_nested(example.words), *map(int, example.located), len(example.forms)]
    for place, forms in example.forms.items():
        found += [place, example.right.get(place, UNTOLD), *_nested(forms)]
    return found + _nested(example.rewrites)


def unpacked(row: Iterable[int]) -> Example:
    """The example of `packed`'s row."""
    numbers = iter(map(int, row))
    words = _read_nested(numbers)
    located = [next(numbers) == 1 for _ in words]
    forms, right = dict[int, list[Pieces]](), dict[int, int]()
    for _ in range(next(numbers)):
        place, told = next(numbers), next(numbers)
        forms[place] = _read_nested(numbers)
        right |= {} if told == UNTOLD else {place: told}
    return Example(words, forms, located, right, _read_nested(numbers))


def _nested(rows: Sequence[Sequence[int]]) -> list[int]:
    return [len(rows), *(number for row in rows for number in (len(row), *row))]


def _read_nested(numbers: Iterator[int]) -> list[Pieces]:
    return [[next(numbers) for _ in range(next(numbers))] for _ in range(next(numbers))]


NAMES = ("source", "target", "example")
WHOLE = "whole"  # a file that stands there when all the others are written
IGNORED = -100  # of labels
ENDS = 2


class Term(NamedTuple):
    """A located word that has several full forms: the number of its sentence, and its place in that."""

    sentence: int
    place: int


@dataclass(frozen=True)
class ExampleBatch(Batch):
    """n examples with t terms of m full forms at most. Ids are the encoder's; sources have its ends around them.

    `labels` (n, Tx) are 1 for pieces of located words, 0 for others, and -100 at the ends and for padding. The polisher
    is to write the targets; `own` (n, Ty) says which pieces are its own. `contexts` (t, Tc) are the sources with a term
    masked, `questions` (t, Tq) the terms, `options` (t, m, Ta) their full forms, `right` (t,) the right one's, or -100.
    """

    labels: Tensor = NO_IDS
    own: Tensor = NO_IDS
    contexts: Tensor = NO_IDS
    questions: Tensor = NO_IDS
    options: Tensor = NO_IDS
    right: Tensor = NO_IDS
    terms: Sequence[Term] = ()
    examples: Sequence[Example] = ()


class ExampleBatches(Batches):
    """The examples of a folder."""

    def __init__(self, folder: Path, special: Special, options: Any, seed: int) -> None:
        super().__init__(options.batch, seed, options.batch_tokens)
        self.special = special
        self.sources, self.targets, self.examples = (TokenizedDataset(folder / name) for name in NAMES)

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        sources, targets = (one.lengths.astype(np.int64) for one in (self.sources, self.targets))
        keys = targets * (int(sources.max()) + 1) + sources
        if self.tokens:
            return bucket_by_tokens(keys, np.maximum(sources, targets) + ENDS, self.tokens, chance)
        return bucket_by_length(keys, self.size, chance)

    def batch(self, rows: Rows) -> ExampleBatch:
        examples, padding = [unpacked(self.examples[i]) for i in rows], self.special.padding
        labels = [
            [IGNORED, *(int(is_one) for word, is_one in zip(example.words, example.located, strict=True) for _ in word),
             IGNORED]
            for example in examples
        ]  # fmt: skip
        aims, own = zip(*(aim(example, self.special.mask) for example in examples), strict=True)
        terms = terms_of(examples, [example.located for example in examples])
        plain = ExampleBatch(
            *padded([self._within(example.pieces) for example in examples], padding),
            *padded(aims, padding),
            labels=padded(labels, IGNORED)[0],
            own=padded(own, False)[0].bool(),
            right=torch.tensor([examples[one.sentence].right.get(one.place, IGNORED) for one in terms]),
            terms=terms,
            examples=examples,
        )
        contexts, questions, options = asked(examples, terms, self.special)
        return replace(plain, contexts=contexts, questions=questions, options=options)

    def _within(self, pieces: Pieces) -> Pieces:
        return [self.special.begin, *pieces, self.special.end]


def terms_of(sentences: Sequence[Sentence], located: Sequence[Sequence[bool]]) -> list[Term]:
    """The located words that have several full forms to choose from."""
    return [
        Term(number, place)
        for number, (sentence, is_located) in enumerate(zip(sentences, located, strict=True))
        for place, forms in sentence.forms.items()
        if is_located[place] and len(forms) > 1
    ]


def asked(sentences: Sequence[Sentence], terms: Sequence[Term], special: Special) -> tuple[Tensor, Tensor, Tensor]:
    """The interpreter's input: `contexts`, `questions` and `options` of the terms, as in `ExampleBatch`."""

    def around(pieces: Pieces) -> Pieces:
        return [special.begin, *pieces, special.end]

    contexts, questions, options = [], [], list[list[Pieces]]()
    for number, place in terms:
        words = sentences[number].words
        masked = [*words[:place], [special.mask], *words[place + 1 :]]
        contexts.append(around([piece for word in masked for piece in word]))
        questions.append(around(words[place]))
        options.append([around(list(form)) for form in sentences[number].forms[place]])
    most = max(map(len, options), default=0)
    flat, _ = padded([form for one in options for form in one + [[]] * (most - len(one))], special.padding)
    shaped = flat.view(len(terms), most, -1) if terms else NO_IDS
    return padded(contexts, special.padding)[0], padded(questions, special.padding)[0], shaped


def padded(rows: Sequence[Sequence[int]], filler: int) -> tuple[Tensor, Tensor]:
    """Rows of different lengths as one array of int64 (n, T), and their lengths (n,)."""
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.int64)
    ids = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
    return torch.from_numpy(ids), lengths


def example_batches(
    pairs: Pairs, pieces: WordPieces, options: Any, callbacks: Callbacks, group: ProcessGroup
) -> ExampleBatches:
    """The batches of the pairs; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    if group.first and not (folder / WHOLE).exists():
        _write(folder, pairs, pieces, options.longest - ENDS, callbacks)
    group.wait()
    return ExampleBatches(folder, pieces.special, options, callbacks.seed)


def _write(folder: Path, pairs: Pairs, pieces: WordPieces, longest: int, callbacks: Callbacks) -> None:
    """Write the pairs that are neither empty nor too long; a UserError where none is left."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(TokenizedDatasetWriter(folder / name)) for name in NAMES]
        for source, marked in zip(pairs.sources, pairs.marked, strict=True):
            lengths = [len(pieces.pieces(text)) for text in (source, bracketed(marked)[0])]
            example = pieces.example(source, marked) if min(lengths) > 0 and max(lengths) <= longest else None
            if example is None:
                continue
            kept += 1
            rows = (example.pieces, aim(example, pieces.special.mask)[0], packed(example))
            for writer, row in zip(writers, rows, strict=True):
                writer.add(row)
    if not kept:
        raise UserError("No pair has texts of 1 to {longest} tokens.", longest=longest, where="train")
    callbacks.say(f"{kept:,} pairs; {len(pairs) - kept:,} left out that are empty or longer than {longest} tokens.")
    (folder / WHOLE).touch()


LOWEST = float("-inf")


class Polisher(nn.Module):
    """Writes the pieces that stand for each run, one at a time."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        size, pieces = encoder.config.hidden_size, encoder.config.vocab_size
        self.encoder = encoder
        self.embed = nn.Embedding(pieces, size)
        self.begin = nn.Linear(size, size)
        self.lstm = nn.LSTM(size, size, batch_first=True)
        self.output = nn.Linear(2 * size, pieces)

    def start(self, sources: Tensor, padding: int) -> Start:
        found = encoded(self.encoder, sources, padding)
        bias = torch.zeros(sources.shape, device=sources.device).masked_fill(~found.mask, LOWEST)
        hidden = torch.tanh(self.begin(found.vectors[:, 0]))
        return Start({"values": found.vectors, "bias": bias}, {"hidden": hidden, "cell": torch.zeros_like(hidden)})

    def states(self, memory: Tensors, state: Tensors, given: Tensor) -> tuple[Tensor, Tensor, Tensors]:
        """[h; s] (n, T, 2H) and attention (n, T, Tx) after each of the pieces `given` (n, T), and the last state."""
        first = (state["hidden"].unsqueeze(0).contiguous(), state["cell"].unsqueeze(0).contiguous())
        hidden, (last, cell) = in_float32(self.lstm, self.embed(given), first)
        vectors, attention = attend(hidden, memory)
        return vectors, attention, {"hidden": last[0], "cell": cell[0]}


class Writing:
    """Algorithm 3 for one sentence: the polisher's place, the pieces to copy next, and those written for each run.

    `stretches` are copied before the first run, between runs, and behind the last, marks among them
    (`marked_sentences.copied`); for a run at most `longest` pieces are written.
    """

    def __init__(self, stretches: Sequence[Pieces], longest: int) -> None:
        self.stretches, self.longest = stretches, longest
        self.rewrites: list[Pieces] = []
        self._stretch, self._at, self._own = 0, 0, False

    @property
    def done(self) -> bool:
        """Whether no piece of its own is left to write."""
        return self._stretch == len(self.stretches) - 1

    def take(self, likeliest: int, special: Special) -> int:
        """The next piece: copied, or the likeliest; a mark ends the writing for a run, as do `longest` pieces."""
        if self.done:
            return special.padding
        if not self._own:
            return self._copy(special)
        ended = likeliest == special.mask or len(self.rewrites[-1]) == self.longest
        if not ended:
            self.rewrites[-1].append(likeliest)
            return likeliest
        self._own, self._stretch, self._at = False, self._stretch + 1, 1  # its mark is written
        return special.mask

    def _copy(self, special: Special) -> int:
        stretch = self.stretches[self._stretch]
        piece = stretch[self._at]
        self._at += 1
        if self._at == len(stretch):
            self._own = True
            self.rewrites.append([])
        return piece


AT_A_TIME = 64  # terms: each has its sentence read anew
Choices = dict[Term, int]


class Interpreter(nn.Module):
    """Chooses the full form that a term stands for."""

    def __init__(self, encoder: Any, options: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.match = CoMatching(encoder.config.hidden_size, max(2, options))
        self.most = max(2, options)

    def forward(self, contexts: Tensor, questions: Tensor, options: Tensor, special: Special) -> Tensor:
        """Scores (t, m), -inf where there is no option; the special pieces at the ends are not matched."""
        flat = encoded(self.encoder, options.flatten(0, 1), special.padding)
        shaped = Tokens(flat.vectors.view(*options.shape, -1), flat.mask.view(options.shape))
        context, question = (encoded(self.encoder, ids, special.padding) for ids in (contexts, questions))
        inner = [
            _without_ends(one, ids, special)
            for one, ids in ((context, contexts), (question, questions), (shaped, options))
        ]
        room = self.most - options.shape[1]
        inner[2] = Tokens(
            nn.functional.pad(inner[2].vectors, (0, 0, 0, 0, 0, room)),
            nn.functional.pad(inner[2].mask, (0, 0, 0, room)),
        )
        scores: Tensor = self.match(*inner)
        return scores[:, : options.shape[1]]


class Simplifier(Network):
    """The three parts. `encoders` are the locator's, the interpreter's and the polisher's."""

    def __init__(self, encoders: Sequence[Any], special: Special, options: int) -> None:
        super().__init__()
        first, second, third = encoders
        self.locator, self.interpreter, self.polisher = Locator(first), Interpreter(second, options), Polisher(third)
        self.special = special

    # Learning.

    def losses(self, batch: Batch) -> list[Loss]:
        """The losses of the polisher, which is 'the' loss, of the locator and of the interpreter."""
        assert isinstance(batch, ExampleBatch)
        scores = self._scores(batch)
        located = cross_entropy(self.locator(batch.sources, self.special.padding).flatten(0, 1).float(),
                                batch.labels.flatten(), reduction="sum", ignore_index=IGNORED)  # fmt: skip
        return [
            self._polishing(batch, self._right_or_chosen(batch, scores)),
            Loss(located, int((batch.labels != IGNORED).sum()), "locator", list(self.locator.parameters())),
            self._interpreting(batch, scores),
        ]

    def _scores(self, batch: ExampleBatch) -> Tensor:
        if not batch.terms:
            return torch.zeros(0, 2, device=batch.sources.device)
        scores: Tensor = self.interpreter(batch.contexts, batch.questions, batch.options, self.special)
        return scores.float()

    def _interpreting(self, batch: ExampleBatch, scores: Tensor) -> Loss:
        told = batch.right != IGNORED if batch.terms else torch.zeros(0, dtype=torch.bool)
        count = int(told.sum())
        if count:
            total = cross_entropy(scores[told], batch.right[told], reduction="sum")
        else:
            total = self.interpreter.match.score.weight.sum() * 0.0
        return Loss(total, count, "interpreter", list(self.interpreter.parameters()))

    def _right_or_chosen(self, batch: ExampleBatch, scores: Tensor) -> Choices:
        chosen = scores.argmax(-1).tolist() if batch.terms else []
        found = dict(zip(batch.terms, chosen, strict=True))
        right = {
            Term(number, place): one
            for number, example in enumerate(batch.examples) for place, one in example.right.items()
        }  # fmt: skip
        return found | right

    def _polishing(self, batch: ExampleBatch, choices: Choices) -> Loss:
        sources = self._interpreted(batch.examples, [one.located for one in batch.examples], choices)
        memory, state = self.polisher.start(sources.to(batch.sources.device), self.special.padding)
        begin = torch.full_like(batch.targets[:, :1], self.special.begin)
        given = torch.cat([begin, batch.targets[:, :-1]], dim=1)
        vectors, _, _ = self.polisher.states(memory, state, given)
        logits = self.polisher.output(vectors[batch.own]).float()
        total = cross_entropy(logits, batch.targets[batch.own], reduction="sum", label_smoothing=self.label_smoothing)
        parameters = list(self.polisher.parameters())
        return Loss(total, int(batch.own.sum()), parameters=parameters)

    # Writing.

    @torch.inference_mode()
    def locate(self, sentences: Sequence[Sentence]) -> list[list[bool]]:
        """Which words of each are to be changed."""
        return self.locator.words(sentences, self._padded([one.pieces for one in sentences]), self.special.padding)

    @torch.inference_mode()
    def interpret(self, sentences: Sequence[Sentence], located: Sequence[Sequence[bool]]) -> Choices:
        """The full form that each located word with several is taken for."""
        terms, found = terms_of(sentences, located), list[int]()
        for start in range(0, len(terms), AT_A_TIME):
            given = asked(sentences, terms[start : start + AT_A_TIME], self.special)
            scores = self.interpreter(*(ids.to(self._device) for ids in given), self.special)
            found += map(int, scores.argmax(-1).tolist())
        return dict(zip(terms, found, strict=True))

    @torch.inference_mode()
    def polish(
        self, sentences: Sequence[Sentence], located: Sequence[Sequence[bool]], choices: Choices, longest: int
    ) -> list[list[Pieces]]:
        """The pieces that stand for each run of each sentence, at most so many: algorithm 3, its words greedily."""
        memory, state = self.polisher.start(self._interpreted(sentences, located, choices).to(self._device),
                                            self.special.padding)  # fmt: skip
        rows = [Writing(copied(*pair, self.special.mask), longest)
                for pair in zip(sentences, located, strict=True)]  # fmt: skip
        last = torch.full((len(rows),), self.special.begin, device=self._device)
        while not all(row.done for row in rows):
            scores, _, state = self.step(memory, state, last)
            likeliest = scores.argmax(-1).tolist()
            written = [row.take(piece, self.special) for row, piece in zip(rows, likeliest, strict=True)]
            last = torch.tensor(written, device=self._device)
        return [row.rewrites for row in rows]

    def start(self, batch: Batch) -> Start:
        """The polisher's start on its input."""
        return self.polisher.start(batch.sources, self.special.padding)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        vectors, attention, state = self.polisher.states(memory, state, last.unsqueeze(1))
        scores = torch.log_softmax(self.polisher.output(vectors[:, 0]).float(), dim=-1)
        return Step(scores, attention[:, 0], state)

    @property
    def _device(self) -> torch.device:
        return self.locator.classify.weight.device

    def _interpreted(
        self, sentences: Sequence[Sentence], located: Sequence[Sequence[bool]], choices: Choices
    ) -> Tensor:
        """The polisher's input (n, Tx)."""
        rows = []
        for number, (sentence, is_located) in enumerate(zip(sentences, located, strict=True)):
            chosen = {
                place: choices.get(Term(number, place), 0) for place in sentence.forms if is_located[place]
            }  # of a single full form the first
            rows.append(interpreted(sentence, is_located, chosen, self.special.mask))
        return self._padded(rows)

    def _padded(self, rows: Sequence[Pieces]) -> Tensor:
        """Rows with the special pieces at their ends, cut to what an encoder reads."""
        most = int(self.polisher.encoder.config.max_position_embeddings) - ENDS
        around = [[self.special.begin, *row[:most], self.special.end] for row in rows]
        return padded(around, self.special.padding)[0].to(self._device)


def _without_ends(tokens: Tokens, ids: Tensor, special: Special) -> Tokens:
    return Tokens(tokens.vectors, tokens.mask & (ids != special.begin) & (ids != special.end))
