"""Waiting, in both ways."""

import asyncio
from time import sleep

sleep_async = asyncio.sleep
__all__ = ["sleep", "sleep_async"]
