"""The papers' tables of examples and sizes, from small snapshots put together by hand."""

from dataclasses import replace

import pytest
import sacrebleu
from support.paper_snapshots import fu_like, plaba_like
from support.snapshots import INTO, bare, by_metric, msd_like, snapshot_of, system, units_of

from evaluation.snapshot import ConceptMention, CorpusCounts, TextContext
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.tables import TABLES
from foundation.papers import FU, GYAFC, MEDLANE, MSD, PLABA

PLACES = {
    "gyafc_table_1": (GYAFC, "Table 1"), "msd_table_1": (MSD, "Table 1"), "fu_table_1": (FU, "Table 1"),
    "plaba_table_1": (PLABA, "Table 1"), "plaba_table_7": (PLABA, "Table 7"), "plaba_figure_3": (PLABA, "Figure 3"),
    "medlane_table_4": (MEDLANE, "Table 4"), "medlane_table_5": (MEDLANE, "Table 5"),
}  # fmt: skip


def made(name, snapshot):
    found = TABLES[name].make(snapshot)
    assert isinstance(found, Table), found
    assert all(len(row) == len(found.head) for row in found.rows)
    return found


def reasons(name, snapshot):
    found = TABLES[name].make(snapshot)
    assert isinstance(found, MissingContent)
    return found.reasons


def words(table):
    return [[cell.text for cell in row] for row in table.rows]


def marked(cell):
    return [cell.text[start:end] for start, end in cell.marks]


@pytest.mark.parametrize("name", PLACES)
def test_each_stands_where_the_paper_has_it(name):
    assert (TABLES[name].paper, TABLES[name].number, TABLES[name].kind) == (*PLACES[name], "paper")


def test_gyafc_1_has_pairs_under_their_styles(formality):
    table = made("gyafc_table_1", formality)
    assert table.head == ["From", "Informal", "Formal"]
    assert len(table.rows) == 4
    pairs = dict(zip(formality.units.sources, formality.units.references, strict=True))
    assert all(pairs[source][0] == reference for _, source, reference in words(table))
    assert words(table) == words(made("gyafc_table_1", formality)), "the same with every report"
    assert reasons("gyafc_table_1", bare()) == ["No source has a reference: add references to the study."]


def test_gyafc_1_of_both_directions_keeps_each_text_under_its_style():
    snapshot = msd_like()
    table = made("gyafc_table_1", snapshot)
    assert table.head == ["From", "Expert", "Lay"]
    assert [name.split(", ")[1] for name, *_ in words(table)] == ["expert to lay"] * 2 + ["lay to expert"] * 2
    assert all(expert.startswith("Patients") and lay.startswith("People") for _, expert, lay in words(table))


def msd_linked():
    snapshot = msd_like()
    source, reference = snapshot.units.sources[3], snapshot.units.references[3][0]
    at, there = source.index("dyspnea"), reference.index("short of breath")
    linked = {3: ([ConceptMention(at, at + 7, "C0013404")], [ConceptMention(there, there + 15, "C2707305")])}
    around = TextContext(document=[0] * 40, numbers=list(range(40)), titles=["Pleural effusion"], codes=[""],
                    questions=[""], linked=linked)  # fmt: skip
    return replace(snapshot, context=around)


def test_msd_1_has_concepts_in_brackets():
    table = made("msd_table_1", msd_linked())
    ((name, expert, lay),) = table.rows
    assert table.head == ["From", "Expert", "Lay"]
    assert name.text == "Pleural effusion, Symptoms"
    assert expert.text.startswith("Patients with dyspnea [C0013404] number 3 ")
    assert marked(expert) == ["dyspnea [C0013404]"]
    assert lay.text.startswith("People 3 are short of breath [C2707305]. ")
    assert marked(lay) == ["short of breath [C2707305]"]


def test_msd_1_says_what_is_lacking():
    assert reasons("msd_table_1", msd_like()) == [
        "None of the drawn sources has concepts on both sides: a larger set of concepts may find some."
    ]
    assert reasons("msd_table_1", bare()) == [
        "No source has a reference: add references to the study.",
        "No concepts are linked in the sources: link them on the page Texts.",
    ]


def test_fu_1_counts_short_sentences_and_their_words():
    texts = {
        ("informal", "train"): ["The 2 dogs ran .", "the 31.5 dogs", "word " * 20, "word " * 21],
        ("informal", "test"): ["the cat"],
        ("formal", "train"): ["A dog barks ."],
    }
    table = made("fu_table_1", replace(fu_like(), counts=CorpusCounts(texts=texts)))
    assert table.head == ["Counted", "Informal", "Formal", "All"]
    assert words(table) == [
        ["Sentences", "4", "1", "5"],
        ["Sentences to train on", "3", "1", "4"],
        ["Sentences to test on", "1", "–", "1"],
        ["Longer ones, left out", "1", "–", "1"],
        ["Vocabulary size", "7", "4", "10"],  # the <num> dogs ran . word cat; a dog barks . with one in common
    ]
    assert reasons("fu_table_1", bare()) == ["The study has no texts yet: add some on the page Texts."]


def test_fu_1_counts_characters_where_a_language_writes_no_spaces_and_its_small_letters():
    chinese = {("informal", "train"): ["病人发烧39度。", "病人住院了。", "病" * 20, "病" * 21]}
    table = made("fu_table_1", replace(fu_like(), counts=CorpusCounts(texts=chinese), language="zh"))
    assert [row[1] for row in words(table)] == ["3", "3", "1", "10"]  # 病 人 发 烧 <num> 度 。 住 院 了
    turkish = {("informal", "train"): ["ILIK ılık", "İli ili"]}
    table = made("fu_table_1", replace(fu_like(), counts=CorpusCounts(texts=turkish), language="tr"))
    assert words(table)[-1][1] == "2"


def answering(snapshot, *, units=10):
    """Each two units are of one document, which answers one of two questions; the second sentence comes first."""
    around = TextContext(
        document=[one // 2 for one in range(units)], numbers=[2 - one % 2 for one in range(units)],
        titles=[f"Title {one}" for one in range(units // 2)], codes=[f"PMID {one}" for one in range(units // 2)],
        questions=["What is it?" if one % 2 else "Who gets it?" for one in range(units // 2)],
    )  # fmt: skip
    return replace(snapshot, context=around)


def test_plaba_1_has_whole_documents_in_their_order():
    snapshot = answering(plaba_like())
    table = made("plaba_table_1", snapshot)
    assert table.head == ["Document", "Question", "Source", "Reference"]
    assert len(table.rows) == 3
    for document, question, source, reference in words(table):
        place = int(document[5])
        assert document == f"PMID {place}, Title {place}"
        assert question == ("What is it?" if place % 2 else "Who gets it?")
        both = (2 * place + 1, 2 * place)
        assert source == " ".join(snapshot.units.sources[one] for one in both)
        assert reference == " ".join(snapshot.units.references[one][0] for one in both)


def test_plaba_1_says_what_is_lacking():
    assert reasons("plaba_table_1", plaba_like()) == [
        "No source comes from a document that answers a question: add questions with their documents."
    ]
    half = plaba_like()
    references = [given if one % 2 else [] for one, given in enumerate(half.units.references)]
    half = replace(half, units=replace(half.units, references=references))
    assert reasons("plaba_table_1", answering(half)) == [
        "No document that answers a question has a reference for each of its sources."
    ]


def test_plaba_7_has_one_text_of_every_model():
    snapshot = answering(plaba_like())
    table = made("plaba_table_7", snapshot)
    assert [name for name, _ in words(table)] == ["Question", "Source", "Reference", "Copy", "T5"]
    texts = dict(words(table))
    assert texts["Copy"] == texts["Source"]
    place = next(at for at in range(5) if texts["Source"].startswith(snapshot.units.sources[2 * at + 1]))
    assert texts["T5"] == " ".join(snapshot.systems[1].outputs[one] for one in (2 * place + 1, 2 * place))
    assert table.notes[-1] == "The first seed of a model is shown."


def test_plaba_7_takes_a_text_that_most_models_have():
    units = units_of(["one", "two"], [["1"], ["2"]])
    snapshot = snapshot_of(units, [system("A", ["a", "b"]), system("B", [None, "d"]), system("C", [None, None])])
    assert words(made("plaba_table_7", snapshot)) == [
        ["Source", "two"], ["Reference", "2"], ["A", "b"], ["B", "d"], ["C", "–"]
    ]  # fmt: skip
    assert reasons("plaba_table_7", snapshot_of(units, [system("C", [None, None])])) == [
        "No system has outputs of a whole text: upload some on the page Upload outputs, or run a model."
    ]


def test_plaba_figure_3_is_the_pair_with_the_lowest_bleu():
    first = "The patients got a drug against clots by a needle ."
    near, far = (
        "The patients got a drug against clots with a needle .",
        "Doctors gave people a blood thinner in a vein .",
    )
    units = units_of(["one", "two", "three"], [[first, near], [first, first, far], [first]])
    snapshot = replace(snapshot_of(units, [system("A", ["a", "b", "c"])]), context=TextContext(
        document=[-1, 0, -1], numbers=[0, 4, 0], titles=["Clots"], codes=["123"], questions=["What is a clot?"]
    ))  # fmt: skip
    table = made("plaba_figure_3", snapshot)
    assert words(table) == [
        ["Question", "What is a clot?"], ["Source", "two"], ["Reference 1", first], ["Reference 3", far]
    ]  # fmt: skip
    bleu = sacrebleu.sentence_bleu(far, [first]).score
    assert table.rows[3][1].small == f"BLEU-4 {bleu:.2f}"
    assert table.notes[0] == "123, Clots, sentence 4 of it."
    assert "Doctors gave people" in marked(table.rows[3][1])
    assert "a" not in marked(table.rows[3][1])


def test_plaba_figure_3_needs_two_references_that_differ():
    units = units_of(["one", "two"], [["Same.", " Same. "], ["Same."]])
    assert reasons("plaba_figure_3", snapshot_of(units, [system("A", ["a", "b"])])) == [
        "No source has two references that differ: have two people rewrite each, or add a second set."
    ]


REFERENCES = [
    ["the patient has heart disease today ."],
    ["he was given a blood thinner twice ."],
    ["she has no pain ."],
]
OUTPUTS = {
    "Best": ["the patient has heart disease today .", "he was given blood twice .", "no pain she"],
    "Other": ["the patient has cad today .", "he was given a blood thinner twice .", "pt with pain"],
    "Person": ["the patient has heart disease today .", "x", "x"],
}


def cases():
    units = units_of(["pt has cad today .", "he got asa bid .", "no pain ."], REFERENCES)
    systems = [system(name, outputs, is_human=name == "Person") for name, outputs in reversed(OUTPUTS.items())]
    snapshot = snapshot_of(units, systems, (), {"bleu": [by_metric("bleu", units, one.outputs) for one in systems]})
    return replace(snapshot, context=TextContext(forms=[[["heart disease"]], [["blood thinner"]], []]))


def test_medlane_4_is_where_the_best_system_leads():
    snapshot = cases()
    scores = {row.name: one.corpus for row, one in zip(snapshot.systems, snapshot.scores["bleu"], strict=True)}
    best, other = sorted(("Best", "Other"), key=lambda name: -scores[name])
    table = made("medlane_table_4", snapshot)
    place = 0 if best == "Best" else 1
    assert [name for name, _ in words(table)] == ["Source", "Reference 1", best, *[
        name for name in ("Person", "Other", "Best") if name != best]]  # fmt: skip
    assert table.rows[0][1].text == snapshot.units.sources[place]
    form = ("heart disease", "blood thinner")[place]
    assert table.rows[1][1].text == REFERENCES[place][0].replace(form, f"[{form}]")
    assert marked(table.rows[1][1]) == [f"[{form}]"]
    assert table.rows[2][1].text == OUTPUTS[best][place]
    assert table.rows[2][1].small == "BLEU 100.00"
    assert table.notes[0].startswith(f"{best} has the best BLEU of all")
    assert other in [name for name, _ in words(table)[3:]]


def test_medlane_5_is_what_nobody_does_well():
    table = made("medlane_table_5", cases())
    assert words(table)[0] == ["Source", "no pain ."]
    assert dict(words(table))["Best"] == "no pain she"


@pytest.mark.parametrize("name", ["medlane_table_4", "medlane_table_5"])
def test_cases_need_two_scored_systems(name):
    (reason,) = reasons(name, bare())
    assert reason.startswith("Two systems, people aside, need scores of a metric that compares with references")


def test_medlane_4_where_nobody_leads():
    units = units_of(["one two three four"], [["one two three four"]])
    systems = [system(name, ["one two three four"]) for name in ("A", "B")]
    scores = {"bleu": [by_metric("bleu", units, one.outputs) for one in systems]}
    assert reasons("medlane_table_4", snapshot_of(units, systems, (), scores)) == [
        "The best system is ahead of all others in no single text."
    ]


def test_sizes_are_of_the_studys_styles():
    counts = CorpusCounts(texts={("informal", "train"): ["a"]}, sentences={(*INTO, "train", ""): 1})
    assert made("fu_table_1", replace(bare(), counts=counts)).head == ["Counted", "Informal", "Formal", "All"]
