"""Corrections: factors from the receipts that they name, prices from factors, amounts from prices, the net from amounts."""

from fractions import Fraction

from exact import is_same_figure, minor_units, number_of, round_by, write_fixed, write_rounded
from party_signatures import Proof
from receipts import LEFT, Recomputed, check_edition, taken_words
from text import hash_value
from words import figures_on_word, proof_lines, signers_on_word

SIDES = ("before", "after")


def total_of(amounts):
    return sum(map(number_of, amounts), Fraction(0))


class Correction(Proof):
    kind = "correction"

    def compute(self):
        self.receipts = {hash_value(each): each for each in self.file["receipts"]}
        self.recomputed, self.taken = {}, 0
        for each in self.body["periods"]:
            self.check_period(each)
        for each in self.body["prices"]:
            self.check_price(each)
        for each in self.body["lines"]:
            self.check_line(each)
        self.check_net()
        named = {each[key] for each in self.body["periods"] for key in ("receiptBefore", "receiptAfter")}
        for one in self.receipts:
            if one not in named:
                self.say("receipts: no period names %s" % one)

    def say(self, sentence):
        self.differences.append(sentence)

    def receipt(self, one):
        """Computed once."""
        if one not in self.recomputed:
            check_edition(self.receipts[one])
            self.recomputed[one] = Recomputed(self.receipts[one])
            self.taken += self.recomputed[one].taken
        return self.recomputed[one]

    def check_period(self, each):
        for which, one, factor in (
            ("settled", each["receiptBefore"], each["factorBefore"]),
            ("restated", each["receiptAfter"], each["factorAfter"]),
        ):
            problem = self.receipt_problem(each, which, one, factor)
            if problem is not None:
                self.say("%s: %s" % (each["period"], problem))
        moved = (each["period"], each["priceBefore"], each["priceAfter"])
        if moved[1] != moved[2] and moved not in self.prices("period"):
            self.say("%s: its price is not among the corrected prices" % each["period"])

    def prices(self, *names):
        """What each corrected price is, and how it moved."""
        return {tuple(each[name] for name in names + SIDES) for each in self.body["prices"]}

    def receipt_problem(self, each, which, one, factor):
        if one is None:
            return None if each["factorBefore"] == each["factorAfter"] else "its number moved without a receipt"
        if one not in self.receipts:
            return "the %s receipt %s is not there" % (which, one)
        receipt = self.receipts[one]
        if (receipt["pam"], receipt["period"]) != (self.body["pam"], each["period"]):
            return "the %s receipt is of another period" % which
        difference = self.receipt(one).difference
        if difference is not None:
            return "%s of the %s receipt does not follow from its figures" % (difference[0], which)
        own = receipt["result"]["factor"]
        return None if own == factor else "the %s receipt has the factor %s, not %s" % (which, own, factor)

    def check_price(self, each):
        item, period = each["item"], each["period"]
        periods = {listed["period"]: listed for listed in self.body["periods"]}
        if period not in periods:
            self.say("%s: %s is not among the corrected periods" % (item, period))
            return
        for side in SIDES:
            movement, factor = each["movement" + side.capitalize()], "factor" + side.capitalize()
            divisor = Fraction(1) if each["base"] == "start" else None
            if each["base"] in periods:
                divisor = number_of(periods[each["base"]][factor])
            if divisor and number_of(periods[period][factor]) / divisor != number_of(movement):
                words = (item, period, side, movement)
                self.say("%s in %s: the price %s moves by %s, which is not the factor over its base" % words)
                continue
            share = number_of(each["share"])
            own = number_of(each["price"]) * (1 - share + share * number_of(movement))
            written = write_rounded(own, each["rounding"])
            if not is_same_figure(each[side], written, each["rounding"]):
                self.say("%s in %s: the price %s comes to %s, not %s" % (item, period, side, written, each[side]))

    def check_line(self, each):
        currency = self.body["currency"]
        called = "%s, line %s" % (each["invoice"], each["line"])
        if each["invoice"] is None:
            called = "%s in %s" % (each["item"], each["period"])
        if currency is None:
            self.say("%s: an amount without a currency" % called)
            return
        moved = [(share["period"], each["item"], share["priceBefore"], share["priceAfter"]) for share in each["shares"]]
        if any(before != after and (period, item, before, after) not in self.prices("period", "item")
               for period, item, before, after in moved):
            self.say("%s: its price is not among the corrected prices" % called)
        days = sum(share["days"] for share in each["shares"])
        for side in SIDES:
            own = sum(
                number_of(each["quantity"]) * share["days"] / days
                * number_of(share["price" + side.capitalize()]) / number_of(share["per"])
                for share in each["shares"]
            )
            written, amount = write_fixed(own, minor_units(currency)), each["amount" + side.capitalize()]
            if written != amount:
                self.say("%s: the amount %s comes to %s, not %s" % (called, side, written, amount))
        if number_of(each["amountAfter"]) - number_of(each["amountBefore"]) != number_of(each["amount"]):
            self.say("%s: %s is not the difference of its amounts" % (called, each["amount"]))

    def check_net(self):
        body, lines = self.body, self.body["lines"]
        if body["net"] is None:
            if lines:
                self.say("net: it is missing beside amounts of lines")
            return
        net = number_of(body["net"])
        if net != total_of(each["amount"] for each in lines):
            self.say("net: %s is not the sum of its lines" % body["net"])
        if net != total_of(each["amount"] or "0" for each in body["periods"]):
            self.say("net: %s is not the sum of its periods" % body["net"])
        if body["waived"]:
            if body["parts"]:
                self.say("parts: what is waived is not settled by anything")
            return
        units = minor_units(body["currency"])
        count = max(1, len(body["parts"])) if body["settle"] == "SPREAD" else 1
        part = round_by(net / count, {"dp": units, "mode": "DOWN"})
        own = [write_fixed(each, units) for each in [part] * (count - 1) + [net - part * (count - 1)]]
        if body["parts"] != own:
            self.say("parts: they are %s" % ", ".join(own))

    def amount(self):
        net, currency = self.body["net"], self.body["currency"]
        if net is None:
            return "no amount"
        return "%s %s%s" % (net, currency or "null", ", waived" if self.body["waived"] else "")

    def on_word(self):
        observations = [each for receipt in self.file["receipts"] for each in receipt["observations"]]
        return figures_on_word(observations) + signers_on_word(self)

    def summary(self, state):
        periods = ", ".join(each["period"] for each in self.body["periods"])
        return "the correction of %s comes to %s, %s" % (periods, self.amount(), state)

    def lines(self):
        body = self.body
        counts = (body["edition"], len(body["periods"]), len(body["lines"]), len(self.receipts))
        head = "same: the correction of %s comes to %s" % (body["pam"], self.amount())
        lines = [head + " (edition %d, periods: %d, lines: %d, receipts: %d)" % counts] + proof_lines(self)
        lines += ["on the operator's word: " + each for each in self.on_word()]
        return lines + [LEFT + taken_words(self.taken)]
