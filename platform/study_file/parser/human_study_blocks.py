"""The blocks of human studies."""

from collections.abc import Sequence
from dataclasses import asdict

from evaluation.human_studies.fields import HumanStudyFields
from evaluation.models import HumanStudy
from foundation.options import list_options
from study_file.parser.blocks import criteria
from study_file.parser.campaign_blocks import slug_of
from study_file.parser.toml_table import TomlTable
from study_file.parser.work_spec import HumanStudySpec

STATES = tuple(HumanStudy.State.values)
FIELDS = {one.name: one for one in list_options(HumanStudyFields)}
NAMED = ("name", "direction", "systems", "criteria")  # by what stands in the file
KEYS = (*FIELDS, "slug", "state")


def human_study(block: TomlTable, directions: Sequence[str], systems: Sequence[str]) -> HumanStudySpec:
    block.known(KEYS)
    name = block.text("name", longest=FIELDS["name"].longest)
    chosen = block.texts("systems") if "systems" in block.values else None
    for number, one in enumerate(chosen or ()):
        block.among(one, systems, "system", "systems", number)
    named = criteria(block)
    fields = {key: block.option(FIELDS[key]) for key in block.values if key in FIELDS and key not in NAMED}
    if named:
        fields["criteria"] = {key: asdict(one) for key, one in named.items()}
    return HumanStudySpec(
        name=name,
        slug=slug_of(block, name),
        direction=block.choice("direction", directions, "direction", ""),
        systems=None if chosen is None else tuple(chosen),
        criteria=named,
        fields=fields,
        state=block.choice("state", STATES, "state", "draft"),
    )
