"""Answers in the order of their prompts, of which those that are kept are not asked for again."""

from collections.abc import Callable, Iterator, Sequence

from modelserving.prompting.template import Messages
from modelserving.run_context import Answer, Refusal, RunContext

Found = Answer | Refusal
Coming = Iterator[tuple[str, Found]]


def in_order(
    prompts: Sequence[Messages],
    digests: Sequence[str],
    context: RunContext,
    ask: Callable[[dict[str, Messages]], Coming],
) -> Iterator[Found]:
    """What each prompt gets; `ask` is given those by their digests that have no answer, and yields as they come.

    Equal prompts are asked once.
    """
    by_digest = dict(zip(digests, prompts, strict=True))
    found: dict[str, Found] = {**context.kept(list(by_digest))}
    context.count_kept(len(found), {answer.model for answer in found.values() if isinstance(answer, Answer)})
    coming = ask({key: prompt for key, prompt in by_digest.items() if key not in found})
    for key in digests:
        while key not in found:
            new, answer = next(coming)
            found[new] = answer
        yield found[key]
    for _ in coming:  # it has an end of its own, where what went wrong is raised
        pass
