"""What a study holds beside its test units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class CorpusCounts:
    """What a study holds beside its test units: for Tables 2 and 3 of GYAFC, Table 2 of MSD and PLABA, and alike.

    `sentences[(source style, target style, split, domain)]` counts sources with, `pairs` those of them that have a
    reference. `texts[(style, split)]` are the texts of a style: of documents, of sources and of references, as often as
    they stand in the corpus.
    `annotated[(source style, target style, split)]` are the sources that have a reference, and all references.
    `forms[(source style, target style, split)]` counts the full forms in brackets of each source's first reference, of
    sets with such marks. `topics[(style, topic)]` and `sections[(style, section)]` count documents' and groups'
    sentences.
    """

    sentences: Mapping[tuple[str, str, str, str], int] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str, str, str], int] = field(default_factory=dict)
    texts: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    annotated: Mapping[tuple[str, str, str], tuple[Sequence[str], Sequence[str]]] = field(default_factory=dict)
    forms: Mapping[tuple[str, str, str], Sequence[int]] = field(default_factory=dict)
    concepts: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    topics: Mapping[tuple[str, str], int] = field(default_factory=dict)
    sections: Mapping[tuple[str, str], int] = field(default_factory=dict)
