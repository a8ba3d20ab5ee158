"""One request until it has an answer: kept connections, timeouts, retries, the server's limit and its tags.

Knows nothing of what is asked. Every request of the API only reads, so that each may be made again.
"""

import collections
import email.utils
import hashlib
import http.client
import json
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import zlib
from decimal import Decimal
from typing import Any, Callable, Deque, Dict, Mapping, NamedTuple, Optional, Tuple, TypeVar

from .clock import Clock
from .errors import AssizeError, NetworkError, TimedOut, error_of
from .pacing import Pacing
from .store import KeptAnswer, Store

T = TypeVar("T")
RETRIED = frozenset([429, 500, 502, 503, 504])
_FIRST_PAUSE = 0.5
_MOST_PAUSE = 30.0
_PIECE = 64 * 1024


class Patience(NamedTuple):
    """Seconds, except ``retries``."""

    #: For one attempt, from the connection to the last byte.
    timeout: float
    #: How often a request is made again after 429, 5xx or a broken connection.
    retries: int
    #: The longest wait that is granted before another attempt; asked for longer, it gives up.
    most_wait: float


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    def __init__(
        self,
        url: str,
        key: str,
        patience: Patience,
        store: Optional[Store],
        agent: str,
        tls: Optional[ssl.SSLContext],
        clock: Clock,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        is_plain = not (parts.username or parts.query or parts.fragment)
        if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
            raise ValueError("the address of a server is like https://assize.example")
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._is_secure else 80)
        self._root = parts.path.rstrip("/")
        self._patience = patience
        self._store = store
        self._tls = (tls or ssl.create_default_context()) if self._is_secure else None
        self._clock = clock
        self._pacing = Pacing(clock)
        self._idle: Deque[http.client.HTTPConnection] = collections.deque()
        self._lock = threading.Lock()
        self._proxy = _proxy_for(parts.scheme, self._host, self._port)
        self._headers = {"Authorization": "Bearer " + key, "User-Agent": agent, "Accept-Encoding": "gzip"}
        # One store may serve several keys and servers; it holds none of the keys.
        self._whose = hashlib.sha256(("%s %s" % (url, key)).encode("utf-8")).hexdigest()

    def json(
        self, path: str, *, body: Optional[bytes] = None, kind: Optional[str] = None, held: float = 0.0
    ) -> Tuple[Any, str]:
        """The answer as JSON whose decimals are ``Decimal``, and its header ``Link``.

        A body is sent with POST; ``held`` is the time that the server is asked to take.
        """
        headers = {**self._headers, "Accept": "application/json"}
        if kind is not None:
            headers["Content-Type"] = kind

        def read(answer: Answer) -> Tuple[Any, str]:
            return _parsed(answer.body), answer.headers.get("link", "")

        return self._insist(path, headers, body, held, read)

    def raw(self, path: str, accept: str) -> bytes:
        """The answer as it came."""
        return self._insist(path, {**self._headers, "Accept": accept}, None, 0.0, lambda answer: answer.body)

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def _insist(
        self, path: str, headers: Dict[str, str], body: Optional[bytes], held: float, read: Callable[[Answer], T]
    ) -> T:
        name = "%s %s %s" % (self._whose, headers["Accept"], path)
        kept = self._store.get(name) if self._store is not None and body is None else None
        if kept is not None:
            headers["If-None-Match"] = kept.etag
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._ask(path, headers, body, held)
                if answer.status == 304 and kept is not None:
                    return read(Answer(200, {**answer.headers, "link": kept.link}, kept.body))
                if answer.status != 200:
                    raise _refusal(answer)
                found = read(answer)
                etag = answer.headers.get("etag")
                if self._store is not None and body is None and etag is not None:
                    self._store.set(name, KeptAnswer(etag, answer.headers.get("link", ""), answer.body))
                return found
            except AssizeError as problem:
                problem.path, problem.attempts = path, attempt
                if not _may_help(problem) or attempt > self._patience.retries:
                    raise
                self._pause(attempt, problem)

    def _pause(self, attempt: int, problem: AssizeError) -> None:
        """What the server asks for, or a random time, so that many clients do not come back all at once."""
        if problem.retry_after is None:
            self._clock.sleep(self._clock.random() * min(_MOST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1)))
        elif problem.retry_after > self._patience.most_wait:
            raise problem
        else:
            # What one thread is told holds for all of them.
            self._pacing.close_for(problem.retry_after)

    def _ask(self, path: str, headers: Mapping[str, str], body: Optional[bytes], held: float) -> Answer:
        number = self._pacing.take()
        timeout = self._patience.timeout + held
        deadline = time.monotonic() + timeout
        while True:
            connection, is_fresh = self._take(timeout)
            try:
                answer, may_stay = self._exchange(connection, path, headers, body, deadline)
            except BaseException as why:
                connection.close()
                # The server closed a kept connection while nothing was asked: that is no failure yet.
                if not is_fresh and isinstance(why, (ConnectionError, http.client.RemoteDisconnected)):
                    continue
                raise self._failure(why, timeout) from why
            if may_stay:
                with self._lock:
                    self._idle.append(connection)
            else:
                connection.close()
            self._pacing.heard(number, answer.headers.get("ratelimit"))
            return answer

    def _failure(self, why: BaseException, timeout: float) -> BaseException:
        # Python 3.9 has two kinds of timeouts.
        if isinstance(why, (TimeoutError, socket.timeout)):
            return TimedOut("no answer from %s within %g seconds" % (self._host, timeout))
        if isinstance(why, (OSError, http.client.HTTPException, zlib.error)):
            return NetworkError("no whole answer from %s: %s" % (self._host, str(why) or type(why).__name__))
        return why

    def _take(self, timeout: float) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None and kept.sock is not None:
            kept.sock.settimeout(timeout)
            return kept, False
        host, port = self._proxy or (self._host, self._port)
        if not self._is_secure:
            return http.client.HTTPConnection(host, port, timeout=timeout), True
        made = http.client.HTTPSConnection(host, port, timeout=timeout, context=self._tls)
        if self._proxy is not None:
            made.set_tunnel(self._host, self._port)
        return made, True

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        deadline: float,
    ) -> Tuple[Answer, bool]:
        target = self._root + path
        if self._proxy is not None and not self._is_secure:
            target = "http://%s:%d%s" % (self._host, self._port, target)
        connection.request("GET" if body is None else "POST", target, body, dict(headers))
        reply = connection.getresponse()
        received = _whole_body(reply, deadline)
        fields = {name.lower(): value for name, value in reply.getheaders()}
        if fields.get("content-encoding") == "gzip":
            received = _unpacked(received)
        may_stay = not reply.will_close
        reply.close()
        return Answer(reply.status, fields, received), may_stay


def _may_help(problem: AssizeError) -> bool:
    """Whether asking again may."""
    if isinstance(problem.__cause__, ssl.SSLCertVerificationError):
        return False
    return problem.status in RETRIED or isinstance(problem, (NetworkError, TimedOut))


def _parsed(body: bytes) -> Any:
    """No float: ``2.5`` is ``Decimal('2.5')``. What is cut off is no JSON."""
    try:
        return json.loads(body.decode("utf-8"), parse_float=Decimal, parse_constant=_no_number)
    except ValueError as why:
        raise NetworkError("the answer is no JSON: %s" % why) from why


def _no_number(text: str) -> Any:
    raise ValueError("%s is not a number" % text)


def _whole_body(reply: http.client.HTTPResponse, deadline: float) -> bytes:
    """All of it and in time, however slowly it comes; one that ends early is noticed in every version of Python."""
    length = None if reply.chunked or reply.status in (204, 304) else reply.getheader("Content-Length")
    left = 0 if reply.status in (204, 304) else None if length is None else int(length)
    pieces = []
    while left != 0:
        piece = reply.read1(_PIECE if left is None else min(_PIECE, left))
        if not piece:
            if left is not None:
                raise http.client.IncompleteRead(b"", left)
            break
        pieces.append(piece)
        if left is not None:
            left -= len(piece)
        if time.monotonic() > deadline:
            raise TimeoutError("the answer comes too slowly")
    return b"".join(pieces)


def _unpacked(body: bytes) -> bytes:
    packed = zlib.decompressobj(16 + zlib.MAX_WBITS)
    whole = packed.decompress(body) + packed.flush()
    if body and not packed.eof:
        raise http.client.IncompleteRead(body)
    return whole


def _refusal(answer: Answer) -> AssizeError:
    """Something between the server and here may have answered in its own words."""
    try:
        sentence = str(json.loads(answer.body.decode("utf-8"))["error"])
    except (ValueError, KeyError, TypeError):
        sentence = http.client.responses.get(answer.status, "this is not an answer of Assize")
    return error_of(answer.status)(
        sentence,
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
        retry_after=_seconds(answer.headers.get("retry-after")),
    )


def _seconds(header: Optional[str]) -> Optional[float]:
    """``Retry-After``: seconds, or a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _proxy_for(scheme: str, host: str, port: int) -> Optional[Tuple[str, int]]:
    """From the environment, as other programs find it."""
    found = urllib.request.getproxies().get(scheme)
    if found is None or urllib.request.proxy_bypass("%s:%d" % (host, port)):
        return None
    parts = urllib.parse.urlsplit(found if "://" in found else "http://" + found)
    return (parts.hostname, parts.port or 80) if parts.hostname else None
