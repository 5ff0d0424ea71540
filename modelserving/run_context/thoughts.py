"""What a reasoning model thinks before it answers, told by the marks that models put around it: never an output.

The marks are those that vLLM's reasoning parsers know (https://docs.vllm.ai/en/stable/features/reasoning_outputs/), and
those of templates that open a thought in the prompt, so that the answer has its end alone.
"""

import re

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
_WITHOUT_MARKS = (  # how an answer begins whose control tokens were left out, or that has words for them; what ends it
    (re.compile(r"(?:analysis|commentary)(?=[A-Z“\"'])"), re.compile("assistantfinal")),
    (re.compile(r"Here(?:'s| is) my thought process:"), re.compile(r"Here(?:'s| is) my response:")),
)


class UnfinishedThought(Exception):
    """An answer that is a thought, and nothing else."""


def is_mark(token: str) -> bool:
    """Whether the token marks a thought or the answer behind it: a tokenizer may count it among what nobody reads."""
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
    """What stands behind the last mark; None where none stands in the text."""
    for beginning, answer in _WITHOUT_MARKS:
        if beginning.match(text.lstrip()):
            parts = answer.split(text)
            return parts[-1] if len(parts) > 1 else ""
    closings = list(_CLOSING.finditer(text))
    return text[closings[-1].end() :] if closings else None
