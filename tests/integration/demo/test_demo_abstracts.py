"""The demo's abstracts: screened, and ready to be adapted by the demo's people."""

import pytest
from support.campaigns import held, person

from annotation.models import Item
from demo.seed import TOPICS, make_abstracts

pytestmark = pytest.mark.django_db


def test_a_newcomer_adapts_at_once():
    study = make_abstracts(person("researcher"), person("admin"))
    assert list(study.questions.values_list("chosen", "kind")) == [(True, "treatment"), (True, "prevention")]
    assert set(study.documents.values_list("chosen", flat=True)) == {True}
    adapt = study.campaigns.get(slug="adapt")
    assert (adapt.state, adapt.size) == ("open", 4)
    assert set(Item.objects.filter(campaign=adapt).values_list("topic", flat=True)) == set(TOPICS)
    work = held(adapt, person("expert_annotator", study, topics=TOPICS))
    assert work.content["sentences"][0]["text"].startswith("BACKGROUND: Chronic nonspecific lumbago")
