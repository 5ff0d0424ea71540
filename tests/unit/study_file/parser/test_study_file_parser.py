import io
import re
from pathlib import Path

import pytest

from corpora.formats import TextFile
from foundation.errors import UserError
from study_file.parser.parser import parse_study_file
from study_file.parser.spec import DirectionSpec, OutputSpec, ReportSpec
from study_file.parser.texts import read_texts_of
from study_file.parser.work_spec import CriterionSpec

SCALES = {"likert_5": range(1, 6), "formality_7": range(-3, 4)}
METRICS = ("bleu", "self_bleu", "sari", "ter", "pinc", "edit_distance", "fkgl")


STUDY = """[study]
slug = "tone"
title = "Tone"
styles = ["informal", "formal"]

[[directions]]
source_style = "informal"
target_style = "formal"
sources = "sources.txt"

[[references]]
direction = "informal-formal"
file = "references.txt"

[[systems]]
name = "Rules"
missing = "allow"
outputs = [
  { direction = "informal-formal", file = "rules.csv", source = "src", text = "out" },
]

[[ratings]]
format = "mturk"
file = "batch.csv"
worker = "W"
source = "S"
output = "O"
response = "R"
[ratings.criteria]
tone = { scale = "formality_7", aspect = "style" }

[[campaigns]]
name = "Rate the outputs!"
task = "rate"
direction = "informal-formal"
overlap = 3
systems = ["Rules"]
guideline = "Read first."
state = "open"
[campaigns.criteria]
tone = { scale = "formality_7", aspect = "style" }
meaning = { scale = "likert_5", aspect = "meaning" }
[campaigns.settings]
rate_reference = true

[metrics]
bleu = { lowercase = true }
"""
FILES = {
    "sources.txt": b"hi\nyo\n",
    "references.txt": b"Hello.\nGood day.\n",
    "rules.csv": b"src,out\nyo,Greetings.\n",
    "batch.csv": b"W,S,O,R\nw1,yo,Greetings.,tone=3\n",
}


def parsed(text=STUDY):
    return parse_study_file(TextFile(text.encode(), "study.toml"))


def error_of(old, new, text=STUDY):
    assert old in text
    with pytest.raises(UserError) as caught:
        parsed(text.replace(old, new, 1))
    return str(caught.value)


def opened(name):
    return io.BytesIO(FILES[name])


def test_a_whole_study():
    spec = parsed()
    assert (spec.slug, spec.title, spec.styles, spec.license) == ("tone", "Tone", ("informal", "formal"), "")
    assert spec.directions == (DirectionSpec("informal", "formal", "sources.txt"),)
    assert spec.directions[0].name == "informal-formal"
    assert spec.systems[0].missing
    assert spec.systems[0].outputs == (OutputSpec("informal-formal", "rules.csv", "src", "out"),)
    assert spec.ratings[0].columns.separator == "\t"
    assert spec.metrics == {"bleu": {"lowercase": True}}
    campaign = spec.campaigns[0]
    assert (campaign.slug, campaign.overlap, campaign.state, campaign.seed) == ("rate-the-outputs", 3, "open", 1)
    assert campaign.settings["rate_reference"] is True
    assert campaign.settings["criteria"]["meaning"] == {"scale": "likert_5", "aspect": "meaning", "beside": "source"}
    assert spec.criteria == {
        "tone": CriterionSpec("formality_7", "style", "nothing"),
        "meaning": CriterionSpec("likert_5", "meaning", "source"),
    }
    assert spec.files == list(FILES)


def test_how_the_report_compares():
    text = STUDY + '\n[report]\nbaseline = "Rules"\nalpha = 0.01\nvariant = "z"\n'
    assert parsed(text).report == ReportSpec("Rules", {"alpha": 0.01, "variant": "z"})
    assert parsed(text + "human_systems = true\n").report.fields["human_systems"] is True
    more = parsed(text + 'averaging = "judgement"\njoint = ["J = product by sentence: a, b"]\n').report
    assert (more.fields["averaging"], more.fields["joint"]) == ("judgement", ["J = product by sentence: a, b"])
    assert parsed().report is None
    for old, new, said in (
        ('baseline = "Rules"', 'baseline = "Rule"', "report.baseline: there is no system 'Rule'; did you mean Rules?"),
        ("alpha = 0.01", "alpha = 1", "report.alpha: a number from 0.0001 to 0.5 was expected, and not 1."),
        ('variant = "z"', 'variant = "zz"', "report.variant: there is no choice for variant 'zz'; did you mean z?"),
        ("alpha = 0.01", "level = 0.01", "report.level: unknown key; known are baseline, alpha"),
    ):
        with pytest.raises(UserError, match=re.escape(said)):
            parsed(text.replace(old, new))


def test_a_scale_says_what_stands_beside_unless_the_file_does():
    plain = STUDY.replace('meaning = { scale = "likert_5", aspect = "meaning" }', 'meaning = { scale = "content_5" }')
    told = plain.replace('scale = "content_5"', 'scale = "content_5", beside = "nothing"')
    for text, beside in ((plain, "source_and_reference"), (told, "nothing")):
        assert parsed(text).criteria["meaning"].beside == beside


def test_the_least_study():
    spec = parsed('[study]\nslug = "a"\ntitle = "A"\nstyles = ["x", "y"]\n')
    assert (spec.directions, spec.systems, spec.metrics, spec.files) == ((), (), {}, [])


def test_the_example_of_the_documentation():
    page = (Path(__file__).parents[4] / "docs/study-file.md").read_text()
    example = page.partition("```toml\n")[2].partition("```")[0]
    spec = parse_study_file(TextFile(example.encode(), "docs/study-file.md"))
    assert spec.campaigns[0].criteria["meaning"].beside == "source"


def test_a_study_file_is_not_large():
    with pytest.raises(UserError, match=r"^study.toml: the file has 2 MB; it may have at most 1 MB\.$"):
        parsed("#" + "x" * (2 * 1024 * 1024))


def test_its_files_are_read():
    texts = read_texts_of(parsed(), opened, SCALES)
    assert texts.sources == {"informal-formal": ["hi", "yo"]}
    assert texts.references == [["Hello.", "Good day."]]
    assert texts.outputs == {"Rules": {"informal-formal": [None, "Greetings."]}}
    assert [(j.worker, j.criterion, j.value) for j in texts.judgements[0]] == [("w1", "tone", 3)]


def test_a_fault_in_a_file_names_the_file():
    with pytest.raises(UserError, match=r"^rules.csv: there is no row for source 1\.$"):
        read_texts_of(parsed(STUDY.replace('missing = "allow"', "")), opened, SCALES)
    with pytest.raises(UserError, match=r"^batch.csv, line 2, output 1: '3' is not on the scale of 'tone'"):
        read_texts_of(parsed(STUDY.replace("formality_7", "likert_5")), opened, {**SCALES, "likert_5": (1, 2)})
    with pytest.raises(UserError, match=r"sources.txt: the file has 6 bytes; it may have at most 3 bytes"):
        read_texts_of(parsed(), opened, SCALES, limit=3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('slug = "tone"', 'slug = "My Tone"', "line 2, study.slug: small letters, digits and single hyphens"),
        ('slug = "tone"', "slug = 3", "line 2, study.slug: a text in quotation marks was expected, and not 3."),
        ('slug = "tone"\n', "", "line 1, study: the key 'slug' is missing; a text was expected."),
        ('title = "Tone"', 'titel = "Tone"', "line 3, study.titel: there is no key 'titel' here; did you mean title"),
        ('title = "Tone"', 'title = " "', "line 3, study.title: the text is empty"),
        ('["informal", "formal"]', '["formal"]', "line 4, study.styles: at least two styles were expected."),
        ('["informal", "formal"]', '["a", "a"]', "line 4, study.styles: 'a' stands twice in the list."),
        ('["informal", "formal"]', '["a-b", "c"]', "line 4, study.styles: a style is letters, digits and _"),
        (
            "[[directions]]",
            "[[direction]]",
            "line 6, direction: there is no key 'direction' here; did you mean directions",
        ),
        ("[[directions]]", "[directions]", "line 6, directions: blocks [[directions]] was expected, and not a table."),
        (
            'source_style = "informal"',
            'source_style = "infomal"',
            "line 7, directions[1].source_style: there is no style 'infomal'; did you mean informal, formal?",
        ),
        (
            'target_style = "formal"',
            'target_style = "informal"',
            "line 8, directions[1].target_style: the target style is",
        ),
        (
            'sources = "sources.txt"',
            'sources = "s"\nsplit = "dev"',
            "line 10, directions[1].split: there is no split 'dev'",
        ),
        (
            'direction = "informal-formal"',
            'direction = "formal-informal"',
            "line 12, references[1].direction: there is no direction 'formal-informal'; there are informal-formal.",
        ),
        (
            'file = "references.txt"',
            'file = "r"\nsource = 1',
            "line 14, references[1].source: 'source' needs 'text' beside it",
        ),
        (
            'file = "references.txt"',
            'file = "r"\ntext = 1',
            "line 14, references[1].text: 'text' needs 'source' beside it",
        ),
        (
            'file = "references.txt"',
            'file = "r"\nformat = "csv"',
            "line 14, references[1].format: 'format' is a table's",
        ),
        (
            'file = "references.txt"',
            'file = "r"\nencoding = "latn-1"',
            "line 14, references[1].encoding: there is no encoding 'latn-1'; did you mean latin-1",
        ),
        (
            'missing = "allow"',
            'missing = "alow"',
            "line 17, systems[1].missing: there is no choice for missing texts 'alow'; did you mean allow?",
        ),
        ('missing = "allow"', "human = 1", "line 17, systems[1].human: true or false was expected, and not 1."),
        ('source = "src"', "source = 0", "line 19, systems[1].outputs[1].source: a column, as a number from 1"),
        ('source = "src"', "source = true", "line 19, systems[1].outputs[1].source: a column, as a number from 1"),
        (
            'text = "out"',
            'text = "out", fromat = "csv"',
            "line 19, systems[1].outputs[1].fromat: there is no key 'fromat' here; did you mean format?",
        ),
        (
            'text = "out" },',
            'text = "out" },\n  { direction = "informal-formal", file = "b" },',
            "line 20, systems[1].outputs[2].direction: 'Rules' has outputs for 'informal-formal' already.",
        ),
        (
            'format = "mturk"',
            'format = "mtruk"',
            "line 23, ratings[1].format: there is no format of ratings 'mtruk'; did you mean mturk?",
        ),
        ('worker = "W"\n', "", "line 22, ratings[1]: the key 'worker' is missing; a text was expected."),
        (
            'tone = { scale = "formality_7"',
            'tone = { scale = "formality7"',
            "line 30, ratings[1].criteria.tone.scale: there is no scale 'formality7'; did you mean formality_7",
        ),
        (
            'aspect = "style" }\n',
            'aspect = "stile" }\n',
            "line 30, ratings[1].criteria.tone.aspect: there is no aspect 'stile'",
        ),
        (
            'tone = { scale = "formality_7", aspect = "style" }\n\n',
            "",
            "line 29, ratings[1].criteria: at least one criterion",
        ),
        ('task = "rate"', 'task = "rat"', "line 34, campaigns[1].task: there is no task 'rat'; did you mean rate"),
        (
            "overlap = 3",
            "overlap = 0",
            "line 36, campaigns[1].overlap: a whole number from 1 to 100 was expected, and not 0.",
        ),
        (
            'systems = ["Rules"]',
            'systems = ["Rule"]',
            "line 37, campaigns[1].systems[1]: there is no system 'Rule'; did you mean Rules?",
        ),
        (
            'state = "open"',
            'state = "opened"',
            "line 39, campaigns[1].state: there is no state 'opened'; did you mean open?",
        ),
        (
            "rate_reference = true",
            "rate_refrence = true",
            "line 44, campaigns[1].settings.rate_refrence: There is no such setting",
        ),
        (
            'meaning = { scale = "likert_5"',
            'tone-2 = { scale = "likert_5"',
            "line 42, campaigns[1].criteria.tone-2: a criterion's name",
        ),
        ("bleu = {", "blue = {", "line 47, metrics.blue: there is no metric 'blue'; did you mean bleu"),
        ("lowercase = true", "lower = true", "line 47, metrics.bleu.lower: There is no such setting"),
        (
            "bleu = { lowercase = true }",
            "bleu = true",
            "line 47, metrics.bleu: a table, [metrics.bleu] or { ... }, was expected, and not true.",
        ),
    ],
)
def test_a_fault_names_file_line_key_and_what_was_expected(old, new, message):
    assert error_of(old, new).startswith(f"study.toml, {message}")


def test_what_stands_twice():
    assert error_of(
        "[metrics]", STUDY[STUDY.index("[[directions]]") : STUDY.index("[[references]]")] + "[metrics]"
    ) == (
        "study.toml, line 48, directions[2].target_style: 'informal-formal' stands in [[directions]] block 1 already."
    )
    system = STUDY[STUDY.index("[[systems]]") : STUDY.index("[[ratings]]")]
    assert "line 47, systems[2].name: 'Rules' stands in [[systems]] block 1" in error_of(
        "[metrics]", system + "[metrics]"
    )


def test_a_criterion_means_the_same_everywhere():
    old = '[campaigns.criteria]\ntone = { scale = "formality_7"'
    assert error_of(old, old.replace("formality_7", "likert_5")) == (
        "study.toml, line 41, campaigns[1].criteria.tone: 'tone' is declared on another scale elsewhere in the file, "
        "formality_7."
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[study]\nslug = tone\n", "study.toml, line 2: this is not TOML: invalid value."),
        ('[study]\nslug = "a"\nslug = "b"\n', "study.toml, line 3: this is not TOML: cannot overwrite a value."),
        ('[study]\nslug = "a', "study.toml, at the end: this is not TOML: unterminated string."),
        ("", "study.toml, line 1: the key 'study' is missing; a table was expected."),
        ("a = " + "[" * 5000, "study.toml, line 1: lists and tables are nested too deeply."),
    ],
)
def test_what_is_no_study_file(content, message):
    with pytest.raises(UserError) as caught:
        parsed(content)
    assert str(caught.value) == message


def test_the_amazon_study_as_it_stands(shared):
    path = shared / "studies/amazon.toml"
    spec = parse_study_file(TextFile(path, "amazon.toml"))
    assert [direction.name for direction in spec.directions] == ["negative-positive", "positive-negative"]
    assert len(spec.references) == 2
    assert [system.name for system in spec.systems if system.human] == ["Human"]
    assert [system.name for system in spec.systems if system.missing] == ["DeleteOnly"]
    assert list(spec.metrics) == list(METRICS)
    assert len(spec.files) == 2 + 2 + 16 + 1
    texts = read_texts_of(spec, lambda name: path.parent / name, SCALES)
    assert {name: len(lines) for name, lines in texts.sources.items()} == {
        "negative-positive": 500,
        "positive-negative": 500,
    }
    for system in spec.systems:
        outputs = [text for lines in texts.outputs[system.name].values() for text in lines]
        assert outputs.count(None) == (2 if system.name == "DeleteOnly" else 0)
    assert all(None not in lines for lines in texts.references)
