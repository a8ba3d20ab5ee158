"""The client: a server, a key, and the resources of the API."""

import os
import ssl
from typing import Iterable, Mapping, Optional, Union, cast

from .checks import body_of
from .clock import Clock, SystemClock
from .copies import Copy, sync_copy
from .resource import Moment, address, decode
from .resources import Resources
from .store import MemoryStore, Store
from .transport import Patience, Transport
from .types import CheckAnswer, Health
from .version import VERSION


class Assize(Resources):
    """Reads from a server of Assize. It may be shared between threads.

    :param url: where the server is, ``https://assize.example``; ``ASSIZE_URL`` of the environment if left out
    :param key: the API key; ``ASSIZE_KEY`` of the environment if left out
    :param timeout: seconds for one attempt
    :param retries: how often a request is made again after 429, 5xx or a broken connection
    :param most_wait: the longest wait, in seconds, that is granted before another attempt; asked for more, it gives up
    :param etags: answers that were read before, so that unchanged ones are not sent again; ``False`` for none
    :param tls: how certificates are checked, if not as usual
    :param clock: time and chance, for tests
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 8,
        most_wait: float = 120.0,
        etags: Union[Store, None, bool] = None,
        tls: Optional[ssl.SSLContext] = None,
        clock: Optional[Clock] = None,
    ) -> None:
        where = url or os.environ.get("ASSIZE_URL", "")
        who = key or os.environ.get("ASSIZE_KEY", "")
        if not who or not all("!" <= letter <= "~" for letter in who):
            raise ValueError("an API key is needed: Assize(url, key)")
        store: Optional[Store] = MemoryStore() if etags is None or etags is True else etags or None
        patience = Patience(timeout, retries, most_wait)
        self._transport = Transport(where, who, patience, store, "assize-python/" + VERSION, tls, clock or SystemClock())
        super().__init__(self._transport)

    def sync(self, before: Optional[Copy] = None) -> Copy:
        """A copy of every agreement and its item prices: everything the first time and on a new day, otherwise what changed
        since the copy that is handed in. A copy may be kept as JSON."""
        return sync_copy(self, before)

    def check(
        self,
        lines: Optional[Iterable[Mapping[str, object]]] = None,
        *,
        csv: Optional[bytes] = None,
        xml: Optional[bytes] = None,
        known_at: Optional[Moment] = None,
    ) -> CheckAnswer:
        """Checks invoice lines against the settled prices; nothing is stored. Needs ``money``.

        :param lines: as data, by the names of ``types.LineToCheck``; decimals as text or ``Decimal``
        :param csv: or the bytes of a CSV file with a header
        :param xml: or of a UBL or CII invoice
        :param known_at: against what was recorded then
        """
        body, kind = body_of(lines, csv, xml)
        found, _ = self._transport.json(address("/ext/v1/check", [], {"knownAt": known_at}), body=body, kind=kind)
        return cast(CheckAnswer, decode(found, "CheckAnswer"))

    def health(self) -> Health:
        """That the service runs, and its clock. Needs no key."""
        return cast(Health, self._transport.json("/v1/health")[0])

    def request(self, path: str, *, accept: str = "application/json") -> bytes:
        """Any address of the API, with the same retries and limits: ``request("/ext/v1/due", accept="text/csv")``."""
        return self._transport.raw(path, accept)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._transport.close()

    def __enter__(self) -> "Assize":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
