"""The endpoint that brings a table in: what the wizard of the pages does, in one request."""

from dataclasses import replace
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer
from corpora.actions.keep_table import keep_table
from corpora.actions.set_table import set_table
from corpora.actions.start_table import start_table
from corpora.api.base import FILE_PARSERS, ObjectField, StudyAPI, with_files
from corpora.background_jobs import table_of
from corpora.table_import.import_plan import READING, plan_for, reading_of, reading_with
from corpora.table_import.targets import Plan
from corpora.table_parser import Member, Table, understand
from corpora.table_parser.quoting import STYLES
from corpora.table_parser.sheets import ERRORS
from corpora.uploads import text_file
from foundation.errors import UserError


class TextsField(ObjectField):
    """A JSON object of texts, as a form can carry it."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        found = super().to_internal_value(data)
        if not all(isinstance(value, str | int | bool) for value in found.values()):
            raise serializers.ValidationError("Expected a JSON object of texts.")
        return {str(key): str(value) for key, value in found.items()}


class NewTableSerializer(StrictSerializer):
    """A table and what its columns mean. With `dry_run` nothing enters, and a mapping that is left out is guessed."""

    file = serializers.FileField(allow_empty_file=True, help_text="Text, CSV, JSON, .xlsx, Parquet; in a ZIP or gzip.")
    target = serializers.CharField(default="texts", max_length=40, help_text="texts, documents or judgements.")
    mapping = TextsField(
        required=False, max_length=100_000,
        help_text='Meanings by column, as JSON: {"src": "source", "out1": "output: Rules", "2": "reference"}.',
    )  # fmt: skip
    settings = TextsField(default=dict, max_length=10_000, help_text='As JSON, such as {"direction": "a-b"}.')
    answers = TextsField(
        default=dict, max_length=10_000, help_text='Answers to the questions, as JSON, such as {"there": "match"}.'
    )
    part = serializers.CharField(default="", max_length=500, help_text="A sheet, or a file of an archive.")
    encoding = serializers.CharField(default="", max_length=40, help_text="Found out where it is left out.")
    delimiter = serializers.CharField(
        default="", max_length=10, trim_whitespace=False, help_text="A character, or tab, or none (a text a line)."
    )
    quoting = serializers.ChoiceField(
        choices=["", *STYLES], default="",
        help_text="Whether quotation marks enclose cells; backslash: those after a backslash do not.",
    )  # fmt: skip
    above = serializers.CharField(default="", max_length=4, help_text="How many rows stand above the table.")
    header = serializers.ChoiceField(
        choices=["", "yes", "no"], default="", help_text="Whether the first row names the columns."
    )
    errors = serializers.ChoiceField(
        choices=["", *ERRORS], default="", help_text="What becomes of cells of a sheet that show an error."
    )
    dry_run = serializers.BooleanField(default=False)


class ArchivedFileSerializer(StrictSerializer):
    """A file of an archive, with what it is read as."""

    name = serializers.CharField()
    kind = serializers.CharField()
    rows = serializers.IntegerField()
    columns = serializers.ListField(child=serializers.CharField())
    is_read = serializers.BooleanField()
    left_out = serializers.SerializerMethodField(help_text="Why it holds no table; else empty.")

    def get_left_out(self, file: Member) -> str:
        return file.left.sentence if file.left else ""


class UnderstoodSerializer(StrictSerializer):
    """A file as it was understood."""

    kind = serializers.CharField()
    encoding = serializers.CharField()
    guessed = serializers.BooleanField(help_text="Whether the encoding is a guess.")
    delimiter = serializers.CharField()
    header = serializers.BooleanField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.IntegerField()
    parts = serializers.ListField(child=serializers.CharField())
    files = ArchivedFileSerializer(many=True, source="members", help_text="All files of an archive, in a dry run.")
    first_rows = serializers.SerializerMethodField(help_text="The first 20 rows.")

    def get_first_rows(self, table: Table) -> list[list[str]]:
        return [list(row.cells) for row in table.sample]


class TableQuestionSerializer(StrictSerializer):
    """A question that must be answered before the table comes in."""

    name = serializers.CharField()
    sentence = serializers.CharField()
    choices = serializers.DictField(child=serializers.CharField())
    answer = serializers.CharField()


class NoteSerializer(StrictSerializer):
    """Something that was guessed, dropped, changed or read otherwise; `rows` are the first of `count` places."""

    sentence = serializers.CharField()
    rows = serializers.ListField(child=serializers.CharField())
    count = serializers.IntegerField()


class BroughtSerializer(StrictSerializer):
    """The file as understood, the import in numbers, and, unless it is a dry run, its outcome or its job."""

    understood = UnderstoodSerializer()
    mapping = serializers.DictField(child=serializers.CharField())
    numbers = serializers.DictField(child=serializers.IntegerField())
    questions = TableQuestionSerializer(many=True)
    notes = NoteSerializer(many=True)
    nothing = serializers.CharField(help_text="Why there is nothing to import; else empty.")
    brought = serializers.CharField(help_text="What came in; empty in a dry run, and while a job does it.")
    job = serializers.IntegerField(allow_null=True)


class TableImport(StudyAPI):
    serializer_class = BroughtSerializer
    parser_classes = FILE_PARSERS

    @with_files(
        NewTableSerializer,
        responses={200: BroughtSerializer, 201: BroughtSerializer, 202: BroughtSerializer},
    )
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Bring a table in, or with dry_run say what would happen. All of it comes in, or nothing."""
        if given["dry_run"]:
            return Response(self._dry(given))
        if given.get("mapping") is None:
            raise UserError("Give the meanings of the columns; a dry_run guesses them.", where="mapping")
        return self._brought(given)

    def _dry(self, given: dict[str, Any]) -> dict[str, Any]:
        reading, answers = reading_with(_reading(given), given["answers"])
        looked_at = replace(reading_of(reading, self.study), overview=True)
        with understand(text_file(given["file"]), looked_at) as table:
            plan = plan_for(self.study, table, given["target"], given.get("mapping"), given["settings"], answers)
            return _shown(table, plan.mapping, plan)

    def _brought(self, given: dict[str, Any]) -> Response:
        reading, answers = reading_with(_reading(given), given["answers"])
        kept = keep_table(
            study=self.study, target=given["target"], file=given["file"], reading=reading, by=self.request.user
        )
        try:
            set_table(
                upload=kept, target=given["target"], mapping=given["mapping"], reading=reading,
                settings=given["settings"], answers=answers, by=self.request.user,
            )  # fmt: skip
            with table_of(kept) as table:
                shown = _shown(table, given["mapping"], Plan())
                brought, job = start_table(upload=kept, table=table, by=self.request.user)
        except UserError:
            kept.delete()
            raise
        notes = NoteSerializer(brought.notes, many=True).data
        shown |= {"brought": brought.said, "notes": notes, "job": job.pk if job else None}
        return Response(shown, status=202 if job else 201)


def _reading(given: dict[str, Any]) -> dict[str, str]:
    return {name: given[name] for name in READING}


def _shown(table: Table, mapping: dict[str, str], plan: Plan) -> dict[str, Any]:
    questions = [{"name": one.name, "sentence": one.sentence, "choices": dict(one.choices), "answer": one.answer}
                 for one in plan.questions]  # fmt: skip
    return {
        "understood": UnderstoodSerializer(table).data, "mapping": mapping, "numbers": dict(plan.numbers),
        "questions": questions, "notes": NoteSerializer(plan.notes, many=True).data, "nothing": plan.nothing,
        "brought": "", "job": None,
    }  # fmt: skip
