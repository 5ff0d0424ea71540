"""Django's templates; the objects of a page are freed as soon as the page is there.

Django's context of a request and the values in it hold one another, so that all objects of a page, such as the whole
report of a study, stay until Python's collector comes by, which after large pages is many pages later.
"""

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class PageTemplates(DjangoTemplates):
    def get_template(self, template_name: str) -> Template:
        try:
            return PageTemplate(self.engine.get_template(template_name), self)
        except TemplateDoesNotExist as missing:
            reraise(missing, self)


class PageTemplate(Template):
    def render(self, context: Any = None, request: HttpRequest | None = None) -> SafeString:
        made_of = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(made_of)
        except TemplateDoesNotExist as missing:
            reraise(missing, self.backend)
        finally:
            made_of.dicts.clear()
