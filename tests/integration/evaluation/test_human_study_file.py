"""Human studies in a study file: they are planned and opened once, and a fault is named by its line."""

import re

import pytest
from support.study_files import beginning

from corpora.formats import TextFile
from foundation.errors import UserError
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
STUDY = (
    beginning("informal.txt")
    + """
[[systems]]
name = "Rules"
outputs = [{ direction = "informal-formal", file = "rules.txt" }]

[[human_studies]]
name = "Which is better?"
direction = "informal-formal"
rate_source = true
judgements = 2
state = "open"
[human_studies.criteria]
fluency = { scale = "fluency_5", aspect = "fluency" }
[human_studies.controls]
kinds = ["broken"]
every = 2
[human_studies.exclusions]
least_seconds = 2
"""
)
FILES = {"informal.txt": b"u there\ngotta go now\nthat's ok\nc u\n",
         "rules.txt": b"Are you there?\nI must leave now.\nThat is fine.\nSee you.\n"}  # fmt: skip


def apply(text):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=FILES.__getitem__)


def test_a_declared_human_study_is_opened_once():
    study, added = apply(STUDY)
    assert "human study Which is better?" in added
    made = study.human_studies.get()
    assert (made.state, made.judgements, made.exclusions, len(made.control_texts)) == (
        "open",
        2,
        {"least_seconds": 2},
        2,
    )
    assert made.campaigns.get().size == 4
    assert apply(STUDY)[1] == []
    assert study.human_studies.count() == 1
    with pytest.raises(UserError, match=r"human study Which is better\?: judgements was 2, and is now 3"):
        apply(STUDY.replace("judgements = 2", "judgements = 3"))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("least_seconds = 2", "least_seconds = 0", r"line 28, human_studies\[1\].exclusions.least_seconds"),
        ('["broken"]', '["brken"]', "line 25, .*there is no kind 'brken'; did you mean broken"),
        ("rate_source = true", 'rate_source = "yes"', "line 19, .*true or false"),
        ('scale = "fluency_5"', 'scale = "fluency_9"', "line 23, .*fluency_5"),
    ],
)
def test_a_fault_is_named_by_its_line(right, wrong, said):
    with pytest.raises(UserError) as refused:
        apply(STUDY.replace(right, wrong))
    assert re.search(said, str(refused.value)), str(refused.value)
