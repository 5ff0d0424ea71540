from django.db import models


class Seat(models.Model):
    """A person's place in a campaign: how far they have come through its items, and how many they have answered.

    Its row is locked by whatever the person does in the campaign, so that two tabs act one after the other.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="seats")
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="seats")
    position = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="one_seat_a_person")]

    def __str__(self) -> str:
        return f"{self.person} in {self.campaign}"
