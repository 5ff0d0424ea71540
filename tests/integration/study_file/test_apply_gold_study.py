"""Study files that name a template: texts in, sources and groups chosen, stages changed and opened; all of it once."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Item
from corpora.models import DocumentSentence, Sentence, Study

pytestmark = pytest.mark.django_db

POSTS = [
    "gotta say this movie was sooo good",
    "i dunno why ppl hate on him",
    "does anybody know the name of that song?",
    "my sis never calls me anymore u know",
    "see www.example.org for more of it all",
]
GYAFC = """[study]
slug = "posts"
title = "Posts"
template = "gyafc"

[[documents]]
file = "posts.txt"
format = "sentence_lines"
style = "informal"
domain = "Films"

[[selections]]
direction = "informal-formal"
rule = "gyafc"
sample = 2
seed = 7
split = "train"

[[selections]]
direction = "informal-formal"
rule = "gyafc"
split = "test"

[[campaigns]]
slug = "formal-train"
overlap = 2
guideline = "Ours."
pay = { currency = "EUR", item = 0.1 }
state = "open"
[campaigns.settings]
max_length = 300
[campaigns.crew]
per_day = 50

[[campaigns]]
name = "Practice"
task = "rewrite"
purpose = "training"
direction = "informal-formal"
splits = ["train"]
planned = true

[[campaigns]]
name = "Check the references"
task = "verify"
after = "formal-references"
roles = ["reviewer"]
reasons = ["Not formal"]
"""
MANUALS = """[study]
slug = "manuals"
title = "Manuals"
template = "msd"

[[documents]]
file = "manuals.jsonl"
format = "documents_jsonl"

[groups]
link = ["expert", "layman"]
sample = 1
[groups.elements.layman]
"How it feels" = "Symptoms"

[splits]
rule = "document"
train = 0
test = 100

[[campaigns]]
slug = "align"
state = "open"
[campaigns.crew]
credentials = ["md"]
quota = 100
"""


DOCUMENTS = """[study]
slug = "versions"
title = "Versions"
styles = ["expert", "layman"]
unit = "document"

[[directions]]
source_style = "expert"
target_style = "layman"

[[documents]]
file = "manuals.jsonl"
format = "documents_jsonl"

[groups]
link = ["expert", "layman"]
references = "expert-layman"

[[selections]]
direction = "expert-layman"

[splits]
rule = "document"
train = 0
test = 100
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "posts.txt").write_text("\n".join(POSTS) + "\n", encoding="utf-8")
    versions = [
        {"style": "expert", "title": "Gout", "sections": [{"title": "Symptoms", "text": "Gout causes arthralgia."}]},
        {"style": "layman", "title": "Gout", "sections": [{"title": "How it feels", "text": "The joints hurt."}]},
    ]
    lines = "".join(json.dumps(version) + "\n" for version in versions)
    (tmp_path / "manuals.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def apply(folder: Path, text: str, capsys) -> str:
    (folder / "study.toml").write_text(text, encoding="utf-8")
    call_command("apply_study", folder / "study.toml")
    return capsys.readouterr().out


def refused(folder: Path, text: str, old: str, new: str) -> str:
    assert old in text
    (folder / "study.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        call_command("apply_study", folder / "study.toml")
    return str(caught.value)


def test_a_template_with_texts_and_changed_stages(folder, capsys):
    said = apply(folder, GYAFC, capsys)
    assert "selection 2, stage formal-train, campaign Practice" in said
    study = Study.objects.get(slug="posts")
    assert (study.template, study.styles) == ("gyafc", ["informal", "formal"])
    splits = Sentence.objects.order_by("number").values_list("text", "split")
    assert sorted(splits) == sorted(zip([POSTS[0], POSTS[1], POSTS[3]], [s for _, s in sorted(splits)], strict=True))
    assert [split for _, split in splits] == ["train", "train", "test"]
    train = study.campaigns.get(slug="formal-train")
    assert (train.state, train.size, train.overlap, train.needs_review) == ("open", 2, 2, True)
    assert (train.eligibility, train.pay) == ({"per_day": 50}, {"currency": "EUR", "item": 0.1})
    assert (train.settings["max_length"], train.settings["allow_unchanged"]) == (300, True)
    assert train.guidelines.get(version=2).text == "Ours."
    practice = study.campaigns.get(slug="practice")
    assert (practice.purpose, practice.size, practice.splits) == ("training", 0, ["train"])
    check = study.campaigns.get(slug="check-the-references")
    assert (check.after.slug, check.roles, check.reasons) == ("formal-references", ["reviewer"], ["Not formal"])
    assert study.campaigns.count() == 6


def test_versions_are_linked_grouped_drawn_and_split(folder, capsys):
    apply(folder, MANUALS, capsys)
    study = Study.objects.get(slug="manuals")
    assert list(study.groups.values_list("element", "sampled")) == [("Symptoms", True)]
    assert set(study.documents.values_list("split", flat=True)) == {"test"}
    content = Item.objects.get(campaign__study=study).content
    assert [one["text"] for one in content["target"]] == ["The joints hurt."]
    assert study.campaigns.get(slug="align").eligibility == {"credentials": ["md"], "quota": 100}


@pytest.mark.parametrize("text", [GYAFC, MANUALS], ids=["gyafc", "msd"])
def test_applied_again_nothing_changes(folder, capsys, text):
    apply(folder, text, capsys)
    counts = Sentence.objects.count(), DocumentSentence.objects.count(), Item.objects.count()
    assert "nothing to change" in apply(folder, text, capsys)
    assert counts == (Sentence.objects.count(), DocumentSentence.objects.count(), Item.objects.count())


def test_a_difference_is_stated_and_a_new_block_is_added(folder, capsys):
    apply(folder, GYAFC, capsys)
    assert "selection 1: sample was 2, and is now 1" in refused(folder, GYAFC, "sample = 2", "sample = 1")
    assert "stage formal-train: overlap was 2, and is now 3" in refused(folder, GYAFC, "overlap = 2", "overlap = 3")
    more = '\n[[campaigns]]\nslug = "edits"\nname = "What was changed"\n'
    assert "added stage edits" in apply(folder, GYAFC + more, capsys)
    assert Study.objects.get().campaigns.get(slug="edits").name == "What was changed"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"gyafc"\n\n', '"gyaf"\n\n', "line 4, study.template: there is no study template 'gyaf'; did you mean gyafc?"),
        ('template = "gyafc"', 'template = "gyafc"\nstyles = ["informal", "neutral"]', "line 5, study.styles"),
        ('"sentence_lines"', '"sentence_line"', "line 8, documents[1].format"),
        ('style = "informal"', 'style = "in"', "line 9, documents[1].style"),
        ('rule = "gyafc"', 'rule = "gyafcs"', "line 14, selections[1].rule"),
        ("sample = 2", "sample = 0", "line 15, selections[1].sample"),
        ("sample = 2", "sample = 9", "selection 1, sample"),
        ('rule = "gyafc"', 'rule = "gyafc"\nsettings = { shorter = 3 }', "line 15, selections[1].settings.shorter"),
        ('slug = "formal-train"', 'slug = "formal-train"\ntask = "rate"', "line 26, campaigns[1].task"),
        ("per_day = 50", "per_days = 50", "line 33, campaigns[1].crew.per_days"),
        ("per_day = 50", 'per_day = "x"', "campaigns[1].crew"),
        ('"training"', '"trainin"', "line 38, campaigns[2].purpose"),
        ('splits = ["train"]', 'splits = ["dev"]', "line 40, campaigns[2].splits[1]"),
        ('"formal-references"', '"formal-reference"', "line 46, campaigns[3].after"),
        ('roles = ["reviewer"]', 'roles = ["boss"]', "line 47, campaigns[3].roles[1]"),
        ('slug = "formal-train"', 'slug = "formal-train"\nsystems = []', "line 26, campaigns[1].systems"),
    ],
)
def test_a_fault_names_file_line_and_key(folder, old, new, said):
    sentence = refused(folder, GYAFC, old, new)
    assert sentence.startswith("study.toml")
    assert said in sentence
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["expert", "layman"]', '["expert"]', "groups.link"),
        ("[groups.elements.layman]", "[groups.elements.lay]", "line 13, groups.elements.lay"),
        ("test = 100", "test = 90", "splits.train"),
        ("train = 0", 'train = "all"', "line 18, splits.train"),
        ('file = "manuals.jsonl"', 'file = "gone.jsonl"', "line 7"),
        ("sample = 1", "sample = 5", "groups, count"),
    ],
)
def test_a_fault_in_groups_and_splits(folder, old, new, said):
    assert said in refused(folder, MANUALS, old, new)
    assert not Study.objects.exists()


def test_linked_documents_are_references_in_a_study_of_documents(folder, capsys):
    assert "linked references" in apply(folder, DOCUMENTS, capsys)
    reference = Study.objects.get(slug="versions").directions.get().reference_sets.get().references.get()
    assert (reference.sentence.text, reference.text) == ("Gout causes arthralgia.", "The joints hurt.")
    assert "linked references" not in apply(folder, DOCUMENTS, capsys), "what is applied is not applied again"
    assert "'layman-expert'" in refused(
        folder, DOCUMENTS, 'references = "expert-layman"', 'references = "layman-expert"'
    )


def test_linked_documents_are_no_references_of_sentences(folder):
    said = refused(folder, DOCUMENTS, 'unit = "document"', "")
    assert "linked references, expert-layman: Linked documents become references only if the study" in said
    assert not Study.objects.filter(slug="versions").exists()
