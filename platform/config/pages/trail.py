"""The breadcrumbs of a page, `{% trail %}`: the pages above it, and itself at the end.

The pages above are those whose address its own begins with, as far as they have a name here or in the navigation. A
page lies below one entry of a study's navigation, the one that `navigation.study_nav` marks. A page that a person may
not open is left out of their breadcrumbs. `base.html` shows them on every page of somebody who is signed in; a template
with a `breadcrumb` block of its own (work, errors, sign-in) has none.
"""

from functools import cache
from typing import Any

from django.template import Context, Library, Node, Variable, VariableDoesNotExist
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.urls import get_resolver, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import Open
from accounts.permissions.routes import ROUTES
from config.pages.navigation import PERSON_PAGES, SECTIONS, shown
from corpora.members import only_annotates

IN_A_STUDY = {name: label for section in SECTIONS for name, label in section.pages if name != "study"}
LABELS = {**IN_A_STUDY, **dict(PERSON_PAGES), "campaign_answers": gettext_noop("Your answers"),
          "campaign_recruiting": gettext_noop("Recruiting")}  # fmt: skip
# The names of things, where the contexts of their pages have them.
NAMES = {
    "study": Variable("study.title"),
    "campaign": Variable("campaign.name"),
    "campaign_work": Variable("campaign.name"),
    "human_study": Variable("human.name"),
    "recruitment": Variable("recruitment.name"),
}
# Pages that lie elsewhere than their address says.
ABOVE = {
    "campaign_answers": "campaign_work",
    "campaign_revise": "campaign_answers",
    "campaign_work": "study_campaigns",
    "account_change_password": "account_settings",
    "account_set_password": "account_settings",
    "mfa_index": "account_settings",
    "mfa_activate_totp": "account_settings",
    "mfa_deactivate_totp": "account_settings",
    "mfa_view_recovery_codes": "account_settings",
    "mfa_generate_recovery_codes": "account_settings",
}
WAY = '<nav aria-label="{}"><ol class="crumbs">{}<li><span aria-current="page" dir="auto">{}</span></li></ol></nav>'
STARTS = ("home", "my_work")
register = Library()


@cache
def above(route: str) -> tuple[str, ...]:
    """The routes of the pages above a page, the outermost first, without the start."""
    if route in ABOVE:
        return (*above(ABOVE[route]), ABOVE[route])
    address = _address(route)
    found = [name for name in (*LABELS, *NAMES) if name not in STARTS and name not in ABOVE and name != route
             and address.startswith(_address(name))]  # fmt: skip
    found.sort(key=lambda name: len(_address(name)))
    entries = [name for name in (*found, route) if name in IN_A_STUDY]
    return tuple(name for name in found if name not in entries[:-1])


def _address(route: str) -> str:
    """The address of a route, with the names of its values in their places."""
    return str(get_resolver().reverse_dict.getlist(route)[0][0][0][0])


@register.tag
def trail(_parser: Any, _token: Any) -> "Trail":
    return Trail()


class Trail(Node):
    """Reads `crumbs` of the context, where a view has pages in between that no address tells: `{url, label}`."""

    def render(self, context: Context) -> SafeString:
        person, route, kwargs = _visit(context)
        start = "my_work" if person and only_annotates(person) else "home"
        if not person or route in {"home", start}:
            return SafeString("")
        links = [{"url": reverse(start), "label": _(LABELS[start])}]
        for name in above(route):
            label = _label(name, context)
            if label and shown(name, person, context.get("study")):
                links.append({"url": reverse(name, kwargs=_needed(name, kwargs)), "label": label})
        links += context.get("crumbs") or []
        here = _label(route, context) or _title(context)
        if links[-1]["label"] == here:  # a form that was refused is shown on the page that it stands on
            links.pop()
        above_it = format_html_join("", '<li><a href="{url}" dir="auto">{label}</a></li>', links)
        return format_html(WAY, _("You are in"), above_it, here)


def _visit(context: Context) -> tuple[Any, str, dict[str, Any]]:
    """The reader (None: nobody, or anybody), and the route and values of the address."""
    person, match = context.get("user"), getattr(context.get("request"), "resolver_match", None)
    if person is None or match is None or not person.is_authenticated:
        return None, "", {}
    if ROUTES.get(match.view_name, Open.ANYONE) == Open.ANYONE:
        return None, "", {}
    return person, match.view_name, match.kwargs


def _label(name: str, context: Context) -> str:
    """Its name; "" where the page's context does not have it, as that of a refusal."""
    if name in LABELS:
        return _(LABELS[name])
    try:
        return str(NAMES[name].resolve(context))
    except (KeyError, VariableDoesNotExist):
        return ""


def _needed(name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    names = get_resolver().reverse_dict.getlist(name)[0][0][0][1]
    return {key: kwargs[key] for key in names}


def _title(context: Context) -> SafeString:
    """The title that the page gives its window."""
    return SafeString(context.render_context[BLOCK_CONTEXT_KEY].get_block("title").render(context).strip())
