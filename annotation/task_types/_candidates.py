"""The texts of one source that are judged side by side: each distinct text once, whoever wrote it."""

from collections.abc import Iterator, Sequence

from annotation.task_types._material import Material
from foundation.seeds import generator
from foundation.text import text_key


class CandidateMaker:
    """Makes the candidates of each source of a campaign.

    One permutation of the roles (each system, the reference, the source) is drawn for the whole campaign, so that the
    Latin square balances each system over the items. The canonical order never leaves for a browser.
    """

    def __init__(self, seed: int, *, rate_reference: bool = False, rate_source: bool = False) -> None:
        self.seed = seed
        self.rate_reference = rate_reference
        self.rate_source = rate_source
        self._orders: dict[int, list[int]] = {}

    def candidates(self, material: Material) -> list[str]:
        """The distinct texts of the outputs, of the drawn reference and of the source, in canonical order."""
        roles = list(material.outputs)
        if self.rate_reference:
            roles.append(self.reference(material))
        if self.rate_source:
            roles.append(material.source)
        distinct: dict[str, str] = {}
        for place in self._order(len(roles)):
            text = roles[place].strip()
            if text:
                distinct.setdefault(text_key(text), text)
        return list(distinct.values())

    def reference(self, material: Material) -> str:
        """The one of the k references that is rated, drawn by seed and sentence; "" where there is none."""
        references = [text for text in material.references if text.strip()]
        if not references:
            return ""
        return references[int(generator(self.seed, "reference", material.sentence_id).integers(len(references)))]

    def chunks(self, material: Material, size: int) -> Iterator[list[str]]:
        """The candidates, all together (size 0) or at most `size` a page, in company that the seed draws."""
        candidates = self.candidates(material)
        if not size or size >= len(candidates):
            if candidates:
                yield candidates
            return
        drawn = generator(self.seed, "company", material.sentence_id).permutation(len(candidates))
        pages = -(-len(candidates) // size)
        for page in range(pages):
            # Every pages-th one, so that the pages differ by one candidate at most, in their canonical order.
            yield [candidates[place] for place in sorted(drawn[page::pages])]

    def _order(self, count: int) -> list[int]:
        if count not in self._orders:
            self._orders[count] = generator(self.seed, "roles", count).permutation(count).tolist()
        return self._orders[count]


def shown_references(references: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """The references that may stand beside the candidates: not one that is judged here, unless all are."""
    judged = {text_key(text) for text in candidates}
    kept = [text for text in references if text.strip()]
    return [text for text in kept if text_key(text) not in judged] or kept
