"""A language model at an endpoint: what was answered before is not asked again, and nothing is sent unchecked."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from foundation.errors import UserError
from modelserving.prompting.calls import Asker, Calls
from modelserving.prompting.endpoints import Endpoint, endpoint_named
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context.context import Answer, RunContext
from modelserving.run_context.usage import in_money, price

CHARACTERS_A_TOKEN = 4  # where a server does not count


class EndpointService:
    """Asks one model of one endpoint. Connections stay open from one list of prompts to the next."""

    def __init__(self, options: PromptOptions, seed: int) -> None:
        self.options, self.seed = options, seed
        self._idle: dict[float, list[Asker]] = {}

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Answer]:
        """The answers in the order of the prompts; equal prompts are asked once. A UserError where there is none."""
        endpoint = endpoint_named(self.options.endpoint)
        endpoint.check_model(self.options.model)
        requests = [self.request(endpoint, prompt) for prompt in prompts]
        digests = [digest(endpoint, request) for request in requests]
        by_digest = dict(zip(digests, requests, strict=True))
        found = context.kept(list(by_digest))
        context.count_kept(len(found), {answer.model for answer in found.values()})
        coming = self._asked(endpoint, {key: by_digest[key] for key in by_digest if key not in found}, context, asked)
        for key in digests:
            while key not in found:
                new, answer = next(coming)
                found[new] = answer
            yield found[key]
        for _ in coming:  # it has an end of its own, where what went wrong is raised
            pass

    def signed(self) -> str:
        """The endpoint, and the model that is asked for."""
        return f"endpoint:{self.options.endpoint}|model:{self.options.model}"

    def _asked(
        self, endpoint: Endpoint, requests: dict[str, Any], context: RunContext, asked: CallOptions
    ) -> Iterator[tuple[str, Answer]]:
        """Ask, and keep each answer as it comes."""
        keys = list(requests)

        def before(under_way: int) -> None:
            if not endpoint.local:
                context.permit(endpoint.name)
            check_cost(context, asked.most_cost, under_way)

        def new_asker() -> Asker:
            from modelserving.prompting.connection import Connection

            return Connection(endpoint, asked.timeout)

        calls = Calls(new_asker, self._idle.setdefault(asked.timeout, []), endpoint.name, asked.limits)
        for number, answer in calls.answers([requests[key] for key in keys], before, context.step):
            answer = counted(answer, requests[keys[number]])
            context.keep(keys[number], answer, price((answer.input, answer.output), self.options.prices))
            self._check_model(context)
            yield keys[number], answer

    def request(self, endpoint: Endpoint, prompt: Messages) -> dict[str, Any]:
        """The request of the chat completions."""
        chosen = self.options
        request = {
            "model": chosen.model, "messages": prompt, "temperature": chosen.temperature, "seed": self.seed,
            endpoint.tokens: chosen.most_tokens,
        }  # fmt: skip
        return request if chosen.top_p == 1 else {**request, "top_p": chosen.top_p}

    def _check_model(self, context: RunContext) -> None:
        models = context.usage.models
        if len(models) > 1:
            raise UserError(
                f"The endpoint {self.options.endpoint} answered as {models[0]} before, and as {models[1]} now; "
                "outputs of two models are no one system's. Train with another seed to ask anew."
            )


def digest(endpoint: Endpoint, request: dict[str, Any]) -> str:
    """SHA-256 of all that an answer depends on: the address, the model, the prompt, the settings."""
    whole = json.dumps([endpoint.name, endpoint.url, request], ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()


def check_cost(context: RunContext, most: float, under_way: int) -> None:
    """A UserError where one call more might cost more than what is left, as far as the calls so far tell."""
    spent = context.usage.cost
    if most and spent + (under_way + 1) * context.usage.dearest > most:
        raise UserError(
            f"The limit of {in_money(most)} is reached: {context.usage}. What was answered is kept; raise the limit "
            "to go on.",
            where="most_cost",
        )


def counted(answer: Answer, request: dict[str, Any]) -> Answer:
    """The answer with its tokens, about as many as they are where the server does not count."""
    if answer.input or answer.output:
        return answer
    asked = sum(len(message["content"]) for message in request["messages"])
    tokens = asked // CHARACTERS_A_TOKEN + 1, len(answer.text) // CHARACTERS_A_TOKEN + 1
    return Answer(answer.text, answer.model, answer.finish, *tokens)
