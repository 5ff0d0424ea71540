"""The shapes of gold that is adopted as texts of its study."""

from rest_framework import serializers

from accounts.api_schema.strict_serializers import StrictSerializer


class Adoption(StrictSerializer):
    alone = serializers.BooleanField(
        default=False, help_text="Sentences of documents that nobody was asked to work on become sources too."
    )
    tune = serializers.FloatField(
        default=0, help_text="Of the texts to train on that stand for themselves, how many per cent are to tune on."
    )


class Adopted(StrictSerializer):
    reference_sets = serializers.IntegerField()
    references = serializers.IntegerField(help_text="References that stand in these sets now.")
    sources = serializers.IntegerField(help_text="Sources that are new.")
    taken_back = serializers.IntegerField(help_text="Sources that were adopted before and do not stand any more.")
    stay = serializers.IntegerField(help_text="Such sources that stay, since outputs or work stand on them.")
    left_out = serializers.DictField(
        child=serializers.IntegerField(), help_text="Texts that are held out from training, by where they stand."
    )
