"""Feeds: what happened since a cursor, then what happens, each thing once.

They go on through broken connections and restarts of the server; after a restore they say so once and go on from there.
"""

from typing import Any, Callable, Generic, Iterator, List, Optional, TypeVar

from .errors import HistoryReplaced
from .resource import Names, Query, Resource, address, decode
from .types import Change, NewVintage

T = TypeVar("T")
MOST_WAIT = 25


class Batch(Generic[T]):
    """Some of a feed."""

    def __init__(self, data: List[T], cursor: str, is_reset: bool) -> None:
        self.data = data
        #: Keep it when the batch is dealt with: the next run begins there.
        self.cursor = cursor
        #: A backup was restored, so that another history is told from here on: read again what was read before.
        self.is_reset = is_reset


class FollowedChanges(Resource):
    def follow(
        self, *, from_: Optional[str] = None, kinds: Optional[Names] = None, wait: int = MOST_WAIT
    ) -> Iterator[Batch[Change]]:
        """What happened, in batches.

        :param from_: a cursor that was kept, ``start`` for the beginning; from now on if left out
        :param kinds: only these kinds
        :param wait: for how many seconds the server may hold an answer until something comes; with 0 it ends when nothing
            is left
        """

        def ask(place: Query, held: int) -> Any:
            path = address("/ext/v1/changes", [], {**place, "kinds": kinds, "wait": held or None})
            return decode(self._transport.json(path, held=held)[0], "ChangeList")

        return _follow(ask, from_, wait)


class FollowedVintages(Resource):
    def follow(self, *, from_: Optional[str] = None) -> Iterator[Batch[NewVintage]]:
        """Every new vintage since a cursor, in batches, until nothing is left: the server holds no answer of this feed.

        :param from_: a cursor that was kept, ``start`` for the beginning; from now on if left out
        """

        def ask(place: Query, held: int) -> Any:
            return decode(self._transport.json(address("/ext/v1/vintages", [], place))[0], "VintageList")

        return _follow(ask, from_, 0)


def _follow(ask: Callable[[Query, int], Any], from_: Optional[str], wait: int) -> Iterator[Batch[Any]]:
    place: Query = {} if from_ is None else {"from": "start"} if from_ == "start" else {"cursor": from_}
    # The first answer comes at once, with a cursor to begin with.
    held, is_first = 0, True
    while True:
        is_reset = False
        try:
            page = ask(place, held)
        except HistoryReplaced:
            is_reset = True
            page = ask({}, 0)
        has_more, cursor = page["pagination"]["hasMore"], page["pagination"]["nextCursor"]
        if is_first or is_reset or page["data"]:
            yield Batch(page["data"], cursor, is_reset)
        is_first = False
        place = {"cursor": cursor}
        if not has_more and wait == 0 and not is_reset:
            return
        held = 0 if has_more else wait
