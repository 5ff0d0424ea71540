"""A language model with its prompt, which a training keeps, and which rewrites texts."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Protocol, cast

from evaluation.learned_scorers.training_material import TrainingMaterial
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from modelserving.interface import Direction, Model
from modelserving.prompting.batches import Batches
from modelserving.prompting.calls import MAY_BE_LEFT_OUT, Asker, Calls
from modelserving.prompting.choosing import best_of
from modelserving.prompting.cleaning import KEY, rewrite_in
from modelserving.prompting.endpoints import Endpoint, endpoint_named
from modelserving.prompting.folder import Coming, FolderService, Found, in_order
from modelserving.prompting.options import VLLM, Budget, CallOptions, PromptOptions, read_extra_body
from modelserving.prompting.template import Examples, Messages
from modelserving.prompting.vllm import VllmService
from modelserving.run_context import (
    Answer,
    Asked,
    Refusal,
    RunContext,
    guess_of,
    most_tokens,
)
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData


class EndpointService:
    """Asks one model of one endpoint. Connections stay open from one list of prompts to the next."""

    def __init__(self, options: PromptOptions, seed: int, response: Mapping[str, Any] | None = None) -> None:
        """`response` is the form of its answers, as `response_format`; None for the options' own."""
        self.options, self.seed = options, seed
        self.response = response or (RESPONSE if options.structured else None)
        self._idle: dict[float, list[Asker]] = {}

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]:
        """`samples` answers to each prompt, in order; equal ones are asked once. A UserError where none gets any."""
        endpoint = endpoint_named(self.options.endpoint)
        endpoint.check_model(self.options.model)
        places = range(self.options.samples)
        requests = [self.request(endpoint, prompt, place) for prompt in prompts for place in places]
        digests = [digest(endpoint, request) for request in requests]
        return in_order(requests, digests, context, lambda new: self._asked(endpoint, new, context, asked))

    def signed(self) -> str:
        """The endpoint, and the model that is asked."""
        return f"endpoint:{self.options.endpoint}|model:{self.options.model}"

    def _asked(
        self, endpoint: Endpoint, new: dict[str, dict[str, Any]], context: RunContext, asked: CallOptions
    ) -> Coming:
        """Ask, and keep each answer as it comes."""
        keys, requests = list(new), Requests(list(new.values()), context)
        budget = Budget(context, asked.most_cost, self.options.greatest_prices, self.options.most_tokens, self._beside)

        def new_asker() -> Asker:
            from modelserving.prompting.connection import Connection

            return Connection(endpoint, asked.timeout)

        guard = Guard(endpoint, keys, requests, context, budget, Asked(self.signed()), self.options.cost)
        if asked.batches or context.usage.batch:
            from modelserving.prompting.batch_connection import BatchConnection

            server = BatchConnection(endpoint, asked.timeout)
            coming = Batches(server, endpoint.name, endpoint.key, asked.limits, context, guard).answers(requests, keys)
            yield from ((keys[number], found) for number, found in coming)
            return
        calls = Calls(new_asker, self._idle.setdefault(asked.timeout, []), endpoint.name, asked.limits, context.awaits)
        for number, found in calls.answers(requests, guard, context.step):
            yield keys[number], found

    @property
    def _beside(self) -> int:
        """The most tokens of a request beside its messages."""
        schema = json.dumps(self.response) if self.response else ""
        return most_tokens(schema + self.options.extra_body)

    def request(self, endpoint: Endpoint, prompt: Messages, place: int = 0) -> dict[str, Any]:
        """The request of the chat completions for one of a prompt's answers, whose seed follows from its place."""
        chosen = self.options
        request = {
            "model": chosen.model, "messages": prompt, "temperature": chosen.temperature, "seed": self.seed + place,
            endpoint.tokens: chosen.most_tokens,
        }  # fmt: skip
        more: dict[str, Any] = {"top_p": chosen.top_p} if chosen.top_p != 1 else {}
        more |= {"reasoning_effort": chosen.effort} if chosen.effort else {}
        more |= {"response_format": self.response} if self.response else {}
        return {**request, **more, **read_extra_body(chosen.extra_body)}


SCHEMA = {"type": "object", "properties": {KEY: {"type": "string"}}, "required": [KEY], "additionalProperties": False}
RESPONSE = {"type": "json_schema", "json_schema": {"name": KEY, "strict": True, "schema": SCHEMA}}


class Requests(Sequence[dict[str, Any]]):
    """The requests as they are sent: without the fields of which it is known by now that the endpoint does not take
    them."""

    def __init__(self, whole: list[dict[str, Any]], context: RunContext) -> None:
        self._whole, self._context = whole, context

    def __len__(self) -> int:
        return len(self._whole)

    def whole(self, number: int) -> dict[str, Any]:
        """A request with all its fields."""
        return self._whole[number]

    def __getitem__(self, number: Any) -> Any:
        left_out = self._context.usage.left_out
        return {name: value for name, value in self._whole[number].items() if name not in left_out}


class Guard:
    """Lets a call be sent if the study's terms and the limit of cost allow it, and keeps its answer by its key."""

    def __init__(
        self, endpoint: Endpoint, keys: Sequence[str], requests: Requests, context: RunContext, budget: Budget,
        asked: Asked, cost: Callable[[Answer], float],
    ) -> None:  # fmt: skip
        self.endpoint, self.keys, self.requests, self.context = endpoint, keys, requests, context
        self.budget, self.asked, self.cost = budget, asked, cost
        self.sent_without: dict[int, tuple[str, ...]] = {}
        self._permitted = endpoint.local
        self._numbers = {key: number for number, key in enumerate(keys)}

    @contextmanager
    def together(self) -> Iterator[None]:
        self._permitted = self.endpoint.local
        with self.context.together():
            yield

    def answered(self, number: int, answer: Answer) -> Answer:
        guessed = guessed_input(self.requests[number])
        found = replace(with_tokens(answer, guessed), left_out=",".join(self.sent_without[number]))
        cost = self.cost(found)
        if found.counted:
            self.budget.release(number, cost)
        else:
            self.budget.forget(number)
        self.context.keep(self.keys[number], found, cost, replace(self.asked, guessed=guessed))
        self.check_model()
        return found

    def hold(self, numbers: Sequence[int]) -> tuple[list[int], float]:
        before, sent = self.context.usage.most, list[int]()
        for number in numbers:
            if not self.budget.hold(number, self.requests[number]["messages"], len(sent)):
                break
            self.budget.forget(number)  # the batch remembers it
            self.sent_without[number] = self.context.usage.left_out
            sent.append(number)
        return sent, self.context.usage.most - before

    def keep(self, key: str, answer: Answer, left_out: str) -> tuple[Answer, float | None]:
        guessed = guessed_input(self.requests[self._numbers[key]]) if key in self._numbers else 0
        found = replace(with_tokens(answer, guessed), left_out=left_out)
        cost = self.cost(found)
        self.context.keep(key, found, cost, replace(self.asked, guessed=guessed))
        return found, cost if found.counted else None

    def permit(self) -> None:
        if not self.endpoint.local:
            self.context.permit(self.endpoint.name)

    def check_model(self) -> None:
        """Raise a UserError where a second model has answered."""
        if len(models := self.context.usage.models) > 1:
            raise UserError(
                "The endpoint {endpoint} answered as {models} before, and as {other} now; outputs of "
                "two models are no one system's. Train with another seed to ask again.",
                endpoint=self.endpoint.name,
                models=models[0],
                other=models[1],
            )

    def adapt(self, number: int, fields: frozenset[str]) -> bool:
        given = {name for name in self.requests.whole(number) if name in MAY_BE_LEFT_OUT}
        new = fields & given - set(self.sent_without.get(number, ()))
        if new - set(self.context.usage.left_out):
            self.context.leave_out(new)
            names = " and no ".join(sorted(new))
            self.context.say_once(f"The endpoint {self.endpoint.name} takes no {names}; calls go without.")
        return bool(new)

    def open(self, number: int, under_way: int) -> bool:
        if not self._permitted:
            self.permit()
            self._permitted = True
        self.sent_without[number] = self.context.usage.left_out
        return self.budget.hold(number, self.requests[number]["messages"], under_way)

    def close(self, number: int, free: bool) -> None:
        if free:
            self.budget.release(number, 0.0)
        else:
            self.budget.forget(number)


def digest(endpoint: Endpoint, request: dict[str, Any]) -> str:
    """SHA-256 of all that an answer depends on: the address, the model, the prompt, the settings."""
    whole = json.dumps([endpoint.name, endpoint.url, request], ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()


def guessed_input(request: dict[str, Any]) -> int:
    """About how many tokens the messages of a request have, by their characters."""
    return sum(guess_of(message["content"]) for message in request["messages"])


def with_tokens(answer: Answer, guessed: int) -> Answer:
    """The answer with its tokens; their number is a guess where the server does not count."""
    if answer.input or answer.output:
        return answer
    return replace(answer, input=guessed, output=guess_of(answer.text), counted=False)


VERSION = 3  # raise it when the same answer becomes another output
ABOUT, POOL, PREFERENCES = "prompted.json", "examples.json", "preferences.json"


class Service(Protocol):
    """Answers prompts."""

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]: ...
    def signed(self) -> str: ...


@dataclass(kw_only=True)
class PromptedModel(Model):
    """`local`: its endpoint was one of the lab's own when it was made, so its examples stay there.

    `judged` has the preferences of people by which the best of several rewrites is chosen, where they are.
    """

    wide: ClassVar[bool] = True

    @property
    def signed_late(self) -> bool:  # type: ignore[override]
        """Whether an endpoint answers: the model's own name then comes with its answers."""
        return not self.options.folder

    options: PromptOptions
    examples: Examples
    directions: tuple[Direction, ...]
    seed: int
    local: bool
    service: Service
    language: str = ""
    judged: TrainingMaterial = field(default_factory=TrainingMaterial)
    context: RunContext = field(default_factory=RunContext)

    def within(self, context: RunContext) -> Model:
        return replace(self, context=context)

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: CallOptions) -> Iterator[str]:
        if direction not in self.directions:
            raise UserError(
                "This prompt was not made for {source_style} to {target_style}.",
                source_style=direction[0],
                target_style=direction[1],
            )
        self._check_examples_may_leave()
        return self._rewritten(texts, direction, decoding)

    def _rewritten(self, texts: Sequence[str], direction: Direction, decoding: CallOptions) -> Iterator[str]:
        prompts = [self.prompt(text, direction) for text in texts if text.strip()]
        answers = self.service.answers(prompts, self.context, decoding)
        for text in texts:
            drawn = list(islice(answers, self.options.samples)) if text.strip() else []
            yield self._output(drawn, text, direction) if drawn else ""
        for _ in answers:  # none is left; what it ends with is its own
            pass

    def _output(self, answers: Sequence[Found], text: str, direction: Direction) -> str:
        """One line, the best of the answers' rewrites; "" for a text whose answers hold none."""
        found = [self._rewrite_in(answer, text, direction[1]) for answer in answers]
        rewrites = [one for one in found if isinstance(one, str)]
        if rewrites:
            return best_of(text, rewrites, self.options.best_by, self.language, self.judged)
        for refusal in found[:1]:
            self.context.refuse(cast(Refusal, refusal), text)
        return ""

    def _rewrite_in(self, answer: Found, text: str, target_style: str) -> str | Refusal:
        if isinstance(answer, Refusal):
            return answer
        chosen = self.options
        return rewrite_in(
            answer, text, target_style, clean=chosen.clean, structured=chosen.structured, keep_cut=chosen.keep_cut,
            most=chosen.most_tokens,
        )  # fmt: skip

    def prompt(self, text: str, direction: Direction) -> Messages:
        """The chat that asks for the rewrite of a text."""
        return self.options.template.messages(text, direction, self.examples.of(text))

    def _check_examples_may_leave(self) -> None:
        """Refuse to send examples taken for an endpoint of the lab's own to one elsewhere that now has its name."""
        if self.local and self.examples.pairs and not endpoint_named(self.options.endpoint).local:
            raise UserError(
                "The endpoint {endpoint} was the lab's own when this model was made, and is outside now; train it "
                "again, so that its examples go there only if the study's terms allow it.",
                endpoint=self.options.endpoint,
            )

    def signature(self, direction: Direction, decoding: CallOptions) -> str:
        chosen = self.options
        names = self.context.usage.models if self.signed_late else ()
        answered = "".join(f"|answered:{name}" for name in names)
        left_out = self.context.usage.left_out
        more = {
            "effort": chosen.effort, "structured": int(chosen.structured), "keep_cut": int(chosen.keep_cut),
            "extra_body": _digest_of(read_extra_body(chosen.extra_body))[:16] if chosen.extra_body.strip() else "",
            **({"samples": chosen.samples, "best_by": chosen.best_by} if chosen.samples > 1 else {}),
            "preferences": self.judged.digest("preferences") if self.judged.preferences else "",
            "left_out": ",".join(left_out),
        }  # fmt: skip
        said = "".join(f"|{name}:{value}" for name, value in more.items() if value)
        return (
            f"prompted|{'-'.join(direction)}|version:{VERSION}|{self.service.signed()}{answered}|prompt:{self._digest[:16]}|"
            f"prompt_version:{chosen.template.version}|"
            f"shots:{chosen.shots}|choice:{chosen.choice}|temperature:{chosen.temperature:g}|top_p:{chosen.top_p:g}|"
            f"most_tokens:{chosen.most_tokens}|clean:{int(chosen.clean)}|seed:{self.seed}{said}"
        )

    @cached_property
    def _digest(self) -> str:
        """SHA-256 of the template and the examples."""
        parts = [self.options.system, self.options.message, self.options.example, self.examples.stored()]
        return _digest_of(parts)

    def save(self, folder: Path) -> None:
        about = {
            "direction": self.directions[0], "options": options_as_stored(self.options), "seed": self.seed,
            "local": self.local, "language": self.language,
        }  # fmt: skip
        _write(folder / ABOUT, about)
        _write(folder / POOL, self.examples.stored())
        if self.judged.preferences:
            _write(folder / PREFERENCES, [list(pair) for pair in self.judged.preferences])


def _digest_of(what: Any) -> str:
    return hashlib.sha256(json.dumps(what, ensure_ascii=True, sort_keys=True).encode()).hexdigest()


def load_prompted(folder: Path) -> PromptedModel:
    """The model that was saved there; a UserError names the file that is missing or broken."""
    about, pool = _read(folder / ABOUT), _read(folder / POOL)
    try:
        source, target = about["direction"]
        given, seed, local = dict(about["options"]), about["seed"], about["local"]
        language = about.get("language", "")
        pairs = [(first, second) for first, second in pool]
    except (TypeError, KeyError, ValueError):
        raise UserError("No prompted model was saved in it.", where=ABOUT) from None
    texts = [source, target, language, *(text for pair in pairs for text in pair)]
    if type(seed) is not int or type(local) is not bool or not all(isinstance(text, str) for text in texts):
        raise UserError("No prompted model was saved in it.", where=ABOUT)
    options = validate_options(PromptOptions, given, f"{ABOUT}, ")
    examples = Examples(pairs, options.shots, options.choice, None)
    return PromptedModel(
        options=options, examples=examples, directions=((source, target),), seed=seed, local=local,
        service=service_of(options, seed), language=language, judged=_read_preferences(folder / PREFERENCES),
    )  # fmt: skip


def _read_preferences(path: Path) -> TrainingMaterial:
    """The people's preferences that were saved there; none where there is no such file."""
    rows = _read(path) if path.exists() else []
    try:
        pairs = [(source, better, worse, float(margin)) for source, better, worse, margin in rows]
    except (TypeError, ValueError):
        raise UserError("No preferences were saved in it.", where=path.name) from None
    if not all(isinstance(text, str) for pair in pairs for text in pair[:3]):
        raise UserError("No preferences were saved in it.", where=path.name)
    if not all(0 < pair[3] <= 1 for pair in pairs):
        raise UserError("A margin is above 0 and at most 1.", where=path.name)
    return TrainingMaterial(preferences=pairs)


def service_of(options: PromptOptions, seed: int, response: Mapping[str, Any] | None = None) -> Service:
    """The service that answers under these options; an endpoint that can keeps to the form of `response`."""
    if options.folder and options.engine == VLLM:
        return VllmService(options, seed)
    return FolderService(options, seed) if options.folder else EndpointService(options, seed, response)


def _write(path: Path, what: Mapping[str, Any] | list[Any]) -> None:
    path.write_text(json.dumps(what, ensure_ascii=False, indent=1), encoding="utf-8")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise UserError("The file is missing, or no prompted model was saved in it.", where=path.name) from None


SAMPLES = 5


def score_on_tune(model: PromptedModel, data: TrainingData, callbacks: Callbacks) -> None:
    """Rewrite `tune_most` sources that have references, and tell the metric and samples. Stopped like a training."""
    from evaluation.metrics import METRICS
    from evaluation.metrics import MetricInput as Texts

    options = model.options
    places = [place for place, texts in enumerate(data.dev.of_each) if texts][: options.tune_most]
    if not places:
        return
    sources = [data.dev.sources[place] for place in places]
    references = [data.dev.of_each[place] for place in places]
    context = callbacks.run_context(lambda: callbacks.at(len(outputs), len(places)))
    outputs: list[str] = []
    asking: Any = model.within(context)
    for output in asking.transfer(sources, data.direction, options.calls):
        outputs.append(output)
        callbacks.at(len(outputs), len(places))
    context.tell_refused((f"Tune source {place + 1}", data.dev.sources[place]) for place in places)
    context.refuse_nothing(sum(map(bool, outputs)))
    metric = METRICS[options.tune_by]
    scores = metric.score(Texts(sources, outputs, references, language=data.language))
    found = scores.corpus
    if scores.undefined:
        callbacks.say(f"{metric.label}: {scores.undefined}")
    rows = zip(sources, outputs, references, strict=True)
    higher = bool(metric.higher_is_better)
    callbacks.score(options.tune_by, 1, math.nan if found is None else found, higher_is_better=higher)
    callbacks.samples(1, [Sample(source, output, texts[0]) for source, output, texts in rows][:SAMPLES])
    callbacks.say(f"Rewrote {len(outputs)} tune sources: {context.usage}.")
    if context.usage.warning:
        callbacks.say(context.usage.warning)
