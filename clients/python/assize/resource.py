"""What resources share: addresses, walks over pages, and decimals in what they answer."""

import datetime
import re
import urllib.parse
from decimal import Decimal
from typing import Any, Dict, Generic, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union, cast

from .shapes import SHAPES
from .transport import Transport

T = TypeVar("T")
#: A day: ``YYYY-MM-DD`` or a date.
Day = Union[str, datetime.date]
#: A day or an instant with its zone.
Moment = Union[str, datetime.date, datetime.datetime]
#: One name or several.
Names = Union[str, Iterable[str]]
Query = Dict[str, Any]


class Resource:
    """A part of the API."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _one(self, path: str, ids: Sequence[str], query: Query, shape: str, held: float = 0.0) -> Any:
        found, _ = self._transport.json(address(path, ids, query), held=held)
        return decode(found, shape)

    def _text(self, path: str, ids: Sequence[str], query: Query) -> str:
        return self._transport.raw(address(path, ids, query), "application/json").decode("utf-8")

    def _walk(
        self, path: str, ids: Sequence[str], query: Query, shape: str, parts: Optional[Tuple[str, int]] = None
    ) -> "Walk[Any]":
        return Walk(self._transport, [address(path, ids, each) for each in _in_parts(query, parts)], shape)


class Walk(Generic[T]):
    """A list that comes in pages: a loop goes over all of it.

    A page that broke off is asked for again at the same place, so that nothing is lost and nothing comes twice. Every loop
    asks anew; what has not changed is not sent again.
    """

    def __init__(self, transport: Transport, addresses: Sequence[str], shape: str) -> None:
        self._transport = transport
        self._addresses = addresses
        self._shape = shape

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from cast(List[T], page["data"])

    def pages(self) -> Iterator[Dict[str, Any]]:
        """Page by page, each as the server answered it: with its header, its total, its cursor."""
        for first in self._addresses:
            following: Optional[str] = first
            while following is not None:
                page, link = self._transport.json(following)
                yield cast(Dict[str, Any], decode(page, self._shape))
                following = _after(first, page.get("pagination"), link)

    def first(self) -> Optional[Dict[str, Any]]:
        """The first page alone."""
        return next(self.pages(), None)

    def all(self) -> List[T]:
        """Everything, in one list."""
        return list(self)

    def to_frame(self) -> Any:
        """A pandas ``DataFrame`` with the columns that the CSV form has; decimals stay ``Decimal``. Needs pandas."""
        try:
            import pandas
        except ImportError as why:
            raise ImportError("to_frame() needs pandas: pip install pandas") from why
        return pandas.DataFrame([row for each in self for row in flat_rows(cast(Mapping[str, Any], each))])


def address(path: str, ids: Sequence[str], query: Query) -> str:
    """``/v1/pams/{pamId}`` with what is asked for. What is None is left out."""
    for each in ids:
        if each == "":
            raise ValueError("an identifier is needed in %s" % path)
        path = re.sub(r"\{\w+\}", lambda _: urllib.parse.quote(each, safe=""), path, count=1)
    asked = [(name, written(value)) for name, value in query.items() if value is not None]
    return path + ("?" + urllib.parse.urlencode(asked, safe=",:") if asked else "")


def written(value: Any) -> str:
    """A parameter as text. An instant without a zone could be any of many, so it is refused."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("an instant needs its zone: %r has none" % value)
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, (list, tuple, set)) else str(value)


def _in_parts(query: Query, parts: Optional[Tuple[str, int]]) -> List[Query]:
    """More names than one request takes are asked for in several. No names are no rows, and not all rows."""
    if parts is None or query.get(parts[0]) is None or isinstance(query[parts[0]], str):
        return [query]
    name, most = parts
    names = list(dict.fromkeys(query[name]))
    return [{**query, name: names[at : at + most]} for at in range(0, len(names), most)]


def _after(first: str, pagination: Optional[Mapping[str, Any]], link: str) -> Optional[str]:
    """Where the next page is. Only the path of a link is used: the key goes to no other host."""
    if pagination is not None:
        if not pagination["hasMore"]:
            return None
        cursor = urllib.parse.urlencode({"cursor": pagination["nextCursor"]})
        return first + ("&" if "?" in first else "?") + cursor
    found = re.search(r'<([^>]*)>\s*;\s*rel="?next"?', link)
    if found is None:
        return None
    parts = urllib.parse.urlsplit(found.group(1))
    return parts.path + ("?" + parts.query if parts.query else "")


def decode(value: Any, shape: Any) -> Any:
    """The same value with ``Decimal`` where the description says decimal."""
    if value is None or shape is None:
        return value
    if shape == "D":
        return Decimal(value)
    if shape == "S":
        return value if value.endswith("…") else Decimal(value)
    if isinstance(shape, str):
        return decode(value, SHAPES.get(shape))
    if isinstance(shape, list):
        return [decode(each, shape[0]) for each in value]
    for name in value if "*" in shape else shape:
        if name in value:
            value[name] = decode(value[name], shape.get(name, shape.get("*")))
    return value


def flat_rows(row: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
    """The columns of the CSV form: fields of an object are prefixed with its name, and a series has one row per value."""
    values = row.get("values")
    if isinstance(values, list):
        for each in values:
            yield {**_flat({name: value for name, value in row.items() if name != "values"}), **_flat(each)}
    else:
        yield _flat(row)


def _flat(row: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    cells: Dict[str, Any] = {}
    for name, value in row.items():
        column = prefix + re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)
        cells.update(_flat(value, column + "_") if isinstance(value, dict) else {column: value})
    return cells
