"""Invoice lines as the server takes them."""

import datetime
import json
from decimal import Decimal
from typing import Iterable, Mapping, Optional, Tuple


def body_of(
    lines: Optional[Iterable[Mapping[str, object]]], csv: Optional[bytes], xml: Optional[bytes]
) -> Tuple[bytes, str]:
    """What is sent, and its type."""
    if sum(each is not None for each in (lines, csv, xml)) != 1:
        raise ValueError("lines, csv or xml is needed, and only one of them")
    if csv is not None:
        return csv, "text/csv"
    if xml is not None:
        return xml, "application/xml"
    written = [{name: _text(name, value) for name, value in each.items()} for each in lines or []]
    return json.dumps({"lines": written}, ensure_ascii=False).encode("utf-8"), "application/json"


def _text(name: str, value: object) -> Optional[str]:
    """Every value is text on the wire. A float has lost its digits already."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime.date) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise TypeError("%s is text, a Decimal, a whole number or a date, not %r" % (name, value))
