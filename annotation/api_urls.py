"""The endpoints of campaigns."""

urlpatterns: list = []
