"""Sentences of WebAnno TSV 3.x; the forms are those of the reader's tests in INCEpTION (inception-io-webanno-tsv)."""

from support.workbooks import zipped

from corpora.formats import TextFile
from corpora.table_parser import understand

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n#T_RL=webanno.custom.Link|to|BT_x\n\n\n"
FIRST = "#Text=A tab\\tand a \\\\ in it \\| .\n1-1\t0-1\tA\t*\t\n1-2\t2-5\ttab\t_\t\n\n"
SECOND = "#Text=Over two\n#Text=lines .\n2-1\t6-10\tOver\t_\t\n\n#Sentence.id=s3\n#Text=Last .\n3-1\t11-15\tLast\t_\t\n"


def test_a_sentence_has_a_column_for_each_feature_of_a_layer_of_spans():
    with understand(TextFile((HEAD + FIRST + SECOND).encode(), "ann.tsv")) as table:
        assert table.columns == ("sentence", "Span|value")
        assert [(row.line, *row.cells) for row in table.records()] == [
            (6, "A tab\tand a \\ in it \\| .", "[0-1]"), (10, "Over two\nlines .", ""), (15, "Last .", ""),
        ]  # fmt: skip
        assert [str(note) for note in table.notes] == [
            "The sentences are imported, but not the annotations in them: webanno.custom.Link."
        ]


MARKED = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=webanno.custom.Rating|fluency|ROLE_webanno.custom.Rating:of_webanno.custom.RatingOfLink|uima.tcas.Annotation
#T_SP=custom.Error|value|why


#Text=Ms. Haag plays 😊 .
1-1	7-10	Ms.	NNP	4[1]	_	_	_	_
1-2	11-15	Haag	NNP	4[1]	_	_	Major[2]	a\\_b[2]
1-3	16-21	plays	VB	4[1]	_	_	Major[2]|Minor[3]	a\\_b[2]|*[3]
1-3.1	16-20	play	_	_	_	_	Minor	*
1-4	22-24	😊	.	4[1]	_	_	_	_
1-5	25-26	.	.	4[1]	_	_	*	*
#Text=Next .
2-1	27-31	Next	JJ	5[4]	_	_	_	_
2-2	32-33	.	.	5[4]	_	_	_	_
"""


def test_marks_have_their_places_but_for_those_of_a_whole_sentence():
    with understand(TextFile(MARKED.encode(), "ann.tsv")) as table:
        assert table.columns == ("sentence", "Rating|fluency", "Error|value", "Error|why")
        assert [row.cells[1:] for row in table.records()] == [
            ("4", "Major [4-14]; Minor [9-14]; Minor [9-13]; [18-19]", "a_b [4-14]; [9-14]; [9-13]; [18-19]"),
            ("5", "", ""),
        ]  # fmt: skip


def test_a_folder_a_document_is_one_table():
    files = {"annotation/one.txt/ann.tsv": HEAD + FIRST, "annotation/two.txt/ann.tsv": HEAD + SECOND}
    with understand(TextFile(zipped(files), "project.zip")) as table:
        assert table.columns == ("File", "Folder", "Row", "sentence", "Span|value")
        assert [row.cells[1] for row in table.records()] == ["one.txt", "two.txt", "two.txt"]
