"""The pages of campaigns."""

urlpatterns: list = []
