"""The papers that more than one scale comes from."""

from foundation.papers import Paper

GYAFC = Paper(
    "Rao and Tetreault",
    2018,
    "Dear Sir or Madam, May I Introduce the GYAFC Dataset: Corpus, Benchmarks and Metrics for Formality Style Transfer",
    "https://aclanthology.org/N18-1012/",
)
