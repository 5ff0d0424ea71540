"""The long texts side by side that somebody unfolded before they judged them.

An answer holds `unfolded`, numbers from 1, where its page had folded the parts that all texts share; it may be empty.
Where nothing was folded, the answer does not have it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from foundation.errors import UserError

NAME = "unfolded"


def read(form: Mapping[str, str], count: int) -> dict[str, Any]:
    """The unfolded texts of a page, by places or "-" for none of them; words that are no place are left out."""
    words = form.get(NAME, "").split()
    places = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 4}
    return {NAME: sorted(place for place in places if 1 <= place <= count)} if words else {}


def check(answer: Mapping[str, Any], count: int) -> dict[str, Any]:
    numbers = answer.get(NAME)
    if numbers is None:
        return {}
    if not isinstance(numbers, list) or any(type(one) is not int or not 1 <= one <= count for one in numbers):
        raise UserError("Expected the numbers of texts from 1 to {count}.", count=count, where=NAME)
    return {NAME: sorted(set(numbers))}


def restored(answer: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """The texts at these places."""
    return {NAME: sorted(order[place - 1] + 1 for place in answer[NAME])} if NAME in answer else {}


def arranged(answer: Mapping[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """The places of these texts."""
    return {NAME: sorted(list(order).index(number - 1) + 1 for number in answer[NAME])} if NAME in answer else {}


def shown(answer: Mapping[str, Any] | None, order: Sequence[int]) -> str:
    """The value of the page's field."""
    if not answer or NAME not in answer:
        return ""
    return " ".join(map(str, arranged(answer, order)[NAME])) or "-"
