"""Questions about a text: made by a sequence model of a sentence and an answer in it, and answered by spans of a text.

As PlainQAFact's program does (You and Guo 2025), which has both from QAFactEval (Fabbri et al. 2022). Every text goes
through a network by itself. Folders are those of transformers, with a fast tokenizer and safetensors.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evaluation.numerics import Floats
from foundation.base_folder import check_sizes

LONGEST, STEP, QUESTION = 512, 128, 64  # tokens of a window, from one window to the next, and of a question
BEST, SPAN = 20, 30  # starts and ends that are tried, and tokens of an answer at most
QUESTION_TOKENS = 64  # of a question that is written


Window = tuple[Floats, Floats, list[tuple[int, int] | None], list[bool]]


class Answered(NamedTuple):
    """The best span of a text as the answer, its score, and the score of there being no answer: sums of two logits."""

    text: str
    score: float
    none: float

    @property
    def is_there(self) -> bool:
        return bool(self.text) and self.score > self.none


class Answerer:
    """A model for extractive question answering that knows questions without an answer (SQuAD 2.0)."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        from transformers import AutoModelForQuestionAnswering, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        loaded: Any = AutoModelForQuestionAnswering.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model = loaded.eval()
        self.longest = min(LONGEST, int(getattr(loaded.config, "max_position_embeddings", LONGEST)))

    def answer(self, question: str, context: str) -> Answered:
        """The best span of the context; "" where it has none. In place of an empty question the context asks."""
        if not question or not context:
            question, context = context or "empty question", context or "empty context"
        spans, none = list[tuple[float, str]](), np.inf
        for start, end, offsets, within in self._windows(question, context):
            none = min(none, float(start[0] + end[0]))
            spans += _spans(start, end, offsets, within, context)
        best = max(spans, key=lambda span: span[0], default=(-np.inf, ""))
        return Answered(best[1], float(best[0]), float(none))

    def _windows(self, question: str, context: str) -> Iterator[Window]:
        """The logits of starts and ends of each window, the places of its tokens in the context, and whether they go on
        with a word.

        A token that stands in two windows counts in the one where it is farther from an edge, and has no place in the
        other.
        """
        import torch

        asked = self.tokenizer(question, add_special_tokens=False)["input_ids"][:QUESTION]
        question = self.tokenizer.decode(asked) if len(asked) == QUESTION else question
        room = self.longest - len(asked) - self.tokenizer.num_special_tokens_to_add(pair=True)
        given = self.tokenizer(
            question, context, truncation="only_second", max_length=self.longest, stride=max(0, room - STEP),
            return_overflowing_tokens=True, return_offsets_mapping=True,
        )  # fmt: skip
        places = [
            [offset if which == 1 else None for offset, which in zip(offsets, given.sequence_ids(row), strict=True)]
            for row, offsets in enumerate(given["offset_mapping"])
        ]
        nearest = _nearest(places)
        for row, ids in enumerate(given["input_ids"]):
            more = {"token_type_ids": torch.tensor([given["token_type_ids"][row]])} if "token_type_ids" in given else {}
            with torch.inference_mode():
                found = self.model(torch.tensor([ids]), **more)
            kept = [place if place and nearest[place] == row else None for place in places[row]]
            within = [piece.startswith("##") for piece in self.tokenizer.convert_ids_to_tokens(ids)]
            yield found.start_logits[0].double().numpy(), found.end_logits[0].double().numpy(), kept, within


def _nearest(places: list[list[tuple[int, int] | None]]) -> dict[tuple[int, int], int]:
    """The window of each token in which it has the most context: the lesser of both sides, and a hundredth of a token's
    length for each token of the window, as in BERT's program."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for row, window in enumerate(places):
        there = [place for place in window if place is not None]
        for number, place in enumerate(there):
            score = min(number, len(there) - 1 - number) + 0.01 * len(there)
            if place not in best or score > best[place][0]:
                best[place] = score, row
    return {place: row for place, (_, row) in best.items()}


def _spans(
    start: Floats, end: Floats, places: list[tuple[int, int] | None], within: list[bool], context: str
) -> Iterator[tuple[float, str]]:
    """The spans of the best starts and ends: of 30 tokens at most, from a token that counts in this window. One that
    begins within a word takes whole words, as BERT's program does."""
    text = [place is not None for place in places]
    last = max((at for at, there in enumerate(text) if there), default=-1)
    first = min((at for at, there in enumerate(text) if there), default=0)
    for begin in np.argsort(-start, kind="stable")[:BEST]:
        for stop in np.argsort(-end, kind="stable")[:BEST]:
            opened = places[begin]
            closed = places[stop] if first <= stop <= last else None
            if opened is None or closed is None or stop < begin or stop - begin + 1 > SPAN:
                continue
            ends = _whole_words(context, opened[0], closed[1]) if within[begin] else (opened[0], closed[1])
            found = " ".join(context[slice(*ends)].split())
            if found:
                yield float(start[begin] + end[stop]), found


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with all of its first and last word, between spaces."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


class Asker:
    """A sequence model that writes a question from a sentence and the answer that stands in it."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        loaded: Any = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model = loaded.eval()
        self.longest = min(LONGEST, int(getattr(loaded.config, "max_position_embeddings", LONGEST)))

    def ask(self, sentence: str, answer: str) -> str:
        """The question; by the search of the folder's own generation config, without sampling."""
        import torch

        given = self.tokenizer(sentence, answer, truncation=True, max_length=self.longest, return_tensors="pt")
        with torch.inference_mode():
            ids = self.model.generate(
                input_ids=given["input_ids"], attention_mask=given["attention_mask"], max_length=QUESTION_TOKENS,
                num_return_sequences=1, do_sample=False,
            )  # fmt: skip
        return str(self.tokenizer.batch_decode(ids, skip_special_tokens=True)[0])


def words_f1(one: str, other: str) -> float:
    """F1 of the words of two answers, in small letters, without articles and punctuation (SQuAD's compute_f1)."""
    from collections import Counter

    first, second = (_words(text) for text in (one, other))
    if not first or not second:
        return float(first == second)
    same = sum((Counter(first) & Counter(second)).values())
    return 2 * same / (len(first) + len(second)) if same else 0.0


def _words(text: str) -> list[str]:
    plain = "".join(char for char in text.lower() if char not in PUNCTUATION)
    return [word for word in plain.split() if word not in ARTICLES]


PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ARTICLES = frozenset(("a", "an", "the"))


@lru_cache(maxsize=1)
def load_answerer(folder: Path) -> Answerer:
    return Answerer(folder)


@lru_cache(maxsize=1)
def load_asker(folder: Path) -> Asker:
    return Asker(folder)
