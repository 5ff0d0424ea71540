"""Linking concepts by the lexicon, which mention stands, and the UMLS's files."""

import psutil
import pytest
from support.rrf import name, tiny_umls

from corpora.knowledge import word_lists
from corpora.knowledge.concepts import About, Concept, Mention, about, best, index, linker, umls_rrf
from corpora.knowledge.concepts.lexicon import Lexicon, load
from foundation.errors import UserError


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch):
    monkeypatch.delenv("RESTYLE_CONCEPTS", raising=False)
    monkeypatch.delenv("RESTYLE_KNOWLEDGE", raising=False)


def lexicon(*names):
    return Lexicon(Concept(f"R{number}", tuple(called.split("|"))) for number, called in enumerate(names, 1))


def found(by, text):
    return [(one.term, one.cui) for one in by.link(text)]


def test_the_shipped_lexicon_links_the_sentences_that_msd_prints():
    expert = "Many cause dyspnea, pleuritic chest pain, or both."
    lay = "The most common symptoms are shortness of breath and chest pain."
    assert [(one.term, one.cui) for one in linker().link(expert)] == [
        ("dyspnea", "C0013404"), ("pleuritic chest pain", "C0008033"),
    ]  # fmt: skip
    assert [one.name for one in linker().link(lay)] == ["symptom", "dyspnea", "chest pain"]


def test_every_shipped_concept_is_found_by_each_of_its_names_and_says_what_it_is():
    shipped = load(word_lists.SHIPPED / "concepts.tsv")
    assert len(shipped.concepts) >= 300
    for concept in shipped.concepts:
        assert concept.definition.endswith(".")
        for called in concept.names:
            mentions = shipped.link(f"Seen: {called} today")
            assert any(mention.term == called for mention in mentions), called


def test_offsets_are_characters_and_the_json_is_what_the_kinds_of_work_take():
    text = "Señor 😀 had Heart attacks."
    (one,) = lexicon("heart attack|MI").link(text)
    assert text[one.start : one.end] == one.term == "Heart attacks"
    assert one.json() == {
        "start": 12, "end": 25, "term": "Heart attacks", "cui": "R1", "definition": "", "names": ["heart attack", "MI"],
    }  # fmt: skip


def test_case_plurals_hyphens_and_what_is_no_name():
    by = lexicon("heart attack", "AIDS", "E. coli", "Crohn's disease", "metastasis", "burn")
    assert found(by, "HEART ATTACK and heart-attacks") == [("HEART ATTACK", "R1"), ("heart-attacks", "R1")]
    assert found(by, "It aids AIDS.") == [("AIDS", "R2")]
    assert found(by, "e. coli, E.coli") == [("e. coli", "R3"), ("E.coli", "R3")]
    assert found(by, "Crohn’s disease") == [("Crohn’s disease", "R4")]
    assert found(by, "Metastases") == [("Metastases", "R5")]
    assert found(by, "of the heart. Attack, heartattack, burning") == []
    assert found(by, "") == []


def test_the_longest_stands_then_the_most_similar_then_the_lowest_id():
    by = lexicon("chest pain", "pain in the chest", "chest", "the chest wall")
    assert found(by, "pain in the chest wall") == [("pain in the chest", "R2")]
    assert found(lexicon("colds", "cold"), "a cold") == [("cold", "R2")]
    assert found(lexicon("cold", "cold"), "a cold") == [("cold", "R1")]

    def one(start, end, similarity, cui):
        return Mention(start, end, "x", similarity, Concept(cui, ("x",)))

    some = [
        one(0, 4, 1.0, "C2"),
        one(3, 9, 0.7, "C9"),
        one(3, 9, 0.8, "C5"),
        one(3, 9, 0.8, "C4"),
        one(9, 10, 0.7, "C1"),
    ]
    assert [(kept.start, kept.cui) for kept in best(some)] == [(3, "C4"), (9, "C1")]


def test_a_name_of_two_kinds_of_letters_is_walked_both_ways():
    by = lexicon("IV drip", "IV", "drip")
    assert found(by, "an IV drip, iv drip, IV, iv") == [("IV drip", "R1"), ("iv drip", "R1"), ("IV", "R2")]


def test_a_file_of_ones_own_takes_the_place_of_the_shipped_one(tmp_path, monkeypatch):
    (tmp_path / "concepts.tsv").write_text("# mine\nX1\t\tgrumps|the grumps\tA bad mood.\n", encoding="utf-8")
    monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
    assert about() == About("lexicon concepts.tsv", 1)
    assert found(linker(), "He has the grumps") == [("the grumps", "X1")]
    monkeypatch.delenv("RESTYLE_KNOWLEDGE")
    monkeypatch.setenv("RESTYLE_CONCEPTS", str(tmp_path / "concepts.tsv"))
    assert about().concepts == 1
    monkeypatch.setenv("RESTYLE_CONCEPTS", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match="This folder does not exist; RESTYLE_CONCEPTS"):
        about()
    with pytest.raises(UserError, match="make it with manage"):
        linker(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("X1\tgroup\tname\n", "line 1: A line is an id, a semantic group"),
        ("# note\nX1\tg\tname|\tIt.\n", "line 2: The id or a name is empty."),
        ("X1\tg\ta b\tIt.\nX1\tg\tc\tIt.\n", "line 2: 'X1' occurs twice"),
        ("# note\n", "The file holds no concept."),
    ],
)
def test_a_file_that_is_not_well_formed_says_where(tmp_path, text, sentence):
    path = tmp_path / "concepts.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        load(path)
    assert sentence in str(error.value)


def rows(folder, language="ENG"):
    return {concept.concept.cui: concept for concept in umls_rrf.concepts(folder, language, lambda count: None)}


def test_names_types_and_the_plainest_definition_of_the_language_come_out_of_rrf(tmp_path):
    read = rows(tiny_umls(tmp_path / "umls"))
    assert read["C0000001"].concept == Concept("C0000001", ("Cough", "Tussis"), ("T184",), "A sudden push of air .")
    assert read["C0000001"].terms == [("Cough", True), ("Tussis", False)]
    assert read["C0000004"].concept.names == ("Common cold", "Colds"), "the preferred name first"
    assert read["C0000002"].concept.definition == "", "a definition in another language is none"
    assert list(rows(tmp_path / "umls", "FRE")) == ["C0000001"]


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("MRCONSO.RRF", "C0000001|ENG|\n", "MRCONSO.RRF, line 1: A row has 18 fields"),
        ("MRCONSO.RRF", name("C2", "b") + name("C1", "a"), "MRCONSO.RRF, line 2: The rows must be sorted by CUI"),
        ("MRSTY.RRF", "C0000001|T184\n", "MRSTY.RRF, line 1: A row has 6 fields"),
        ("MRCONSO.RRF", b"\xff\xfe", "cannot be read as UTF-8"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path, file, text, sentence):
    folder = tiny_umls(tmp_path / "umls")
    (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as error:
        rows(folder)
    assert sentence in str(error.value)
    assert not [open_file for open_file in psutil.Process().open_files() if open_file.path.endswith(".RRF")], (
        "left open"
    )


def test_a_long_definition_ends_with_a_sentence():
    text = "It is one. " * 50
    short = umls_rrf._shortened(text.strip())
    assert len(short) <= umls_rrf.LONGEST_DEFINITION
    assert short.endswith("one.")


def test_settings_of_an_index_are_held_to_their_range(tmp_path):
    for wrong in ({"threshold": 0.0}, {"window": 0}, {"similarity": "overlap"}, {"form": 99}, {"colour": 1}):
        (tmp_path / "index.json").write_text(str({**wrong}).replace("'", '"'))
        with pytest.raises(UserError):
            index.manifest(tmp_path)


def test_a_mention_ends_before_an_emoji_and_its_joiners():
    by = lexicon("fever", "chest pain")
    text = "fever👩\u200d🔬, chest pain\u200d❤️\u200d🔥 and 👨\u200d👩\u200d👧fever"
    assert found(by, text) == [("fever", "R1"), ("chest pain", "R2"), ("fever", "R1")]
    for mention in by.link(text):
        assert text[mention.start : mention.end] == mention.term
