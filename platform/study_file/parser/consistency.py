"""The rules between the blocks of a study file: no name twice, sources for texts, one meaning a criterion."""

from study_file.parser.spec import OutputSpec, RatingsSpec, StudySpec
from study_file.parser.toml_table import TomlTable
from study_file.parser.work_spec import CampaignSpec, HumanStudySpec


def refuse_twice(document: TomlTable, spec: StudySpec) -> None:
    """No direction, system name or campaign twice."""
    for block, key, names in (
        ("directions", "target_style", [one.name for one in spec.directions]),
        ("systems", "name", [one.name for one in spec.systems]),
        ("trainings", "name", [one.name for one in spec.trainings]),
        ("sweeps", "name", [one.name for one in spec.sweeps]),
        ("runs", "name", [one.name for one in spec.runs]),
        ("campaigns", "name", _slugs(document, spec)),
        ("human_studies", "name", [one.slug for one in spec.human_studies]),
    ):
        first: dict[str, int] = {}
        for number, name in enumerate(names):
            if first.setdefault(name, number) != number:
                raise document.error(
                    f"'{name}' stands in [[{block}]] block {first[name] + 1} already.", block, number, key
                )


def refuse_names_of_others(document: TomlTable, spec: StudySpec) -> None:
    """A run's systems are new ones."""
    taken = {one.name: f"[[systems]] block {number}" for number, one in enumerate(spec.systems, 1)}
    for number, one in enumerate(spec.runs):
        for name in one.systems:
            if taken.setdefault(name, f"[[runs]] block {number + 1}") != f"[[runs]] block {number + 1}":
                raise document.error(f"there is a system '{name}' already, of {taken[name]}.", "runs", number, "name")


def _slugs(document: TomlTable, spec: StudySpec) -> list[str]:
    """The slug of each block of campaigns, in the file's order."""
    stages = {one.slug for one in spec.stages}
    others = (one.slug for one in spec.campaigns)
    given = [block.values.get("slug") for block in document.tables("campaigns")]
    return [str(slug) if slug in stages else next(others) for slug in given]


def refuse_without_sources(document: TomlTable, spec: StudySpec) -> None:
    """References and outputs are joined to sources of this file."""
    there = [one.name for one in spec.directions if one.has_sources]
    for number, block in enumerate(spec.references):
        if block.direction not in there:
            raise document.error(
                f"'{block.direction}' has no sources in this file.", "references", number, "direction"
            )  # fmt: skip
        _refuse_other_splits(document, spec, block, "references", number)
    for number, one in enumerate(spec.systems):
        for place, output in enumerate(one.outputs):
            if output.direction not in there:
                keys = ("systems", number, "outputs", place, "direction")
                raise document.error(f"'{output.direction}' has no sources in this file.", *keys)
            _refuse_other_splits(document, spec, output, "systems", number, "outputs", place)


def _refuse_other_splits(document: TomlTable, spec: StudySpec, block: OutputSpec, *keys: str | int) -> None:
    """Files by split stand beside sources of that split."""
    sources = next(one.files for one in spec.directions if one.name == block.direction)
    for split in block.files:
        if split not in sources:
            has = f"has files for {', '.join(sources)}" if sources else "has no files by split"
            raise document.error(f"'{block.direction}' {has}: {split} has no sources.", *keys, split)


def refuse_split_twice(document: TomlTable, spec: StudySpec) -> None:
    """Refuse [splits] where a direction has files by split."""
    for number, one in enumerate(spec.directions):
        if one.files and spec.splits:
            split = next(iter(one.files))
            raise document.error(
                "the files say what each split is, and [splits] would share all texts out anew; leave one of them out.",
                *("directions", number, split),
            )


def refuse_two_meanings(document: TomlTable, spec: StudySpec) -> None:
    """A criterion has one scale in a study; what stands beside it may differ, as between campaigns on a site."""
    blocks: dict[str, tuple[RatingsSpec | CampaignSpec | HumanStudySpec, ...]] = {
        "ratings": spec.ratings, "campaigns": spec.campaigns, "human_studies": spec.human_studies,
    }  # fmt: skip
    for block, entries in blocks.items():
        for number, entry in enumerate(entries):
            for name, criterion in entry.criteria.items():
                if spec.criteria[name].scale != criterion.scale:
                    place = number  # stages of the template stand among the campaigns
                    if block == "campaigns":
                        place = _slugs(document, spec).index(spec.campaigns[number].slug)
                    raise document.error(
                        f"'{name}' is declared on another scale elsewhere in the file, {spec.criteria[name].scale}.",
                        *(block, place, "criteria", name),
                    )
