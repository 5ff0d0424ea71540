from django.urls import path

from integrations.recruiting import views

AT = "studies/<slug:study>/campaigns/<slug:campaign>/recruiting/"
ONE = f"{AT}<int:recruitment>/"

urlpatterns = [
    path(AT, views.campaign_recruiting, name="campaign_recruiting"),
    path(ONE, views.recruitment, name="recruitment"),
    path(f"{ONE}order/", views.order, name="recruitment_order"),
    path(f"{ONE}orders/<int:order>/settle/", views.settle, name="recruitment_settle"),
]
