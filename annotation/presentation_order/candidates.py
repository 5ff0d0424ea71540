"""The texts of one source that are judged side by side: each distinct text once, whoever wrote it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from annotation.presentation_order import latin_square
from annotation.task_data import Material
from foundation.seeds import generator
from foundation.text_keys import text_key


class CandidateMaker:
    """Makes the candidates of each source of a campaign.

    One permutation of the roles (each system, each extra text, the reference, the source) is drawn for the whole
    campaign, so that the Latin square balances each of them over the items. The canonical order never leaves for a
    browser.
    """

    def __init__(self, seed: int, *, rate_reference: bool = False, rate_source: bool = False) -> None:
        self.seed = seed
        self.rate_reference = rate_reference
        self.rate_source = rate_source
        self._orders: dict[tuple[int, int], list[tuple[int, str]]] = {}
        self._turns: dict[int, int] = {}
        self._placed: Counter[tuple[int, str, int]] = Counter()

    def contents(self, material: Material, size: int = 0, least: int = 1) -> Iterator[dict[str, Any]]:
        """The contents of the items of one source: `source`, `references`, `candidates` and the `turn` of its order.

        The item's number does not give the order: where each source has two items, or each sixth one more text, some
        orders would never come up, and the same row puts another role first in other company.
        """
        cast = self._cast(material)
        role_of = {text: role for role, text in cast}
        for candidates in self._pages(material, [text for _, text in cast], size, least):
            references = shown_references(material.references, candidates)
            turn = self._turn([role_of[text] for text in candidates])
            yield {"source": material.source, "references": references, "candidates": candidates, "turn": turn}

    def candidates(self, material: Material) -> list[str]:
        """The distinct texts of the outputs, the extras, the drawn reference and the source, in canonical order."""
        return [text for _, text in self._cast(material)]

    def reference(self, material: Material) -> str:
        """The one of the k references that is rated, drawn by seed and sentence; "" where there is none."""
        references = [text for text in material.references if text.strip()]
        if not references:
            return ""
        return references[int(generator(self.seed, "reference", material.sentence_id).integers(len(references)))]

    def chunks(self, material: Material, size: int, least: int = 1) -> Iterator[list[str]]:
        """The candidates, all together (size 0) or at most `size` a page, in company that the seed draws.

        No page has fewer than `least`: one has more than `size` where they cannot be shared out otherwise, and a source
        with fewer has none.
        """
        return self._pages(material, self.candidates(material), size, least)

    def _pages(self, material: Material, candidates: list[str], size: int, least: int) -> Iterator[list[str]]:
        if len(candidates) < least:
            return
        if not size or size >= len(candidates):
            if candidates:
                yield candidates
            return
        drawn = generator(self.seed, "company", material.sentence_id).permutation(len(candidates))
        pages = min(-(-len(candidates) // size), len(candidates) // least)
        for page in range(pages):
            # Every pages-th one, so that the pages differ by one candidate at most, in their canonical order.
            yield [candidates[place] for place in sorted(drawn[page::pages])]

    def _cast(self, material: Material) -> list[tuple[str, str]]:
        """(role, text) of each distinct text, in canonical order; where several wrote it, the role of the first."""
        written = [*material.outputs, *material.extras]
        if self.rate_reference:
            written.append(self.reference(material))
        if self.rate_source:
            written.append(material.source)
        distinct: dict[str, tuple[str, str]] = {}
        for place, role in self._roles(len(material.outputs), len(material.extras)):
            text = written[place].strip()
            if text or place in material.empty:
                distinct.setdefault(text_key(text), (role, text))
        return list(distinct.values())

    def _turn(self, roles: Sequence[str]) -> int:
        """The turn whose first order gives these roles their rarest places so far; among equal ones the next."""
        rows = _places(tuple(roles))
        begin = self._turns.get(len(roles), -2) + 1  # the design's rows balance from its first one on
        turns = (turn % len(rows) for turn in range(begin, begin + len(rows)))
        turn = (
            min(turns, key=lambda turn_number: sum([self._placed[key] for key in rows[turn_number]]))
            if len(rows) > 1
            else 0
        )
        self._turns[len(roles)] = turn
        for key in rows[turn]:
            self._placed[key] += 1
        return turn

    def _roles(self, outputs: int, extras: int) -> list[tuple[int, str]]:
        """The place and role of each of so many texts, in canonical order."""
        if (outputs, extras) not in self._orders:
            roles = [f"output {number}" for number in range(outputs)] + [f"extra {number}" for number in range(extras)]
            roles += [name for name in ("reference", "source") if getattr(self, f"rate_{name}")]
            drawn = generator(self.seed, "roles", len(roles)).permutation(len(roles)).tolist()
            self._orders[outputs, extras] = [(place, roles[place]) for place in drawn]
        return self._orders[outputs, extras]


@lru_cache(maxsize=256)
def _places(roles: tuple[str, ...]) -> list[list[tuple[int, str, int]]]:
    """The (size, role, place) of these roles in the first order of each turn."""
    size = len(roles)
    orders = [latin_square.row(size, turn + 1) for turn in range(latin_square.rows(size))]
    return [[(size, roles[index], place) for place, index in enumerate(order)] for order in orders]


def order_of(content: Mapping[str, Any], item_number: int, assignment_number: int) -> list[int]:
    """The canonical numbers of an item's candidates as an assignment presents them: a row of the Latin square."""
    turn = content.get("turn", item_number)  # items from before there were turns go by their number
    return list(latin_square.row(len(content["candidates"]), turn + assignment_number))


def shown_references(references: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """The references that may stand beside the candidates: not one that is judged here, unless all are."""
    judged = {text_key(text) for text in candidates}
    written = [text for text in references if text.strip()]
    return [text for text in written if text_key(text) not in judged] or written
