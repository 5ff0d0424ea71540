"""What a run gives to a model besides texts.

`RunContext` as it is here serves a notebook or a test: every service may be asked, and answers stay in memory. A job's
asks the study's terms and keeps answers in the database (`modelserving/outside_services`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from foundation.errors import UserError
from modelserving.run_context.usage import Usage

TOO_LONG, FILTERED, UNFINISHED = "too_long", "filtered", "unfinished"
CUT = "length"  # how an answer ends that came to the most tokens


@dataclass(frozen=True)
class Answer:
    """What a language model answered: the text as it came, the model by the name it gave itself, why it ended
    ("stop", "length", ...), and its tokens in and out, which are a guess where they are not `counted`."""

    text: str
    model: str
    finish: str = "stop"
    input: int = 0
    output: int = 0
    counted: bool = True


@dataclass(frozen=True)
class Refusal:
    """A prompt that gets no answer while others do: `why` is TOO_LONG, FILTERED or UNFINISHED, `sentence` says it of
    this one."""

    why: str
    sentence: str


def unfinished(most: int = 0) -> Refusal:
    """Of an answer that is a thought and nothing else, and came to `most` tokens where it was cut."""
    said = f"ended at {most:,} tokens, still in its thoughts: allow more" if most else "is a thought, and nothing else"
    return Refusal(UNFINISHED, f"The model's answer {said}.")


@dataclass(frozen=True)
class Asked:
    """What an answer is to: the `service` with its model, and about how many tokens the prompt has."""

    service: str = ""
    guessed: int = 0


class RunContext:
    """`step` is called several times a second while a model waits for a service, and between the batches of one that
    computes here; it raises what stops the model. `say` adds to the log. `refusal` is the first of those that came,
    None where there was none.
    """

    def __init__(self, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda line: None) -> None:
        self.step, self.say = step, say
        self.usage = Usage()
        self.refusal: Refusal | None = None
        self._answers: dict[str, Answer] = {}
        self._told_once: set[str] = set()

    def say_once(self, line: str) -> None:
        """Add the line to the log, unless it was said so before."""
        if line not in self._told_once:
            self._told_once.add(line)
            self.say(line)

    def permit(self, service: str) -> None:
        """Raise a UserError where no text may be sent to the service outside that has this name."""

    def kept(self, digests: Sequence[str]) -> dict[str, Answer]:
        """The answers that are there already, by the digests of what was asked."""
        return {digest: self._answers[digest] for digest in digests if digest in self._answers}

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        """Keep an answer that was given (and paid) now."""
        self._answers[digest] = answer
        self.count(answer, cost)

    def count(self, answer: Answer, cost: float) -> None:
        """Count an answer that was given now."""
        self.usage = self.usage.with_call((answer.input, answer.output), cost, answer.finish, answer.counted)
        self.usage = self.usage.with_models([answer.model])

    def count_kept(self, number: int, models: Iterable[str]) -> None:
        """Count answers that were there already, and the models that gave them."""
        self.usage = self.usage.with_kept(number).with_models(sorted(models))

    def hold(self, cost: float) -> None:
        """Count what a call can cost at most, before it is sent; less than nothing gives back what it did not cost."""
        self.usage = self.usage.with_held(cost)

    def refuse(self, refusal: Refusal) -> None:
        """Count a text that gets no answer."""
        self.refusal = self.refusal or refusal
        self.usage = self.usage.with_refused(refusal.why)

    def refuse_nothing(self, there: int) -> None:
        """A UserError where texts were refused, and none of all has an output."""
        if self.refusal and not there:
            raise UserError(self.refusal.sentence)
