"""What the client does with single answers: when it asks again, how long it waits, what it keeps, what it says when it gives up."""

import datetime
import email.utils
import gzip
import json
import tempfile
import time
import unittest
from decimal import Decimal
from typing import Any, List, Optional

import assize
from assize.pacing import Pacing
from assize.resource import address, flat_rows
from scripted import Script, VirtualClock, answer

HEALTH = {"status": "ok", "version": "v1", "timestamp": "2026-01-01T00:00:00.000Z"}
LAST = {"limit": 2, "hasMore": False, "nextCursor": None}


class Asked(unittest.TestCase):
    def client(self, steps: List[Optional[bytes]], **options: Any) -> assize.Assize:
        self.clock = VirtualClock()
        self.script = Script(steps)
        client = assize.Assize(self.script.url, "asz_live_x", clock=self.clock, **options)
        self.addCleanup(self.script.close)
        self.addCleanup(client.close)
        return client

    def failure(self, steps: List[Optional[bytes]], **options: Any) -> assize.AssizeError:
        with self.assertRaises(assize.AssizeError) as caught:
            self.client(steps, **options).health()
        return caught.exception


class Retries(Asked):
    def test_waits_as_long_as_retry_after_says_in_seconds_or_as_a_date(self) -> None:
        date = email.utils.formatdate(time.time() + 9, usegmt=True)
        steps = [answer({}, 429, {"retry-after": "17"}), answer({}, 503, {"retry-after": date}), answer(HEALTH)]
        self.assertEqual(self.client(steps).health(), HEALTH)
        self.assertEqual(self.clock.slept[0], 17)
        self.assertTrue(7 <= self.clock.slept[1] <= 9, self.clock.slept)

    def test_asks_again_after_every_way_in_which_an_answer_breaks_off(self) -> None:
        packed = gzip.compress(json.dumps(HEALTH).encode("utf-8"))
        chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        steps = [
            None,
            answer(HEALTH, cut=5),
            answer(packed[:-9], headers={"content-encoding": "gzip"}),
            chunked + b'9\r\n{"status"\r\n',
            chunked + b'9\r\n{"st',
            answer(b'{"status": "o'),
            answer(b"<h1>Bad Gateway</h1>", 502),
            answer({"error": "later"}, 500),
            answer(packed, headers={"content-encoding": "gzip"}),
        ]
        self.assertEqual(self.client(steps).health(), HEALTH)
        self.assertEqual(self.clock.slept, [0.25, 0.5, 1, 2, 4, 8, 15, 15])

    def test_gives_up_after_so_many_retries_and_says_what_was_last(self) -> None:
        error = self.failure([answer({"error": "busy"}, 503, {"x-request-id": "r1"})] * 3, retries=2)
        self.assertIsInstance(error, assize.Unavailable)
        self.assertEqual((error.problem, error.status, error.request_id, error.attempts), ("unavailable", 503, "r1", 3))
        self.assertEqual(str(error), "/v1/health: busy (status 503, request r1, 3 attempts)")

    def test_gives_up_at_once_where_asking_again_cannot_help(self) -> None:
        for status, kind in [(400, assize.Invalid), (401, assize.Unauthorized), (404, assize.NotFound)]:
            self.assertIsInstance(self.failure([answer({"error": "no"}, status)]), kind)
            self.assertEqual(len(self.script.sent), 1)
        self.assertEqual(self.failure([answer(b"", 302, {"location": "https://elsewhere.test"})]).problem, "unreadable")

    def test_does_not_wait_longer_than_is_granted(self) -> None:
        error = self.failure([answer({"error": "busy"}, 429, {"retry-after": "3600"})])
        self.assertEqual((error.problem, error.retry_after, self.clock.slept), ("too-often", 3600, []))

    def test_a_silent_server_is_a_timeout(self) -> None:
        self.assertEqual(self.failure([b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n"], timeout=0.05, retries=0).problem, "network")
        self.script = Script([])
        self.script._talk = lambda connection: time.sleep(1)  # type: ignore[method-assign]
        with self.assertRaises(assize.TimedOut):
            assize.Assize(self.script.url, "k", timeout=0.05, retries=0).health()

    def test_a_connection_that_was_closed_in_between_is_no_failure(self) -> None:
        client = self.client([answer(HEALTH, headers={"x": "1"}), None, answer(HEALTH)], etags=False)
        client.health()
        client.health()
        self.assertEqual(self.clock.slept, [])


class Tags(Asked):
    def test_what_has_not_changed_is_not_sent_again_nor_lost(self) -> None:
        page = answer({"data": [{"value": "1.50"}], "series": {}}, headers={"etag": '"a"', "link": '</v1/x>; rel="next"'})
        last = answer({"data": [{"value": "2.5"}], "series": {}})
        with tempfile.TemporaryDirectory() as folder:
            for store in [assize.MemoryStore(), assize.FileStore(folder)]:
                client = self.client([page, last, answer(b"", 304, {"etag": '"a"'}), last], etags=store)
                walk = client.series.values("ser_x")
                self.assertEqual([row["value"] for row in walk], [Decimal("1.50"), Decimal("2.5")])
                self.assertEqual([row["value"] for row in walk], [Decimal("1.50"), Decimal("2.5")])
                self.assertIn('If-None-Match: "a"', self.script.sent[2])

    def test_an_answer_for_another_key_is_another_answer(self) -> None:
        store = assize.MemoryStore()
        script = Script([answer(HEALTH, headers={"etag": '"a"'}), answer(HEALTH)])
        for key in ["one", "two"]:
            with assize.Assize(script.url, key, etags=store) as client:
                client.health()
        self.assertNotIn("If-None-Match", script.sent[1])

    def test_a_store_forgets_what_was_used_long_ago_and_what_is_damaged(self) -> None:
        store = assize.MemoryStore(most_bytes=10)
        for name in ["a", "b", "c"]:
            store.set(name, assize.KeptAnswer('"t"', "", b"12345"))
        self.assertEqual([store.get(name) is None for name in ["a", "b", "c"]], [True, False, False])
        with tempfile.TemporaryDirectory() as folder:
            files = assize.FileStore(folder)
            files.set("a", assize.KeptAnswer('"t"', "", b"1\n2\n3"))
            self.assertEqual(files.get("a"), ('"t"', "", b"1\n2\n3"))
            with open(files._path("a"), "ab") as file:
                file.write(b"!")
            self.assertIsNone(files.get("a"))


class Limits(unittest.TestCase):
    def test_a_calm_walk_is_never_refused_and_hardly_slower_than_allowed(self) -> None:
        clock, taken = VirtualClock(), []
        pacing = Pacing(clock)
        for _ in range(300):
            number = pacing.take()
            clock.time += 0.01
            taken = [each for each in taken if each > clock.time - 60]
            self.assertLess(len(taken), 60)
            taken.append(clock.time)
            pacing.heard(number, '"default";r=%d;t=%d' % (60 - len(taken), int(taken[0] + 60 - clock.time) + 1))
        self.assertLess(clock.time, 310)

    def test_what_one_is_told_holds_for_all(self) -> None:
        clock = VirtualClock()
        pacing = Pacing(clock)
        pacing.close_for(7)
        pacing.take()
        self.assertEqual(clock.slept, [7])


class Walks(Asked):
    def test_goes_on_at_the_same_place_and_converts_what_is_a_decimal(self) -> None:
        first = {"data": [{"slug": "a", "price": "1.10"}], "pagination": {**LAST, "hasMore": True, "nextCursor": "c d"}}
        second = {"data": [{"slug": "b", "price": None}], "pagination": LAST}
        client = self.client([answer(first), answer(second, cut=3), answer(second)])
        rows = client.adjustments.list(date=datetime.date(2026, 1, 31)).all()
        self.assertEqual(rows, [{"slug": "a", "price": Decimal("1.10")}, {"slug": "b", "price": None}])
        asked = [sent.split(" ")[1] for sent in self.script.sent]
        self.assertEqual(asked, ["/ext/v1/adjustments?date=2026-01-31"] + asked[1:2] * 2)
        self.assertTrue(asked[1].endswith("&cursor=c+d"))

    def test_many_names_are_asked_for_in_parts_and_none_is_no_request(self) -> None:
        page = answer({"data": [], "pagination": LAST})
        client = self.client([page] * 3)
        self.assertEqual(client.adjustments.list(ids=[]).all(), [])
        client.adjustments.list(ids=["a-%d" % n for n in range(450)]).all()
        self.assertEqual([sent.split(" ")[1].count(",") for sent in self.script.sent], [199, 199, 49])

    def test_numbers_of_json_are_decimals_and_never_floats(self) -> None:
        body = b'{"adjustmentPct": 2.10, "cumulativeAdjustmentPct": 3, "components": [{"weight": 0.35, "change": 1e2}]}'
        found = self.client([answer(body)]).agreements.adjustment("x")
        self.assertEqual(str(found["adjustmentPct"]), "2.10")
        self.assertIsInstance(found["cumulativeAdjustmentPct"], Decimal)
        self.assertIsInstance(found["components"][0]["change"], Decimal)

    def test_names_and_instants_are_written_so_that_they_mean_one_thing(self) -> None:
        self.assertEqual(address("/a/{x}/b", ["c/d é"], {}), "/a/c%2Fd%20%C3%A9/b")
        zone = datetime.timezone(datetime.timedelta(hours=2))
        query = {"knownAt": datetime.datetime(2026, 1, 1, 1, tzinfo=zone), "none": None}
        self.assertEqual(address("/a", [], query), "/a?knownAt=2025-12-31T23:00:00Z")
        for wrong in [datetime.datetime(2026, 1, 1), ""]:
            with self.assertRaises(ValueError):
                address("/{x}", [wrong] if wrong == "" else ["x"], {"knownAt": wrong})

    def test_columns_are_those_of_csv(self) -> None:
        row = {"slug": "a", "nextDate": None, "confirmed": {"buyer": "2026-01-01", "supplier": None}}
        self.assertEqual(list(flat_rows(row))[0], {
            "slug": "a", "next_date": None, "confirmed_buyer": "2026-01-01", "confirmed_supplier": None,
        })
        self.assertEqual(len(list(flat_rows({"id": "x", "values": [{"value": 1}, {"value": 2}]}))), 2)


class Feeds(Asked):
    def test_a_restore_is_told_once_and_the_feed_goes_on(self) -> None:
        def page(cursor: str, *kinds: str) -> bytes:
            data = [{"kind": kind, "pams": []} for kind in kinds]
            return answer({"data": data, "pagination": {"limit": 9, "hasMore": False, "nextCursor": cursor}})

        steps = [page("1"), page("2", "agreed"), answer({"error": "restored"}, 409), page("9"), page("10", "status")]
        told = self.client(steps).changes.follow(from_="0")
        found = [next(told) for _ in range(4)]
        self.assertEqual([(len(each.data), each.cursor, each.is_reset) for each in found],
                         [(0, "1", False), (1, "2", False), (0, "9", True), (1, "10", False)])
        self.assertIn("cursor=9&wait=25", self.script.sent[4])


class Checks(Asked):
    def test_lines_are_sent_as_text_and_a_float_is_refused(self) -> None:
        client = self.client([answer({"data": [], "summary": {}})])
        client.check([{"invoice": "1", "line": 1, "unitPrice": Decimal("1E+2"), "date": datetime.date(2026, 1, 2), "per": None}])
        sent = json.loads(self.script.sent[0].split("\n")[-1])["lines"]
        self.assertEqual(sent, [{"invoice": "1", "line": "1", "unitPrice": "100", "date": "2026-01-02", "per": None}])
        with self.assertRaises(TypeError):
            client.check([{"unitPrice": 1.5}])
        with self.assertRaises(ValueError):
            client.check()


if __name__ == "__main__":
    unittest.main()
