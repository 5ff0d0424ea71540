"""Sentences of WebAnno TSV 3.x; the forms are those of the reader's tests in INCEpTION (inception-io-webanno-tsv)."""

from support.workbooks import zipped

from corpora.formats import TextFile
from corpora.table_parser import understand

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n#T_RL=webanno.custom.Link|to|BT_x\n\n\n"
FIRST = "#Text=A tab\\tand a \\\\ in it \\| .\n1-1\t0-1\tA\t*\t\n1-2\t2-5\ttab\t_\t\n\n"
SECOND = "#Text=Over two\n#Text=lines .\n2-1\t6-10\tOver\t_\t\n\n#Sentence.id=s3\n#Text=Last .\n3-1\t11-15\tLast\t_\t\n"


def test_sentences_come_without_their_marks():
    with understand(TextFile((HEAD + FIRST + SECOND).encode(), "ann.tsv")) as table:
        assert table.columns == ("sentence",)
        assert [(row.line, row.cells[0]) for row in table.records()] == [
            (6, "A tab\tand a \\ in it \\| ."), (10, "Over two\nlines ."), (15, "Last ."),
        ]  # fmt: skip
        assert [str(note) for note in table.notes] == [
            "The sentences are imported, but not the annotations in them: webanno.custom.Span, webanno.custom.Link."
        ]


def test_a_folder_a_document_is_one_table():
    files = {"annotation/one.txt/ann.tsv": HEAD + FIRST, "annotation/two.txt/ann.tsv": HEAD + SECOND}
    with understand(TextFile(zipped(files), "project.zip")) as table:
        assert table.columns == ("File", "Folder", "Row", "sentence")
        assert [row.cells[1] for row in table.records()] == ["one.txt", "two.txt", "two.txt"]
