"""The endpoints of campaigns: thin, and on the same actions as the pages."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.shapes import asks, without_body
from annotation.actions.adopt_gold import Adopted, adopt_gold, take_back_gold
from annotation.actions.claim_slot import claim_slot
from annotation.actions.create_campaign import create_campaign
from annotation.actions.decide import decide
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.read_guideline import read_guideline
from annotation.actions.remove_campaign import remove_campaign
from annotation.actions.reply_to_review import reply_to_review
from annotation.actions.report_problem import report_problem
from annotation.actions.revise_answer import revise_answer
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import HandedIn, Submission, submit_answer
from annotation.api import serializers as shapes
from annotation.blinding.handles import Kind, handle_of, key_of
from annotation.blinding.own_answers import name_for_author, own_answers
from annotation.engine.assignment_queue import Claim
from annotation.models import Answer, Campaign, Review
from annotation.review.answer_filter import SHOWS, AnswerFilter, answers_for
from annotation.task_types import TASK_TYPES
from annotation.views.campaigns import campaign_of
from annotation.views.reasons import told
from foundation.errors import UserError

FILTERS = [
    OpenApiParameter("show", str, enum=SHOWS, default="waiting", description="which answers"),
    OpenApiParameter("person", int, description="only those of this person's key"),
    OpenApiParameter("verdict", str, enum=Review.Verdict.values, description="only those last decided so"),
]


def checked(shape: type[Any], request: Request, *, partial: bool = False) -> dict[str, Any]:
    """The request's data, held to its shape; of a partial one only what is named."""
    given = shape(data=request.data, partial=partial)
    given.is_valid(raise_exception=True)
    return given.validated_data


class Campaigns(generics.ListAPIView):
    queryset = Campaign.objects.none()
    serializer_class = shapes.CampaignShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Campaign.objects.none()
        return self.request.study.campaigns.select_related("direction", "after")

    @extend_schema(request=shapes.NewCampaign, responses={201: shapes.CampaignShape})
    def post(self, request: Any, study: str) -> Response:
        """Make a campaign with all its items; it is a draft until its state is set."""
        given = checked(shapes.NewCampaign, request)
        given["direction"] = _direction(request.study, given["direction"])
        given["systems"] = _systems(request.study, given["systems"])
        given["after"] = _before(request.study, given["after"])
        made = create_campaign(study=request.study, by=request.user, **given)
        return Response(shapes.CampaignShape(made).data, status=201)


class OneCampaign(APIView):
    @extend_schema(responses=shapes.CampaignInFull)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """A campaign, and how far it has come."""
        return Response(shapes.CampaignInFull(campaign_of(request, campaign)).data)

    @extend_schema(request=shapes.ChangedCampaign, responses=shapes.CampaignInFull)
    def patch(self, request: Any, study: str, campaign: str) -> Response:
        """Change what is named; what the items were made with only while there are none."""
        found = campaign_of(request, campaign)
        given = dict(checked(shapes.ChangedCampaign, request, partial=True))
        if "direction" in given:
            given["direction"] = _direction(request.study, given["direction"])
        if "after" in given:
            given["after"] = _before(request.study, given["after"])
        return Response(shapes.CampaignInFull(edit_campaign(campaign=found, by=request.user, **given)).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take the campaign out of the study, with its items and answers. It can be undone for 30 days."""
        remove_campaign(campaign=campaign_of(request, campaign), by=request.user)
        return Response(status=204)


class State(APIView):
    @extend_schema(request=shapes.NewState, responses=shapes.CampaignShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Start, pause or end a campaign."""
        found, given = campaign_of(request, campaign), checked(shapes.NewState, request)
        return Response(shapes.CampaignShape(set_campaign_state(campaign=found, by=request.user, **given)).data)


class GuidelineVersion(APIView):
    @extend_schema(responses=shapes.GuidelineShape)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """The guideline in its newest version."""
        found = campaign_of(request, campaign)
        return Response(shapes.GuidelineShape(found.guidelines.get(version=found.guideline_version)).data)

    @extend_schema(request=shapes.NewGuideline, responses=shapes.GuidelineShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Give the campaign a new version of its guideline."""
        found, given = campaign_of(request, campaign), checked(shapes.NewGuideline, request)
        return Response(shapes.GuidelineShape(revise_guideline(campaign=found, by=request.user, **given)).data)


class GuidelineRead(APIView):
    @extend_schema(request=shapes.ReadGuideline, responses={204: None})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Say that you have read the guideline in this version."""
        found = get_object_or_404(request.study.campaigns, slug=campaign)
        read_guideline(campaign=found, person=request.user, **checked(shapes.ReadGuideline, request))
        return Response(status=204)


class Adopt(APIView):
    @extend_schema(request=shapes.Adoption, responses=shapes.Adopted)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Make what people made, with the stages that check it, sources and references of the study; again: anew."""
        given = checked(shapes.Adoption, request)
        return _counts(adopt_gold(campaign=campaign_of(request, campaign), by=request.user, **given))

    @without_body(responses=shapes.Adopted)
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take back what was adopted of the campaign."""
        return _counts(take_back_gold(campaign=campaign_of(request, campaign), by=request.user))


def _counts(made: Adopted) -> Response:
    counts = {"references": made.references, "sources": made.sources, "taken_back": made.taken_back, "stay": made.stay}
    return Response({"reference_sets": len(made.sets), **counts, "left_out": dict(made.left)})


class Work(APIView):
    """What annotators do; a token needs the scope `annotate`."""

    scope = "annotate"

    def held(self, request: Any, campaign: str, shape: type[Any]) -> dict[str, Any]:
        given = checked(shape, request)
        given["slot"] = key_of(Kind.SLOT, given["slot"], request.user.pk)
        return {"study": request.study, "campaign": campaign, "person": request.user, **given}

    def handle_exception(self, error: Exception) -> Response:
        return super().handle_exception(Http404() if isinstance(error, Campaign.DoesNotExist) else error)


class Next(Work):
    @without_body(responses=shapes.ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """The item in your hands, its lease renewed, else the next one; or the reason why there is none."""
        return Response(claimed(claim_slot(study=request.study, campaign=campaign, person=request.user)))


class Answers(generics.ListAPIView, Work):
    """Your own answers, each in its newest revision."""

    queryset = Answer.objects.none()
    serializer_class = shapes.OwnAnswerShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Answer.objects.none()
        return own_answers(campaign_of(self.request, self.kwargs["campaign"]), self.request.user)

    def paginate_queryset(self, queryset: Any) -> Any:
        return name_for_author(super().paginate_queryset(queryset) or ())

    @extend_schema(request=shapes.NewAnswer, responses={200: shapes.Acknowledgement, 409: shapes.HandedInShape})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Hand in an answer and get the next item. The same answer again is the same acknowledgement.

        409 where you handed in something else already, with that answer; or where another page saved a newer draft.
        """
        given = self.held(request, campaign, shapes.NewAnswer)
        return in_conflict(lambda: _acknowledged(submit_answer(**given), request), request)


class Revision(Work):
    @extend_schema(
        operation_id="studies_campaigns_answers_revise", request=shapes.NewRevision,
        responses={200: shapes.OwnAnswerShape, 409: shapes.HandedInShape},
    )  # fmt: skip
    def post(self, request: Any, study: str, campaign: str, answer: str) -> Response:
        """Change an answer of your own: a further revision is appended."""
        own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
        found = get_object_or_404(own, pk=key_of(Kind.ANSWER, answer, request.user.pk))
        given = checked(shapes.NewRevision, request)

        def act() -> Any:
            made = revise_answer(answer=found, person=request.user, **given)
            return shapes.OwnAnswerShape(*name_for_author([made])).data

        return in_conflict(act, request)


class Reply(Work):
    @extend_schema(request=shapes.NewReply, responses=shapes.OwnReviewShape)
    def post(self, request: Any, study: str, campaign: str, review: str) -> Response:
        """Say something to a reviewer's decision about an answer of your own; a second reply takes its place."""
        own = {"answer__campaign": campaign_of(request, campaign), "answer__person": request.user}
        found = get_object_or_404(Review, pk=key_of(Kind.REVIEW, review, request.user.pk), **own)
        said = reply_to_review(review=found, by=request.user, text=checked(shapes.NewReply, request)["text"])
        return Response(shapes.OwnReviewShape(said).data)


class Drafts(Work):
    @extend_schema(request=shapes.NewDraft, responses={200: shapes.DraftShape, 409: shapes.NewerDraftShape})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Keep what is typed so far; 409 with the newer draft where an older version comes."""
        given = self.held(request, campaign, shapes.NewDraft)
        return in_conflict(lambda: {"version": save_draft(**given)}, request)


class Skip(Work):
    @extend_schema(request=shapes.NewSkip, responses=shapes.ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Pass the item by and get the next one."""
        return Response(claimed(skip_item(**self.held(request, campaign, shapes.NewSkip))))


class Report(Work):
    @extend_schema(request=shapes.NewReport, responses=shapes.ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Report a problem with the item and get the next one."""
        return Response(claimed(report_problem(**self.held(request, campaign, shapes.NewReport))))


class Reviews(generics.ListAPIView):
    """Answers to decide about, and the decisions."""

    queryset = Answer.objects.none()
    serializer_class = shapes.AnswerShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Answer.objects.none()
        return answers_for(
            campaign_of(self.request, self.kwargs["campaign"]), AnswerFilter.read(self.request.query_params)
        )

    @asks(*FILTERS, responses=shapes.AnswerShape(many=True))
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The answers that wait for a decision, or those that are asked for."""
        kept = AnswerFilter.read(request.query_params).parameters()
        for name in (one.name for one in FILTERS):
            if (value := request.query_params.get(name)) and value != kept.get(name):
                raise UserError(f"Nothing is shown by the {name} {value[:60]!r}.", where=name)
        return super().get(request, *args, **kwargs)

    @extend_schema(request=shapes.NewReview, responses=shapes.ReviewShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Decide about an answer of the campaign."""
        given = checked(shapes.NewReview, request)
        answer = Answer.objects.filter(pk=given.pop("answer"), campaign=campaign_of(request, campaign)).first()
        if answer is None:
            raise UserError("There is no such answer in this campaign.", where="answer")
        return Response(shapes.ReviewShape(decide(answer=answer, by=request.user, **given)).data)


def _acknowledged(made: Submission, request: Any) -> dict[str, Any]:
    answer = handle_of(Kind.ANSWER, made.answer, request.user.pk)
    said = {"answer": answer, "revision": made.revision, "late": made.late, "feedback": made.feedback}
    return {**said, "next": claimed(made.next)}


def in_conflict(act: Callable[[], Any], request: Any) -> Response:
    """What the act answers; 409 with what stands in its way, where that is other work of the same person."""
    try:
        return Response(act())
    except NewerDraft as error:
        return Response({"detail": str(error), "version": error.version, "content": error.content}, status=409)
    except HandedIn as error:
        answer = error.answer
        kind, named = TASK_TYPES[answer.campaign.task_type], handle_of(Kind.ANSWER, answer.pk, request.user.pk)
        said = {"answer": named, "revision": answer.revision, "content": kind.arranged(answer.content, answer.order)}
        return Response({"detail": str(error), **said}, status=409)


def claimed(claim: Claim) -> dict[str, Any]:
    """A claim as JSON: the item as it is presented, or the reason why there is none."""
    desk, work = claim.desk, claim.work
    said: dict[str, Any] = {"work": None, "reason": None, "detail": "", "done": desk.done, "size": desk.size}
    if work is None:
        more = told(claim)
        return {**said, "reason": claim.reason, "detail": " ".join([more["text"], *more["sentences"]])}
    said["work"] = {
        "slot": handle_of(Kind.SLOT, work.slot, desk.person.pk),
        "lease": work.lease,
        "expires_at": work.expires_at,
        "number": claim.number,
        "task_type": desk.task_type_name,
        "item": desk.task_type.present(work.content, desk.settings, work.order, work.draft),
        "draft_version": work.draft_version,
    }
    return said


def _direction(study: Any, name: str | None) -> Any:
    if not name:
        return None
    for direction in study.directions.all():
        if direction.name == name:
            return direction
    raise UserError(f"The study has no direction '{name}'.", where="direction")


def _before(study: Any, slug: str | None) -> Any:
    if not slug:
        return None
    found = study.campaigns.filter(slug=slug).first()
    if found is None:
        raise UserError(f"The study has no campaign '{slug}'.", where="after")
    return found


def _systems(study: Any, names: list[str] | None) -> Any:
    if names is None:
        return None
    there = {system.name: system for system in study.systems.all()}
    for name in names:
        if name not in there:
            raise UserError(f"The study has no system '{name}'.", where="systems")
    return [there[name] for name in names]
