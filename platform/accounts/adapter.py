"""How allauth behaves here: people come by invitation only."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter


class InvitedOnly(DefaultAccountAdapter):
    def is_open_for_signup(self, request) -> bool:
        return False


class InvitedOnlySocial(DefaultSocialAccountAdapter):
    def is_open_for_signup(self, request, sociallogin) -> bool:
        return False
