"""Exact fractions: reading, rounding and writing them (RECEIPT.md, section 2). Binary floating point appears nowhere."""

import re
from fractions import Fraction

DECIMAL = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
EXACT = re.compile(r"-?[0-9]+(?:/[1-9][0-9]*)?|[+-]?[0-9]+(?:\.[0-9]+)?")
MOST_BITS = 131072


class NotComputable(Exception):
    """A calculation that has no result, or takes longer than any that is issued."""


def is_decimal(text):
    if not DECIMAL.fullmatch(text):
        return False
    return len(text) <= 15 or sum(character.isdigit() for character in text) <= 60


def is_exact(text):
    if len(text) > 80000 or not EXACT.fullmatch(text):
        return False
    return "." not in text and not text.startswith("+") or is_decimal(text)


def whole_of_digits(digits):
    """Python reads at most 4,300 digits at once where nothing else was set: longer ones are read in pieces."""
    number = 0
    for at in range(0, len(digits), 4000):
        piece = digits[at : at + 4000]
        number = number * 10 ** len(piece) + int(piece)
    return number


def digits_of(number):
    """The digits of a whole number of at least 0, written in pieces for the same reason."""
    pieces = []
    while number >= 10**4000:
        number, rest = divmod(number, 10**4000)
        pieces.append("%04000d" % rest)
    return "".join([str(number)] + pieces[::-1])


def number_of(text):
    """Of a decimal or an exact number; a ValueError for any other text."""
    if not is_exact(text):
        raise ValueError("not a number")
    sign, text = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    whole, _, divisor = text.partition("/")
    whole, _, decimals = whole.partition(".")
    number = Fraction(sign * whole_of_digits(whole + decimals), 10 ** len(decimals))
    return bounded(number / whole_of_digits(divisor) if divisor else number)


def bounded(number):
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise NotComputable("a number has more than %d bits" % MOST_BITS)
    return number


def cut(number):
    """The whole part, toward zero."""
    whole = abs(number.numerator) // number.denominator
    return -whole if number < 0 else whole


def to_whole(number, mode):
    """A fraction rounded to a whole number."""
    below = number.numerator // number.denominator
    rest = number - below
    if rest == 0:
        return below
    toward_zero, away = (below, below + 1) if number > 0 else (below + 1, below)
    if mode in ("FLOOR", "CEILING", "DOWN", "UP"):
        return {"FLOOR": below, "CEILING": below + 1, "DOWN": toward_zero, "UP": away}[mode]
    if rest != Fraction(1, 2):
        return below + (rest > Fraction(1, 2))
    return {"HALF_EVEN": below + below % 2, "HALF_UP": away, "HALF_DOWN": toward_zero}[mode]


def power_of_ten(exponent):
    return Fraction(10) ** exponent


def round_by(number, rounding):
    """By {dp, mode} or {multiple, mode}; None rounds nothing."""
    if rounding is None:
        return number
    if "multiple" not in rounding and not -30 <= rounding["dp"] <= 30:
        raise ValueError("decimals from -30 to 30")
    unit = number_of(rounding["multiple"]) if "multiple" in rounding else power_of_ten(-rounding["dp"])
    return to_whole(number / unit, rounding["mode"]) * unit


def write_fixed(number, dp, mode="HALF_UP"):
    scaled = to_whole(number * power_of_ten(dp), mode)
    digits = digits_of(abs(scaled)).rjust(dp + 1, "0")
    sign = "-" if scaled < 0 else ""
    return sign + (digits if dp == 0 else digits[:-dp] + "." + digits[-dp:])


def without_idle_zeros(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


def write_carried(number):
    """30 significant digits, cut and not rounded, with an ellipsis where more would follow."""
    if number == 0:
        return "0"
    sign, size = "-" if number < 0 else "", abs(number)
    whole = digits_of(cut(size))
    if whole != "0" and len(whole) > 30:
        shown = whole[:30] + "0" * (len(whole) - 30)
        return sign + shown + ("" if number_of(shown) == size else "…")
    if whole != "0":
        decimals = 30 - len(whole)
    else:
        zeros = len(digits_of(size.denominator)) - len(digits_of(size.numerator))
        decimals = 30 + (zeros - 1 if size * power_of_ten(zeros) >= 1 else zeros)
    kept = Fraction(cut(size * power_of_ten(decimals)), 10**decimals)
    text = write_fixed(kept, decimals)
    return sign + (without_idle_zeros(text) if kept == size else text + "…")


def write_exact(number):
    """The one spelling that is hashed: a decimal where it has at most 30 digits, else a fraction in lowest terms."""
    carried = write_carried(number)
    if not carried.endswith("…"):
        return carried
    sign = "-" if number < 0 else ""
    divisor = "" if number.denominator == 1 else "/" + digits_of(number.denominator)
    return sign + digits_of(abs(number.numerator)) + divisor


def write_rounded(number, rounding):
    """With the decimals that the rounding implies."""
    decimals = len(rounding["multiple"].partition(".")[2]) if "multiple" in rounding else max(rounding["dp"], 0)
    return write_fixed(round_by(number, rounding), decimals)


def write_short(number, rounding):
    return without_idle_zeros(write_rounded(number, rounding))


def is_same_figure(written, own, rounding):
    """Of a multiple such as 0.50 it is not known how many zeros a figure had: those are compared as numbers."""
    if written == own or written is None or own is None or rounding is None or "multiple" not in rounding:
        return written == own
    return is_decimal(written) and number_of(written) == number_of(own)


NO_MINOR_UNITS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split()
THREE_MINOR_UNITS = "BHD IQD JOD KWD LYD OMR TND".split()


def minor_units(currency):
    """The decimals of an amount of money."""
    if currency in NO_MINOR_UNITS:
        return 0
    return 3 if currency in THREE_MINOR_UNITS else 4 if currency in ("CLF", "UYW") else 2
