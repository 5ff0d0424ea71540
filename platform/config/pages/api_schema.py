"""The API's OpenAPI schema as a file, in the form that was asked for, and the JSON Schema of the study file."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from config.api.schema import JSON, YAML, schema_text, study_file_schema_text


class SchemaView(SpectacularAPIView):
    """The library's view; only the schema is written elsewhere."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        chosen = request.accepted_renderer
        text = schema_text(JSON if JSON in chosen.format else YAML)
        kind = f"{chosen.media_type}; charset={chosen.charset}" if chosen.charset else chosen.media_type
        headers = {"Content-Disposition": f'inline; filename="{self._get_filename(request, None)}"'}
        return HttpResponse(text, content_type=kind, headers=headers)


@require_safe
def study_file_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of study files on this site, for anybody's editor."""
    return HttpResponse(study_file_schema_text(), content_type="application/schema+json")
