from django.urls import path

from integrations.events.api import Events

urlpatterns = [path("events/", Events.as_view(), name="event-list")]
