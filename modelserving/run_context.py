"""The context in which a model works: whether texts may leave the site, the kept answers, and the cost so far."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from foundation.errors import UserError

# The thoughts of a reasoning model before its answer, found by the marks around them: never an output.
#
# The marks are those that vLLM's reasoning parsers know (https://docs.vllm.ai/en/stable/features/reasoning_outputs/),
# and those of templates that open a thought in the prompt, so that the answer has only its end.

_TAG = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning)"
_OPENING = re.compile(
    rf"(?i:<{_TAG}>)|\[THINK\]|◁think▷|<\|channel>|<\|channel\|>(?!\s*final)|<\|START_THINKING\|>|<\|inner_prefix\|>"
)
_CLOSING = re.compile(
    rf"(?i:</{_TAG}>)|\[/THINK\]|◁/think▷|<channel\|>|<\|channel\|>\s*final[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
    r"|<\|END_THINKING\|>|<\|inner_suffix\|>"
)
_ENDING = re.compile(r"<\|(?:end|return|call|END_RESPONSE)\|>")  # behind the answer
_AROUND = re.compile(r"\s*(?:<(answer|response)>(.*)</\1>|<\|START_RESPONSE\|>(.*))\s*", re.DOTALL | re.IGNORECASE)
_WITHIN = ("<|message|>", "<|constrain|>")  # of the mark before an answer, beside `<|channel|>`
_WITHOUT_MARKS = (  # the beginning of a thought whose control tokens were left out, or are words; its end
    (re.compile(r"(?:analysis|commentary)(?=[A-Z“\"'])"), re.compile("assistantfinal")),
    (re.compile(r"Here(?:'s| is) my thought process:"), re.compile(r"Here(?:'s| is) my response:")),
)


class UnfinishedThought(Exception):
    """The error for an answer that is a thought, and nothing else."""


def is_mark(token: str) -> bool:
    """Whether the token marks a thought or the answer behind it: a tokenizer may leave it out as a special token."""
    return token in _WITHIN or any(one.fullmatch(token) for one in (_OPENING, _CLOSING))


def without_thoughts(text: str) -> str:
    """The answer behind the last thought; UnfinishedThought where none came."""
    told = _behind(text)
    if told is None:
        if _OPENING.search(text):
            raise UnfinishedThought
        return text
    answer = _ENDING.split(told, maxsplit=1)[0]
    if not answer.strip() or _OPENING.search(answer):
        raise UnfinishedThought
    around = _AROUND.fullmatch(answer)
    return (around[2] or around[3] or "") if around else answer


def _behind(text: str) -> str | None:
    """The text behind the last mark; None where there is no mark."""
    for beginning, answer in _WITHOUT_MARKS:
        if beginning.match(text.lstrip()):
            parts = answer.split(text)
            return parts[-1] if len(parts) > 1 else ""
    closings = list(_CLOSING.finditer(text))
    return text[closings[-1].end() :] if closings else None


# A guess of the tokens of a text, where no tokenizer counts them, and an upper bound.
#
# English has about four characters a token (OpenAI's rule of thumb). In scripts without spaces a character is about one
# token: a Chinese text has 1.9 times as many tokens by GPT-4's tokenizer as its English translation (Petrov et al.
# 2023, https://arxiv.org/abs/2305.15425). Both hold for (3 b - c) / 8 tokens for c characters in b bytes of UTF-8: a
# character of one byte is a quarter of a token, one of two bytes 5/8, one of three bytes one token.


def guess_tokens(size: float, characters: float) -> float:
    """About how many tokens a text of so many bytes of UTF-8 and so many characters has."""
    return (3 * size - characters) / 8


def guess_of(text: str) -> int:
    """About how many tokens a text has, one at least."""
    return max(1, round(guess_tokens(most_tokens(text), len(text))))


def most_tokens(text: str) -> int:
    """The bytes of a text in UTF-8: no tokenizer over bytes gives more tokens."""
    return len(text.encode("utf-8", "replace"))


# The usage of calls of a language model: tokens, and their price.

MILLION = 1_000_000


@dataclass(frozen=True)
class Usage:
    """Calls that were answered, their tokens, their `cost` (in whatever money the prices are), and the dearest call.

    `most` is the upper bound of the cost: `cost`, and the most that other calls can cost: those under way, without a
    known end, or without a count of tokens. The service did not count the tokens of `guessed` answers. `cut` ones ended
    at the most tokens, `withheld` ones by the service's filter; `kept` ones were there before. Texts that were
    `too_long` for the model or `filtered` got no answer, nor did those whose answer was a thought alone (`unfinished`)
    or held no rewrite (`unusable`). `cached` tokens of the prompts were read from the service's cache. `models` are the
    names that answered, in their order, `left_out` the fields of requests that the service does not take, `batch` the
    one that is under way (`prompting/batches.py`).
    """

    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    dearest: float = 0.0
    most: float = 0.0
    guessed: int = 0
    cut: int = 0
    withheld: int = 0
    kept: int = 0
    too_long: int = 0
    filtered: int = 0
    unfinished: int = 0
    unusable: int = 0
    cached: int = 0
    models: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    batch: Mapping[str, Any] = field(default_factory=dict)

    def with_call(self, answer: "Answer", cost: float) -> "Usage":
        """With one more call, which was answered so."""
        return replace(
            self, calls=self.calls + 1, input=self.input + answer.input, output=self.output + answer.output,
            cached=self.cached + answer.cached, cost=self.cost + cost, dearest=max(self.dearest, cost),
            guessed=self.guessed + (not answer.counted), cut=self.cut + (answer.finish == CUT),
            withheld=self.withheld + (answer.finish == WITHHELD),
        )  # fmt: skip

    def with_held(self, cost: float) -> "Usage":
        """With the most that a call can cost, or without the part that it did not cost."""
        return replace(self, most=max(0.0, self.most + cost))

    def with_refused(self, why: str) -> "Usage":
        """With one more text that got no answer: `why` is the name of the field that counts them."""
        return replace(self, **{why: getattr(self, why) + 1})

    def without_refused(self) -> "Usage":
        """The usage when the texts without an answer are asked about again."""
        return replace(self, too_long=0, filtered=0, unfinished=0, unusable=0)

    def with_kept(self, number: int) -> "Usage":
        """With further answers that were there before."""
        return replace(self, kept=self.kept + number)

    def with_models(self, names: Iterable[str]) -> "Usage":
        """With the names that models gave themselves; an empty name is passed over."""
        return replace(self, models=tuple(dict.fromkeys([*self.models, *filter(None, names)])))

    def with_left_out(self, fields: Iterable[str]) -> "Usage":
        """With further fields that the service does not take."""
        return replace(self, left_out=tuple(sorted({*self.left_out, *fields})))

    def plain(self) -> dict[str, Any]:
        """The stored form."""
        return asdict(self)

    def __str__(self) -> str:
        """'120 calls, 34,000 tokens in, 5,600 tokens out, cost 0.0123'."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        kept = f" ({self.kept:,} more answers were there)" if self.kept else ""
        guessed = ", of which the service tells no tokens and no cost: these are estimated" * bool(self.guessed)
        cached = f" ({self.cached:,} of them cached)" if self.cached else ""
        return (
            f"{calls}{kept}, {self.input:,} tokens in{cached}, {self.output:,} tokens out, "
            f"cost {in_money(self.cost)}{guessed}"
        )

    @property
    def warning(self) -> str:
        """Sentences about answers that are not whole, texts without one, and fields left out; "" where all is well."""
        parts = [f"{self.cut:,} ended at the most tokens"] * bool(self.cut)
        parts += [f"{self.withheld:,} were withheld by the service's filter"] * bool(self.withheld)
        said = [f"Of the answers {' and '.join(parts)}."] if parts else []
        said += [f"{_texts(self.too_long)} too long for the model."] * bool(self.too_long)
        said += [f"{_texts(self.filtered)} refused by the service's filter."] * bool(self.filtered)
        said += [f"{_texts(self.unfinished)} answered with a thought alone."] * bool(self.unfinished)
        said += [f"{_texts(self.unusable)} answered with no rewrite."] * bool(self.unusable)
        said += [f"The endpoint takes no {' and no '.join(self.left_out)}; calls went without."] * bool(self.left_out)
        return " ".join(said)


def _texts(number: int) -> str:
    return "1 text was" if number == 1 else f"{number:,} texts were"


def usage_of(stored: Mapping[str, Any]) -> Usage:
    """The usage that was stored."""
    names = {name: tuple(stored.get(name, ())) for name in ("models", "left_out")}
    return Usage(**{"most": stored.get("cost", 0.0), **stored, **names})


def in_money(cost: float) -> str:
    """A sum with its meaningful digits: '0.0123', '4.56', '0'."""
    return f"{cost:,.2f}" if cost >= 1 or not cost else f"{cost:.4f}" if cost >= 0.0001 else f"{cost:.2g}"


def price(tokens: tuple[int, int], per_million: tuple[float, float]) -> float:
    """The cost of tokens in and out at these prices for a million of each."""
    return (tokens[0] * per_million[0] + tokens[1] * per_million[1]) / MILLION


# The input of a model in a run, besides texts.
#
# `RunContext` as it is here serves a notebook or a test: every service may be asked, and answers stay in memory. A
# job's asks the study's terms and keeps answers in the database (`modelserving/outside_services`).

TOO_LONG, FILTERED, UNFINISHED, UNUSABLE = "too_long", "filtered", "unfinished", "unusable"
MOST_TOLD = 100  # texts without an output that the log of a run names
CUT, WITHHELD = "length", "content_filter"  # the end of an answer that reached the most tokens, or that a filter hid


@dataclass(frozen=True)
class Answer:
    """A language model's answer: the text as it came, the model by the name it gave itself, why it ended
    ("stop", "length", ...), and its tokens in and out. The tokens are a guess where they are not `counted`; `cached`
    ones of the prompt came from the service's cache. `left_out` are the fields that the request went without, with
    commas between them."""

    text: str
    model: str
    finish: str = "stop"
    input: int = 0
    output: int = 0
    counted: bool = True
    cached: int = 0
    left_out: str = ""


@dataclass(frozen=True)
class Refusal:
    """A text without an output while others have one: `why` is TOO_LONG, FILTERED, UNFINISHED or UNUSABLE, `sentence`
    explains it."""

    why: str
    sentence: str


def unfinished(most: int = 0) -> Refusal:
    """The refusal for an answer that is a thought and nothing else; `most` is its tokens if it was cut, else 0."""
    said = f"ended at {most:,} tokens, still in its thoughts: allow more" if most else "is a thought, and nothing else"
    return Refusal(UNFINISHED, f"The model's answer {said}.")


@dataclass(frozen=True)
class Asked:
    """The request of an answer: the `service` with its model, and about how many tokens the prompt has."""

    service: str = ""
    guessed: int = 0


class RunContext:
    """`step` is called several times a second while a model waits for a service, and between the batches of one that
    computes here; it raises the error that stops the model. `say` adds to the log. `refusal` is the first refusal, or
    None; `refused` has the refusals by their texts, until somebody takes them out to tell them.
    """

    def __init__(self, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda line: None) -> None:
        self.step, self.say = step, say
        self.usage = Usage()
        self.refusal: Refusal | None = None
        self.refused: dict[str, Refusal] = {}
        self._answers: dict[str, Answer] = {}
        self._told_once: set[str] = set()
        self._told = 0

    def say_once(self, line: str) -> None:
        """Add the line to the log, unless it was said so before."""
        if line not in self._told_once:
            self._told_once.add(line)
            self.say(line)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Store at once, at the end, all that is held and kept within."""
        yield

    def permit(self, service: str) -> None:
        """Raise a UserError where no text may be sent to the outside service of this name."""

    def kept(self, digests: Sequence[str]) -> dict[str, Answer]:
        """The answers that are there already, by the digests of their requests."""
        return {digest: self._answers[digest] for digest in digests if digest in self._answers}

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        """Keep an answer that was given (and paid) now."""
        self._answers[digest] = answer
        self.count(answer, cost)

    def count(self, answer: Answer, cost: float) -> None:
        """Count an answer that was given now."""
        self.usage = self.usage.with_call(answer, cost).with_models([answer.model])

    def count_kept(self, answers: Sequence[Answer]) -> None:
        """Count answers that were there already, the models that gave them, and the fields that they went without."""
        self.usage = self.usage.with_kept(len(answers)).with_models(sorted({answer.model for answer in answers}))
        self.leave_out({field for answer in answers for field in answer.left_out.split(",") if field})

    def leave_out(self, fields: Iterable[str]) -> None:
        """Remember fields that the service does not take."""
        self.usage = self.usage.with_left_out(fields)

    def hold(self, cost: float) -> None:
        """Count the most that a call can cost, before it is sent; a negative sum gives back what it did not cost."""
        self.usage = self.usage.with_held(cost)

    def awaits(self, sentence: str) -> None:
        """Tell what an outside service makes it wait for; "" when the wait is over."""

    def leave(self, awaited: str) -> None:
        """Leave the worker while something outside is awaited, by an exception; a run that is no job waits itself."""

    def note_batch(self, batch: Mapping[str, Any]) -> None:
        """Remember how far a batch of calls is; {} when it is over."""
        self.usage = replace(self.usage, batch=batch)

    def refuse(self, refusal: Refusal, text: str = "") -> None:
        """Count a text that gets no output."""
        self.refusal = self.refusal or refusal
        self.refused[text] = refusal
        self.usage = self.usage.with_refused(refusal.why)

    def tell_refused(self, named: Iterable[tuple[str, str]]) -> None:
        """Add a line to the log for each text that got no output: pairs of what names the text, and the text."""
        for name, text in named if self.refused else ():
            refusal = self.refused.get(text)
            if refusal is not None and self._told < MOST_TOLD:
                self._told += 1
                self.say(f"{name}: {refusal.sentence}")
                if self._told == MOST_TOLD:
                    self.say("Further texts without an output are counted, and not named.")
        self.refused.clear()

    def refuse_nothing(self, there: int) -> None:
        """Raise a UserError where texts were refused, and no text has an output."""
        if self.refusal and not there:
            raise UserError(self.refusal.sentence)


Row = TypeVar("Row")
Result = TypeVar("Result")
Work = Callable[[list[Row]], Sequence[Result]]
SPLIT = "A batch of texts did not fit into memory and was worked off in parts, as others will be."


def batchwise(
    work: Work[Row, Result], batches: Iterable[list[Row]], too_large: Callable[[Row], UserError], context: RunContext
) -> Iterator[Result]:
    """The results of each batch, in the order of its rows.

    Args:
        work: Gives the results of a list of rows, which may be cut into parts.
        batches: None of them empty.
        too_large: The error for a row that does not fit alone.
        context: Is asked before each batch, and told once where memory runs out.

    Raises:
        UserError: A row does not fit alone; and whatever the context raises to stop the run.
    """
    for batch in batches:
        context.step()
        yield from _in_parts(work, batch, too_large, context)


def _in_parts(
    work: Work[Row, Result], rows: list[Row], too_large: Callable[[Row], UserError], context: RunContext
) -> list[Result]:
    import torch  # models that need torch are loaded by then

    try:
        return list(work(rows))
    except torch.OutOfMemoryError:
        if len(rows) == 1:
            raise too_large(rows[0]) from None
    torch.cuda.empty_cache()  # behind the except clause: within it the error still holds the allocated memory
    context.say_once(SPLIT)
    half = len(rows) // 2
    return [*_in_parts(work, rows[:half], too_large, context), *_in_parts(work, rows[half:], too_large, context)]
