"""Whether a receipt can be relied on: its hash, seal and signatures, and the arithmetic of its lines. Nothing is sent.

The verifier of the project does it, packed in here; there is no second one.
"""

import json
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Union

from . import _verifier
from .resource import Resource


class ReceiptVerdict(NamedTuple):
    #: Nothing was changed, its seal and signatures are valid, and its lines follow from each other.
    is_good: bool
    #: What holds, and what rests on somebody's word; or what is wrong with it.
    lines: List[str]

    @property
    def problems(self) -> List[str]:
        return [] if self.is_good else self.lines


def verify_receipt(
    receipt: Union[bytes, str],
    *,
    trust: Union[str, Iterable[str], None] = None,
    issuers: Optional[Mapping[str, Any]] = None,
) -> ReceiptVerdict:
    """Checks a receipt, a correction, a change of terms, an evidence package or a slip.

    :param receipt: as it was received, text or bytes: of one that was parsed, digits may be lost
    :param trust: keys that may have sealed it: ``ed25519:…``, or the text of ``/.well-known/assize-keys.json`` as you
        saved it; without any nobody vouches for the seal
    :param issuers: keys of identity providers, by issuer
    """
    data = receipt.encode("utf-8") if isinstance(receipt, str) else receipt
    given = None if trust is None else [trust] if isinstance(trust, str) else trust
    keys = None if given is None else {key for each in given for key in _keys_in(each)}
    status, lines = _verifier.verdict_of(data, _verifier.Trust(keys, None if issuers is None else dict(issuers)))
    return ReceiptVerdict(status == 0, lines)


def _keys_in(written: str) -> List[str]:
    if written.startswith("ed25519:"):
        return [written[len("ed25519:") :]]
    try:
        return [key["publicKey"] for key in json.loads(written)["keys"]]
    except (ValueError, KeyError, TypeError) as why:
        raise ValueError("a key is ed25519:…, or the text of assize-keys.json") from why


class VerifiedReceipts(Resource):
    def verify(self, receipt: Union[bytes, str], *, trust: Union[str, Iterable[str], None] = None) -> ReceiptVerdict:
        """The same as ``verify_receipt``."""
        return verify_receipt(receipt, trust=trust)
