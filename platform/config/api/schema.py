"""The API's OpenAPI schema, written in a process that ends afterwards.

To write it every endpoint and each library that they stand on is looked through: 31 MiB that a web process would hold for
good, for a text that is the same until the next start.
"""

from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from foundation.side_process import in_process_of_its_own

JSON, YAML = "json", "yaml"


def schema_text(form: str) -> bytes:
    """The schema as JSON or YAML, in the language that the page has."""
    return _kept(form, get_language() or "en")


@lru_cache(maxsize=4)
def _kept(form: str, language: str) -> bytes:
    return in_process_of_its_own(write_schema, form, language)


def write_schema(form: str, language: str) -> bytes:
    """Look through the API, and write what is there."""
    import django

    django.setup()
    from django.utils import translation
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

    with translation.override(language):
        schema = SchemaGenerator().get_schema(request=None, public=True)
        renderer = OpenApiJsonRenderer() if form == JSON else OpenApiYamlRenderer()
        written: bytes = renderer.render(schema, renderer_context={})
    return written


class SchemaView(SpectacularAPIView):
    """The schema in the form that was asked for."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form = JSON if JSON in request.accepted_renderer.format else YAML
        kind = f"{request.accepted_renderer.media_type}; charset=utf-8"
        named: dict[str, Any] = {"Content-Disposition": f'inline; filename="{self._get_filename(request, None)}"'}
        return HttpResponse(schema_text(form), content_type=kind, headers=named)
