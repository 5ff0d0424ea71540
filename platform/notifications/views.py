"""A person's choice of what they are told by mail."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from notifications.actions.choose_notifications import choose_notifications, wanted_by
from notifications.forms import NotificationsForm


@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: Any) -> HttpResponse:
    form = NotificationsForm(request.POST or None, initial={"wanted": wanted_by(request.user)})
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            choose_notifications(person=request.user, wanted=form.cleaned_data["wanted"])
            messages.success(request, _("Your choice is kept."))
            return redirect("notifications")
    context = {"form": form, "has_mail": settings.HAS_MAIL_SERVER}
    return render(request, "notifications/choose.html", context, status=422 if form.errors else 200)
