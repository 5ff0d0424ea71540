"""The blocks of a study file, each to its value."""

import re
from collections.abc import Sequence
from dataclasses import asdict

from corpora.formats._encodings import encoding_of
from corpora.formats._entry import RatingColumns
from corpora.formats._keys import Table
from corpora.formats._study import (
    Allowed,
    CampaignSpec,
    CriterionSpec,
    DirectionSpec,
    OutputSpec,
    RatingsSpec,
    ReferenceSpec,
    SystemSpec,
)

SPLITS = ("train", "tune", "test")
STATES = ("draft", "pilot", "open", "paused", "closed")
ASPECTS = ("style", "fluency", "meaning", "content", "overall")
BESIDE = ("nothing", "source", "source_and_reference")
BESIDE_OF_ASPECT = {"style": "nothing", "fluency": "nothing", "content": "source_and_reference"}
OUTPUT_KEYS = ("direction", "file", "source", "text", "format", "encoding")
RATINGS_KEYS = (
    *("format", "file", "encoding", "worker", "seconds", "separator"),
    *("source", "output", "target_style", "response", "criteria"),
)
CAMPAIGN_KEYS = (
    *("name", "slug", "task", "direction", "overlap", "criteria", "systems", "guideline"),
    *("state", "seed", "lease_minutes", "settings"),
)


def direction(block: Table, styles: Sequence[str]) -> DirectionSpec:
    block.known(("source_style", "target_style", "sources", "encoding", "split", "domain"))
    source = block.choice("source_style", styles, "style")
    target = block.choice("target_style", styles, "style")
    if source == target:
        raise block.error(f"the target style is the source style, '{source}'.", "target_style")
    return DirectionSpec(
        source,
        target,
        block.text("sources", longest=4000),
        _encoding(block),
        block.choice("split", SPLITS, "split", "test"),
        block.text("domain", "", longest=100),
    )


def reference(block: Table, directions: Sequence[str], allowed: Allowed) -> ReferenceSpec:
    block.known((*OUTPUT_KEYS, "missing"))
    output = _output(block, directions, allowed)
    return ReferenceSpec(**asdict(output), missing=_missing(block))


def system(block: Table, directions: Sequence[str], allowed: Allowed) -> SystemSpec:
    block.known(("name", "human", "missing", "outputs", "origin"))
    name = block.text("name", longest=100)
    outputs: list[OutputSpec] = []
    for part in block.tables("outputs"):
        part.known(OUTPUT_KEYS)
        output = _output(part, directions, allowed)
        if any(output.direction == other.direction for other in outputs):
            raise part.error(f"'{name}' has outputs for '{output.direction}' already.", "direction")
        outputs.append(output)
    if not outputs:
        raise block.error("the outputs are missing; a list of { direction = ..., file = ... } was expected.", "outputs")
    origin = block.text("origin", "", longest=200)
    return SystemSpec(name, tuple(outputs), block.flag("human"), _missing(block), origin)


def ratings(block: Table, allowed: Allowed) -> RatingsSpec:
    block.known(RATINGS_KEYS)
    separator = block.values.get("separator", "\t")
    if not isinstance(separator, str) or not separator:
        raise block.error("one or more characters in quotation marks were expected.", "separator")
    columns = RatingColumns(
        worker=block.text("worker"),
        source=block.text("source"),
        output=block.text("output"),
        response=block.text("response"),
        target_style=block.optional_text("target_style"),
        seconds=block.optional_text("seconds"),
        separator=separator,
    )
    form = block.choice("format", allowed.ratings, "format of ratings")
    criteria = _criteria(block, allowed)
    if not criteria:
        raise block.error("at least one criterion was expected under [ratings.criteria].", "criteria")
    return RatingsSpec(form, block.text("file", longest=4000), columns, criteria, _encoding(block))


def campaign(block: Table, directions: Sequence[str], systems: Sequence[str], allowed: Allowed) -> CampaignSpec:
    block.known(CAMPAIGN_KEYS)
    name = block.text("name", longest=200)
    task = block.choice("task", allowed.tasks, "task")
    chosen = block.texts("systems", [])
    for number, one in enumerate(chosen):
        block.among(one, systems, "system", "systems", number)
    criteria = _criteria(block, allowed)
    settings = dict(block.table("settings").values)
    if "criteria" in settings:
        raise block.error("criteria stand in [campaigns.criteria], and not among the settings.", "settings", "criteria")
    if criteria:
        settings["criteria"] = {key: asdict(criterion) for key, criterion in criteria.items()}
    block.checked(lambda: allowed.check_task(task, settings), *_settings_place(block))
    return CampaignSpec(
        name=name,
        slug=_campaign_slug(block, name),
        task=task,
        direction=block.choice("direction", directions, "direction", ""),
        overlap=block.whole("overlap", 1, 1, 1000),
        systems=tuple(chosen),
        criteria=criteria,
        settings=settings,
        guideline=block.text("guideline", "", longest=100_000),
        state=block.choice("state", STATES, "state", "draft"),
        seed=block.whole("seed", 1, 0, 2**31 - 1),
        lease_minutes=block.whole("lease_minutes", 60, 1, 10_000),
    )


def _settings_place(block: Table) -> tuple[str, ...]:
    return next(((key,) for key in ("settings", "criteria") if key in block.values), ())


def _campaign_slug(block: Table, name: str) -> str:
    """As declared, or from the name: 'Rate the outputs' is rate-the-outputs."""
    slug = block.text("slug", "", longest=80) or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug):
        raise block.error("small letters, digits and single hyphens were expected, such as 'rate-outputs'.", "slug")
    return slug


def _output(block: Table, directions: Sequence[str], allowed: Allowed) -> OutputSpec:
    source, text = block.column("source"), block.column("text")
    if (source is None) != (text is None):
        there, lacking = ("source", "text") if text is None else ("text", "source")
        raise block.error(f"'{there}' needs '{lacking}' beside it: the columns of a joined table.", there)
    if source is None and "format" in block.values:
        raise block.error("'format' is a table's, which needs 'source' and 'text'; line by line needs none.", "format")
    return OutputSpec(
        block.choice("direction", directions, "direction"),
        block.text("file", longest=4000),
        source,
        text,
        block.choice("format", allowed.tables, "table format", ""),
        _encoding(block),
    )


def _criteria(block: Table, allowed: Allowed) -> dict[str, CriterionSpec]:
    criteria = block.table("criteria")
    return {name: _criterion(criteria, name, allowed) for name in criteria.values}


def _criterion(criteria: Table, name: str, allowed: Allowed) -> CriterionSpec:
    if not name.isidentifier() or not name.isascii() or len(name) > 50:
        raise criteria.error("a criterion's name is letters, digits and _, from a letter on (at most 50).", name)
    entry = criteria.table(name)
    entry.known(("scale", "aspect", "beside"))
    aspect = entry.choice("aspect", ASPECTS, "aspect", "")
    beside = entry.choice("beside", BESIDE, "choice of what stands beside", BESIDE_OF_ASPECT.get(aspect, "source"))
    return CriterionSpec(entry.choice("scale", allowed.scales, "scale"), aspect, beside)


def _missing(block: Table) -> bool:
    return block.choice("missing", ("allow", "error"), "choice for missing texts", "error") == "allow"


def _encoding(block: Table) -> str | None:
    encoding = block.optional_text("encoding")
    block.checked(lambda: encoding_of(encoding, ""), "encoding")
    return encoding
