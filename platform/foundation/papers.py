"""The sources of metrics, scales, statistics and models, and the papers that several rooms cite."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A source: `Paper("Rao and Tetreault", 2018, "Dear Sir or Madam ...", "https://...")`."""

    authors: str
    year: int
    title: str
    url: str

    @property
    def brief(self) -> str:
        """'Papineni et al. 2002', 'Chen and Goodman 1999': of more than two authors the first."""
        first, _comma, others = self.authors.partition(", ")
        return f"{first} et al. {self.year}" if others else f"{self.authors} {self.year}"

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.url}"


GYAFC = Paper(
    "Rao and Tetreault",
    2018,
    "Dear Sir or Madam, May I Introduce the GYAFC Dataset: Corpus, Benchmarks and Metrics for Formality Style Transfer",
    "https://aclanthology.org/N18-1012/",
)

MSD = Paper(
    "Cao et al.",
    2020,
    "Expertise Style Transfer: A New Task Towards Better Communication between Experts and Laymen",
    "https://aclanthology.org/2020.acl-main.100/",
)

FU = Paper(
    "Fu, Tan, Peng, Zhao and Yan",
    2018,
    "Style Transfer in Text: Exploration and Evaluation",
    "https://arxiv.org/abs/1711.06861",
)

PLABA = Paper(
    "Attal, Ondov and Demner-Fushman",
    2023,
    "A dataset for plain language adaptation of biomedical abstracts",
    "https://doi.org/10.1038/s41597-022-01920-3",
)

MEDLANE = Paper(
    "Luo et al.",
    2022,
    "Benchmarking Automated Clinical Language Simplification: Dataset, Algorithm, and Evaluation",
    "https://aclanthology.org/2022.coling-1.313/",
)

GRAHAM_2013 = Paper(
    "Graham, Baldwin, Moffat and Zobel",
    2013,
    "Continuous Measurement Scales in Human Evaluation of Machine Translation",
    "https://aclanthology.org/W13-2305/",
)

LI = Paper(
    "Li, Jia, He and Liang",
    2018,
    "Delete, Retrieve, Generate: a Simple Approach to Sentiment and Style Transfer",
    "https://aclanthology.org/N18-1169/",
)

ASSET = Paper(
    "Alva-Manchego et al.",
    2020,
    "ASSET: A Dataset for Tuning and Evaluation of Sentence Simplification Models with Multiple Rewriting "
    "Transformations",
    "https://aclanthology.org/2020.acl-main.424/",
)

PARADETOX = Paper(
    "Logacheva et al.",
    2022,
    "ParaDetox: Detoxification with Parallel Data",
    "https://aclanthology.org/2022.acl-long.469/",
)

KIRITCHENKO = Paper(
    "Kiritchenko and Mohammad",
    2017,
    "Best-worst scaling more reliable than rating scales: a case study on sentiment intensity annotation",
    "https://aclanthology.org/P17-2074/",
)

MCGRAW_WONG = Paper(
    "McGraw and Wong",
    1996,
    "Forming inferences about some intraclass correlation coefficients",
    "https://doi.org/10.1037/1082-989X.1.1.30",
)

KOCMI = Paper(
    "Kocmi et al.",
    2024,
    "Error Span Annotation: A Balanced Approach for Human Evaluation of Machine Translation",
    "https://aclanthology.org/2024.wmt-1.131/",
)

ONDOV = Paper(
    "Ondov et al.",
    2025,
    "Lessons from the TREC Plain Language Adaptation of Biomedical Abstracts (PLABA) track",
    "https://arxiv.org/abs/2507.14096",
)

BLAIN = Paper(
    "Blain et al.",
    2023,
    "Findings of the WMT 2023 Shared Task on Quality Estimation",
    "https://aclanthology.org/2023.wmt-1.52/",
)

ZOUHAR = Paper(
    "Zouhar et al.",
    2025,
    "AI-Assisted Human Evaluation of Machine Translation",
    "https://aclanthology.org/2025.naacl-long.255/",
)

BASU = Paper(
    "Basu et al.",
    2023,
    "Med-EASi: Finely Annotated Dataset and Models for Controllable Simplification of Medical Texts",
    "https://arxiv.org/abs/2302.09155",
)

FREITAG = Paper(
    "Freitag et al.",
    2021,
    "Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine Translation",
    "https://arxiv.org/abs/2104.14478",
)

HEINEMAN = Paper(
    "Heineman, Dou, Maddela and Xu",
    2023,
    "Dancing Between Success and Failure: Edit-level Simplification Evaluation using SALSA",
    "https://arxiv.org/abs/2305.14458",
)

KOCMI_2022 = Paper(
    "Kocmi et al.",
    2022,
    "Findings of the 2022 Conference on Machine Translation (WMT22)",
    "https://aclanthology.org/2022.wmt-1.1/",
)

LICHT = Paper(
    "Licht et al.",
    2022,
    "Consistent Human Evaluation of Machine Translation across Language Pairs",
    "https://aclanthology.org/2022.amta-research.24/",
)
