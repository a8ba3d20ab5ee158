"""A copy of every agreement and its item prices that stays in step: all of it once a day, and what changed in between.

It is plain data: keep it as you like, and hand it in again.
"""

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Set, Tuple, TypedDict, TypeVar

from .resource import decode
from .types import AdjustmentRow, PriceRow

if TYPE_CHECKING:
    from .client import Assize


T = TypeVar("T")


class Copy(TypedDict):
    """What is kept."""

    #: Where the next run goes on in /changes.
    cursor: str
    #: The day of the server (UTC) that it is of.
    day: str
    #: The number of each agreement, by slug, as ``adjustments`` has it.
    agreements: Dict[str, AdjustmentRow]
    #: The prices of today, by slug. An agreement without a price has no entry.
    prices: Dict[str, List[PriceRow]]
    #: The slugs whose number or prices are others than in the copy before, or that are no longer there.
    changed: List[str]


def sync_copy(client: "Assize", before: Optional[Copy]) -> Copy:
    if before is not None:
        before = _read_again(before)
    day = client.health()["timestamp"][:10]
    # A date that comes is no entry of the log: with each new day everything is read once.
    copy = None if before is None or before["day"] != day else _changed(client, before)
    return _compared(before, copy or _everything(client, day))


def _read_again(copy: Copy) -> Copy:
    """A copy that was kept as JSON has its decimals as text."""
    agreements = {slug: decode(dict(row), "AdjustmentRow") for slug, row in copy["agreements"].items()}
    prices = {slug: [decode(dict(row), "PriceRow") for row in rows] for slug, rows in copy["prices"].items()}
    return {**copy, "agreements": agreements, "prices": prices}


def _everything(client: "Assize", day: str) -> Copy:
    """The cursor first: what changes while it reads is looked at again by the next run."""
    cursor = next(client.changes.follow(wait=0)).cursor
    agreements = {row["slug"]: row for row in client.adjustments.list()}
    prices = _by_agreement(client.prices.list())
    return {"cursor": cursor, "day": day, "agreements": agreements, "prices": prices, "changed": []}


def _changed(client: "Assize", before: Copy) -> Optional[Copy]:
    """None after a restore: the copy is of another history."""
    touched: Set[str] = set()
    cursor = before["cursor"]
    for batch in client.changes.follow(from_=cursor, wait=0):
        if batch.is_reset:
            return None
        touched.update(slug for change in batch.data for slug in change["pams"])
        cursor = batch.cursor
    # One that has no row any more stays left out.
    agreements = {slug: row for slug, row in before["agreements"].items() if slug not in touched}
    agreements.update((row["slug"], row) for row in client.adjustments.list(ids=sorted(touched)))
    prices = {slug: rows for slug, rows in before["prices"].items() if slug not in touched}
    prices.update(_by_agreement(client.prices.list(ids=sorted(touched))))
    return {**before, "cursor": cursor, "agreements": _sorted(agreements), "prices": _sorted(prices)}


def _by_agreement(rows: Iterable[PriceRow]) -> Dict[str, List[PriceRow]]:
    groups: Dict[str, List[PriceRow]] = {}
    for row in rows:
        groups.setdefault(row["agreement"], []).append(row)
    return groups


def _sorted(of: Dict[str, T]) -> Dict[str, T]:
    return {slug: of[slug] for slug in sorted(of)}


def _compared(before: Optional[Copy], after: Copy) -> Copy:
    old: Dict[str, Any] = {"agreements": {}, "prices": {}} if before is None else {**before}
    slugs = {slug for copy in (old, after) for part in ("agreements", "prices") for slug in copy[part]}

    def of(copy: Mapping[str, Any], slug: str) -> Tuple[Any, Any]:
        return copy["agreements"].get(slug), copy["prices"].get(slug)

    return {**after, "changed": sorted(slug for slug in slugs if of(old, slug) != of(after, slug))}
