"""Keeps requests within the limit that the server tells with every answer, so that a calm walk is never refused.

Before the last request of the window is taken, the next one waits until there is room again. Requests of several threads
are counted together.
"""

import re
import threading
from typing import Optional

from .clock import Clock

#: ``"default";r=42;t=17``: what is left, and in how many seconds there is one more.
_TOLD = re.compile(r";\s*r=(\d+)\s*;\s*t=(\d+)")

#: Left for others who use the same key.
RESERVE = 1


class Pacing:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # Whoever waits, waits one after the other.
        self._turn = threading.Lock()
        self._facts = threading.Lock()
        self._sent = 0
        self._told_by = 0
        self._left: Optional[int] = None
        self._more_at = 0.0
        self._closed_until = 0.0

    def take(self) -> int:
        """Waits for room; the number of the request is given back to ``heard``."""
        with self._turn:
            while True:
                with self._facts:
                    is_open = self._left is None or self._left > RESERVE
                    wait = max(self._closed_until, 0.0 if is_open else self._more_at) - self._clock.now()
                if wait <= 0:
                    break
                self._clock.sleep(wait)
            with self._facts:
                if self._left is not None:
                    # Where the time that was told has passed, one more is allowed than then.
                    self._left = max(self._left, RESERVE + 1) - 1
                self._sent += 1
                return self._sent

    def heard(self, request: int, header: Optional[str]) -> None:
        """What the answer to a request told of the limit."""
        found = _TOLD.search(header or "")
        with self._facts:
            if found is None or request < self._told_by:
                return
            self._told_by = request
            # Those that were sent since may not be counted in it.
            self._left = int(found.group(1)) - (self._sent - request)
            self._more_at = self._clock.now() + int(found.group(2))

    def close_for(self, seconds: float) -> None:
        """Nobody asks before then: the server has said so."""
        with self._facts:
            self._closed_until = max(self._closed_until, self._clock.now() + seconds)
