"""The API's OpenAPI schema and the study file's JSON Schema, each written in a process that ends afterwards.

Writing one loads every endpoint, or every entry, and each library that they use: 31 MiB that a web process would hold
for good, for a text that is the same until the next start.
"""

from functools import lru_cache

from django.utils.translation import get_language, override

from foundation.side_process import in_process_of_its_own

JSON, YAML = "json", "yaml"


def schema_text(form: str) -> bytes:
    """The schema as JSON or YAML, in the language that the page has."""
    return _kept(form, get_language() or "en")


@lru_cache(maxsize=2)
def _kept(form: str, language: str) -> bytes:
    return in_process_of_its_own(write_schema, form, language)


def write_schema(form: str, language: str) -> bytes:
    """Inspect the API, and write its schema."""
    import django

    django.setup()  # before anything is imported that asks for the apps
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

    with override(language):
        schema = SchemaGenerator().get_schema(request=None, public=True)
        renderer = OpenApiJsonRenderer() if form == JSON else OpenApiYamlRenderer()
        written: bytes = renderer.render(schema, renderer_context={})
    return written


@lru_cache(maxsize=1)
def study_file_schema_text() -> bytes:
    """The JSON Schema of the study file."""
    return in_process_of_its_own(write_study_file_schema)


def write_study_file_schema() -> bytes:
    """Read all declarations, and write the schema."""
    import django

    django.setup()
    from study_file.schema import schema_text as written

    return written().encode()
