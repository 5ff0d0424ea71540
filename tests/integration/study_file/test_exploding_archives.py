"""A study file or an archive that is far more once it is read: one sentence, and no study."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.exploding_files import ZEROS, named_often
from support.workbooks import zipped

from accounts.models import Person
from accounts.permissions import Role
from corpora.models import Study


@pytest.mark.parametrize(("name", "content", "said"), [
    ("study.zip", named_often("study.toml"), "names 'study.toml' more than once"),
    ("study.zip", zipped({"study.toml": ZEROS}), "larger than 4,194,304 bytes"),
    ("study.zip", named_often("study.toml", 1)[:-30], "damaged or cut off"),
    ("study.toml", b"a = " + b"[" * 500_000, "nested too deeply"),
    ("study.toml", b"a." * 100_000 + b"a = 1\n", "more than 12 parts"),
])  # fmt: skip
def test_it_ends_in_one_sentence(db: None, name: str, content: bytes, said: str) -> None:
    client = Client()
    client.force_login(Person.objects.create_user("lead@example.org", "a long enough password", role=Role.RESEARCHER))
    answer = client.post(reverse("study_apply"), {"study": SimpleUploadedFile(name, content)})
    assert answer.status_code == 422
    assert said in " ".join(answer.context["form"].errors["study"])
    assert not Study.objects.exists()
