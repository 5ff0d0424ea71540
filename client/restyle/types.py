"""The answers of the API, made by `python -m tools.client` of its OpenAPI description: change that one."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Applied(TypedDict):
    """The names of the parts that an application added; none where there was nothing to change."""

    study: str
    added: list[str]


class ArchivedFile(TypedDict):
    """A file of an archive, with what it is read as."""

    name: str
    kind: str
    rows: int
    columns: list[str]
    is_read: bool
    left_out: str


BlankEnum = Literal[""]


class Brought(TypedDict):
    """The file as understood, the import in numbers, and, unless it is a dry run, its outcome or its job."""

    understood: Understood
    mapping: dict[str, str]
    numbers: dict[str, int]
    questions: list[TableQuestion]
    notes: list[Note]
    nothing: str
    brought: str
    job: int | None


class CampaignShape(TypedDict):
    """A shape made from a model."""

    slug: str
    name: str
    task_type: str
    after: str | None
    takes: TakesEnum
    direction: str | None
    overlap: int
    settings: dict[str, Any]
    roles: list[str]
    eligibility: dict[str, Any]
    checks: dict[str, Any]
    pay: dict[str, Any]
    examples: list[dict[str, str]]
    submits_at_once: bool
    purpose: PurposeEnum
    splits: list[str]
    needs_review: bool
    reasons: list[str]
    control_every: int
    lease_minutes: int
    prefetch: int
    notes: str
    seed: int
    crew: dict[str, Any]
    size: int
    state: CampaignStateEnum
    guideline_version: int
    made_at: str


CampaignStateEnum = Literal["draft", "pilot", "open", "paused", "closed"]


class ChosenMetrics(TypedDict):
    """A shape of what is sent or answered."""

    metrics: dict[str, dict[str, Any]]
    undefined: dict[str, str]


class Cited(TypedDict):
    """A shape of what is sent or answered."""

    authors: str
    year: int
    title: str
    url: str


ContentEnum = Literal["release", "outputs", "judgements", "model"]


class DayShape(TypedDict):
    """A shape of what is sent or answered."""

    day: str
    count: int


class Direction(TypedDict):
    """A shape made from a model."""

    name: str
    source_style: str
    target_style: str
    sentences: int
    reference_sets: int


class Exhibit(TypedDict):
    """A shape of what is sent or answered."""

    name: str
    title: str
    kind: ExhibitKindEnum
    paper: Cited | None
    number: str
    made: MadeEnum
    reasons: list[str]


ExhibitKindEnum = Literal["study", "trust", "paper"]


class HumanStudyShape(TypedDict):
    """A human study and its plan; of attention checks only their number leaves the server."""

    slug: str
    state: HumanStudyStateEnum
    name: str
    direction: str | None
    systems: list[str]
    rate_source: bool
    rate_reference: bool
    splits: list[str]
    sampling: SamplingEnum
    size: int
    seed: int
    criteria: list[dict[str, Any]]
    ranks: bool
    best_worst: bool
    judgements: int
    outputs_per_item: int
    eligibility: dict[str, Any]
    costs: dict[str, Any]
    controls: dict[str, Any]
    use_controls: bool
    exclusions: dict[str, Any]
    comparison: dict[str, Any]
    shows_comparison: bool
    guideline: str
    crew: dict[str, Any]
    sentences: int
    control_texts: int
    campaigns: list[str]
    made_at: str
    opened_at: str | None
    closed_at: str | None


HumanStudyStateEnum = Literal["draft", "open", "closed"]

InterfaceLanguageEnum = Literal["en", "ar", "de", "es", "fr", "he", "zh-hans"]


class Job(TypedDict):
    """A job with its log. `waits` says what an unfinished one waits for: a worker of its queue, jobs before it, or an outside service."""

    id: int
    title: str
    queue: str
    state: JobStateEnum
    done: int
    total: int
    told: str
    warning: str
    error: str
    attempts: int
    cancel_requested: bool
    made_at: str
    started_at: str | None
    ended_at: str | None
    log: str
    waits: str


JobStateEnum = Literal["queued", "running", "done", "failed", "cancelled"]

MadeEnum = Literal["table", "figure", "lacking"]


class Me(TypedDict):
    """You. `languages` are tags (en, pt-BR) of those that you read and write, `topics` what you know well. `interface_language` is the language of pages and mail; where it is empty, the browser's."""

    id: int
    email: str
    name: NotRequired[str]
    role: RoleEnum
    is_active: bool
    joined_at: str
    languages: NotRequired[list[str]]
    topics: NotRequired[list[str]]
    interface_language: NotRequired[Any]
    credentials: list[OwnCredential]


class MetricRun(TypedDict):
    """A shape made from a model."""

    id: int
    job: int
    state: str
    done: int
    total: int


class Note(TypedDict):
    """Something that was guessed, dropped, changed or read otherwise; `rows` are the first of `count` places."""

    sentence: str
    rows: list[str]
    count: int


class Output(TypedDict):
    """A shape made from a model."""

    direction: str
    number: int
    source: str
    text: str


class OwnCredential(TypedDict):
    """A shape made from a model."""

    name: str
    verified_at: str | None
    expires_on: str | None


class PaceShape(TypedDict):
    """A shape of what is sent or answered."""

    handed_in: int
    an_hour: float
    hours_left: float | None


class ProgressInFull(TypedDict):
    """A shape of what is sent or answered."""

    progress: ProgressShape
    pace: PaceShape
    days: list[DayShape]
    people: list[WorkerShape]
    answers_by_guideline: dict[str, int]
    expected_kept: int
    expected_lacking: int


class ProgressShape(TypedDict):
    """A shape of what is sent or answered."""

    done: int
    total: int
    leased: int
    held: int
    free: int


class PublicationShape(TypedDict):
    """A push or a pull, with the key of its job; `result` has what the service gave: `url`, `doi`, `revision`. That of a pull has the key of what came of it: `gold_import`, `table` or `checkpoint`."""

    id: int
    job: int
    service: ServiceEnum
    is_pulled: bool
    content: ContentEnum
    release: int | None
    checkpoint: int | None
    target: str
    is_private: bool
    result: dict[str, Any]
    made_at: str


PurposeEnum = Literal["work", "training", "qualification"]


class ReleaseFileShape(TypedDict):
    """A shape made from a model."""

    name: str
    media_type: str
    size: int
    rows: int
    sha256: str


class ReleaseShape(TypedDict):
    """A shape made from a model."""

    number: int
    made_at: str
    changes: str
    license: str
    counts: dict[str, Any]
    files: list[ReleaseFileShape]


RoleEnum = Literal["admin", "researcher", "reviewer", "expert_annotator", "crowd_annotator"]

SamplingEnum = Literal["all", "random", "length", "variance", "diversity"]


class Sentence(TypedDict):
    """A shape made from a model."""

    id: int
    direction: str
    number: int
    text: str
    split: NotRequired[SplitEnum]
    domain: NotRequired[str]
    references: list[str]
    outputs: dict[str, str]


ServiceEnum = Literal["hugging_face", "zenodo", "zenodo_sandbox"]

SplitEnum = Literal["train", "tune", "test"]


class Study(TypedDict):
    """A shape made from a model."""

    slug: str
    title: str
    styles: list[str]
    language: str
    license: str
    description: str
    terms_version: int
    required_credentials: list[str]
    restricted: bool
    unit: UnitEnum
    poles: dict[str, str]
    style_descriptions: dict[str, str]
    role: str | None
    made_at: str
    archived_at: str | None


class System(TypedDict):
    """A shape made from a model."""

    id: int
    name: str
    human: bool
    family: NotRequired[str]
    seed: NotRequired[int | None]
    options: NotRequired[Any]
    origin: str
    outputs: int
    missing: int
    made_at: str


class TableQuestion(TypedDict):
    """A question that must be answered before the table comes in."""

    name: str
    sentence: str
    choices: dict[str, str]
    answer: str


TakesEnum = Literal["accepted", "rejected", "farthest"]

TrainedModelEnum = Literal[
    "auto_encoder",
    "bart",
    "bart_base",
    "bart_large_cnn",
    "bert_mt",
    "controlled_gen",
    "declare",
    "delete_and_retrieve",
    "delete_only",
    "dictionary",
    "edit_nts",
    "lora",
    "multi_decoder",
    "nmt_baseline",
    "nmt_combined",
    "nmt_copy",
    "opennmt_pt",
    "pbmt",
    "pegasus",
    "pointer_net",
    "prompted",
    "retrieve_only",
    "rule_based_formality",
    "seq2seq",
    "seq2seq_no_attention",
    "seq2seq_shared",
    "style_embedding",
    "style_transformer",
    "t0pp",
    "t5",
    "t5_untuned",
    "template_based",
    "transformer",
    "unts",
]


class TransferRun(TypedDict):
    """`system` gets the outputs of a run over the study's sources; a run over a `file` has a result to fetch."""

    id: int
    model: str
    checkpoint: NotRequired[int | None]
    training: NotRequired[int | None]
    system: NotRequired[str | None]
    direction: NotRequired[str | None]
    split: NotRequired[Any]
    file: str
    settings: NotRequired[Any]
    signature: NotRequired[str]
    usage: dict[str, Any]
    job: int
    state: str


class Understood(TypedDict):
    """A file as it was understood."""

    kind: str
    encoding: str
    guessed: bool
    delimiter: str
    header: bool
    columns: list[str]
    rows: int
    parts: list[str]
    files: list[ArchivedFile]
    first_rows: list[list[str]]


UnitEnum = Literal["sentence", "document"]


class WorkerShape(TypedDict):
    """A shape of what is sent or answered."""

    person: str
    answered: int
    skipped: int
    reported: int
    late: int
    recent: int
    accepted: NotRequired[int]
    rejected: NotRequired[int]
    state: NotRequired[str]
    seconds: float | None
    last: str
