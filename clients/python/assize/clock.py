"""Time and chance, which a test replaces so that it does not have to wait."""

import random
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds, from any beginning."""

    def sleep(self, seconds: float) -> None: ...

    def random(self) -> float:
        """From 0 up to, not including, 1."""


class SystemClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def random(self) -> float:
        return random.random()
