"""The API of Assize in Python: index-linked prices that both sides can trust.

Needs nothing but Python. Every decimal is a ``decimal.Decimal``.
"""

from . import types
from .client import Assize
from .copies import Copy
from .errors import (
    AssizeError,
    HistoryReplaced,
    Invalid,
    NetworkError,
    NotFound,
    ServerError,
    TimedOut,
    TooLarge,
    TooOften,
    Unauthorized,
    Unavailable,
    Unreadable,
    WebhookRefused,
    WrongType,
)
from .feeds import Batch
from .receipts import ReceiptVerdict, verify_receipt
from .resource import Walk
from .store import FileStore, KeptAnswer, MemoryStore, Store
from .version import VERSION as __version__
from .webhooks import VerifiedWebhook, WebhookData, WebhookEvent, verify_webhook

__all__ = [
    "Assize",
    "AssizeError",
    "Batch",
    "Copy",
    "FileStore",
    "HistoryReplaced",
    "Invalid",
    "KeptAnswer",
    "MemoryStore",
    "NetworkError",
    "NotFound",
    "ReceiptVerdict",
    "ServerError",
    "Store",
    "TimedOut",
    "TooLarge",
    "TooOften",
    "Unauthorized",
    "Unavailable",
    "Unreadable",
    "VerifiedWebhook",
    "Walk",
    "WebhookData",
    "WebhookEvent",
    "WebhookRefused",
    "WrongType",
    "__version__",
    "types",
    "verify_receipt",
    "verify_webhook",
]
