"""Receipts of periods: their form, hash, seal and signatures, and the arithmetic of the lines that they record.

A receipt lists figures and lines. Which figure a line reads, and whether the contract's document makes these lines, is
left to `assize verify`. Where an input reads one figure at a time, its readings are nevertheless known here; a line that
needs any other reading counts as it is written, and everything after it is computed from that.
"""

import calendar
import datetime
import re
from fractions import Fraction

from envelope import misfit
from exact import (
    NotComputable, is_decimal, is_same_figure, number_of, round_by, write_carried, write_exact, write_rounded,
    write_short,
)
from expressions import BadExpression, Evaluation, Expression, LeftOut
from party_signatures import Proof
from text import Unreadable, canonical, counted, read_json, utf16_length
from words import figures_on_word, percent_words, proof_lines, signers_on_word

LONGEST_RECEIPT, DEEPEST_RECEIPT = 20_000_000, 12
EDITION = 2
MOST_LINES, LONGEST_LINE, MOST_SIGNS = 400, 100_000, 4000

LEFT = "left to assize verify: whether the lines follow from the document, and the readings from the vintages"


def taken_words(count):
    """How many lines count as they are written."""
    return " (%s taken as written)" % counted(count, "line is", "lines are")


# --- Names in lines --------------------------------------------------------------------------------------------------

# What rests on the dates and the earlier factors of the contract.
LEFT_OUT = (
    "daysInPeriod", "periodsSinceStart", "yearsSinceStart", "daysSinceLast",
    "contractYearFactor", "calendarYearFactor", "yearAgoFactor",
)


def section(document, name):
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def written_number(value):
    if not isinstance(value, str) or not is_decimal(value):
        raise BadExpression("%s is not a number" % canonical(value))
    return number_of(value)


# An input with these alone reads one figure, as it was published.
PLAIN_KEYS = {"series", "weight", "base", "lag", "missing", "vintage", "pick", "week", "successor"}


class Names:
    """The values that lines may name: earlier lines, params, tables, readings, and what follows from the date."""

    def __init__(self, body, document, trees):
        self.body, self.document = body, document
        self.day = datetime.date.fromisoformat(body["adjustmentDate"])
        self.carried = carried_in(body, document)
        self.trees = trees
        self.lines = {}
        self.readings = {}

    def value(self, name):
        if name in self.lines:
            return self.lines[name]
        if name in section(self.document, "inputs"):
            return self.reading(name, "current")
        if name in section(self.document, "params"):
            return self.param(section(self.document, "params")[name])
        return self.built_in(name)

    def previous(self, line):
        if all(each["name"] != line for each in self.body["steps"]):
            raise BadExpression("prev needs the name of a line")
        kept = self.carried["steps"].get(line)
        return None if kept is None else number_of(kept)

    def param(self, written):
        """A number, or the last one of a list whose day has come."""
        if not isinstance(written, list):
            return written_number(written)
        begun = [each for each in written if isinstance(each, dict) and str(each.get("from")) <= self.body["adjustmentDate"]]
        if not begun:
            raise NotComputable("a param has no value on that day")
        return written_number(begun[-1].get("value"))

    def table(self, name):
        """(test, value) of each row."""
        rows = section(self.document, "tables").get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise BadExpression("lookup needs the name of a table")
        for row in rows:
            value = written_number(row.get("value"))
            if "below" in row:
                yield (lambda x, edge=written_number(row["below"]): x < edge), value
            elif "atMost" in row:
                yield (lambda x, edge=written_number(row["atMost"]): x <= edge), value
            else:
                yield (lambda _: True), value
        raise BadExpression("the table %s has no last row" % name)

    def built_in(self, name):
        day = self.day
        if name in ("year", "month", "day"):
            return Fraction(getattr(day, name))
        if name == "quarter":
            return Fraction((day.month - 1) // 3 + 1)
        if name == "daysInMonth":
            return Fraction(calendar.monthrange(day.year, day.month)[1])
        if name == "daysInYear":
            return Fraction(366 if calendar.isleap(day.year) else 365)
        if name == "price":
            return self.amount()
        if name in LEFT_OUT:
            raise LeftOut(name)
        raise BadExpression("%s is not known" % name)

    def amount(self):
        """The price of the contract; None where it has none."""
        price = section(section(self.document, "contract"), "price")
        return written_number(price["amount"]) if "amount" in price else None

    # Readings

    def reading(self, name, part):
        if name not in section(self.document, "inputs") or part not in ("current", "base", "prev", "last"):
            raise BadExpression("%s.%s is not a reading" % (name, part))
        if name not in self.readings:
            self.readings[name] = self.known_readings(name)
        if part not in self.readings[name]:
            raise LeftOut(name)
        return self.readings[name][part]

    def known_readings(self, name):
        """By part, as far as the receipt alone tells them: the base by its period, what was carried in as it is kept,
        and the current one where a single figure is left over."""
        written = section(self.document, "inputs")[name]
        figures = {figure_key(each): each["value"] for each in self.body["observations"] if each["input"] == name}
        known, others = {}, dict(figures)
        is_plain = isinstance(written, dict) and set(written) <= PLAIN_KEYS
        is_plain = is_plain and written.get("missing", "BLOCK") in ("BLOCK", "LAST_KNOWN")
        bases = [key for key in figures if is_plain and key[:2] == (written.get("series"), written.get("base"))]
        if len(bases) == 1:
            known["base"] = number_of(others.pop(bases[0]))
        for part, state in (("prev", self.carried), ("last", self.carried["last"])):
            kept = state["readings"].get(name)
            if state["date"] is None and "base" in known:
                known[part] = known["base"]
            elif state["date"] is not None and kept and state["version"] in (None, self.body["formulaVersion"]):
                known[part] = number_of(kept["value"])
                for each in kept["used"]:
                    others.pop(figure_key(each), None)
        left = list(others.values()) or (list(figures.values()) if len(figures) == 1 else [])
        if is_plain and len(left) == 1 and parts_named(self.trees, name) <= set(known) | {"current"}:
            known["current"] = number_of(left[0])
        return known


def figure_key(figure):
    return (figure["series"], figure["period"], figure["published"], figure["recorded"])


def parts_named(trees, name):
    """Which readings of an input the lines name."""
    found, left = set(), list(trees)
    while left:
        tree = left.pop()
        if tree[0] in ("name", "reading") and tree[1] == name:
            found.add("current" if tree[0] == "name" else tree[2])
        for each in tree:
            left.extend(inside for inside in (each if isinstance(each, list) else [each]) if isinstance(inside, tuple))
    return found


def carried_in(body, document):
    """Where a contract begins anew with a version, nothing is continued."""
    carried, contract = body["carriedIn"], section(document, "contract")
    begins = document.get("effectiveFrom", contract.get("start"))
    if contract.get("restart") != "true" or carried.get("origin") == begins:
        return carried
    nothing = {"date": None, "version": None, "steps": {}, "readings": {}}
    return {**nothing, "factor": "1", "last": nothing}


# --- Arithmetic ------------------------------------------------------------------------------------------------------

class Recomputed:
    """The lines of a body and its result, computed again. Raises Unreadable where that cannot be done."""

    def __init__(self, body):
        self.body, version = body, body["formulaVersion"]
        known = {each["series"] for each in body["series"]}
        for each in body["observations"]:
            if each["series"] not in known:
                raise Unreadable("the receipt cannot be read: %s is not among its series" % each["series"])
        document = read_json(body["documents"][str(version)], "the receipt's formula", 1_000_000, 16)
        if not isinstance(document, dict):
            raise Unreadable("the receipt's formula is not a mapping")
        check_lines(body["steps"])
        try:
            trees = [Expression(each["expr"]).tree for each in body["steps"]]
            self.names = Names(body, document, trees)
            self.taken = 0
            self.compute(trees)
            self.difference = self.first_difference()
        except BadExpression as wrong:
            raise Unreadable("the receipt's formula %d is refused: %s" % (version, wrong))
        except NotComputable as wrong:
            raise Unreadable("the receipt's data do not suffice: %s" % wrong)

    def compute(self, trees):
        evaluation = Evaluation(self.names)
        for line, tree in zip(self.body["steps"], trees):
            try:
                own = evaluation.number(tree)
            except LeftOut:
                self.taken += 1
                own = number_of(line["value"])
            self.names.lines[line["name"]] = round_by(own, line["round"])
        if self.body["rules"]["step"] not in self.names.lines:
            raise BadExpression("there is no step %s" % canonical(self.body["rules"]["step"]))

    def result(self):
        """Factor, price, percent of the period and since the start, and surcharge; None where there is none."""
        rules, names = self.body["rules"], self.names
        number, amount, before = names.lines[rules["step"]], names.amount(), number_of(names.carried["factor"])
        if rules["kind"] == "CHANGE_PCT":
            factor = before * (1 + number / 100)
        elif rules["kind"] == "FACTOR":
            factor = number
        elif not amount:
            raise BadExpression("%s needs contract.price" % rules["kind"])
        else:
            factor = number / amount if rules["kind"] == "PRICE" else 1 + number / amount
        price = None
        if amount is not None:
            rounding = rules["priceRound"]
            price = write_carried(amount * factor) if rounding is None else write_rounded(amount * factor, rounding)
        return {
            "factor": write_exact(factor),
            "adjustmentPct": None if before == 0 else write_short((factor / before - 1) * 100, rules["show"]),
            "cumulativePct": write_short((factor - 1) * 100, rules["show"]),
            "price": price,
            "surcharge": write_carried(number) if rules["kind"] == "SURCHARGE" else None,
        }

    def first_difference(self):
        """(line, as it is written, recomputed); None where all of it follows."""
        body, written = self.body, self.body["result"]
        for line in body["steps"]:
            own = self.names.lines[line["name"]]
            if line["value"] != write_exact(own):
                return ("step " + line["name"], told(line["value"]), told(write_exact(own)))
            shown = None if line["show"] is None else write_rounded(own, line["show"])
            if not is_same_figure(line["shown"], shown, line["show"]):
                return ("step %s (shown)" % line["name"], told(line["shown"]), told(shown))
        own = {**self.result(), "period": body["period"], "adjustmentDate": body["adjustmentDate"]}
        own["formulaVersion"] = body["formulaVersion"]
        for name, figure in own.items():
            rounding = body["rules"]["priceRound"] if name == "price" else None
            if not is_same_figure(written.get(name), figure, rounding):
                return (name, told(written.get(name)), told(figure))
        if not body["rules"]["addsUp"] or written["adjustmentPct"] is None:
            return None
        parts = [each["contribution"] for each in written["components"]]
        total = sum(map(number_of, parts + [each["points"] for each in written["controls"]]), Fraction(0))
        if total != number_of(written["adjustmentPct"]):
            return ("components and controls", write_exact(total), written["adjustmentPct"])
        return None


def check_lines(lines):
    """Bounds, before anything is read."""
    if len(lines) > MOST_LINES:
        raise Unreadable("the receipt has more than %d lines" % MOST_LINES)
    if len({each["name"] for each in lines}) < len(lines):
        raise Unreadable("two lines of the receipt have the same name")
    for each in lines:
        signs = sum(each["expr"].count(sign) for sign in "-+*/(,<>=")
        if utf16_length(each["expr"]) > LONGEST_LINE or signs > MOST_SIGNS:
            raise Unreadable("the line %s of the receipt is too long" % each["name"])


def told(figure):
    """A figure in the line of a difference: fractions as people read them."""
    if not isinstance(figure, str):
        return "nothing" if figure is None else canonical(figure)
    return write_carried(number_of(figure)) if re.fullmatch("-?[0-9]+/[1-9][0-9]*", figure) else figure


# --- The verdict -----------------------------------------------------------------------------------------------------

def check_edition(body):
    """Of another form or another edition of the rules nothing is computed by guess."""
    if body["format"] != "assize-receipt/2":
        misfit("body.format", "one of assize-receipt/2, got " + canonical(body["format"]))
    if body["edition"] != EDITION:
        raise Unreadable(
            "the receipt was computed by edition %d of the rules; this program knows edition %d and computes nothing by guess"
            % (body["edition"], EDITION)
        )


class Receipt(Proof):
    """The receipt of a period."""

    difference, taken = None, 0

    def compute(self):
        check_edition(self.body)
        recomputed = Recomputed(self.body)
        self.taken = recomputed.taken
        if recomputed.difference is not None:
            self.difference = recomputed.difference[0]
            self.differences.append("%s: the receipt says %s, recomputed %s" % recomputed.difference)

    def differences_in_words(self):
        return ["%s does not follow from the figures in the receipt" % self.difference] if self.difference else []

    def summary(self, _):
        """One line among those of a package."""
        result = self.body["result"]
        price = ", price %s" % result["price"] if "price" in result else ""
        return "recomputes to %s%s" % (percent_words(result["adjustmentPct"]), price)

    def on_word(self):
        return figures_on_word(self.body["observations"]) + signers_on_word(self)

    def lines(self):
        body = self.body
        counts = (body["edition"], len(body["steps"]), len(body["observations"]))
        head = "same: %s %s recomputes to %s" % (body["pam"], body["period"], percent_words(body["result"]["adjustmentPct"]))
        lines = [head + " (edition %d, lines: %d, observations: %d)" % counts] + proof_lines(self)
        lines += ["on the operator's word: " + each for each in self.on_word()]
        return lines + [LEFT + taken_words(self.taken)]
