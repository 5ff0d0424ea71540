"""Tables of texts: sources, references and outputs of several systems come in at once, after every question."""

import re

import pytest
from django.urls import reverse

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.bring_in_table import bring_in_table
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Output, Reference, Sentence, Study
from corpora.table_import.import_plan import plan_for
from corpora.table_import.targets import TARGETS
from corpora.table_parser import understand
from corpora.text_import.column_guess import guess_columns
from corpora.uploads import PASTED
from corpora.views.tables import fields_of
from foundation.errors import UserError
from study_file.study_archive import TABLES

WIDE = (
    "informal,ref0,ref1,Rules,Copy\n"
    "u ok?,Are you all right?,Are you well?,you ok?,u ok?\n"
    "gtg,I have to go.,,I must go,gtg\n"
    "lol no,No.,No indeed.,no,lol no\n"
)
MAPPING = {
    "informal": "source", "ref0": "reference", "ref1": "reference", "Rules": "output", "Copy": "output: Copy of it",
}  # fmt: skip
ALL = {"direction": "informal-formal"}


@pytest.fixture
def study(db) -> Study:
    lead = Person.objects.create_user("lead@example.org", "seven-Wet-otters", role=Role.RESEARCHER, name="Lee")
    made = create_study(slug="tone", title="Tone", styles=["informal", "formal"], by=lead)
    add_direction(study=made, source_style="informal", target_style="formal")
    return made


def opened(content: str, name="texts.csv"):
    return understand(TextFile(content.encode(), name))


def bring(study, content, mapping, settings=ALL, answers=None, name="texts.csv") -> str:
    with opened(content, name) as table:
        return bring_in_table(
            study=study, table=table, target="texts", mapping=mapping, settings=settings, answers=answers or {}
        ).said


def planned(study, content, mapping, settings=ALL, answers=None, name="texts.csv"):
    with opened(content, name) as table:
        return plan_for(study, table, "texts", mapping, settings, answers or {})


def refused(study, *args, **kwargs) -> str:
    before = (Sentence.objects.count(), Reference.objects.count(), Output.objects.count())
    with pytest.raises(UserError) as caught:
        bring(study, *args, **kwargs)
    assert (Sentence.objects.count(), Reference.objects.count(), Output.objects.count()) == before
    return str(caught.value)


def texts(study):
    return list(Sentence.objects.filter(direction__study=study).order_by("number").values_list("text", flat=True))


def references(study) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    rows = Reference.objects.filter(set__direction__study=study).values_list("set__number", "sentence__text", "text")
    for number, source, text in rows:
        found.setdefault(number, {})[source] = text
    return found


def outputs(study) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, source, text in Output.objects.filter(system__study=study).values_list(
        "system__name", "sentence__text", "text"
    ):
        found.setdefault(name, {})[source] = text
    return found


def test_one_table_brings_sources_references_and_outputs(study):
    assert planned(study, WIDE, MAPPING).numbers == [
        ("Rows read", 3), ("New sources", 3), ("References, ref0", 3),
        ("References, ref1", 2), ("Outputs of Rules", 3), ("Outputs of Copy of it", 3),
    ]  # fmt: skip
    assert not Sentence.objects.exists()
    sentence = bring(study, WIDE, MAPPING)
    assert sentence == (
        "In are now: 3 new sources; 3 references, ref0; 2 references, ref1; 3 outputs of Rules; "
        "3 outputs of Copy of it."
    )
    assert texts(study) == ["u ok?", "gtg", "lol no"]
    assert references(study)[1] == {"u ok?": "Are you well?", "lol no": "No indeed."}
    assert outputs(study)["Rules"] == {"u ok?": "you ok?", "gtg": "I must go", "lol no": "no"}


def test_references_count_from_1_wherever_somebody_reads_them(study, client):
    bring(study, WIDE, MAPPING)
    client.force_login(Person.objects.get())
    page = client.get(reverse("study_texts", args=[study.slug])).content.decode()
    assert re.findall(r"(?:Remove r|<dt>R)eference (\d+)", page)[:4] == ["1", "2", "1", "2"]
    assert [str(one) for one in study.directions.get().reference_sets.all()] == [
        "informal-formal reference 1", "informal-formal reference 2",
    ]  # fmt: skip
    head, *rows = TABLES["references"](study)
    assert (list(head)[3:], list(rows[0])[3:]) == (
        ["reference 1", "reference 2"], ["Are you all right?", "Are you well?"],
    )  # fmt: skip


def test_one_of_each_is_told_in_the_singular(study):
    one = "".join(WIDE.splitlines(keepends=True)[:2])
    assert bring(study, one, MAPPING) == (
        "In are now: 1 new source; 1 reference, ref0; 1 reference, ref1; 1 output of Rules; 1 output of Copy of it."
    )


def test_the_same_table_again_is_asked_about_and_brings_nothing(study):
    bring(study, WIDE, MAPPING)
    message = refused(study, WIDE, MAPPING)
    assert "3 sources are there already." in message
    assert "(there = match) or " in message
    answers = {"there": "match", "references_there": "skip", "systems_there": "fill"}
    assert "Nothing in the table is new" in refused(study, WIDE, MAPPING, answers=answers)
    assert "is not an answer to 'there'" in refused(study, WIDE, MAPPING, answers={"there": "perhaps"})


def test_more_rows_later(study):
    bring(study, WIDE, MAPPING)
    more = WIDE + "brb,Excuse me.,,back soon,brb\n"
    plan = planned(study, more, MAPPING)
    assert [one.name for one in plan.open] == ["there", "new", "references_there", "systems_there"]
    answers = {"there": "match", "new": "add", "references_there": "skip", "systems_there": "fill"}
    bring(study, more, MAPPING, answers=answers)
    assert texts(study)[-1] == "brb"
    assert outputs(study)["Rules"]["brb"] == "back soon"
    assert references(study)[2] == {"brb": "Excuse me."}


def test_outputs_alone_by_source_by_number_and_by_line(study):
    bring(study, WIDE, {"informal": "source"})
    there = {"there": "match"}
    bring(study, "out,src\nI go,gtg\nno!,lol no\nok?,u ok?\n", {"src": "source", "out": "output: A"}, answers=there)
    bring(study, "id,out\n2,I go\n1,ok?\n3,no!\n", {"id": "number", "out": "output: B"})
    bring(study, "ok?\nI go\nno!\n", {"Column 1": "output: C"}, name="c.txt")
    found = outputs(study)
    assert found["A"] == found["B"] == found["C"] == {"u ok?": "ok?", "gtg": "I go", "lol no": "no!"}
    with understand(TextFile(b"ok?\nI go\nno!\n", "D.txt")) as table:
        assert guess_columns(study, table, TARGETS["texts"].meanings, "") == {"Column 1": "output: D"}
    with understand(TextFile(b"ok?\nI go\nno!\n", "references.1.txt")) as table:
        assert guess_columns(study, table, TARGETS["texts"].meanings, "") == {"Column 1": "reference: references.1"}
    assert "2 rows and informal-formal 3 sources" in refused(study, "ok?\nI go\n", {"1": "output: D"}, name="d.txt")


def test_a_long_table_of_several_systems(study):
    rows = "source,system,output\nu ok?,A,ok?\nu ok?,B,well?\ngtg,A,I go\ngtg,B,I leave\n"
    mapping = {"source": "source", "system": "system", "output": "text"}
    bring(study, rows, mapping)
    assert outputs(study) == {"A": {"u ok?": "ok?", "gtg": "I go"}, "B": {"u ok?": "well?", "gtg": "I leave"}}
    again = rows + "gtg,A,another\n"
    assert "another output of A than an earlier row (line 6)" in refused(
        study, again, mapping, answers={"there": "again"}
    )


def test_unusable_rows_are_named_and_left_out_when_that_is_said(study):
    rows = "src,ref\na b,A B.\nc d\n ,E.\ne f,E F.,x\n"
    mapping = {"src": "source", "ref": "reference"}
    message = refused(study, rows, mapping)
    assert "3 rows: it has more or fewer cells than the table has columns (line 3, 5)" in message
    assert "its source is empty (line 4)" in message
    bring(study, rows, mapping, answers={"unusable": "leave_out"})
    assert texts(study) == ["a b"]


def test_doubled_rows(study):
    rows = "src,ref\na b,A B.\nc d,C D.\na b,A, B.\n".replace("A, B", "AB")
    mapping = {"src": "source", "ref": "reference"}
    assert "1 row has the source of an earlier row" in refused(study, rows, mapping)
    bring(study, rows, mapping, answers={"doubled": "once"})
    assert texts(study) == ["a b", "c d"]
    assert references(study) == {0: {"a b": "A B.", "c d": "C D."}, 1: {"a b": "AB."}}


def test_doubled_rows_may_be_sources_of_their_own(study):
    bring(study, "src\na b\na b\n", {"src": "source"}, answers={"doubled": "each"})
    assert texts(study) == ["a b", "a b"]


def test_several_references_in_a_cell(study):
    bring(
        study, "src\trefs\na b\tA B.|||A, B.\nc d\tC D.\n", {"src": "source", "refs": "references: ref"}, name="x.tsv"
    )
    assert references(study) == {0: {"a b": "A B.", "c d": "C D."}, 1: {"a b": "A, B."}}


def test_missing_outputs_are_asked_about(study):
    rows = "src,A\na b,A B.\nc d,\n"
    assert "1 of 2 sources of informal-formal (A)" in refused(study, rows, {"src": "source", "A": "output"})
    bring(study, rows, {"src": "source", "A": "output"}, answers={"missing": "allow"})
    assert outputs(study) == {"A": {"a b": "A B."}}


def test_an_empty_cell_may_be_an_empty_output(study):
    """Leaving it out flatters the system; a source without any row stays without an output."""
    mapping = {"src": "source", "A": "output"}
    bring(study, "src,A\na b,A B.\nc d,\ne f,E F.\n", mapping, answers={"missing": "empty"})
    assert outputs(study) == {"A": {"a b": "A B.", "c d": "", "e f": "E F."}}
    with opened("src,A\ng h,G H.\n", "texts.csv") as table:
        asked = plan_for(study, table, "texts", mapping, ALL, {})
    assert all(value != "empty" for question in asked.questions for value, _ in question.choices)


def test_splits_domains_and_directions_of_rows(study):
    add_direction(study=study, source_style="formal", target_style="informal")
    rows = "text,style,split,topic\na b,informal,train,music\nC D.,formal,dev,\n"
    mapping = {"text": "source", "style": "style", "split": "split", "topic": "domain"}
    bring(study, rows, mapping, settings={"domain": "film"})
    found = Sentence.objects.values_list("text", "direction__source_style", "split", "domain").order_by("text")
    assert list(found) == [("C D.", "formal", "tune", "film"), ("a b", "informal", "train", "music")]
    assert "Choose the direction" in refused(study, rows, {"text": "source"}, settings={})
    assert "none of the study's (line 2)" in refused(study, rows.replace("informal", "rude"), mapping)


@pytest.mark.parametrize(("mapping", "words"), [
    ({}, "meaning of at least one column"), ({"informal": "sourse"}, "no meaning 'sourse'"),
    ({"informl": "source"}, "no column 'informl'"), ({"informal": "source", "ref0": "source"}, "Two columns mean"),
    ({"ref0": "reference: a", "ref1": "reference: a"}, "Two columns mean"), ({"ref0": "split"}, "of the sources"),
    ({"informal": "source", "Copy": "system"}, "belong together"), ({"informal": "source: x"}, "needs a name"),
])  # fmt: skip
def test_a_wrong_mapping_is_refused(study, mapping, words):
    assert words in refused(study, WIDE, mapping)


def test_guesses(study):
    with opened(WIDE) as table:
        assert TARGETS["texts"].guess(study, table, ALL) == {
            "informal": "source", "ref0": "reference: ref0", "ref1": "reference: ref1", "Rules": "output: Rules",
            "Copy": "output: Copy",
        }  # fmt: skip
    bring(study, WIDE, {"informal": "source"})
    with opened("one text,two text\nfine here,u ok?\nall good,gtg\n") as table:
        assert TARGETS["texts"].guess(study, table, ALL) == {"one text": "output: one text", "two text": "source"}
    with opened("src,model,output\nu ok?,A,fine here\n") as table:
        assert TARGETS["texts"].guess(study, table, ALL) == {"src": "source", "model": "system", "output": "text"}
    with opened("src,output_A,hyp2\nu ok?,A b c,fine here\n") as table:
        assert TARGETS["texts"].guess(study, table, ALL) == {
            "src": "source", "output_A": "output: output_A", "hyp2": "output: hyp2",
        }  # fmt: skip


def test_sources_of_the_other_direction_are_references_here(study):
    add_direction(study=study, source_style="formal", target_style="informal")
    bring(study, "Are you all right?\nI have to go.\n", {"1": "source"}, {"direction": "formal-informal"}, name="x.txt")
    rows = "007,u ok then?,Are you all right?,are you ok\n008,gtg now,I have to go.,go I must\n"
    with opened(f"id,laie,experte,System X\n{rows}") as table:
        assert TARGETS["texts"].guess(study, table, ALL) == {
            "id": "", "laie": "source", "experte": "reference: experte", "System X": "output: System X",
        }  # fmt: skip


def test_outputs_in_a_column_without_a_name_have_the_files_or_ask_for_one(study):
    rows = [(f"u ok {n}?", f"are you ok {n}", f"all right there {n}") for n in range(4)]
    two = "".join(f"{source}\t{first}\n" for source, first, _ in rows)
    three = "".join("\t".join(row) + "\n" for row in rows)
    bring(study, "".join(f"{source}\n" for source, *_ in rows), {"1": "source"})
    for content, name, meanings in (
        (two, "BART.tsv", ["source", "output: BART"]), (two, PASTED, ["source", "output"]),
        (three, "BART.tsv", ["source", "output", "output"]),
    ):  # fmt: skip
        with opened(content, name) as table:
            found = guess_columns(study, table, TARGETS["texts"].meanings, "")
            assert list(found.values()) == meanings
            names = [one["name"] for one in fields_of(table, "texts", found, {}) if one["named"]]
            assert names == [meaning.partition(": ")[2] for meaning in meanings[1:]]
    assert refused(study, three, {"1": "source", "2": "output: T5", "3": "output"}) == (
        "mapping.Column 3: The table does not name column 3: give its system a name."
    )


def test_a_text_for_each_source_is_guessed_to_be_outputs(study):
    bring(study, "gotta go now\nu there yet\n", {"1": "source"}, name="x.txt")
    with opened("I must go now.\nAre you there?\n", "baseline.txt") as table:
        assert TARGETS["texts"].guess(study, table, {}) == {"Column 1": "output: baseline"}
    with opened("gotta go now\nu there yet\n", "again.txt") as table:
        assert TARGETS["texts"].guess(study, table, {}) == {"Column 1": "source"}
    with opened("text,split\nI must go now.,test\nAre you there?,test\n") as table:
        assert TARGETS["texts"].guess(study, table, {}) == {"text": "output: text", "split": "split"}
    with opened("text,split\na new one,train\nanother one,train\na third,tune\n") as table:
        assert TARGETS["texts"].guess(study, table, {}) == {"text": "source", "split": "split"}


def test_what_is_held_out_from_training_is_left_out_with_its_texts(study):
    bring(study, "src,ref\nto test on,It is to test on.\n", {"src": "source", "ref": "reference"})
    rows = (
        "src,ref,A,split\nTo test on!,Yes.,a,train\nand new,It is to test on!,b,train\nown test,No.,c,test\n"
        "own TEST,Oh.,d,train\nall new,All.,e,train\n"
    )
    mapping = {"src": "source", "ref": "reference", "A": "output", "split": "split"}
    answers = {"new": "add", "missing": "allow"}
    plan = planned(study, rows, mapping, answers=answers)
    assert ("Sources that are held out", 3) in plan.numbers
    assert ("New sources", 2) in plan.numbers
    assert "the test split of this study" in str(plan.notes[0])
    bring(study, rows, mapping, answers=answers)
    assert texts(study) == ["to test on", "own test", "all new"]
    assert references(study)[1] == {"own test": "No.", "all new": "All."}
    assert outputs(study) == {"A": {"own test": "c", "all new": "e"}}


def guessed(study, content, name="texts.csv", settings=ALL):
    """The mapping, and the names of the questions that a dry run asks."""
    with opened(content, name) as table:
        plan = plan_for(study, table, "texts", None, settings, {})
        return plan.mapping, [one.name for one in plan.open]


PAIR = "The patient was febrile,The patient had a fever\nHe denied all pain,He had no pain\n"


@pytest.mark.parametrize(("content", "mapping", "asks"), [
    ("text,simplified\n" + PAIR, {"text": "source", "simplified": "reference: simplified"}, []),
    ("simplification,sentence\n" + PAIR, {"sentence": "source", "simplification": "reference: simplification"}, []),
    ("document,summary\n" + PAIR, {"document": "source", "summary": "reference: summary"}, []),
    ("text1,text2\n" + PAIR, {"text1": "source", "text2": "reference: text2"}, ["columns"]),
    ("Formal version,Informal version\n" + PAIR,
     {"Informal version": "source", "Formal version": "reference: Formal version"}, []),
    ("source,Anna's\n" + PAIR, {"source": "source", "Anna's": "output: Anna's"}, ["columns"]),
    ("id,sentence,simplification\n1,患者出现发热症状。,病人发烧了。\n2,每日服用两片药物。,每天吃两片药。\n",
     {"id": "", "sentence": "source", "simplification": "reference: simplification"}, []),
    ("source,system,text\na b,Rule based,a c\na b,Big model,b c\nd e,Rule based,d f\nd e,Big model,e f\n",
     {"source": "source", "system": "system", "text": "text"}, []),
    ("source,style,task\na b,angry,T1\nc d,angry,T2\n", {"source": "source", "style": "", "task": ""}, []),
    ("source,style\na b,Informal\nc d,informal\n", {"source": "source", "style": "style"}, []),
    ("source,score,output\na b,1.5,c d\ne f,2,g h\n",
     {"source": "source", "score": "", "output": "output: output"}, []),
    *((f"source,A,{name}\na b,b c,too long\nc d,d e,not so good\n",
       {"source": "source", "A": "output: A", name: ""}, ["columns"])
      for name in ("comment", "Kommentar", "annotator notes", "Remarks on the output", "Observaciones", "remarque",
                   "ملاحظات", "הערות", "备注")),
    *((f"{source},{reference},{output},{comment}\na b,b c,c d,too long\nc d,d e,e f,not so good\n",
       {source: "source", reference: f"reference: {reference}", output: f"output: {output}", comment: ""}, [])
      for source, reference, output, comment in (
          ("Satz", "Referenz", "Ausgabe A", "Bemerkung"), ("Phrase", "Référence", "Sortie", "Remarques"),
          ("Oración", "Referencia", "Salida", "Comentario"), ("المصدر", "المرجع", "الناتج", "ملاحظات"),
          ("מקור", "ייחוס", "פלט", "הערות"), ("原文", "参考", "输出", "备注"),
      )),
    *((f"source,{name}\na b,{train}\nc d,dev\ne f,test\n", {"source": "source", name: "split"}, [])
      for train in ("train", "training")
      for name in ("partición", "Aufteilung", "Partition", "التقسيم", "חלוקה", "划分", "Teil", "use")),
    ("source,use\na b,train\nc d,anything\n", {"source": "source", "use": ""}, []),
    ("id,experto,llano A,llano B,partición\n1,Refirió disnea,Le faltaba aire,Le faltó aire,train\n"
     "2,Presentó hematuria,Tenía sangre,Tuvo sangre,dev\n",
     {"id": "", "experto": "source", "llano A": "reference: llano A", "llano B": "reference: llano B",
      "partición": "split"}, ["columns"]),
    ("source,Modell A,Modell B\na b,b c,c d\nc d,d e,e f\n",
     {"source": "source", "Modell A": "output: Modell A", "Modell B": "output: Modell B"}, []),
    ("source,plain A,plain B\na b,b c,c d and more\nc d,d e,e f and more\n",
     {"source": "source", "plain A": "output: plain A", "plain B": "output: plain B"}, []),
    ("notes,A,B\na b,b c,d e\nc d,d e,e f\n", {"notes": "source", "A": "output: A", "B": "output: B"}, []),
    ("comment,rewrite\n" + PAIR, {"comment": "source", "rewrite": "reference: rewrite"}, ["columns"]),
    ("source,A,Anna says\na b,b c,\nc d,d e,too long\ne f,f g,\n",
     {"source": "source", "A": "output: A", "Anna says": ""}, ["columns"]),
])  # fmt: skip
def test_what_columns_are_is_guessed_or_asked(study, content, mapping, asks):
    assert guessed(study, content) == (mapping, asks)


def test_a_column_with_the_very_name_of_a_meaning_has_it(study):
    from corpora.import_targets.documents import guess

    with opened("code,question,question_text,question_type,text\n1,q1,What helps?,C,Ice helps. It is cold.\n") as table:
        assert guess(study, table, {}) == {
            "code": "code", "question": "question", "question_text": "question_text",
            "question_type": "question_type", "text": "text",
        }  # fmt: skip


def test_doccano_s_json_lines(study):
    rows = (
        '{"id": 7, "text": "u ok now?", "label": ["Are you all right?"]}\n'
        '{"id": 8, "text": "gtg bye", "label": ["I go."]}\n'
    )
    assert guessed(study, rows, "all.jsonl") == ({"id": "", "text": "source", "label.1": "reference: label.1"}, [])


def test_the_table_of_gold_that_restyle_exports(study):
    from corpora.formats.gold_csv import write
    from corpora.gold_records import GoldRow

    product = {"kind": "rewrite", "source": "u ok?", "text": "Are you ok?"}
    rows = [GoldRow("rewrite", "s1", "informal", "formal", product)]
    content = b"".join(write(rows)).decode()
    mapping, asks = guessed(study, content, "gold.csv")
    assert {column: value for column, value in mapping.items() if value} == {
        "source": "source", "text": "reference: text", "source_style": "style", "split": "split", "domain": "domain",
    }  # fmt: skip
    assert asks == []
    bring(study, content, mapping)
    assert references(study) == {0: {"u ok?": "Are you ok?"}}


def test_an_answer_changes_the_guess(study):
    with opened("text1,text2\n" + PAIR) as table:
        plan = plan_for(study, table, "texts", None, ALL, {"columns": "swapped"})
        assert (plan.mapping, plan.open) == ({"text2": "source", "text1": "reference: text1"}, [])
        with pytest.raises(UserError, match="is not an answer to 'columns'"):
            plan_for(study, table, "texts", None, ALL, {"columns": "perhaps"})


def test_numbers_from_zero_are_asked_about(study):
    bring(study, WIDE, {"informal": "source"})
    rows, mapping = "id,out\n0,ok?\n1,I go\n2,no!\n", {"id": "number", "out": "output: B"}
    assert planned(study, rows, mapping).open[0].name == "from_zero"
    with opened(rows) as table:
        bring_in_table(study=study, table=table, target="texts", mapping=mapping, settings=ALL,
                       answers={"from_zero": "first"})  # fmt: skip
    assert outputs(study)["B"] == {"u ok?": "ok?", "gtg": "I go", "lol no": "no!"}
    answers = {"from_zero": "none", "unusable": "leave_out", "missing": "allow"}
    bring(study, rows, {"id": "number", "out": "output: C"}, answers=answers)
    assert outputs(study)["C"] == {"u ok?": "I go", "gtg": "no!"}


def test_sets_of_references_follow_the_columns_and_not_what_is_filled_first(study):
    bring(study, "src,r0,r1\na b,,One.\nc d,Two.,Three.\n", {"src": "source", "r0": "reference", "r1": "reference"})
    assert references(study) == {0: {"c d": "Two."}, 1: {"a b": "One.", "c d": "Three."}}


def test_the_place_of_a_reference_in_its_cell_is_its_set(study):
    bring(study, "src,refs\na b,|||One.\nc d,Two.|||Three.\n", {"src": "source", "refs": "references"})
    assert references(study) == {0: {"c d": "Two."}, 1: {"a b": "One.", "c d": "Three."}}


def test_a_nan_is_a_missing_text_and_is_told(study):
    rows = "src,ref,A\na b,nan,x y\nnan,z,w\nc d,NaN d,nan\n"
    mapping = {"src": "source", "ref": "reference", "A": "output"}
    answers = {"unusable": "leave_out", "missing": "allow"}
    plan = planned(study, rows, mapping, answers=answers)
    assert [(note.sentence[:5], note.rows) for note in plan.notes] == [("'nan'", ("2", "3", "4"))]
    bring(study, rows, mapping, answers=answers)
    assert texts(study) == ["a b", "c d"]
    assert (references(study), outputs(study)) == ({0: {"c d": "NaN d"}}, {"A": {"a b": "x y"}})


def test_short_rows_are_complete_where_no_column_that_is_used_is_missing(study):
    rows = "source,reference,Approve,Reject\na b,A B.\nc d,C D.,x,\ne f\n"
    mapping = {"source": "source", "reference": "reference"}
    plan = planned(study, rows, mapping)
    assert [one.name for one in plan.open] == ["unusable"]
    assert "(line 4)" in plan.open[0].sentence
    assert plan.notes[0].rows == ("2",)
    bring(study, rows, mapping, answers={"unusable": "leave_out"})
    assert texts(study) == ["a b", "c d"]


def test_texts_and_names_are_one_whatever_their_unicode(study):
    nfc, nfd = "déjà vu là", "de\u0301ja\u0300 vu la\u0300"
    bring(study, f"src\n{nfd}\n", {"src": "source"})
    rows = f"src,system,text\n{nfc}\u200b,ok,Vu.\n{nfc},ok\u200b,Vu.\n"
    mapping = {"src": "source", "system": "system", "text": "text"}
    bring(study, rows, mapping, answers={"there": "match"})
    assert texts(study) == [nfd]
    assert outputs(study) == {"ok": {nfd: "Vu."}}
