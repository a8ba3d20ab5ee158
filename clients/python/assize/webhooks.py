"""Deliveries of webhooks, as Standard Webhooks has them: whether one comes from the server, and what it says."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, TypedDict, Union, cast

from .errors import WebhookRefused


class WebhookData(TypedDict):
    workspace: str
    subject: str
    periods: Optional[List[str]]
    url: str
    cursor: str


class WebhookEvent(TypedDict):
    """Thin: it says what happened and where to read it, and has no figures."""

    type: str
    timestamp: str
    data: WebhookData


class VerifiedWebhook(NamedTuple):
    #: The same for all attempts to deliver it: one that was dealt with before is left alone.
    id: str
    event: WebhookEvent


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Iterable[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> VerifiedWebhook:
    """The event, or ``WebhookRefused``: then do not act on it, and answer with 400.

    :param body: the body as it arrived, before anything parses it
    :param headers: the headers of the request, in any case
    :param secrets: ``whsec_…``, or both during a rotation
    :param tolerance: by how many seconds clocks may differ
    :param now: seconds since 1970; the clock of this machine if left out
    """
    sent = {name.lower(): value for name, value in headers.items()}
    message, stamp, signatures = (sent.get("webhook-" + name, "") for name in ("id", "timestamp", "signature"))
    if not message or not stamp or not signatures:
        raise WebhookRefused("webhook-id, webhook-timestamp and webhook-signature are needed")
    if not re.fullmatch("[0-9]{1,12}", stamp):
        raise WebhookRefused("webhook-timestamp is not a number of seconds")
    content = body.encode("utf-8") if isinstance(body, str) else body
    signed = ("%s.%s." % (message, stamp)).encode("utf-8") + content
    known = [secrets] if isinstance(secrets, str) else secrets
    expected = [hmac.new(_key(each), signed, hashlib.sha256).digest() for each in known]
    if not any(hmac.compare_digest(given, each) for given in _signatures(signatures) for each in expected):
        raise WebhookRefused("no signature fits the secret")
    age = (time.time() if now is None else now) - int(stamp)
    if abs(age) > tolerance:
        words = "too old" if age > 0 else "in the future"
        raise WebhookRefused("webhook-timestamp is %s: it may be a repetition" % words)
    try:
        event: Dict[str, Any] = json.loads(content.decode("utf-8"))
    except ValueError as why:
        raise WebhookRefused("the body is not JSON") from why
    return VerifiedWebhook(message, cast(WebhookEvent, event))


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a secret is whsec_ and Base64")
    return key


def _signatures(header: str) -> List[bytes]:
    """Those of version 1; others may stand beside them."""
    found = []
    for each in header.split(" "):
        version, _, value = each.partition(",")
        if version == "v1":
            try:
                found.append(base64.b64decode(value, validate=True))
            except binascii.Error:
                continue
    return found
