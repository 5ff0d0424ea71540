"""Which texts a row of gold holds out from training, where its split is for tuning or testing."""

from collections.abc import Iterator

from corpora.formats import GoldRow
from corpora.gold_records import bracketed, texts_of
from corpora.knowledge.brackets import bracketed as without_brackets


def held_texts(row: GoldRow) -> Iterator[str]:
    """Its source and what became of it, whole and sentence by sentence, none of them empty."""
    yield from (text for text in _texts(row) if text.strip())


def _texts(row: GoldRow) -> Iterator[str]:
    product = row.product
    yield from texts_of(product)
    if row.kind == "pair":
        yield from (*product["source"], *product["target"])
    elif row.kind == "two_step":
        yield product["simplified_addressed"]
        for step in ("rephrased", "rephrased_addressed"):
            yield without_brackets(bracketed(product[step]))[0]
    elif row.kind == "adaptation":
        for sentence in product["sentences"]:
            yield from (sentence["text"], " ".join(sentence["targets"]), *sentence["targets"])
    else:
        yield str(product.get("original", ""))
