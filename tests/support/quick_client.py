"""Django's test client without what it does anew for each client and each part of a page.

A new client makes all middleware anew, though it is the same as long as no setting changes. And each part of a page, a
button or a field of a form, was told of with a copy of its whole context: tests ask for the page's own one.
"""

from typing import Any

from django.core.handlers.base import BaseHandler
from django.core.signals import setting_changed
from django.template import Context, Template
from django.test import signals, utils
from django.test.client import ClientHandler

MADE = ("_middleware_chain", "_view_middleware", "_template_response_middleware", "_exception_middleware")
_kept: dict[str, Any] = {}


def make_clients_quick() -> None:
    """For the whole run, before Django's tests begin."""
    ClientHandler.load_middleware = _load_middleware
    utils.instrumented_test_render = _render
    setting_changed.connect(_forget)


def _load_middleware(self: ClientHandler, is_async: bool = False) -> None:
    if not _kept:
        BaseHandler.load_middleware(self, is_async)
        _kept.update((name, getattr(self, name)) for name in MADE)
    vars(self).update(_kept)


def _forget(**_: Any) -> None:
    _kept.clear()


def _render(self: Template, context: Context) -> str:
    if context.template is self and getattr(context, "request", None) is not None:
        signals.template_rendered.send(sender=self, template=self, context=context)
    return self.nodelist.render(context)
