"""The endpoints of recruiting. Amounts are in minor units of the account's currency."""

from typing import Any

from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body
from accounts.option_fields import body_of
from annotation.campaigns.requested import campaign_named, campaign_of
from corpora.api.base import Listing
from integrations.recruiting.actions.connect_account import connect_account
from integrations.recruiting.actions.draft_recruitment import draft_recruitment
from integrations.recruiting.actions.order_recruitment import order_recruitment
from integrations.recruiting.actions.settle_order import settle_order
from integrations.recruiting.fields import AccountFields, OrderFields, RecruitmentFields
from integrations.recruiting.models import Account, Order, Recruitment, Submission
from integrations.recruiting.money import accounts


class AccountShape(StrictModelSerializer):
    """An account at a crowd site; its token is not told. The site gave the `details`."""

    class Meta:
        model = Account
        fields = ["site", "sandbox", "details", "made_at"]
        read_only_fields = fields


class RecruitmentShape(StrictModelSerializer):
    """A study or task at a crowd site. `reward` and `screen_out_reward` are minor units."""

    site = serializers.CharField(source="account.site", read_only=True)

    class Meta:
        model = Recruitment
        fields = [
            "id", "site", "external_id", "status", "name", "places", "minutes", "reward", "screen_out_reward",
            "currency", "sandbox", "seen_at", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


class SubmissionShape(StrictSerializer):
    """A submission with what the ledger has for its person: `due`, `paid` with bonuses, and what is `left`."""

    id = serializers.IntegerField(source="submission.pk")
    external_id = serializers.CharField(source="submission.external_id")
    state = serializers.ChoiceField(source="submission.state", choices=Submission.State.choices)
    entrant = serializers.IntegerField(source="submission.participant_id", allow_null=True)
    due = serializers.IntegerField()
    paid = serializers.IntegerField()
    left = serializers.IntegerField()


class OrderShape(StrictModelSerializer):
    """Something that was ordered; `warning` is the state of one whose answer was lost."""

    class Meta:
        model = Order
        fields = ["id", "kind", "state", "arguments", "attempts", "error", "made_at", "ended_at"]
        read_only_fields = fields


class Settlement(StrictSerializer):
    happened = serializers.BooleanField()


AccountBody = body_of(AccountFields, "CrowdAccount")
RecruitmentBody = body_of(
    RecruitmentFields, "NewRecruitment", training=serializers.CharField(allow_null=True, default=None)
)
OrderBody = body_of(
    OrderFields, "NewCrowdOrder",
    submissions=serializers.ListField(child=serializers.IntegerField(), default=list, max_length=10_000),
)  # fmt: skip


def recruitment_of(request: Any, campaign: str, pk: int) -> Recruitment:
    found = Recruitment.objects.filter(recruitment_link__campaign=campaign_of(request, campaign))
    row: Recruitment = get_object_or_404(found.select_related("recruitment_link__campaign__study", "account"), pk=pk)
    return row


class CrowdAccounts(Listing):
    queryset = Account.objects.none()
    serializer_class = AccountShape

    def rows(self) -> Any:
        return Account.objects.filter(study=self.request.study).order_by("pk")

    @with_body(AccountBody, responses={201: AccountShape})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Connect the study with an account at a crowd site, or give it another token."""
        return Response(AccountShape(connect_account(study=request.study, by=request.user, **given)).data, status=201)


class Recruitments(Listing):
    queryset = Recruitment.objects.none()
    serializer_class = RecruitmentShape

    def rows(self) -> Any:
        here = campaign_of(self.request, self.kwargs["campaign"])
        return Recruitment.objects.filter(recruitment_link__campaign=here).select_related("account")

    @with_body(RecruitmentBody, responses={201: RecruitmentShape})
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Put a draft up at a crowd site; nobody there sees it before it is published."""
        here, training = campaign_of(request, campaign), given.pop("training")
        before = campaign_named(request.study, training, where="training") if training else None
        made = draft_recruitment(campaign=here, by=request.user, training=before, **given)
        return Response(RecruitmentShape(made).data, status=201)


class OneRecruitment(Listing):
    queryset = Submission.objects.none()
    serializer_class = SubmissionShape

    def rows(self) -> Any:
        row = recruitment_of(self.request, self.kwargs["campaign"], self.kwargs["recruitment"])
        return row.submissions.order_by("pk")

    def list(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The submissions, with what their people are due, were paid, and have left."""
        row = recruitment_of(request, kwargs["campaign"], kwargs["recruitment"])
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(SubmissionShape(accounts(row, page), many=True).data)


class CrowdOrders(Listing):
    queryset = Order.objects.none()
    serializer_class = OrderShape

    def rows(self) -> Any:
        return recruitment_of(self.request, self.kwargs["campaign"], self.kwargs["recruitment"]).orders.all()

    @with_body(OrderBody, responses={201: OrderShape})
    def post(self, request: Any, study: str, campaign: str, recruitment: int, given: dict[str, Any]) -> Response:
        """Order something at the site. `total` is its cost; another number is refused."""
        row = recruitment_of(request, campaign, recruitment)
        made = order_recruitment(campaign=row.recruitment_link.campaign, recruitment=row, by=request.user, **given)
        return Response(OrderShape(made).data, status=201)


class OrderSettlement(APIView):
    @with_body(Settlement, responses=OrderShape)
    def post(
        self, request: Any, study: str, campaign: str, recruitment: int, order: int, given: dict[str, Any]
    ) -> Response:
        """Say of an order whose answer was lost whether the site did it; if not, it is asked for again."""
        row = recruitment_of(request, campaign, recruitment)
        one = get_object_or_404(row.orders, pk=order)
        settled = settle_order(campaign=row.recruitment_link.campaign, order=one, by=request.user, **given)
        return Response(OrderShape(settled).data)
