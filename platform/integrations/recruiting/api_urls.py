from django.urls import path

from integrations.recruiting.api import CrowdAccounts, CrowdOrders, OneRecruitment, OrderSettlement, Recruitments

AT = "studies/<slug:study>/campaigns/<slug:campaign>/recruitments/"
ONE = f"{AT}<int:recruitment>/"

urlpatterns = [
    path("studies/<slug:study>/crowd-accounts/", CrowdAccounts.as_view(), name="crowd-account-list"),
    path(AT, Recruitments.as_view(), name="recruitment-list"),
    path(f"{ONE}submissions/", OneRecruitment.as_view(), name="recruitment-submissions"),
    path(f"{ONE}orders/", CrowdOrders.as_view(), name="recruitment-order-list"),
    path(f"{ONE}orders/<int:order>/settle/", OrderSettlement.as_view(), name="recruitment-order-settle"),
]
