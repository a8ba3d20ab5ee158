"""Expressions: the grammar of the lines of a receipt, and their value in exact fractions (receipt/formula.md, section 6)."""

import re
from fractions import Fraction

from exact import NotComputable, bounded, number_of, round_by

WHITE_SPACE = "[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"
TOKEN = re.compile(
    WHITE_SPACE + r"(?:([0-9]+(?:\.[0-9]+)?)(?![\w.])|([^\W\d]\w*(?:\.[^\W\d]\w*)?)(?!\.)|(<=|>=|==|!=|[-+*/(),<>])|$)"
)
COMPARISONS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
ROUNDING_CALLS = {"round": "HALF_UP", "trunc": "DOWN", "ceil": "CEILING", "floor": "FLOOR"}
# How many values a call takes; one or more where nothing is said.
VALUES_OF_CALL = {"abs": (1,), "clamp": (3,), "if": (3,), "mod": (2,), "pow": (2, 3), "prev": (2,), "lookup": (2,)}
VALUES_OF_CALL.update({name: (2,) for name in ROUNDING_CALLS})
CALLS_OF_ANY = ("min", "max", "sum", "avg")
MOST_DEPTH = 32


class BadExpression(Exception):
    """Text that is no expression."""


class LeftOut(Exception):
    """A value that only `assize verify` works out."""


class Expression:
    """Reads a line into nested tuples. Names are looked up when it is evaluated."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise BadExpression("%s is not part of an expression" % text[at : at + 10])
            at = found.end()
            if found.group(1) and len(found.group(1)) - found.group(1).count(".") > 60:
                raise BadExpression("a number has more than 60 digits")
            if found.lastindex:
                self.tokens.append((found.lastindex, found.group(found.lastindex)))
        self.next = self.depth = 0
        self.tree = self.whole()
        if self.next < len(self.tokens):
            raise BadExpression("%s is not expected here" % self.tokens[self.next][1])

    def peek(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else (0, "")

    def takes(self, *signs):
        kind, text = self.peek()
        if kind == 1 or text not in signs:
            return None
        self.next += 1
        return text

    def needs(self, sign):
        if not self.takes(sign):
            raise BadExpression("%s is missing" % sign)

    def nested(self, read):
        """Bounded, so that no expression fills the stack."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise BadExpression("it is nested more than %d deep" % MOST_DEPTH)
        found = read()
        self.depth -= 1
        return found

    def whole(self):
        return self.any_of("or", lambda: self.any_of("and", self.compared))

    def any_of(self, word, read):
        parts = [read()]
        while self.takes(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else (word, parts)

    def compared(self):
        if self.takes("not"):
            return ("not", self.nested(self.compared))
        left = self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.signed))
        sign = self.takes(*COMPARISONS)
        if sign is None:
            return left
        return ("compare", sign, left, self.chain(("+", "-"), lambda: self.chain(("*", "/"), self.signed)))

    def chain(self, signs, read):
        """Operators of one level, from the left. As one list: thousands of them would fill the stack as a tree."""
        first, more = read(), []
        while True:
            sign = self.takes(*signs)
            if sign is None:
                return ("chain", first, more) if more else first
            more.append((sign, read()))

    def signed(self):
        if self.takes("-"):
            return ("negative", self.nested(self.signed))
        if self.takes("("):
            inner = self.nested(self.whole)
            self.needs(")")
            return inner
        kind, text = self.peek()
        self.next += 1
        if kind == 1:
            return ("number", number_of(text))
        if kind != 2 or text in ("and", "or", "not"):
            raise BadExpression("a value is missing")
        if self.takes("("):
            return self.nested(lambda: self.call(text))
        name, _, part = text.partition(".")
        return ("reading", name, part) if part else ("name", name)

    def call(self, name):
        values = []
        if not self.takes(")"):
            values.append(self.whole())
            while self.takes(","):
                values.append(self.whole())
            self.needs(")")
        if name not in VALUES_OF_CALL and name not in CALLS_OF_ANY:
            raise BadExpression("%s is no call" % name)
        if len(values) not in VALUES_OF_CALL.get(name, range(1, len(values) + 1)):
            raise BadExpression("%s does not take %d values" % (name, len(values)))
        if name in ("prev", "lookup") and values[0][0] != "name":
            raise BadExpression("%s needs a name" % name)
        return ("call", name, values)


class Evaluation:
    """The value of expressions. `names` has value(name), reading(input, part), previous(line), table(name).

    Every operation on long numbers is charged, so that nested powers end at once and nothing runs without end.
    """

    WORK = 400_000_000

    def __init__(self, names):
        self.names = names
        self.work_left = self.WORK

    def charged(self, number):
        bits = max(number.numerator.bit_length(), number.denominator.bit_length())
        if bits > 512:
            # Common divisors cost up to the square of the length.
            self.work_left -= (bits // 64) ** 2
            if self.work_left < 0:
                raise NotComputable("it takes too long")
        return bounded(number)

    def number(self, tree):
        kind = tree[0]
        if kind == "number":
            return tree[1]
        if kind == "name":
            return self.names.value(tree[1])
        if kind == "reading":
            return self.names.reading(tree[1], tree[2])
        if kind == "negative":
            return -self.number(tree[1])
        if kind == "chain":
            return self.chain(tree[1], tree[2])
        if kind == "call":
            return self.call(tree[1], tree[2])
        raise BadExpression("a number is needed, not a comparison")

    def truth(self, tree):
        kind = tree[0]
        if kind == "not":
            return not self.truth(tree[1])
        if kind in ("and", "or"):
            return (all if kind == "and" else any)(self.truth(each) for each in tree[1])
        if kind == "compare":
            return COMPARISONS[tree[1]](self.number(tree[2]), self.number(tree[3]))
        if kind == "call" and tree[1] == "if":
            condition, one, other = tree[2]
            return self.truth(one if self.truth(condition) else other)
        raise BadExpression("a comparison is needed, not a number")

    def chain(self, first, more):
        total = self.number(first)
        for sign, tree in more:
            number = self.number(tree)
            if sign == "/":
                total = self.divided(total, number)
            else:
                total = total + number if sign == "+" else total - number if sign == "-" else total * number
            total = self.charged(total)
        return total

    def divided(self, a, b):
        if b == 0:
            raise NotComputable("it divides by 0")
        return self.charged(a / b)

    def call(self, name, values):
        if name == "if":
            return self.number(values[1] if self.truth(values[0]) else values[2])
        if name == "prev":
            kept = self.names.previous(values[0][1])
            return self.number(values[1]) if kept is None else kept
        if name == "lookup":
            x = self.number(values[1])
            return next(value for test, value in self.names.table(values[0][1]) if test(x))
        if name in ROUNDING_CALLS:
            return round_by(self.number(values[0]), {"dp": decimals_of(values[1]), "mode": ROUNDING_CALLS[name]})
        if name == "pow" and len(values) == 3:
            raise LeftOut("a root, which is rounded")
        numbers = [self.number(each) for each in values]
        if name in ("min", "max"):
            return min(numbers) if name == "min" else max(numbers)
        if name in ("sum", "avg"):
            total = Fraction(0)
            for number in numbers:
                total = self.charged(total + number)
            return total / len(numbers) if name == "avg" else total
        if name == "abs":
            return abs(numbers[0])
        if name == "clamp":
            return min(max(numbers[0], numbers[1]), numbers[2])
        if name == "mod":
            times = self.divided(numbers[0], numbers[1])
            return self.charged(numbers[0] - numbers[1] * (times.numerator // times.denominator))
        return self.power(numbers[0], numbers[1])

    def power(self, base, exponent):
        whole, bits = exponent.numerator, max(base.numerator.bit_length(), base.denominator.bit_length())
        if exponent.denominator != 1 or abs(whole) > 400 or (base == 0 and whole < 0):
            raise NotComputable("a power that does not compute")
        if abs(whole) * bits > 200_000:
            raise NotComputable("pow of numbers this long takes too long")
        # Charged before it is computed.
        self.work_left -= (abs(whole) * bits // 64) ** 2
        return self.charged(base**whole)


def decimals_of(tree):
    """The last value of a rounding, which is written out."""
    sign, tree = (-1, tree[1]) if tree[0] == "negative" else (1, tree)
    if tree[0] != "number" or tree[1].denominator != 1 or tree[1] > 30:
        raise BadExpression("decimals are a whole number from -30 to 30")
    return sign * int(tree[1])
