from django.db import models


class DeviceUse(models.Model):
    """Somebody of a crowd site came in a browser. Who came in the same one is taken for the same person.

    `device` is the digest of the secret that only that browser has. `address` and `agent` are keyed digests of the
    network address (of IPv6 its first half) and of what the browser calls itself, which cannot be turned back and are
    other ones in each study; "" where nothing is known. Many people share these, so they only support a suspicion.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="device_uses")
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="device_uses")
    device = models.CharField(max_length=64)
    address = models.CharField(max_length=16, blank=True)
    agent = models.CharField(max_length=16, blank=True)
    visits = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["first_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "person", "device", "address", "agent"], name="one_use_of_a_device"
            )
        ]
        indexes = [
            models.Index(fields=["study", "device"], name="use_of_device"),
            models.Index(fields=["study", "address", "agent"], name="use_of_address"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.device[:8]}"
