"""Tables, figures and the sentences in their place, before they become a page, CSV, Markdown or LaTeX."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Content
from foundation.papers import Paper

Report = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class TableOrFigure:
    """An entry of this folder: `make(snapshot)` gives its content, or why it cannot.

    `number` is the paper's ("Table 4"). `kind` says where it stands on the report: "study" for every study, "paper" for
    a paper's, "trust" for trust in metrics. An entry `of_corpus` counts a study's texts, whatever split the report is
    about.
    """

    title: str
    make: Callable[[StudySnapshot], Content]
    kind: Literal["study", "paper", "trust"] = "paper"
    paper: Paper | None = None
    number: str = ""
    order: int = 0
    of_corpus: bool = False
