"""A method for every route. Written from the descriptions of the API: do not edit it."""

from typing import Literal, Optional

from . import types
from .feeds import FollowedChanges, FollowedVintages
from .receipts import VerifiedReceipts
from .resource import Day, Moment, Names, Resource, Walk
from .transport import Transport


class AdjustmentsResource(Resource):
    def list(
        self,
        *,
        date: Optional[Day] = None,
        period: Optional[str] = None,
        status: Optional[Literal["SIGNED", "OPEN", "BLOCKED"]] = None,
        ids: Optional[Names] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.AdjustmentRow]:
        """The number of every agreement in one period.

        One row per agreement, in the order of their slugs. Without a choice (or with `latest=true`) it is the period of
        v1: the newest whose date has come and that has a number; BLOCKED means that none has. `date` gives the period
        in force on that day, number or not, so `date` = today shows what is blocked now; `period` the one of that
        label. Drafts, archived agreements and contracts that have not begun have no row, nor those that do not cover
        the date or have no such period. Before the first adjustment the period is `start`. A walk is pinned to the
        publications and the day of its first page.

        Every key may read it: scope `read`.

        :param date: The period in force on this day; not together with period
        :param period: The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number
        where several dates share it (2026-Q3.2); not together with date
        :param status: Only rows that both parties have signed, that are open, or that have no number
        :param ids: Only these agreements: ids or slugs; 404 where one does not exist
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/adjustments",
            [],
            {
                "date": date,
                "period": period,
                "status": status,
                "ids": ids,
                "limit": limit,
                "knownAt": known_at,
            },
            "AdjustmentList",
            ("ids", 200),
        )


class AgreementsResource(Resource):
    def list(self, *, limit: Optional[int] = None) -> Walk[types.AgreementSummary]:
        """Agreements of the workspace.

        The agreements of your workspace, page by page.

        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk("/v1/pams", [], {"limit": limit or 200}, "AgreementList")

    def get(self, agreement: str) -> types.AgreementDetail:
        """One agreement, by id or slug.

        One agreement with the calendar of its contract.

        :param agreement: Identifier or slug of the agreement
        """
        found: types.AgreementDetail = self._one("/v1/pams/{pamId}", [agreement], {}, "Agreement")["data"]
        return found

    def values(
        self,
        agreement: str,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.AgreementValue]:
        """Computed adjustments of a model.

        Every adjustment computed so far whose date lies in the range, ascending, all at once. Signed periods give their
        signed numbers. A period that cannot be computed yet has no entry.

        :param agreement: Identifier or slug of the agreement
        :param from_: Start date, inclusive
        :param to: End date, inclusive
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/v1/pams/{pamId}/values",
            [agreement],
            {"from": from_, "to": to, "asOf": as_of, "knownAt": known_at},
            "AgreementValues",
        )

    def adjustment(
        self,
        agreement: str,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        version: Optional[types.VersionTag] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> types.Adjustment:
        """The adjustment of one period.

        The number of one period with its breakdown and sign-off. Name the `period`, or a `date` for the one in force on
        that day; without either it is the newest whose date has come and whose data is there. A period signed by both
        parties gives the signed number; `asOf` and `version` compute from data alone. With `version`, every reading of
        the period must carry that tag, else 404 says which does not. `view=calculation` answers with the new price,
        every line of the worksheet, every observation and the controls that had an effect: a body with `adjustments`,
        which the usual one has not. Clients with types ask `getCalculation` for it.

        :param agreement: Identifier or slug of the agreement
        :param period: The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number
        where several dates share it (2026-Q3.2); not together with date
        :param date: The period in force on this day; not together with period
        :param version: Only values with this data version
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        found: types.Adjustment = self._one(
            "/v1/pams/{pamId}/adjustment",
            [agreement],
            {
                "period": period,
                "date": date,
                "version": version,
                "asOf": as_of,
                "knownAt": known_at,
            },
            "Adjustment",
        )
        return found

    def calculation(
        self,
        agreement: str,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        version: Optional[types.VersionTag] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> types.Calculation:
        """The adjustment of one period with its whole calculation.

        The answer of the adjustment with `view=calculation` under an address of its own, so that generated clients have
        one type for it: the price with its currency and unit, every line of the worksheet, every observation with its
        series, the controls that had an effect and who has signed. Takes the parameters of the adjustment.

        :param agreement: Identifier or slug of the agreement
        :param period: The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number
        where several dates share it (2026-Q3.2); not together with date
        :param date: The period in force on this day; not together with period
        :param version: Only values with this data version
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        found: types.Calculation = self._one(
            "/v1/pams/{pamId}/adjustment/calculation",
            [agreement],
            {
                "period": period,
                "date": date,
                "version": version,
                "asOf": as_of,
                "knownAt": known_at,
            },
            "Calculation",
        )
        return found

    def readings(self, agreement: str, *, period: Optional[str] = None) -> types.ReadingList:
        """One agreement under other readings of its contract.

        The newest document of an agreement as it is written, and read differently in one respect at a time: what each
        reading gives in `period`, or in the newest one that the document gives a number for. Every reading goes by the
        figures known now and by nothing that was signed, so none of the numbers is a price. 404 where the period has no
        number as written.

        Every key may read it: scope `read`.

        :param agreement: The id of an agreement, or its slug
        :param period: The label of the period that is compared: 2026-Q1, 2026-03; the newest with a number unless given
        """
        found: types.ReadingList = self._one(
            "/ext/v1/pams/{pamId}/readings",
            [agreement],
            {"period": period},
            "ReadingList",
        )
        return found

    def prices(
        self,
        agreement: str,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        item: Optional[str] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.PriceRow]:
        """The prices of one agreement.

        The prices of one agreement by item, step and validity: of every period whose date has come, unless `period`
        (`start` is one), `date`, or `from` and `to` narrow it down to those whose validity touches the range. A period,
        date or item that gives nothing is 404 with the reason. The rows are those of price files. A walk is pinned as
        for `/prices`.

        Every key may read it: scope `read`.

        :param agreement: The id of an agreement, or its slug
        :param period: The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026,
        2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with
        from and to
        :param date: The prices in force on this day; what no settled period prices is there as proposed; not together
        with period, from or to
        :param from_: Only prices that are in force on this day or later
        :param to: Only prices that are in force on this day or earlier
        :param item: Only this item, by its key or by one that it replaces
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/pams/{pamId}/prices",
            [agreement],
            {
                "period": period,
                "date": date,
                "from": from_,
                "to": to,
                "item": item,
                "limit": limit,
                "knownAt": known_at,
            },
            "PriceList",
        )

    def corrections(
        self,
        agreement: str,
        *,
        known_at: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.Correction]:
        """The corrections of an agreement.

        The corrections of an agreement, the newest first, each in the state it is in. Amounts and hashes are null and
        lines left out for keys without `money`.

        Every key may read it: scope `read`.

        :param agreement: The id of an agreement, or its slug
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/pams/{pamId}/corrections",
            [agreement],
            {"knownAt": known_at, "limit": limit},
            "CorrectionList",
        )

    def settled(
        self,
        agreement: str,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        known_at: Optional[Moment] = None,
    ) -> types.Settled:
        """The number both parties settled on.

        The number of a period that both parties settled on: as signed, or by the last agreed correction. By `period`,
        by a day in it, or the newest that both have signed; 404 where it is not signed by both.

        For keys with the scope `money` or `all`; for any other this address does not exist (404).

        :param agreement: The id of an agreement, or its slug
        :param period: The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number
        where several dates share it (2026-Q3.2); not together with date
        :param date: The period in force on this day; not together with period
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        found: types.Settled = self._one(
            "/ext/v1/pams/{pamId}/settled",
            [agreement],
            {"period": period, "date": date, "knownAt": known_at},
            "Settled",
        )
        return found

    def ledger(self, agreement: str, *, known_at: Optional[Moment] = None) -> types.TrueUpLedger:
        """Every cent between contract and invoices.

        Postings whose legs sum to 0, the balances they come to (entitled + provisional = billed + billingDifferences +
        agreed + waived), and what is open by revision. With `knownAt` as it stood then.

        For keys with the scope `money` or `all`; for any other this address does not exist (404).

        :param agreement: The id of an agreement, or its slug
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        found: types.TrueUpLedger = self._one(
            "/ext/v1/pams/{pamId}/ledger",
            [agreement],
            {"knownAt": known_at},
            "TrueUpLedger",
        )
        return found


class ChangesResource(FollowedChanges):
    def list(
        self,
        *,
        cursor: Optional[str] = None,
        from_: Optional[Literal["start"]] = None,
        kinds: Optional[Names] = None,
        wait: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> types.ChangeList:
        """What happened, in order.

        Everything that can move a number or a term, in order, each thing once. Without a cursor it begins now;
        `from=start` begins at the beginning; `nextCursor` is always there and never expires. With `wait` the answer is
        held until something comes or the seconds are over; it counts as one request. At most 2 answers are held for a
        key; one more is answered at once. After a restore from an older backup the answer is 409: walk everything
        again. A public series appears from the moment it is followed. In one sequence of publications the order is
        theirs; those of the public series are placed by their instants.

        Every key may read it: scope `read`.

        :param cursor: nextCursor of an earlier answer to the same request
        :param from_: start: from the beginning; not together with cursor. Without either the feed begins now
        :param kinds: Only these: observations, metadata, calendar, index-event, follow, formula, status, signoff,
        agreed, objection, price-list, invoice, quantity, correction, note, waiver, splice, amendment; a cursor belongs
        to them
        :param wait: Seconds for which the answer is held where there is nothing new, at most 25
        :param limit: At most this many, 500 unless said otherwise
        """
        found: types.ChangeList = self._one(
            "/ext/v1/changes",
            [],
            {
                "cursor": cursor,
                "from": from_,
                "kinds": kinds,
                "wait": wait,
                "limit": limit,
            },
            "ChangeList",
            wait or 0,
        )
        return found


class CorrectionsResource(Resource):
    def get(self, correction: str, *, known_at: Optional[Moment] = None) -> types.Correction:
        """One correction.

        One correction. v1 leads here from a signed period, with a `Link` of `rel="related"`. Amounts and hashes are
        null and lines left out for keys without `money`.

        Every key may read it: scope `read`.

        :param correction: The id of a correction
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        found: types.Correction = self._one(
            "/ext/v1/corrections/{correctionId}",
            [correction],
            {"knownAt": known_at},
            "Correction",
        )
        return found


class DueResource(Resource):
    def list(
        self,
        *,
        within: Optional[str] = None,
        state: Optional[Literal["LATE", "BLOCKED", "AT_RISK", "WAITING", "READY", "FINAL_PENDING", "SCHEDULED"]] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.DueRow]:
        """What is due, and what it waits for.

        Every adjustment date of agreements in force that is not signed by both, up to `within` from today (30 days
        unless given), and signed ones that wait for final figures; the nearest date first. READY: it can be proposed
        now. SCHEDULED: its date has not come. WAITING: a figure is missing. LATE: a figure should have come. AT_RISK: a
        figure is expected after the date. FINAL_PENDING: signed on preliminary figures. BLOCKED: a release was
        cancelled, a series has ended, or the formula gives no number. `waitsFor` is the latest of the expected dates. A
        walk is pinned to the instant of its first page.

        Every key may read it: scope `read`.

        :param within: How far ahead: a number of days, weeks or months, 1 to 400 days, such as 30d, 6w or 3m; 30d
        unless given
        :param state: Only dates in this state
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk("/ext/v1/due", [], {"within": within, "state": state, "limit": limit}, "DueList")


class IndexEventsResource(Resource):
    def list(
        self,
        *,
        provider: Optional[types.Provider] = None,
        series: Optional[Names] = None,
        known_at: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.IndexEvent]:
        """What is known about indices.

        What is known about indices as such, the newest day first: that one has ended, was put on another base,
        replaced, cancelled for a period, or is computed differently. Public facts, recorded from the program’s own list
        and by the operator; a correction is a newer version of the same id, and with `knownAt` the version of that time
        is answered. Which of your series an event is about, and which agreements read them, is as it is now. A
        published coefficient stands in the digits and the direction in which it was printed.

        Every key may read it: scope `read`.

        :param provider: Only series of this provider
        :param series: Only what is about these: ids, or names as formulas use them; 404 where one is not there
        :param known_at: What was known here by this day (to its end, UTC) or instant
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/index-events",
            [],
            {"provider": provider, "series": series, "knownAt": known_at, "limit": limit},
            "IndexEventList",
        )


class InvoicesResource(Resource):
    def list(
        self,
        *,
        pam: Optional[str] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.InvoiceLine]:
        """Kept invoice lines.

        The kept lines of invoices, by date, supplier, invoice and line; lines without a date come last, and a filter by
        date leaves them out. Lines that undo others stand beside them and name them. `period` is that of the calendar
        at the pin of the walk.

        For keys with the scope `money` or `all`; for any other this address does not exist (404).

        :param pam: Only lines of this agreement, by id or slug; 404 where there is none
        :param from_: Only lines of invoices of this day or later
        :param to: Only lines of invoices of this day or earlier
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/invoices",
            [],
            {
                "pam": pam,
                "from": from_,
                "to": to,
                "limit": limit,
                "knownAt": known_at,
            },
            "InvoiceLineList",
        )

    def get(
        self,
        supplier_key: str,
        number: str,
        *,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.InvoiceLine]:
        """The kept lines of one invoice.

        The kept lines of one invoice, page by page, as `/invoices` has them; 404 where none are kept. `/changes` names
        an invoice `supplierKey/number`.

        For keys with the scope `money` or `all`; for any other this address does not exist (404).

        :param supplier_key: Whose invoice numbers these are, as kept lines have it
        :param number: The number of the invoice
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/invoices/{supplierKey}/{number}",
            [supplier_key, number],
            {"limit": limit, "knownAt": known_at},
            "InvoiceLineList",
        )


class PricesResource(Resource):
    def list(
        self,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        item: Optional[str] = None,
        ids: Optional[Names] = None,
        changed_since: Optional[str] = None,
        only: Optional[Literal["agreed", "signed", "all"]] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.PriceRow]:
        """The prices of all agreements on a day.

        The prices of all agreements but drafts and archived ones, by agreement, item and step: those of today unless
        `date`, `period` or `from` and `to` say otherwise. `ids` narrows to some agreements, `changedSince` to those
        whose prices something may have changed since. Agreements without a price are left out; `/left-out` says which
        and why. A page may be short while `hasMore` is true. A walk is pinned to the publications and the day of its
        first page. Keys that items have in other systems are fields `erp_…`. With `format` of SAP, Dynamics 365 or
        Business Central the answer is one whole file of agreed prices; `Assize-Left-Out` counts the agreements of which
        something is not in it, and `Link` with rel="related" lists them.

        Every key may read it: scope `read`.

        :param period: The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026,
        2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with
        from and to
        :param date: The prices in force on this day; what no settled period prices is there as proposed; not together
        with period, from or to
        :param from_: Only prices that are in force on this day or later
        :param to: Only prices that are in force on this day or earlier
        :param item: Only this item, by its key or by one that it replaces
        :param ids: Only these agreements: ids or slugs; 404 where one does not exist
        :param changed_since: Only agreements whose prices something may have changed after this: an entry, or an
        adjustment date that came: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without
        kinds
        :param only: agreed: signed by both; signed: by at least one; all. With the last two, what is proposed beside a
        price in force is a row of its own. Files have agreed prices unless said otherwise
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/prices",
            [],
            {
                "period": period,
                "date": date,
                "from": from_,
                "to": to,
                "item": item,
                "ids": ids,
                "changedSince": changed_since,
                "only": only,
                "limit": limit,
                "knownAt": known_at,
            },
            "PriceList",
            ("ids", 200),
        )

    def left_out(
        self,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        item: Optional[str] = None,
        ids: Optional[Names] = None,
        changed_since: Optional[str] = None,
        for_: Optional[Literal["csv", "json", "sap-csv", "sap-idoc", "d365-purchase", "d365-sales", "bc"]] = None,
        only: Optional[Literal["agreed", "signed", "all"]] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.LeftOutRow]:
        """What is not among the prices, and why.

        What `/prices` leaves out with the same parameters, by agreement: a period without a number or a list (BLOCKED),
        what does not fit the file named by `for` (UNFIT), and prices that are not signed by those who must
        (NOT_AGREED). Contracts that do not cover the day lack nothing.

        Every key may read it: scope `read`.

        :param period: The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026,
        2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with
        from and to
        :param date: The prices in force on this day; what no settled period prices is there as proposed; not together
        with period, from or to
        :param from_: Only prices that are in force on this day or later
        :param to: Only prices that are in force on this day or earlier
        :param item: Only this item, by its key or by one that it replaces
        :param ids: Only these agreements: ids or slugs; 404 where one does not exist
        :param changed_since: Only agreements whose prices something may have changed after this: an entry, or an
        adjustment date that came: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without
        kinds
        :param for_: The format of the file: what does not fit it is left out as well; json unless given
        :param only: agreed: signed by both; signed: by at least one; all. With the last two, what is proposed beside a
        price in force is a row of its own. Files have agreed prices unless said otherwise
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/left-out",
            [],
            {
                "period": period,
                "date": date,
                "from": from_,
                "to": to,
                "item": item,
                "ids": ids,
                "changedSince": changed_since,
                "for": for_,
                "only": only,
                "limit": limit,
                "knownAt": known_at,
            },
            "LeftOutList",
            ("ids", 200),
        )


class RadarResource(Resource):
    def list(
        self,
        *,
        since: Optional[str] = None,
        until: Optional[str] = None,
        pam: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.RadarRow]:
        """What publications did to agreements.

        What publications after `since` and up to `until` did: one row for each agreement and period that moved, with
        the figure behind it (several: `causes`), the points, the price before and after, the amount where invoice lines
        or quantities are kept, and what the contract says about it. Before and after differ in the figures alone:
        signatures, lines and corrections are those of `until`. Sorted by absolute amount, then points. Without `since`
        it looks back 30 days. `amount` is null for a key without the scope `money`. A walk is pinned to the time of its
        first page.

        Every key may read it: scope `read`.

        :param since: Only what was published after this: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor
        of /changes without kinds
        :param until: Only what was published by then; everything unless given: YYYY-MM-DD (to its end, UTC), an RFC
        3339 instant, or a cursor of /changes without kinds
        :param pam: Only this agreement, by id or slug; 404 where it does not exist
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/radar",
            [],
            {"since": since, "until": until, "pam": pam, "limit": limit},
            "RadarList",
        )


class ReceiptsResource(VerifiedReceipts):
    def get(
        self,
        agreement: str,
        *,
        period: Optional[str] = None,
        date: Optional[Day] = None,
        version: Optional[types.VersionTag] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> str:
        """Everything needed to recompute an adjustment.

        Everything needed to compute the adjustment again offline, with a hash and a signature. Takes the parameters of
        the adjustment. Check it with `assize verify`.

        :param agreement: Identifier or slug of the agreement
        :param period: The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number
        where several dates share it (2026-Q3.2); not together with date
        :param date: The period in force on this day; not together with period
        :param version: Only values with this data version
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._text(
            "/v1/pams/{pamId}/adjustment/receipt",
            [agreement],
            {
                "period": period,
                "date": date,
                "version": version,
                "asOf": as_of,
                "knownAt": known_at,
            },
        )

    def of_correction(self, correction: str, *, known_at: Optional[Moment] = None) -> str:
        """Everything needed to check a correction offline.

        The body that both parties sign, the receipts its periods name, the signatures and the seal: `assize verify`
        works all of it out again offline.

        For keys with the scope `money` or `all`; for any other this address does not exist (404).

        :param correction: The id of a correction
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._text("/ext/v1/corrections/{correctionId}/receipt", [correction], {"knownAt": known_at})


class ReleasesResource(Resource):
    def list(
        self,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        provider: Optional[types.Provider] = None,
        series: Optional[Names] = None,
        known_at: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.Release]:
        """What providers announce to publish.

        What the providers of your series have announced to publish between two days, by date: the official dates of
        their release calendars, as far as a program can read those. Without `from` it begins today; without `to` it
        ends 90 days later. With `knownAt` as it had been announced then. Which of your series come with a release, and
        which agreements read them, is as it is now.

        Every key may read it: scope `read`.

        :param from_: Only releases of this day (UTC) or later; today unless said otherwise
        :param to: Only releases of this day (UTC) or earlier, at most 366 days after from; 90 days after it unless said
        otherwise
        :param provider: Only series of this provider
        :param series: Only what these come with: ids, or names as formulas use them; 404 where one is not there
        :param known_at: What had been announced by this day (to its end, UTC) or instant
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/releases",
            [],
            {
                "from": from_,
                "to": to,
                "provider": provider,
                "series": series,
                "knownAt": known_at,
                "limit": limit,
            },
            "ReleaseList",
        )


class SeriesResource(Resource):
    def list(self, *, provider: Optional[types.Provider] = None, limit: Optional[int] = None) -> Walk[types.ExtSeries]:
        """Series visible to the workspace.

        The series your workspace sees: those it follows and those it imported. In a stable order, page by page.

        :param provider: Only series of this provider
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk("/v1/series", [], {"provider": provider, "limit": limit or 200}, "SeriesList")

    def values(
        self,
        series: str,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        limit: Optional[int] = None,
        last: Optional[int] = None,
        version: Optional[types.VersionTag] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.Observation]:
        """Observations of one series, ascending.

        One row per period, ascending: the newest vintage inside the cuts. `from` and `to` compare with the first day of
        the period, inclusive. `total` counts all that match; when there are more than `limit`, the `Link` header leads
        to the next page. With `view=summary` each row is short: the period in its own notation, value, version and the
        day at which the value stood.

        :param series: Identifier of the series
        :param from_: Start date, inclusive
        :param to: End date, inclusive
        :param limit: Rows of a page; a walk goes over all of them
        :param last: The newest N, still ascending; not together with limit
        :param version: Only values with this data version
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/v1/series/{seriesId}/values",
            [series],
            {
                "from": from_,
                "to": to,
                "limit": limit or (None if last else 2000),
                "last": last,
                "version": version,
                "asOf": as_of,
                "knownAt": known_at,
            },
            "Values",
        )

    def summary(
        self,
        series: str,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        limit: Optional[int] = None,
        last: Optional[int] = None,
        version: Optional[types.VersionTag] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.SummaryObservation]:
        """Observations of one series, ascending.

        One row per period, ascending: the newest vintage inside the cuts. `from` and `to` compare with the first day of
        the period, inclusive. `total` counts all that match; when there are more than `limit`, the `Link` header leads
        to the next page. With `view=summary` each row is short: the period in its own notation, value, version and the
        day at which the value stood.

        :param series: Identifier of the series
        :param from_: Start date, inclusive
        :param to: End date, inclusive
        :param limit: Rows of a page; a walk goes over all of them
        :param last: The newest N, still ascending; not together with limit
        :param version: Only values with this data version
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/v1/series/{seriesId}/values",
            [series],
            {
                "from": from_,
                "to": to,
                "limit": limit or (None if last else 2000),
                "last": last,
                "version": version,
                "asOf": as_of,
                "knownAt": known_at,
                "view": "summary",
            },
            "SummaryValues",
        )

    def vintages(
        self,
        series: str,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        limit: Optional[int] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.Vintage]:
        """Every vintage of every period.

        Every value each period ever had, in the order of publication, with both clocks and the provider’s own mark.
        `limit` counts periods. A withdrawal shows value and tag null.

        :param series: Identifier of the series
        :param from_: Start date, inclusive
        :param to: End date, inclusive
        :param limit: Rows of a page; a walk goes over all of them
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/v1/series/{seriesId}/vintages",
            [series],
            {"from": from_, "to": to, "limit": limit or 2000, "knownAt": known_at},
            "Vintages",
        )

    def newest(
        self,
        series: Names,
        *,
        last: Optional[int] = None,
        as_of: Optional[Moment] = None,
        known_at: Optional[Moment] = None,
    ) -> Walk[types.SeriesValues]:
        """The newest values of many series.

        The newest values of up to 50 series, in the order asked, by id or by what formulas call them. `asOf` and
        `knownAt` cut as in v1. In CSV there is one row per value.

        Every key may read it: scope `read`.

        :param series: ids, or names as formulas use them; 404 where one is not there
        :param last: The newest N periods of each, ascending; 1 unless said otherwise, at most 60
        :param as_of: The values as they had been published by this day (to its end, UTC) or instant
        :param known_at: The values as stored here at this day (to its end, UTC) or instant; repeatable forever
        """
        return self._walk(
            "/ext/v1/values",
            [],
            {"series": series, "last": last, "asOf": as_of, "knownAt": known_at},
            "ValuesList",
            ("series", 50),
        )

    def next(self, series: str, *, known_at: Optional[Moment] = None) -> types.NextDates:
        """When the next figures of a series are expected.

        When the figures of the next 12 periods without a value are expected: by the release calendar of the provider;
        else learned from the first publications of the newest 36 periods; else by the usual delay of the provider; else
        no date can be said. `basis` says which, `hitRate` how often the same rule was right. A release that was
        cancelled or postponed has a `status` and no date. With `knownAt` as it was known then.

        Every key may read it: scope `read`.

        :param series: Identifier of the series
        :param known_at: What was known by this day (to its end, UTC) or instant
        """
        found: types.NextDates = self._one(
            "/ext/v1/series/{seriesId}/next",
            [series],
            {"knownAt": known_at},
            "NextDates",
        )
        return found

    def find(
        self,
        *,
        code: Optional[str] = None,
        q: Optional[str] = None,
        frequency: Optional[types.Frequency] = None,
        updated_since: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.ExtSeries]:
        """Finds series by what formulas call them.

        The series your workspace sees, by what formulas call them (`code=PROVIDER/code`: none gives an empty list), by
        a part of their name or code, by frequency, or by what was recorded after an instant. In a stable order, page by
        page.

        Every key may read it: scope `read`.

        :param code: The series by the name that formulas use: `PROVIDER/code`
        :param q: Only series whose name or code contains this text, in any case
        :param frequency: Only series of this frequency
        :param updated_since: Only series with something recorded after this RFC 3339 instant
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/series",
            [],
            {
                "code": code,
                "q": q,
                "frequency": frequency,
                "updatedSince": updated_since,
                "limit": limit,
            },
            "SeriesList",
        )


class SplicesResource(Resource):
    def list(
        self,
        *,
        pam: Optional[str] = None,
        state: Optional[Literal["PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "AGREED", "SUPERSEDED", "REFUSED", "LAPSED"]] = None,
        series: Optional[Names] = None,
        limit: Optional[int] = None,
    ) -> Walk[types.SpliceRow]:
        """Changes of terms that both sign.

        Changes of terms, the newest first, each in the state it is in: splices, which put another series in the place
        of one that ends, and amendments. A page may be short where few are in the state that is asked for.

        Every key may read it: scope `read`.

        :param pam: Only this agreement, by id or slug; 404 where it does not exist
        :param state: Only those in this state
        :param series: Only those that replace this series or put it in the place of another: `PROVIDER/code`
        :param limit: Rows of a page; a walk goes over all of them
        """
        return self._walk(
            "/ext/v1/splices",
            [],
            {"pam": pam, "state": state, "series": series, "limit": limit},
            "SpliceList",
        )

    def get(self, splice: str) -> types.Splice:
        """One change of terms.

        One change of terms with its body: evidence, coefficient, effect and the whole document of a splice;
        differences, effect and reason of an amendment. Once both have signed it, `version` is the formula version that
        it made.

        Every key may read it: scope `read`.

        :param splice: The id of a splice or an amendment
        """
        found: types.Splice = self._one("/ext/v1/splices/{spliceId}", [splice], {}, "Splice")
        return found


class VintagesResource(FollowedVintages):
    def list(
        self,
        *,
        cursor: Optional[str] = None,
        from_: Optional[Literal["start"]] = None,
        limit: Optional[int] = None,
    ) -> types.VintageList:
        """Every new vintage of all series.

        Every vintage of all series your workspace sees that was recorded since the cursor, in recorded order. Cursor,
        `from` and 409 as for `/changes`. Of a series that is followed later, only what comes after; its past is in v1.

        Every key may read it: scope `read`.

        :param cursor: nextCursor of an earlier answer to the same request
        :param from_: start: from the beginning; not together with cursor. Without either the feed begins now
        :param limit: At most this many, 2000 unless said otherwise
        """
        found: types.VintageList = self._one(
            "/ext/v1/vintages",
            [],
            {"cursor": cursor, "from": from_, "limit": limit},
            "VintageList",
        )
        return found


class Resources:
    """All of them, as properties."""

    def __init__(self, transport: Transport) -> None:
        self.adjustments = AdjustmentsResource(transport)
        self.agreements = AgreementsResource(transport)
        self.changes = ChangesResource(transport)
        self.corrections = CorrectionsResource(transport)
        self.due = DueResource(transport)
        self.index_events = IndexEventsResource(transport)
        self.invoices = InvoicesResource(transport)
        self.prices = PricesResource(transport)
        self.radar = RadarResource(transport)
        self.receipts = ReceiptsResource(transport)
        self.releases = ReleasesResource(transport)
        self.series = SeriesResource(transport)
        self.splices = SplicesResource(transport)
        self.vintages = VintagesResource(transport)
