"""Which members of a study a page shows: searched, of a role, in an order, fifty at a time."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse

from corpora.forms.search import MembersForm
from corpora.models import Membership, Study

A_PAGE = 50
FEW = 10  # members that are looked through without a search
ORDERS = {
    "": ("person__email",), "name": ("person__name", "person__email"), "role": ("role", "person__email"),
    "-made_at": ("-made_at", "pk"),
}  # fmt: skip


def members_page(request: Any) -> dict[str, Any]:
    """What the page of members shows of those that its address asks for."""
    search = MembersForm(request.GET, auto_id="find_%s")
    page = Paginator(find_members(request.study, search.asked), A_PAGE).get_page(request.GET.get("page"))
    narrowed = search.has_changed()
    many = narrowed or page.paginator.count > FEW
    return {
        "page": page, "members": page.object_list, "search": search if many else None, "narrowed": narrowed,
        "here": reverse("study_members", args=[request.study.slug]),
    }  # fmt: skip


def find_members(study: Study, asked: Mapping[str, Any]) -> QuerySet[Membership]:
    """The study's members with a `role` and with `q` in their name or e-mail address, in the order of `sort`."""
    found = study.memberships.select_related("person")
    if role := asked.get("role"):
        found = found.filter(role=role)
    if q := asked.get("q"):
        found = found.filter(Q(person__name__icontains=q) | Q(person__email__icontains=q))
    return found.order_by(*ORDERS[asked.get("sort") or ""])
