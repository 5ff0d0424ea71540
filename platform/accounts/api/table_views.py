"""The endpoint of how a person sees a table of the pages."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.actions.keep_table_view import keep_table_view
from accounts.api_schema import with_body
from accounts.fields import TableViewFields
from accounts.models import TableView
from accounts.option_fields import body_of
from foundation.options import complete

TableViewShape = body_of(
    TableViewFields, "TableViewShape", "The columns of a table of the pages, their order and widths, as you chose them."
)


class OwnTableView(APIView):
    @extend_schema(responses=TableViewShape)
    def get(self, request: Request, name: str) -> Response:
        """How you see a table of the pages, by the name that the page's `data-tools` gives it."""
        kept = TableView.objects.filter(person=request.user.pk, table=name).first()
        chosen = complete(TableViewFields, kept.chosen if kept else {})
        return Response({**chosen, "widths": chosen["widths"] or {}})

    @with_body(TableViewShape, responses=TableViewShape)
    def put(self, request: Any, name: str, given: dict[str, Any]) -> Response:
        """Choose it anew; what you leave out is as it was made."""
        kept = keep_table_view(person=request.user, table=name, **given)
        return Response({**kept, "widths": kept["widths"] or {}})
