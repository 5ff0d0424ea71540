"""The domains of e-mail addresses that are trusted from a provider that does not say whether it verified them."""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
OF_ANYBODY = {"common", "organizations", "consumers"}  # Entra's endpoints at which any tenant signs in


def trusted_domains(given: str, server: str) -> list[str]:
    """'lab.example, uni.example' as a list; ImproperlyConfigured where anybody could claim an address of theirs."""
    domains = [one.strip().lower() for one in given.split(",") if one.strip()]
    if wrong := [one for one in domains if not DOMAIN.fullmatch(one)]:
        raise ImproperlyConfigured(f"OIDC_TRUSTED_DOMAINS is domains with commas between them; {wrong[0]} is none.")
    if domains and OF_ANYBODY & set(urlsplit(server).path.lower().split("/")):
        raise ImproperlyConfigured(
            "OIDC_TRUSTED_DOMAINS needs the provider's address of your own tenant: at the one for all, any tenant can "
            "claim any address."
        )
    return domains
