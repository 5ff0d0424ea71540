import uuid

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.permissions import ROLE_CHOICES, Role


class PersonManager(BaseUserManager["Person"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> "Person":
        person = self.model(email=self.normalize_email(email).lower(), **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "Person":
        return self.create_user(email, password, **{**fields, "role": Role.ADMIN})


class Person(AbstractBaseUser):
    """Somebody who signs in. `pseudonym` stands for them wherever data leave the site.

    `languages` are language tags ("en", "pt-BR"), `topics` what they know well; both in their own words.
    `interface_language` is the language of pages and mail that they chose, "" where it is their browser's. Of a person
    who was erased nothing is left here but the pseudonym.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=20, choices=ROLE_CHOICES)
    pseudonym = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    languages = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    topics = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    interface_language = models.CharField(max_length=20, blank=True, default="", db_default="")
    is_active = models.BooleanField(default=True)
    erased_at = models.DateTimeField(null=True, editable=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["role"]

    class Meta:
        ordering = ["email"]

    def __str__(self) -> str:
        if not self.name and self.email.endswith("@crowd.invalid"):
            return f"crowd-{self.pseudonym.hex[:8]}"  # who came from a crowd site has no address
        return self.name or self.email

    @property
    def is_admin(self) -> bool:
        return self.role == Role.ADMIN
