"""What can go wrong, as types. Catch a type or look at ``problem``, which has the same names in all our clients.

The sentence is for people, and the request id finds the request in the server's log.
"""

from typing import Dict, Optional, Type


class AssizeError(Exception):
    """Everything that a client raises about a request."""

    problem = "refused"

    def __init__(
        self,
        sentence: str,
        *,
        path: str = "",
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        #: The path and query that were asked for, without the key.
        self.path = path
        #: None where nothing was answered.
        self.status = status
        self.request_id = request_id
        #: Seconds that the last answer asked to wait.
        self.retry_after = retry_after
        self.attempts = 1

    def __str__(self) -> str:
        facts = [] if self.status is None else ["status %d" % self.status]
        facts += [] if self.request_id is None else ["request %s" % self.request_id]
        facts += [] if self.attempts == 1 else ["%d attempts" % self.attempts]
        more = " (%s)" % ", ".join(facts) if facts else ""
        return "%s: %s%s" % (self.path or "assize", self.sentence, more)


class Invalid(AssizeError):
    """400: a parameter or a body that the server does not take; the sentence says which."""

    problem = "invalid"


class Unauthorized(AssizeError):
    """401: the key is missing, wrong, expired or revoked."""

    problem = "unauthorized"


class NotFound(AssizeError):
    """404: it does not exist, is another workspace's, needs another scope, or has no number yet."""

    problem = "not-found"


class HistoryReplaced(AssizeError):
    """409: a backup was restored, so that a cursor belongs to another history: read everything again."""

    problem = "history-replaced"


class TooLarge(AssizeError):
    """413: more lines or bytes than one request takes."""

    problem = "too-large"


class WrongType(AssizeError):
    """415: a body of a type that is not read."""

    problem = "wrong-type"


class TooOften(AssizeError):
    """429, still so after every attempt."""

    problem = "too-often"


class Unavailable(AssizeError):
    """503, still so after every attempt."""

    problem = "unavailable"


class ServerError(AssizeError):
    """Any other 5xx."""

    problem = "server-error"


class NetworkError(AssizeError):
    """The connection failed, or broke off, every time."""

    problem = "network"


class TimedOut(AssizeError):
    """No answer in time, every time."""

    problem = "timeout"


class Unreadable(AssizeError):
    """Something answered that is not this API: a gateway, a redirect, a sign-in page."""

    problem = "unreadable"


class WebhookRefused(Exception):
    """A delivery that is not proven to come from the server, or is too old."""


_BY_STATUS: Dict[int, Type[AssizeError]] = {
    400: Invalid,
    401: Unauthorized,
    404: NotFound,
    409: HistoryReplaced,
    413: TooLarge,
    415: WrongType,
    429: TooOften,
    503: Unavailable,
}


def error_of(status: int) -> Type[AssizeError]:
    """The type of the error that a status means."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return ServerError if status >= 500 else AssizeError if status >= 400 else Unreadable
