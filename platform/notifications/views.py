"""A person's choice of notifications by mail."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.telling import form_page, go_on
from notifications.actions.choose_notifications import choose_notifications, wanted_by
from notifications.forms import NotificationsForm


@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: Any) -> HttpResponse:
    form = NotificationsForm(
        request.POST if request.method == "POST" else None, initial={"wanted": wanted_by(request.user)}
    )
    if form.is_valid():
        choose_notifications(person=request.user, wanted=form.cleaned_data["wanted"])
        return go_on(request, _("Your choice is saved."), "notifications")
    return form_page(request, "notifications/choose.html", form, has_mail=settings.HAS_MAIL_SERVER)
