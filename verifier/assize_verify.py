#!/usr/bin/env python3
"""Checks receipts, corrections, changes of terms and evidence packages of Assize, offline.

    python3 assize_verify.py receipt.json
    python3 assize_verify.py package.zip --trust KEY

It was written from the format's reference (docs/RECEIPT.md) and not from the program that makes the files, so that the two
can disagree. It needs Python 3.9 or later and nothing else, opens no connection and writes no file. From top to bottom: text
and JSON, numbers, signatures, and then each kind of file.
"""

import base64
import calendar
import datetime
import hashlib
import json
import re
from fractions import Fraction

# --- Text, JSON and hashes -------------------------------------------------------------------------------------------


class Unreadable(Exception):
    """A file that cannot be read at all; its words are the one line that is printed."""


class NotStrict(Exception):
    """JSON that has more than one reading, with the line on which the reading stopped."""

    def __init__(self, why, line):
        super().__init__(why)
        self.why = why
        self.line = line


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_text(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def canonical(value):
    """The one text of a value: keys in the order of their UTF-16 code units, no white space."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def hash_value(value):
    return hash_text(canonical(value))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text):
    """The bytes, or None where it is not the one spelling of them."""
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64url(data) == text else None


# --- Signatures: Ed25519 (RFC 8032), ECDSA with P-256 (FIPS 186), RSA (RFC 8017) -------------------------------------
#
# Only verification, of public data: nothing here has to run in constant time.


class Ed25519:
    P = 2**255 - 19
    ORDER = 2**252 + 27742317777372353535851937790883648493
    D = -121665 * pow(121666, -1, P) % P
    ROOT = pow(2, (P - 1) // 4, P)

    @classmethod
    def x_of(cls, y, is_odd):
        """The abscissa of a point, or None where there is none."""
        if y >= cls.P:
            return None
        square = (y * y - 1) * pow(cls.D * y * y + 1, -1, cls.P) % cls.P
        if square == 0:
            return None if is_odd else 0
        x = pow(square, (cls.P + 3) // 8, cls.P)
        if x * x % cls.P != square:
            x = x * cls.ROOT % cls.P
        if x * x % cls.P != square:
            return None
        return cls.P - x if (x & 1) != is_odd else x

    @classmethod
    def decode(cls, data):
        """A point in extended coordinates (X, Y, Z, T)."""
        number = int.from_bytes(data, "little")
        y = number & (2**255 - 1)
        x = cls.x_of(y, number >> 255)
        return None if x is None else (x, y, 1, x * y % cls.P)

    @classmethod
    def add(cls, a, b):
        p = cls.P
        m = (a[1] - a[0]) * (b[1] - b[0]) % p
        n = (a[1] + a[0]) * (b[1] + b[0]) % p
        c = 2 * a[3] * b[3] * cls.D % p
        d = 2 * a[2] * b[2] % p
        e, f, g, h = n - m, d - c, d + c, n + m
        return (e * f % p, g * h % p, f * g % p, e * h % p)

    @classmethod
    def times(cls, scalar, point):
        result = (0, 1, 1, 0)
        while scalar:
            if scalar & 1:
                result = cls.add(result, point)
            point = cls.add(point, point)
            scalar >>= 1
        return result

    @classmethod
    def base(cls):
        y = 4 * pow(5, -1, cls.P) % cls.P
        x = cls.x_of(y, 0)
        return (x, y, 1, x * y % cls.P)

    @classmethod
    def verify(cls, key, message, signature):
        if len(key) != 32 or len(signature) != 64:
            return False
        point, commitment = cls.decode(key), cls.decode(signature[:32])
        scalar = int.from_bytes(signature[32:], "little")
        if point is None or commitment is None or scalar >= cls.ORDER:
            return False
        digest = hashlib.sha512(signature[:32] + key + message).digest()
        challenge = int.from_bytes(digest, "little") % cls.ORDER
        left = cls.times(scalar, cls.base())
        right = cls.add(commitment, cls.times(challenge, point))
        return (left[0] * right[2] - right[0] * left[2]) % cls.P == 0 and (
            left[1] * right[2] - right[1] * left[2]
        ) % cls.P == 0


class P256:
    P = 2**256 - 2**224 + 2**192 + 2**96 - 1
    ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
    BASE = (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    )

    @classmethod
    def is_on_curve(cls, x, y):
        return x < cls.P and y < cls.P and (y * y - (x * x * x - 3 * x + cls.B)) % cls.P == 0

    @classmethod
    def add(cls, a, b):
        """In affine coordinates; None is the point at infinity."""
        if a is None or b is None:
            return b if a is None else a
        (x1, y1), (x2, y2) = a, b
        if x1 == x2:
            if (y1 + y2) % cls.P == 0:
                return None
            slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, cls.P) % cls.P
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, cls.P) % cls.P
        x = (slope * slope - x1 - x2) % cls.P
        return (x, (slope * (x1 - x) - y1) % cls.P)

    @classmethod
    def times(cls, scalar, point):
        result = None
        while scalar:
            if scalar & 1:
                result = cls.add(result, point)
            point = cls.add(point, point)
            scalar >>= 1
        return result

    @classmethod
    def verify(cls, key, message, r, s):
        """`key` is a point (x, y)."""
        if not cls.is_on_curve(*key) or not 0 < r < cls.ORDER or not 0 < s < cls.ORDER:
            return False
        digest = int.from_bytes(sha256(message), "big")
        inverse = pow(s, -1, cls.ORDER)
        point = cls.add(
            cls.times(digest * inverse % cls.ORDER, cls.BASE), cls.times(r * inverse % cls.ORDER, key)
        )
        return point is not None and point[0] % cls.ORDER == r


def rsa_opened(modulus, exponent, signature):
    """What the signature says under the key, as bytes; None where it cannot be one of the key."""
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= modulus:
        return None
    return pow(number, exponent, modulus).to_bytes(size, "big")


SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def rsa_pkcs1_verify(modulus, exponent, message, signature):
    opened = rsa_opened(modulus, exponent, signature)
    if opened is None:
        return False
    said = SHA256_PREFIX + sha256(message)
    return opened == b"\x00\x01" + b"\xff" * (len(opened) - len(said) - 3) + b"\x00" + said


def rsa_pss_verify(modulus, exponent, message, signature):
    """With SHA-256 for everything and a salt of 32 bytes, as PS256 has it."""
    opened = rsa_opened(modulus, exponent, signature)
    bits = modulus.bit_length() - 1
    size = (bits + 7) // 8
    if opened is None or size < 66:
        return False
    if len(opened) > size and opened[0] != 0:
        return False
    encoded = opened[-size:]
    masked, digest, end = encoded[: size - 33], encoded[size - 33 : -1], encoded[-1]
    unused = 8 * size - bits
    if end != 0xBC or masked[0] >> (8 - unused):
        return False
    mask = b"".join(sha256(digest + n.to_bytes(4, "big")) for n in range(size // 32 + 1))
    block = bytearray(a ^ b for a, b in zip(masked, mask))
    block[0] &= 0xFF >> unused
    salt = bytes(block[-32:])
    return bytes(block[:-32]) == b"\x00" * (len(block) - 33) + b"\x01" and digest == sha256(
        b"\x00" * 8 + sha256(message) + salt
    )


# --- DER, as far as keys and ECDSA signatures need it ----------------------------------------------------------------


def der_parts(data):
    """The (tag, content) pairs that stand one after the other; None where that is not so, in the one shortest way."""
    parts = []
    at = 0
    while at < len(data):
        if at + 2 > len(data):
            return None
        tag, length = data[at], data[at + 1]
        at += 2
        if length >= 0x80:
            count = length & 0x7F
            if not 1 <= count <= 4 or at + count > len(data):
                return None
            length = int.from_bytes(data[at : at + count], "big")
            if length < 0x80 or data[at] == 0:
                return None
            at += count
        if at + length > len(data):
            return None
        parts.append((tag, data[at : at + length]))
        at += length
    return parts


def der_integer(content):
    """A positive integer in its shortest form; None for any other."""
    if not content or content[0] & 0x80 or (len(content) > 1 and content[0] == 0 and not content[1] & 0x80):
        return None
    number = int.from_bytes(content, "big")
    return number or None


SEQUENCE, INTEGER, BITS = 0x30, 0x02, 0x03
ED25519_NAME = bytes.fromhex("06032b6570")
P256_NAME = bytes.fromhex("06072a8648ce3d020106082a8648ce3d030107")
RSA_NAME = bytes.fromhex("06092a864886f70d0101010500")


def ecdsa_signature(data):
    """(r, s) of a signature in DER with short lengths; None where it is none."""
    outer = der_parts(data)
    if outer is None or [tag for tag, _ in outer] != [SEQUENCE] or len(data) > 72:
        return None
    inner = der_parts(outer[0][1])
    if inner is None or [tag for tag, _ in inner] != [INTEGER, INTEGER]:
        return None
    r, s = (der_integer(content) for _, content in inner)
    return None if r is None or s is None else (r, s)


def public_key_of(data):
    """("Ed25519", bytes), ("P-256", point) or ("RSA", (n, e)) of a SubjectPublicKeyInfo; None for any other."""
    outer = der_parts(data)
    if outer is None or [tag for tag, _ in outer] != [SEQUENCE]:
        return None
    inner = der_parts(outer[0][1])
    if inner is None or [tag for tag, _ in inner] != [SEQUENCE, BITS] or inner[1][1][:1] != b"\x00":
        return None
    name, key = inner[0][1], inner[1][1][1:]
    if name == ED25519_NAME and len(key) == 32:
        return ("Ed25519", key)
    if name == P256_NAME and len(key) == 65 and key[0] == 4:
        point = (int.from_bytes(key[1:33], "big"), int.from_bytes(key[33:], "big"))
        return ("P-256", point) if P256.is_on_curve(*point) else None
    if name == RSA_NAME:
        numbers = der_parts(key)
        if numbers is None or [tag for tag, _ in numbers] != [SEQUENCE]:
            return None
        pair = der_parts(numbers[0][1])
        if pair is None or [tag for tag, _ in pair] != [INTEGER, INTEGER]:
            return None
        modulus, exponent = (der_integer(content) for _, content in pair)
        return None if modulus is None or exponent is None else ("RSA", (modulus, exponent))
    return None


# --- Strict JSON -----------------------------------------------------------------------------------------------------


def utf16(text):
    """Its length in UTF-16 code units, by which texts are bounded and ordered."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def in_utf16_order(text):
    return text.encode("utf-16-be", "surrogatepass")


class StrictJson:
    """Reads a text that has one meaning: no repeated key, whole numbers only, no lone surrogate, bounded depth."""

    NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?![0-9.eE])")
    PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
    ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
    GREATEST = 2**53 - 1

    def __init__(self, text, deepest):
        self.text = text
        self.deepest = deepest
        self.at = 0

    @classmethod
    def read(cls, text, deepest):
        reader = cls(text, deepest)
        value = reader.value(0)
        reader.skip()
        if reader.at < len(text):
            reader.stop("there is text after its end")
        return value

    def stop(self, why, at=None):
        raise NotStrict(why, self.text.count("\n", 0, self.at if at is None else at) + 1)

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1

    def takes(self, character):
        self.skip()
        if self.text.startswith(character, self.at):
            self.at += len(character)
            return True
        return False

    def value(self, depth):
        if depth > self.deepest:
            self.stop("it is nested deeper than %d" % self.deepest)
        self.skip()
        for word, meaning in (("null", None), ("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        if self.takes('"'):
            return self.string()
        if self.takes("["):
            return self.items(depth)
        if self.takes("{"):
            return self.members(depth)
        found = self.NUMBER.match(self.text, self.at)
        if found is None:
            self.stop("a value is missing, or a number is not whole")
        number = int(found.group())
        if found.group() == "-0" or abs(number) > self.GREATEST:
            self.stop("%s is not a number it may hold" % found.group())
        self.at = found.end()
        return number

    def string(self):
        """Behind its opening quotation mark."""
        begin = self.at - 1
        pieces = []
        while True:
            plain = self.PLAIN.match(self.text, self.at)
            if plain is not None:
                pieces.append(plain.group())
                self.at = plain.end()
            if self.at >= len(self.text):
                self.stop("a text is not closed", begin)
            character = self.text[self.at]
            if character == '"':
                self.at += 1
                break
            if character != "\\":
                self.stop("a text contains a control character", begin)
            pieces.append(self.escaped(begin))
        text = "".join(pieces)
        joined = text.encode("utf-16-be", "surrogatepass")
        try:
            return joined.decode("utf-16-be")
        except UnicodeDecodeError:
            self.stop("a text contains half of a character (a lone surrogate)", begin)

    def escaped(self, begin):
        mark = self.text[self.at + 1 : self.at + 2]
        if mark == "u":
            digits = self.text[self.at + 2 : self.at + 6]
            if not re.fullmatch("[0-9a-fA-F]{4}", digits):
                self.stop("a text has an unknown escape", begin)
            self.at += 6
            return chr(int(digits, 16))
        if mark not in self.ESCAPES or mark == "":
            self.stop("a text has an unknown escape", begin)
        self.at += 2
        return self.ESCAPES[mark]

    def items(self, depth):
        found = []
        if self.takes("]"):
            return found
        while True:
            found.append(self.value(depth + 1))
            if self.takes("]"):
                return found
            if not self.takes(","):
                self.stop("a list is not closed")

    def members(self, depth):
        found = {}
        if self.takes("}"):
            return found
        while True:
            if not self.takes('"'):
                self.stop("a key is missing")
            begin = self.at
            key = self.string()
            if key in found:
                self.stop("the key %s is repeated" % canonical(key), begin)
            if not self.takes(":"):
                self.stop("a colon is missing behind the key %s" % canonical(key))
            found[key] = self.value(depth + 1)
            if self.takes("}"):
                return found
            if not self.takes(","):
                self.stop("a mapping is not closed")


# --- Numbers: exact fractions, and the ways to write them ------------------------------------------------------------

DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
EXACT = re.compile(r"-?[0-9]+/[1-9][0-9]*|-?[0-9]+|[+-]?[0-9]+(\.[0-9]+)?")
MODES = ["HALF_UP", "HALF_EVEN", "HALF_DOWN", "UP", "DOWN", "CEILING", "FLOOR"]


def is_decimal(text):
    if not DECIMAL.fullmatch(text):
        return False
    return len(text) <= 15 or sum(character.isdigit() for character in text) <= 60


def is_exact(text):
    if len(text) > 80000 or not EXACT.fullmatch(text):
        return False
    return "." not in text and not text.startswith("+") or is_decimal(text)


def number_of(text):
    return Fraction(text)


def whole_part(number):
    """Cut toward zero."""
    return -(-number.numerator // number.denominator) if number < 0 else number.numerator // number.denominator


def to_whole(number, mode):
    """A fraction rounded to a whole number."""
    down = number.numerator // number.denominator
    rest = number - down
    if rest == 0:
        return down
    toward_zero, away = (down, down + 1) if number > 0 else (down + 1, down)
    if mode == "FLOOR":
        return down
    if mode == "CEILING":
        return down + 1
    if mode == "UP":
        return away
    if mode == "DOWN":
        return toward_zero
    if rest != Fraction(1, 2):
        return down + (rest > Fraction(1, 2))
    if mode == "HALF_UP":
        return away
    if mode == "HALF_DOWN":
        return toward_zero
    return down if down % 2 == 0 else down + 1


def power_of_ten(exponent):
    return Fraction(10) ** exponent


def round_by(number, rounding):
    """By { dp, mode } or { multiple, mode }; None rounds nothing."""
    if rounding is None:
        return number
    if "multiple" in rounding:
        unit = number_of(rounding["multiple"])
    else:
        unit = power_of_ten(-int(rounding["dp"]))
    return to_whole(number / unit, rounding["mode"]) * unit


def write_fixed(number, dp, mode="HALF_UP"):
    scaled = to_whole(number * power_of_ten(dp), mode)
    digits = str(abs(scaled)).rjust(dp + 1, "0")
    sign = "-" if scaled < 0 else ""
    return sign + (digits if dp == 0 else digits[:-dp] + "." + digits[-dp:])


def without_zeros(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


def write_carried(number):
    """30 significant digits, cut; an ellipsis where more would follow."""
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    size = abs(number)
    whole = whole_part(size)
    if whole:
        width = len(str(whole))
        if width > 30:
            cut = Fraction(int(str(whole)[:30]) * 10 ** (width - 30))
            digits = str(cut.numerator)
            return sign + digits + ("" if cut == size else "…")
        decimals = 30 - width
    else:
        first = 1
        while size * 10**first < 1:
            first += 1
        decimals = first + 29
    cut = Fraction(whole_part(size * 10**decimals), 10**decimals)
    text = write_fixed(cut, decimals)
    return sign + (without_zeros(text) if cut == size else text + "…")


def write_exact(number):
    carried = write_carried(number)
    if not carried.endswith("…"):
        return carried
    return str(number.numerator) if number.denominator == 1 else "%d/%d" % (number.numerator, number.denominator)


def decimals_of(text):
    return len(text.split(".")[1]) if "." in text else 0


def write_rounded(number, rounding):
    if "multiple" in rounding:
        return write_fixed(round_by(number, rounding), decimals_of(rounding["multiple"]))
    dp = int(rounding["dp"])
    if dp >= 0:
        return write_fixed(number, dp, rounding["mode"])
    return write_fixed(round_by(number, rounding), 0)


def write_short(number, rounding):
    return without_zeros(write_rounded(number, rounding))


# --- Days and periods ------------------------------------------------------------------------------------------------

FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"]
MONTHS_OF = {"MONTHLY": 1, "QUARTERLY": 3, "SEMIANNUAL": 6, "ANNUAL": 12}
FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
FIRST_MONDAY = datetime.date(1969, 12, 29).toordinal()
DAY_PATTERN = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
INSTANT_PATTERN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")


def day_of(text):
    """The day, or None where there is none of that name."""
    found = DAY_PATTERN.fullmatch(text)
    if found is None:
        return None
    try:
        return datetime.date(*map(int, found.groups()))
    except ValueError:
        return None


def is_instant(text):
    found = INSTANT_PATTERN.fullmatch(text)
    return found is not None and day_of(found.group(1)) is not None


def end_of(day):
    """The last instant of a day."""
    return day.isoformat() + "T23:59:59.999999Z"


def month_length(year, month):
    return calendar.monthrange(year, month)[1]


def add_months(day, count):
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return datetime.date(year, month + 1, min(day.day, month_length(year, month + 1)))


def add_days(day, count):
    return day + datetime.timedelta(days=count)


def whole_months(start, end):
    months = (end.year - start.year) * 12 + end.month - start.month
    return months - (1 if end.day < min(start.day, month_length(end.year, end.month)) else 0)


class Period:
    """A frequency and a running number."""

    __slots__ = ("frequency", "number")

    def __init__(self, frequency, number):
        self.frequency = frequency
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Period) and (self.frequency, self.number) == (other.frequency, other.number)

    def __hash__(self):
        return hash((self.frequency, self.number))

    @classmethod
    def holding(cls, frequency, day):
        if frequency == "DAILY":
            return cls(frequency, day.toordinal() - FIRST_DAY)
        if frequency == "WEEKLY":
            return cls(frequency, (day.toordinal() - FIRST_MONDAY) // 7)
        return cls(frequency, (day.year * 12 + day.month - 1) // MONTHS_OF[frequency])

    @classmethod
    def of(cls, text):
        """From its label; None where it is none."""
        found = re.fullmatch(r"([0-9]{4})(?:-(?:(W)([0-9]{2})|(Q)([1-4])|(H)([12])|([0-9]{2})(?:-([0-9]{2}))?))?", text)
        if found is None or found.group(1) == "0000":
            return None
        year = int(found.group(1))
        _, is_week, week, is_quarter, quarter, is_half, half, month, day = found.groups()
        if day:
            on = day_of(text)
            return None if on is None else cls.holding("DAILY", on)
        if is_week:
            monday = cls.holding("WEEKLY", datetime.date(year, 1, 4)).number + int(week) - 1
            period = cls("WEEKLY", monday)
            return period if int(week) > 0 and period.label() == text else None
        if is_quarter:
            return cls("QUARTERLY", year * 4 + int(quarter) - 1)
        if is_half:
            return cls("SEMIANNUAL", year * 2 + int(half) - 1)
        if month:
            return cls("MONTHLY", year * 12 + int(month) - 1) if 1 <= int(month) <= 12 else None
        return cls("ANNUAL", year)

    def first_day(self):
        if self.frequency == "DAILY":
            return datetime.date.fromordinal(self.number + FIRST_DAY)
        if self.frequency == "WEEKLY":
            return datetime.date.fromordinal(self.number * 7 + FIRST_MONDAY)
        year, month = divmod(self.number * MONTHS_OF[self.frequency], 12)
        return datetime.date(year, month + 1, 1)

    def last_day(self):
        return add_days(Period(self.frequency, self.number + 1).first_day(), -1)

    def after(self, count):
        return Period(self.frequency, self.number + count)

    def label(self):
        first = self.first_day()
        if self.frequency == "DAILY":
            return first.isoformat()
        if self.frequency == "WEEKLY":
            year, week, _ = first.isocalendar()
            return "%04d-W%02d" % (year, week)
        if self.frequency == "ANNUAL":
            return "%04d" % first.year
        if self.frequency == "MONTHLY":
            return "%04d-%02d" % (first.year, first.month)
        part = self.number % (12 // MONTHS_OF[self.frequency]) + 1
        return "%04d-%s%d" % (first.year, "Q" if self.frequency == "QUARTERLY" else "H", part)


# --- Fields: every one is read, in the order of the reference, and the first that does not fit is told ---------------


class Misfit(Exception):
    """A field that cannot be read: where it is, and what it must be."""

    def __init__(self, path, what):
        super().__init__(path, what)
        self.path = path
        self.what = what


def below(path, key):
    return key if path == "" else "%s.%s" % (path, key)


def text_field(value, path):
    if not isinstance(value, str):
        raise Misfit(path, "a text")


def text_like(test, what, also=text_field):
    def read(value, path):
        also(value, path)
        if not test(value):
            raise Misfit(path, what)

    return read


def one_of(*words):
    def read(value, path):
        if not isinstance(value, str) or value not in words:
            kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int) else "object"
            got = canonical(value) if isinstance(value, str) else kind
            raise Misfit(path, "one of %s, got %s" % (", ".join(words), got))

    return read


def bool_field(value, path):
    if not isinstance(value, bool):
        raise Misfit(path, "true or false")


def int_field(value, path):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Misfit(path, "a whole number")


def or_null(read):
    def read_it(value, path):
        if value is not None:
            read(value, path)

    return read_it


def list_of(read):
    def read_it(value, path):
        if not isinstance(value, list):
            raise Misfit(path, "a list")
        for index, each in enumerate(value):
            read(each, "%s[%d]" % (path, index))

    return read_it


def names_to(read):
    def read_it(value, path):
        if not isinstance(value, dict):
            raise Misfit(path, "a mapping")
        for key in in_file_order(value):
            read(value[key], below(path, key))

    return read_it


def in_file_order(mapping):
    """Whole numbers as keys come first, ascending."""
    numbers = [key for key in mapping if re.fullmatch("0|[1-9][0-9]{0,9}", key) and int(key) < 2**32 - 1]
    return sorted(numbers, key=int) + [key for key in mapping if key not in set(numbers)]


def fields(*table):
    """A mapping with exactly these keys: pairs of a name, with ? where it may be missing, and how it is read."""
    rows = [(name.rstrip("?"), name.endswith("?"), read) for name, read in table]
    known = {name for name, _, _ in rows}

    def read_it(value, path, called=None):
        where = called or path
        if not isinstance(value, dict):
            raise Misfit(where, "a mapping")
        for name, is_optional, _ in rows:
            if not is_optional and name not in value:
                raise Misfit(where, "a mapping with %s, which is missing" % name)
        for key in in_file_order(value):
            if key not in known:
                raise Misfit(where, "a mapping without %s, which is not known" % canonical(key))
        for name, _, read in rows:
            if name in value:
                read(value[name], below(path, name))

    return read_it


hash_field = text_like(lambda text: re.fullmatch("[0-9a-f]{64}", text), "64 hexadecimal digits")
instant_field = text_like(is_instant, "an instant")
day_field = text_like(day_of, "a date")
period_field = text_like(Period.of, "a period")
decimal_field = text_like(is_decimal, "a decimal number")
exact_field = text_like(is_exact, "an exact number")
positive_field = text_like(lambda text: number_of(text) > 0, "a number above 0", exact_field)
version_field = text_like(lambda number: number >= 1, "a version number", int_field)
version_tag = one_of("PRELIMINARY", "FINAL", "REVISED")


def rounding_field(value, path):
    if isinstance(value, dict) and "multiple" in value:
        more = text_like(lambda text: number_of(text) > 0, "more than 0", exact_field)
        fields(("multiple", more), ("mode", one_of(*MODES)))(value, path)
    else:
        dp = text_like(lambda number: -30 <= number <= 30, "a whole number from -30 to 30", int_field)
        fields(("dp", dp), ("mode", one_of(*MODES)))(value, path)


def origin_field(value, path):
    if isinstance(value, dict) and "provider" in value:
        fields(("provider", text_field))(value, path)
    else:
        text_or_null = or_null(text_field)
        fields(
            ("uploadedBy", text_or_null),
            ("file", text_or_null),
            ("sha256", or_null(hash_field)),
            ("recorded", or_null(instant_field)),
        )(value, path)


VINTAGE = [
    ("series", text_field),
    ("period", period_field),
    ("value", decimal_field),
    ("version", version_tag),
    ("flag", or_null(text_field)),
    ("published", instant_field),
    ("recorded", or_null(instant_field)),
]


def carried_field(has_origin):
    used = fields(*VINTAGE, *([("origin", origin_field)] if has_origin else []))
    reading = fields(("value", exact_field), ("substituted", bool_field), ("used", list_of(used)))
    state = [
        ("date", or_null(day_field)),
        ("version", or_null(version_field)),
        ("steps", names_to(exact_field)),
        ("readings", names_to(reading)),
    ]
    factor = fields(("date", day_field), ("factor", exact_field))
    return fields(
        *state,
        ("factor", exact_field),
        ("last", fields(*state)),
        ("origin?", day_field),
        ("factors?", list_of(factor)),
    )


def side_field(value, path):
    if isinstance(value, list):
        list_of(text_field)(value, path)
    elif value is not None:
        text_field(value, path)


def documents_field(value, path):
    names_to(text_field)(value, path)
    if any(not re.fullmatch("[1-9][0-9]{0,8}", key) for key in value):
        raise Misfit(path, "a mapping from version numbers")


HEAD = [
    ("edition", version_field),
    ("installation", or_null(fields(("id", text_field), ("name", or_null(text_field))))),
    ("workspace", or_null(fields(("id", text_field), ("slug", text_field), ("name", text_field)))),
    ("pam", text_field),
    ("name", text_field),
    ("parties", fields(("buyer", side_field), ("supplier", side_field))),
    ("companies?", names_to(text_field)),
]
RESULT = fields(
    ("period", text_field),
    ("adjustmentDate", text_field),
    ("adjustmentPct", or_null(text_field)),
    ("cumulativePct", text_field),
    ("formulaVersion", version_field),
    ("dataVersion", text_field),
    ("price?", text_field),
    ("surcharge?", text_field),
    (
        "components",
        list_of(
            fields(
                ("input", text_field),
                ("series", text_field),
                ("weight", text_field),
                ("change", decimal_field),
                ("contribution", decimal_field),
            )
        ),
    ),
    ("controls", list_of(fields(("control", text_field), ("points", decimal_field)))),
    ("factor", text_field),
)
FREQUENCY = one_of(*FREQUENCIES)
BODY = fields(
    ("format", one_of("assize-receipt/2")),
    *HEAD,
    ("period", text_field),
    ("adjustmentDate", day_field),
    ("formulaVersion", version_field),
    ("documents", documents_field),
    ("dataVersionAsked", or_null(version_tag)),
    ("carriedIn", carried_field(True)),
    ("series", list_of(fields(("series", text_field), ("name", text_field), ("frequency", FREQUENCY)))),
    ("observations", list_of(fields(("input", text_field), *VINTAGE, ("origin", origin_field)))),
    (
        "rules",
        fields(
            ("kind", one_of("FACTOR", "CHANGE_PCT", "PRICE", "SURCHARGE")),
            ("step", text_field),
            ("show", rounding_field),
            ("priceRound", or_null(rounding_field)),
            ("addsUp", bool_field),
        ),
    ),
    (
        "steps",
        list_of(
            fields(
                ("name", text_field),
                ("expr", text_field),
                ("value", exact_field),
                ("shown", or_null(text_field)),
                ("round", or_null(rounding_field)),
                ("show", or_null(rounding_field)),
            )
        ),
    ),
    ("result", RESULT),
)
FIRST_BODY = fields(
    ("format", one_of("assize-receipt/1")),
    ("pam", text_field),
    ("period", text_field),
    ("adjustmentDate", day_field),
    ("formulaVersion", version_field),
    ("documents", documents_field),
    ("dataVersionAsked", or_null(version_tag)),
    ("carriedIn", carried_field(False)),
    ("series", list_of(fields(("series", text_field), ("frequency", FREQUENCY)))),
    ("observations", list_of(fields(("input", text_field), *VINTAGE))),
    ("result", RESULT),
    (
        "steps",
        list_of(
            fields(("name", text_field), ("expr", text_field), ("value", exact_field), ("shown", or_null(text_field)))
        ),
    ),
)
SEAL = fields(("algorithm", one_of("Ed25519")), ("publicKey", text_field), ("value", text_field))


# --- Formula documents: every scalar is a text -----------------------------------------------------------------------


class Refused(Exception):
    """A document, or a line, that is none."""


class Unfitting(Exception):
    """A document whose inputs do not fit the series of the receipt."""


class Insufficient(Exception):
    """The figures of the receipt do not suffice."""


SPAN = re.compile(r"(-?[0-9]{1,4}) ?(day|week|month|quarter|year)s?")
SERIES = re.compile(
    r"(?:BLS|FRED|EIA|ECB|WORLD_BANK|IMF|EUROSTAT|ONS|STATCAN|ABS|BIS|BOJ|OECD|DBNOMICS|NASDAQ_DATA_LINK|CUSTOM)"
    r"/(?:\S|\S.{0,198}\S)|ser_[0-9a-z]{16,40}"
)
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
DAYS_IN = {"day": 1, "week": 7}
UNIT_FREQUENCY = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "quarter": "QUARTERLY", "year": "ANNUAL"}
NAME = re.compile(r"[^\W\d]\w*")
CALLS = set("min max sum avg abs clamp if round trunc ceil floor lookup prev mod pow".split())
BUILT_IN = set(
    "year month quarter day daysInMonth daysInYear daysInPeriod periodsSinceStart yearsSinceStart daysSinceLast price "
    "contractYearFactor calendarYearFactor yearAgoFactor".split()
)
WORDS = {"and", "or", "not", "true", "false"}
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NO_ROUNDING = "NONE"


class Span:
    """So many of a unit."""

    def __init__(self, count, unit):
        self.count = count
        self.unit = unit

    def meaning(self):
        return (self.count, self.unit)

    def back_from(self, day):
        try:
            if self.unit in DAYS_IN:
                return add_days(day, -self.count * DAYS_IN[self.unit])
            return add_months(day, -self.count * MONTHS_IN[self.unit])
        except (ValueError, OverflowError):
            raise Insufficient("a date is outside the calendar")


class Node:
    """A mapping of a document, from which keys are taken one by one; what is left over is refused."""

    def __init__(self, value, where):
        if not isinstance(value, dict):
            raise Refused("%s must be a mapping" % where)
        self.value = value
        self.where = where
        self.taken = set()

    def has(self, key):
        return key in self.value

    def raw(self, key, required=False):
        self.taken.add(key)
        if key not in self.value:
            if required:
                raise Refused("%s: %s is missing" % (self.where, key))
            return None
        if self.value[key] is None:
            raise Refused("%s: %s is empty" % (self.where, key))
        return self.value[key]

    def text(self, key, test=None, required=False):
        value = self.raw(key, required)
        if value is None:
            return None
        if not isinstance(value, str) or value == "" or (test is not None and not test(value)):
            raise Refused("%s: %s is not what it must be" % (self.where, key))
        return value

    def free_text(self, key, most):
        self.taken.add(key)
        value = self.value.get(key)
        if value is not None and (not isinstance(value, str) or utf16(value) > most):
            raise Refused("%s: %s is not a text of at most %d characters" % (self.where, key, most))
        return value

    def word(self, key, *words, required=False):
        return self.text(key, lambda text: text in words, required)

    def day(self, key, required=False):
        text = self.text(key, lambda text: day_of(text) is not None, required)
        return None if text is None else day_of(text)

    def number(self, key, test=lambda number: True, required=False):
        """As it is written."""
        return self.text(key, lambda text: is_decimal(text) and test(number_of(text)), required)

    def whole(self, key, least, most, required=False):
        def is_whole(text):
            return re.fullmatch("-?[0-9]{1,6}", text) is not None and least <= int(text) <= most

        text = self.text(key, is_whole, required)
        return None if text is None else int(text)

    def truth(self, key):
        return self.word(key, "true", "false") == "true"

    def span(self, key, least=None, required=False):
        value = self.text(key, lambda text: text == "0" or SPAN.fullmatch(text) is not None, required)
        if value is None:
            return None
        span = Span(0, "day") if value == "0" else Span(int(SPAN.fullmatch(value).group(1)), SPAN.fullmatch(value).group(2))
        if least is not None and span.count < least:
            raise Refused("%s: %s must be at least %d" % (self.where, key, least))
        return span

    def rounding(self, key):
        """None where it is not written, "NONE", or a mapping of dp or multiple, and mode."""
        value = self.raw(key)
        if value is None or value == NO_ROUNDING:
            return value
        node = self.node(key)
        if node.has("multiple") == node.has("dp"):
            raise Refused("%s: %s needs dp or multiple" % (self.where, key))
        mode = node.word("mode", *MODES) or "HALF_UP"
        if node.has("multiple"):
            found = {"multiple": node.number("multiple", lambda number: number > 0), "mode": mode}
        else:
            dp = node.text("dp", lambda text: re.fullmatch("-?[0-9]|-1[0-5]|[12][0-9]|30", text) is not None)
            found = {"dp": int(dp), "mode": mode}
        node.end()
        return found

    def series(self, key, required=False):
        return self.text(key, lambda text: SERIES.fullmatch(text) is not None, required)

    def node(self, key, required=False):
        value = self.raw(key, required)
        return None if value is None else Node(value, "%s.%s" % (self.where, key))

    def nodes(self, key, least, most):
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Refused("%s: %s is not a list of %d to %d" % (self.where, key, least, most))
        return [Node(each, "%s.%s[%d]" % (self.where, key, index)) for index, each in enumerate(value)]

    def end(self):
        for key in self.value:
            if key not in self.taken:
                raise Refused("%s: %s is not known" % (self.where, key))


def rule_of(rounding):
    """A rounding as lines have it."""
    return None if rounding == NO_ROUNDING else rounding


class Contract:
    def __init__(self, node):
        self.start = node.day("start", required=True)
        self.end = node.day("end")
        last = self.end or datetime.date.max
        if last < self.start:
            raise Refused("the contract ends before it begins")
        self.frequency = node.text(
            "frequency",
            lambda text: text in FREQUENCIES or text == "ONCE" or re.fullmatch("[1-9][0-9]{0,2} (month|week)s?", text),
        )
        self.dates = None
        if node.has("dates"):
            dates = node.raw("dates")
            if not isinstance(dates, list) or not 1 <= len(dates) <= 2400:
                raise Refused("dates must be 1 to 2400 days")
            self.dates = [day_of(each) if isinstance(each, str) else None for each in dates]
            if None in self.dates or any(a >= b for a, b in zip(self.dates, self.dates[1:])):
                raise Refused("dates must be rising days")
            if self.dates[0] < self.start or self.dates[-1] > last or self.frequency or node.has("firstAdjustment"):
                raise Refused("dates do not fit the contract")
        elif self.frequency is None:
            raise Refused("the contract has no frequency")
        self.first = node.day("firstAdjustment")
        if self.first is not None and not self.start <= self.first <= last:
            raise Refused("firstAdjustment is outside the contract")
        if self.frequency == "ONCE" and self.first is None:
            raise Refused("ONCE needs firstAdjustment")
        self.amount = self.currency = self.round = None
        price = node.node("price")
        if price is not None:
            self.amount = number_of(price.number("amount", lambda number: number > 0, required=True))
            self.currency = price.text("currency", lambda text: re.fullmatch("[A-Z]{3}", text), required=True)
            price.free_text("unit", 60)
            self.round = rule_of(price.rounding("round"))
            price.end()
        self.restart = node.truth("restart")
        node.word("change", "ONE", "BOTH")
        references = node.raw("references")
        if references is not None:
            is_good = isinstance(references, list) and len(references) <= 100 and len(set(map(str, references))) == len(references)
            if not is_good or any(not isinstance(each, str) or not 1 <= utf16(each) <= 200 for each in references):
                raise Refused("references must be different texts")
        node.word("priceDate", "SERVICE", "INVOICE", "ORDER")
        node.word("prorate", "NONE", "DAYS")
        node.end()

    def step(self):
        """(count, unit) of the frequency, the unit in months or weeks or days."""
        found = re.fullmatch("([1-9][0-9]{0,2}) (month|week)s?", self.frequency)
        if found is not None:
            return int(found.group(1)), found.group(2)
        if self.frequency == "DAILY":
            return 1, "day"
        if self.frequency == "WEEKLY":
            return 1, "week"
        return MONTHS_OF[self.frequency], "month"

    def date_at(self, index):
        """The adjustment date with this index, from 0; for regular frequencies."""
        count, unit = self.step()
        if unit in DAYS_IN:
            first = self.first or add_days(self.start, count * DAYS_IN[unit])
            return add_days(first, index * count * DAYS_IN[unit])
        if self.first is not None:
            return add_months(self.first, index * count)
        return add_months(self.start, (index + 1) * count)

    def next_after(self, day):
        """The adjustment date that follows a day; None where none does."""
        if self.dates is not None:
            return next((each for each in self.dates if each > day), None)
        if self.frequency == "ONCE":
            return None
        count, unit = self.step()
        if unit in DAYS_IN:
            guess = (day - self.date_at(0)).days // (count * DAYS_IN[unit])
        else:
            first = self.date_at(0)
            guess = ((day.year - first.year) * 12 + day.month - first.month) // count
        index = max(0, guess - 2)
        while self.date_at(index) <= day:
            index += 1
        return self.date_at(index)

    def periods_since_start(self, day):
        if self.dates is not None:
            return sum(1 for each in self.dates if each <= day)
        if self.frequency == "ONCE":
            return 1
        count, unit = self.step()
        if unit in DAYS_IN:
            return (day - self.start).days // (count * DAYS_IN[unit])
        return whole_months(self.start, day) // count

    def label(self, day):
        if self.dates is not None or self.frequency == "DAILY":
            return Period.holding("DAILY", day).label()
        if self.frequency == "WEEKLY" or re.fullmatch(".* weeks?", self.frequency):
            return Period.holding("WEEKLY", day).label()
        if self.frequency in ("QUARTERLY", "SEMIANNUAL", "ANNUAL"):
            return Period.holding(self.frequency, day).label()
        return Period.holding("MONTHLY", day).label()


class Input:
    """One input as it is written, with its defaults."""

    def __init__(self, name, node, params):
        self.name = name
        self.series = node.series("series", required=True)
        self.weight = node.text("weight")
        if self.weight is not None and self.weight not in params:
            if not is_decimal(self.weight) or not 0 <= number_of(self.weight) <= 1:
                raise Refused("%s: weight must be a number from 0 to 1, or a param" % node.where)
        self.base = self.read_base(node)
        self.lag = node.span("lag") or Span(0, "day")
        self.window = self.read_window(node)
        self.expand = node.word("expand", "MONTHLY", "NONE") or "NONE"
        self.week = node.word("week", *WEEKDAYS)
        self.using = node.word("using", *USINGS) or "MEAN"
        self.interpolate = node.word("interpolate", "DAILY", "NONE") or "NONE"
        self.pick = node.word("pick", "LAG", "LATEST_PUBLISHED") or "LAG"
        if self.interpolate == "DAILY" and (self.window is not None or self.pick == "LATEST_PUBLISHED"):
            raise Refused("%s: interpolate goes with neither window nor LATEST_PUBLISHED" % node.where)
        self.vintage = node.word("vintage", "LATEST", "FIRST", "FINAL", "AT_DATE") or "LATEST"
        self.missing = self.read_missing(node)
        self.convert = self.read_convert(node)
        self.links = [self.read_link(each) for each in node.nodes("links", 0, 20)]
        self.successor = self.read_successor(node)
        self.round = rule_of(node.rounding("round"))
        node.end()

    @staticmethod
    def read_base(node):
        value = node.raw("base")
        if value is None:
            return None
        if isinstance(value, dict):
            inner = node.node("base")
            found = inner.number("value", required=True)
            inner.end()
            return ("value", found)
        if not isinstance(value, str):
            raise Refused("%s: base is not a period" % node.where)
        ends = value.split("..") if ".." in value else [value, value]
        periods = [Period.of(end) for end in ends]
        if len(ends) != 2 or None in periods or periods[0].frequency != periods[1].frequency:
            raise Refused("%s: base is not a period" % node.where)
        if periods[0].number > periods[1].number:
            raise Refused("%s: base is falling" % node.where)
        return ("label", periods[0], periods[1])

    @staticmethod
    def read_window(node):
        """A span, ("last", last, least), ("days", from, to, least), or None."""
        value = node.raw("window")
        if value is None:
            return None
        if isinstance(value, str):
            return node.span("window", 1)
        inner = node.node("window")
        if inner.has("last"):
            found = ("last", inner.whole("last", 1, 1000), inner.whole("least", 1, 1000) or 1)
            if found[2] > found[1]:
                raise Refused("%s: least is more than last" % inner.where)
        else:
            days = (inner.whole("from", 1, 31, required=True), inner.whole("to", 1, 31, required=True))
            found = ("days",) + days + (inner.whole("least", 1, 1000) or 1,)
        inner.end()
        return found

    @staticmethod
    def read_missing(node):
        value = node.raw("missing")
        if value is None:
            return ("BLOCK",)
        if isinstance(value, str):
            return (node.word("missing", "BLOCK", "LAST_KNOWN"),)
        inner = node.node("missing")
        if len(inner.value) != 1:
            raise Refused("%s: one rule for missing values" % node.where)
        if inner.has("yoyEstimate"):
            rule = inner.node("yoyEstimate")
            cap = rule.number("capPct", lambda number: number >= 0)
            rule.end()
            found = ("yoyEstimate", cap)
        elif inner.has("trend"):
            rule = inner.node("trend")
            found = ("trend", rule.span("over", 1, required=True), rule.whole("dp", 0, 30, required=True))
            rule.end()
        elif inner.has("fallback"):
            found = ("fallback", inner.series("fallback"))
        else:
            rule = inner.node("agreed", required=True)
            found = ("agreed", {})
            for key in rule.value:
                period = Period.of(key)
                if period is None:
                    raise Refused("%s: %s is not a period" % (rule.where, key))
                found[1][period] = rule.number(key)
            rule.end()
        inner.end()
        return found

    @staticmethod
    def read_convert(node):
        inner = node.node("convert")
        if inner is None:
            return None
        found = {"fx": inner.series("fx"), "scale": inner.number("scale", lambda number: number > 0)}
        if found["fx"] is None and found["scale"] is None:
            raise Refused("%s: neither fx nor scale" % inner.where)
        if found["fx"] is not None:
            found["operation"] = inner.word("operation", "MULTIPLY", "DIVIDE", required=True)
            found["lag"] = inner.span("lag")
            found["window"] = Input.read_window(inner)
            found["using"] = inner.word("using", *USINGS)
            found["each"] = inner.truth("each")
            if found["each"] and (found["lag"] is not None or found["window"] is not None):
                raise Refused("%s: each goes with neither lag nor window" % inner.where)
        inner.end()
        return found

    @staticmethod
    def read_link(node):
        def period(key):
            text = node.text(key, lambda text: Period.of(text) is not None)
            return None if text is None else Period.of(text)

        found = {
            "series": node.series("series", required=True),
            "until": period("until"),
            "from": period("from"),
            "coefficient": node.number("coefficient", lambda number: number > 0, required=True),
            "round": rule_of(node.rounding("round")),
        }
        node.end()
        if found["until"] is None and found["from"] is None:
            raise Refused("%s: neither until nor from" % node.where)
        if found["until"] and found["from"] and found["until"].last_day() < found["from"].last_day():
            raise Refused("%s: until ends before from" % node.where)
        return found

    def read_successor(self, node):
        inner = node.node("successor")
        if inner is None:
            return None
        series = inner.text("series", lambda text: SERIES.fullmatch(text) and text != self.series, required=True)
        method = inner.word("method", "OVERLAP", "POINT", "PUBLISHED", "SAME_LEVEL", "RELEVEL", required=True)
        window = inner.whole("window", 2, 1000)
        is_automatic = inner.truth("automatic")
        if (window is not None and method != "OVERLAP") or (is_automatic and method == "RELEVEL"):
            raise Refused("%s: it does not go with %s" % (inner.where, method))
        inner.end()
        return {"series": series, "automatic": is_automatic}

    def meaning(self):
        """What two versions of an input must have in common to mean the same; not weight and base."""

        def of_window(window):
            return window.meaning() if isinstance(window, Span) else window

        convert = None
        if self.convert is not None:
            convert = dict(self.convert)
            if convert["fx"] is not None and not convert["each"]:
                convert["lag"] = (convert["lag"] or self.lag).meaning()
                convert["window"] = of_window(convert["window"] if convert["window"] is not None else self.window)
                convert["using"] = convert["using"] or self.using
            convert = sorted(convert.items(), key=lambda pair: pair[0])
        missing = self.missing
        if missing[0] == "trend":
            missing = ("trend", missing[1].meaning(), missing[2])
        return (
            self.series, self.lag.meaning(), of_window(self.window), self.expand, self.week, self.using,
            self.interpolate, self.pick, self.vintage, missing, convert, self.links, self.round,
        )


WEEKDAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]
USINGS = ["MEAN", "LAST", "FIRST", "MIN", "MAX", "SUM", "COMPOUND"]


class Document:
    """A formula document, but for clause, steps and result."""

    def __init__(self, value):
        node = Node(value, "the document")
        for key in ("clause", "steps", "result"):
            node.taken.add(key)
        self.value = value
        self.slug = node.text("slug", lambda text: SLUG.fullmatch(text) and len(text) <= 63, required=True)
        node.free_text("name", 200)
        node.free_text("description", 4000)
        node.word("status", "DRAFT", "ACTIVE", "SUSPENDED", "EXPIRED", "ARCHIVED")
        self.contract = Contract(node.node("contract", required=True))
        self.effective_from = node.day("effectiveFrom") or self.contract.start
        if self.effective_from < self.contract.start or (
            self.contract.end is not None and self.effective_from > self.contract.end
        ):
            raise Refused("effectiveFrom is outside the contract")
        self.read_parties(node)
        self.names = set()
        self.params = self.read_params(node)
        self.tables = self.read_tables(node)
        self.inputs = {}
        inputs = node.node("inputs")
        if inputs is not None:
            if len(inputs.value) > 100:
                raise Refused("more than 100 inputs")
            for name in in_file_order(inputs.value):
                self.take_name(name)
                self.inputs[name] = Input(name, inputs.node(name), self.params)
            inputs.end()
        self.read_corrections(node)
        node.end()

    def take_name(self, name):
        if not NAME.fullmatch(name) or utf16(name) > 60 or name in self.names | CALLS | BUILT_IN | WORDS:
            raise Refused("%s is not a name, or is taken" % name)
        self.names.add(name)

    @staticmethod
    def read_parties(node):
        parties = node.node("parties")
        if parties is None:
            return
        sides = []
        for side in ("buyer", "supplier"):
            value = parties.raw(side)
            if isinstance(value, list):
                pattern = r"[^\s@]{1,64}@[^\s@]{1,255}"
                if any(not isinstance(each, str) or not re.fullmatch(pattern, each) for each in value):
                    raise Refused("parties: %s is not a list of e-mail addresses" % side)
                sides.append({each.lower() for each in value})
            elif value is not None:
                if not isinstance(value, str) or not SLUG.fullmatch(value):
                    raise Refused("parties: %s is not a slug" % side)
                sides.append({value})
        parties.end()
        if len(sides) == 2 and sides[0] & sides[1]:
            raise Refused("parties: one is on both sides")

    def read_params(self, node):
        found = {}
        params = node.node("params")
        if params is None:
            return found
        if len(params.value) > 200:
            raise Refused("more than 200 params")
        for name in in_file_order(params.value):
            self.take_name(name)
            if isinstance(params.value[name], list):
                dated = []
                for each in params.nodes(name, 1, 1000):
                    dated.append((each.day("from", required=True), each.number("value", required=True)))
                    each.end()
                if any(a[0] >= b[0] for a, b in zip(dated, dated[1:])):
                    raise Refused("params: the days of %s do not rise" % name)
                found[name] = dated
            else:
                found[name] = params.number(name)
                if found[name] is None:
                    raise Refused("params: %s is not a number" % name)
        params.end()
        return found

    def read_tables(self, node):
        found = {}
        tables = node.node("tables")
        if tables is None:
            return found
        if len(tables.value) > 50:
            raise Refused("more than 50 tables")
        for name in in_file_order(tables.value):
            self.take_name(name)
            rows = []
            for each in tables.nodes(name, 1, 2000):
                edge = next((key for key in ("below", "atMost") if each.has(key)), None)
                at = None if edge is None else number_of(each.number(edge, required=True))
                rows.append((edge, at, number_of(each.number("value", required=True))))
                each.end()
            edges = [at for _, at, _ in rows[:-1]]
            if rows[-1][0] is not None or None in edges or any(a >= b for a, b in zip(edges, edges[1:])):
                raise Refused("tables: the edges of %s do not rise to a last row without one" % name)
            found[name] = rows
        tables.end()
        return found

    def read_corrections(self, node):
        corrections = node.node("corrections")
        if corrections is None:
            return
        when = corrections.word("when", "NONE", "FINAL", "EACH", "YEARLY", "END", required=True)
        day = corrections.text("day", lambda text: day_of("2000-" + text) is not None)
        if (day is not None) != (when == "YEARLY"):
            raise Refused("corrections: day goes with YEARLY")
        least = corrections.node("min")
        if least is not None:
            least.number("amount", lambda number: number >= 0, required=True)
            least.word("below", "KEEP", "WAIVE")
            least.end()
            if self.contract.amount is None:
                raise Refused("corrections: min needs a price")
        within = corrections.node("within")
        if within is not None:
            within.whole("months", 1, 1200, required=True)
            within.word("of", "PERIOD", "PUBLICATION", "INVOICE")
            within.end()
        if corrections.word("level", "HEAL", "REBASE") == "REBASE" and when == "NONE":
            raise Refused("corrections: REBASE goes with corrections")
        settle = corrections.raw("settle")
        if isinstance(settle, dict):
            spread = corrections.node("settle")
            spread.whole("spread", 1, 24, required=True)
            spread.end()
        elif settle is not None:
            corrections.word("settle", "NOTE", "NEXT_INVOICE")
        corrections.end()

    def param(self, name, day):
        """Its value on a day; None before the first."""
        value = self.params[name]
        if isinstance(value, str):
            return number_of(value)
        found = [each for since, each in value if since <= day]
        return number_of(found[-1]) if found else None


# --- Expressions -----------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([^\W\d]\w*)|(<=|>=|==|!=|[-+*/(),.<>]))")
ROUND_MODES = {"round": "HALF_UP", "trunc": "DOWN", "ceil": "CEILING", "floor": "FLOOR"}
DEEPEST = 32


class Expression:
    """Reads the text of a line into nested tuples; numbers and conditions are kept apart."""

    def __init__(self, text, formula, lines_before, all_lines):
        self.formula = formula
        self.before = lines_before
        self.lines = all_lines
        self.tokens = []
        at = 0
        stripped = text.rstrip()
        while at < len(stripped):
            found = TOKEN.match(stripped, at)
            if found is None:
                raise Refused("%r is not part of an expression" % stripped[at : at + 10])
            if found.group(1) is not None:
                if len(found.group(1).replace(".", "")) > 60:
                    raise Refused("a number has more than 60 digits")
                self.tokens.append(("number", found.group(1)))
            elif found.group(2) is not None:
                self.tokens.append(("name", found.group(2)))
            else:
                self.tokens.append(("sign", found.group(3)))
            at = found.end()
        self.at = 0
        self.tree = self.number(self.either(0))
        if self.at < len(self.tokens):
            raise Refused("there is more behind the expression")

    @staticmethod
    def number(node):
        if node[0] in ("or", "and", "not", "compare", "truth"):
            raise Refused("a number is needed")
        return node

    @staticmethod
    def truth(node):
        if node[0] not in ("or", "and", "not", "compare", "truth"):
            raise Refused("a condition is needed")
        return node

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def takes(self, *signs):
        kind, text = self.peek()
        if kind in ("sign", "name") and text in signs:
            self.at += 1
            return text
        return None

    def need(self, sign):
        if not self.takes(sign):
            raise Refused("%s is missing" % sign)

    def either(self, depth):
        left = self.both(depth)
        while self.takes("or"):
            left = ("or", self.truth(left), self.truth(self.both(depth)))
        return left

    def both(self, depth):
        left = self.compared(depth)
        while self.takes("and"):
            left = ("and", self.truth(left), self.truth(self.compared(depth)))
        return left

    def deeper(self, depth):
        if depth >= DEEPEST:
            raise Refused("it is nested too deep")
        return depth + 1

    def compared(self, depth):
        if self.takes("not"):
            return ("not", self.truth(self.compared(self.deeper(depth))))
        left = self.sum(depth)
        sign = self.takes("<", "<=", ">", ">=", "==", "!=")
        if sign is None:
            return left
        return ("compare", sign, self.number(left), self.number(self.sum(depth)))

    def sum(self, depth):
        left = self.product(depth)
        while True:
            sign = self.takes("+", "-")
            if sign is None:
                return left
            left = (sign, self.number(left), self.number(self.product(depth)))

    def product(self, depth):
        left = self.signed(depth)
        while True:
            sign = self.takes("*", "/")
            if sign is None:
                return left
            left = (sign, self.number(left), self.number(self.signed(depth)))

    def signed(self, depth):
        if self.takes("-"):
            return ("negative", self.number(self.signed(self.deeper(depth))))
        if self.takes("("):
            inner = self.either(self.deeper(depth))
            self.need(")")
            return inner
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return ("constant", number_of(text))
        if kind != "name" or text in ("and", "or", "not"):
            raise Refused("a value is missing")
        if text in ("true", "false"):
            return ("truth", text == "true")
        if self.peek() == ("sign", "("):
            self.at += 1
            return self.call(text, self.deeper(depth))
        if self.takes("."):
            kind, part = self.peek()
            self.at += 1
            if text not in self.formula.inputs or part not in ("base", "prev", "last"):
                raise Refused("%s.%s is not known" % (text, part))
            return ("reading", text, part)
        return self.named(text)

    def named(self, name):
        if name in self.before:
            return ("line", name)
        if name in self.formula.inputs:
            return ("reading", name, "current")
        if name in self.formula.params:
            return ("param", name)
        if name in BUILT_IN:
            return ("built-in", name)
        raise Refused("%s is not known" % name)

    def call(self, name, depth):
        if name == "prev":
            kind, line = self.peek()
            self.at += 1
            if kind != "name" or line not in self.lines:
                raise Refused("prev needs the name of a line")
            self.need(",")
            initial = self.number(self.either(depth))
            self.need(")")
            return ("prev", line, initial)
        if name == "lookup":
            kind, table = self.peek()
            self.at += 1
            if kind != "name" or table not in self.formula.tables:
                raise Refused("lookup needs the name of a table")
            self.need(",")
            value = self.number(self.either(depth))
            self.need(")")
            return ("lookup", table, value)
        arguments = []
        if not self.takes(")"):
            while True:
                arguments.append(self.either(depth))
                if self.takes(")"):
                    break
                self.need(",")
        return self.checked_call(name, arguments)

    def checked_call(self, name, arguments):
        count = len(arguments)
        counts = {"abs": (1,), "clamp": (3,), "if": (3,), "mod": (2,), "pow": (2, 3)}
        counts.update({mode: (2,) for mode in ROUND_MODES})
        if name in ("min", "max", "sum", "avg"):
            if count == 0:
                raise Refused("%s needs a number" % name)
        elif name not in counts or count not in counts[name]:
            raise Refused("%s is not a call with %d values" % (name, count))
        if name == "if":
            self.truth(arguments[0])
            if (arguments[1][0] in ("or", "and", "not", "compare", "truth")) != (
                arguments[2][0] in ("or", "and", "not", "compare", "truth")
            ):
                raise Refused("if needs two numbers")
            for each in arguments[1:]:
                self.number(each)
        else:
            for each in arguments:
                self.number(each)
        if name in ROUND_MODES or (name == "pow" and count == 3):
            arguments[-1] = ("constant", self.decimals(arguments[-1]))
        return ("call", name, tuple(arguments))

    @staticmethod
    def decimals(node):
        sign = 1
        if node[0] == "negative":
            sign, node = -1, node[1]
        if node[0] != "constant" or node[1].denominator != 1 or node[1] > 30:
            raise Refused("decimals are a whole number from -30 to 30")
        return sign * node[1]


def integer_root(number, degree):
    """The largest whole number whose power is not above it."""
    if number < 2:
        return number
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        following = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if following >= guess:
            return guess
        guess = following


def rounded_power(base, exponent, dp):
    """base to a fractional power, rounded half up to so many decimals: decided on whole numbers alone."""
    if base <= 0 or exponent.denominator > 366:
        raise Insufficient("a power that does not compute")
    p, q = exponent.numerator, exponent.denominator
    power = base**p * Fraction(10) ** (q * dp)
    # R is right where (2R - 1)^q <= 2^q * power < (2R + 1)^q.
    doubled = integer_root(whole_part(power * 2**q), q)
    return Fraction((doubled + 1) // 2) / power_of_ten(dp)


# --- Readings: which figures an input reads, and what they come to ---------------------------------------------------

WEEK_ENDING = re.compile(r"\bweek(?:ly)?,? ending(?: on)?,? (mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I)
WEEK_DAYS = ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"]


class Reading:
    def __init__(self, value, used, is_substituted=False):
        self.value = value
        self.used = used
        self.is_substituted = is_substituted


def joined(readings, using):
    """Several values as one."""
    values = [each.value for each in readings]
    used = [observation for each in readings for observation in each.used]
    is_substituted = any(each.is_substituted for each in readings)
    if len(values) == 1:
        value = values[0]
    elif using == "MEAN":
        value = sum(values) / len(values)
    elif using == "SUM":
        value = sum(values)
    elif using == "FIRST":
        value = values[0]
    elif using == "LAST":
        value = values[-1]
    elif using == "MIN":
        value = min(values)
    elif using == "MAX":
        value = max(values)
    else:
        product = Fraction(1)
        for each in values:
            product *= 1 + each / 100
        value = (product - 1) * 100
    return Reading(value, used, is_substituted)


class Figures:
    """The observations of a receipt, as vintages of each series and period."""

    def __init__(self, observations, series):
        self.frequency = {each["series"]: each["frequency"] for each in series}
        self.name = {each["series"]: each.get("name", each["series"]) for each in series}
        self.by_series = {}
        for each in observations:
            periods = self.by_series.setdefault(each["series"], {})
            vintages = periods.setdefault(Period.of(each["period"]).number, [])
            clocks = (each["published"], each["recorded"])
            if all((one["published"], one["recorded"]) != clocks for one in vintages):
                vintages.append(each)
        for periods in self.by_series.values():
            for vintages in periods.values():
                vintages.sort(key=lambda each: (each["published"], each["recorded"] or ""))

    def vintages(self, series, number, until=None):
        found = self.by_series.get(series, {}).get(number, [])
        return [each for each in found if until is None or each["published"] <= until]

    def numbers(self, series):
        return self.by_series.get(series, {}).keys()


class Choice:
    """Which vintage counts: policy, tag, whether the policy decides where the tag has none, and by when published."""

    def __init__(self, policy, tag, is_lenient, until, is_strict=False):
        self.policy = policy
        self.tag = tag
        self.is_lenient = is_lenient
        self.until = until
        self.is_strict = is_strict

    def of(self, vintages):
        if self.tag is not None:
            tagged = [each for each in vintages if each["version"] == self.tag]
            if tagged:
                return tagged[0] if self.policy == "FIRST" else tagged[-1]
            if not self.is_lenient:
                return None
        if self.policy == "FINAL":
            vintages = [each for each in vintages if each["version"] == "FINAL"]
        if not vintages:
            return None
        return vintages[0] if self.policy == "FIRST" else vintages[-1]


class Window:
    """How many periods are read together, bound to a frequency."""

    def __init__(self, written, frequency):
        self.kind, self.least = "periods", 1
        self.count = 1
        if written is None:
            return
        if isinstance(written, tuple):
            if written[0] == "last":
                self.kind, self.count, self.least = written
            else:
                if frequency not in ("DAILY", "WEEKLY"):
                    raise Unfitting("days of a month need a daily or weekly series")
                self.kind, self.first, self.last, self.least = written
            return
        unit = UNIT_FREQUENCY[written.unit]
        if unit == frequency:
            self.count = written.count
        elif FREQUENCIES.index(unit) > FREQUENCIES.index(frequency):
            self.kind, self.count, self.unit = "units", written.count, unit
        else:
            self.count = periods_in(written, frequency)


def periods_in(span, frequency):
    """A finer span as whole periods."""
    if frequency == "WEEKLY" and span.unit == "day":
        size, count = 7, span.count
    elif frequency in MONTHS_OF and span.unit in MONTHS_IN:
        size, count = MONTHS_OF[frequency], span.count * MONTHS_IN[span.unit]
    else:
        raise Unfitting("a window that is no whole number of periods")
    if count % size:
        raise Unfitting("a window that is no whole number of periods")
    return count // size


class Source:
    """A series as an input or a rate reads it: in its frequency, with its links, and what fills in."""

    def __init__(self, figures, series, window, using, lag, week=None, expand="NONE", links=(), missing=("BLOCK",)):
        if series not in figures.frequency:
            raise Unfitting("unknown series %s" % series)
        self.figures = figures
        self.series = series
        self.own = figures.frequency[series]
        self.frequency = "MONTHLY" if expand == "MONTHLY" else self.own
        self.is_expanded = expand == "MONTHLY"
        if self.is_expanded and self.own not in ("QUARTERLY", "SEMIANNUAL", "ANNUAL"):
            raise Unfitting("expand needs a series of quarters, half-years or years")
        if week is not None and self.own != "WEEKLY":
            raise Unfitting("week needs a weekly series")
        self.week_day = 0
        if self.own == "WEEKLY":
            named = WEEK_ENDING.search(figures.name[series])
            if week is not None:
                self.week_day = WEEKDAYS.index(week)
            elif named is not None:
                self.week_day = WEEK_DAYS.index(named.group(1).lower())
        self.window = Window(window, self.frequency)
        self.using = using
        self.lag = lag
        self.links = list(links)
        self.missing = missing
        for each in [link["series"] for link in self.links] + ([missing[1]] if missing[0] == "fallback" else []):
            if figures.frequency.get(each) is None:
                raise Unfitting("unknown series %s" % each)
            if figures.frequency[each] != self.own:
                raise Unfitting("%s has another frequency" % each)
        if missing[0] == "yoyEstimate" and self.own in ("DAILY", "WEEKLY"):
            raise Unfitting("yoyEstimate needs months or longer")
        if missing[0] == "agreed" and any(period.frequency != self.own for period in missing[1]):
            raise Unfitting("agreed values have another frequency")
        if missing[0] == "trend":
            span = missing[1]
            if self.own == "DAILY":
                raise Unfitting("trend does not go with days")
            self.trend_over = span.count if UNIT_FREQUENCY[span.unit] == self.own else self.trend_periods(span)
            if self.trend_over > 366:
                raise Unfitting("trend is over too long")

    def trend_periods(self, span):
        if self.own in MONTHS_OF and span.unit in MONTHS_IN:
            return periods_in(span, self.own)
        if self.own == "WEEKLY" and span.unit == "day":
            return periods_in(span, self.own)
        raise Unfitting("trend is no whole number of periods")

    def day_by(self, period):
        """The day by which a period belongs to a unit."""
        first = period.first_day()
        return add_days(first, self.week_day) if period.frequency == "WEEKLY" else first

    def link_of(self, period):
        day = self.day_by(period)
        best = None
        for link in self.links:
            if link["from"] is not None and day < link["from"].first_day():
                continue
            if link["until"] is not None and day > link["until"].last_day():
                continue
            if best is None:
                best = link
            elif best["until"] is not None and link["until"] is not None:
                if link["until"].last_day() < best["until"].last_day():
                    best = link
            elif link["from"] is not None and (
                best["from"] is None or link["from"].first_day() > best["from"].first_day()
            ):
                best = link
        return best

    def published(self, period, choice):
        """Of one own period, through its link; None where there is no value."""
        link = self.link_of(period)
        series = self.series if link is None else link["series"]
        vintage = choice.of(self.figures.vintages(series, period.number, choice.until))
        if vintage is None:
            return None
        value = number_of(vintage["value"])
        if link is not None:
            value = round_by(value * number_of(link["coefficient"]), link["round"])
        return Reading(value, [vintage])

    def own_period(self, period):
        return Period.holding(self.own, period.first_day()) if self.is_expanded else period

    def known(self, period, choice):
        return self.published(self.own_period(period), choice)

    def known_before(self, period, choice, inclusive=False):
        """The newest known own period before one."""
        numbers = set(self.figures.numbers(self.series))
        for link in self.links:
            numbers.update(self.figures.numbers(link["series"]))
        for number in sorted(numbers, reverse=True):
            if number < period.number or (inclusive and number == period.number):
                found = self.published(Period(self.own, number), choice)
                if found is not None:
                    return Period(self.own, number), found
        return None

    def value(self, period, choice):
        """Of one period, filled in where it is missing."""
        own = self.own_period(period)
        found = self.published(own, choice) or (None if choice.is_strict else self.filled(own, choice))
        if found is None:
            raise Insufficient("%s has no value for %s" % (self.series, own.label()))
        return found

    def filled(self, period, choice):
        kind = self.missing[0]
        if kind == "LAST_KNOWN":
            earlier = self.known_before(period, choice)
            return None if earlier is None else Reading(earlier[1].value, earlier[1].used, True)
        if kind == "fallback":
            vintage = choice.of(self.figures.vintages(self.missing[1], period.number, choice.until))
            return None if vintage is None else Reading(number_of(vintage["value"]), [vintage], True)
        if kind == "agreed":
            agreed = self.missing[1].get(period)
            return None if agreed is None else Reading(number_of(agreed), [])
        if kind == "yoyEstimate":
            return self.year_on_year(period, choice)
        if kind == "trend":
            return self.trend(period, choice)
        return None

    def year_on_year(self, period, choice):
        year = 12 // MONTHS_OF[self.own]
        before = self.published(period.after(-year), choice)
        if before is None:
            return None
        for back in range(1, 121):
            now = self.published(period.after(-back), choice)
            then = self.published(period.after(-back - year), choice)
            if now is not None and then is not None:
                break
        else:
            return None
        if then.value == 0:
            raise Insufficient("an estimate divides by 0")
        value = before.value * now.value / then.value
        used = before.used + now.used + then.used
        if self.missing[1] is not None:
            cap = number_of(self.missing[1]) / 100
            last = self.published(period.after(-1), choice) or self.year_on_year(period.after(-1), choice)
            if last is None:
                return None
            value = min(max(value, last.value * (1 - cap)), last.value * (1 + cap))
            used = used + last.used
        return Reading(value, used, True)

    def trend(self, period, choice):
        _, _, dp = self.missing
        earlier = self.known_before(period, choice)
        if earlier is None or period.number - earlier[0].number > 400:
            return None
        at, last = earlier
        base = self.published(at.after(-self.trend_over), choice)
        if base is None or base.value <= 0 or last.value <= 0:
            return None
        share = Fraction(period.number - at.number, self.trend_over)
        p, q = share.numerator, share.denominator
        value = rounded_power(last.value**q * (last.value / base.value) ** p, Fraction(1, q), dp)
        return Reading(value, last.used + base.used, True)

    def window_missing(self, last, choice, why):
        """In place of a whole window."""
        if choice.is_strict:
            raise Insufficient(why)
        if self.missing[0] == "LAST_KNOWN":
            found = self.known_before(self.own_period(last), choice, inclusive=True)
            if found is not None:
                return Reading(found[1].value, found[1].used, True)
            raise Insufficient(why)
        found = self.filled(self.own_period(last), choice)
        if found is None:
            raise Insufficient(why)
        return found

    def each_in(self, first, last):
        """The periods that belong to the days, whether they are known or not."""
        period = Period.holding(self.frequency, add_days(first, -7 if self.frequency == "WEEKLY" else 0))
        found = []
        while self.day_by(period) <= last:
            if self.day_by(period) >= first:
                found.append(period)
            period = period.after(1)
        return found

    def is_open(self, last_day, choice, before):
        """Under AT_DATE: a window whose last day is not over, and no later period is known."""
        if before is None or last_day < before:
            return False
        numbers = set(self.figures.numbers(self.series))
        for link in self.links:
            numbers.update(self.figures.numbers(link["series"]))
        return not any(
            self.day_by(Period(self.own, number)) > last_day and self.published(Period(self.own, number), choice)
            for number in numbers
        )

    def by_units(self, units, choice, one, least, before, no_later=None):
        """Days from unit to unit: all periods of a slow series; of a fast one those that are known."""
        last_period = Period.holding(self.frequency, units[-1][1])
        if self.frequency not in ("DAILY", "WEEKLY"):
            periods = [each for first, last in units for each in self.each_in(first, last)]
            periods = [each for each in periods if no_later is None or each.number <= no_later.number]
            return joined([one(each, choice) for each in periods], self.using) if periods else None
        found = []
        is_missing = self.is_open(units[-1][1], choice, before)
        for first, last in units:
            known = [
                each
                for each in self.each_in(first, last)
                if (no_later is None or each.number <= no_later.number) and self.known(each, choice) is not None
            ]
            is_missing = is_missing or not known
            found.extend(known)
        if is_missing or len(found) < least:
            end = last_period if no_later is None else no_later
            return self.window_missing(end, choice, "%s has too few values" % self.series)
        return joined([one(each, choice) for each in found], self.using)

    def over_window(self, end, day, choice, one, before=None, no_later=None):
        """What the window that ends with a period, around a day, comes to."""
        window = self.window
        if window.kind == "periods":
            return joined([one(end.after(-back), choice) for back in range(window.count - 1, -1, -1)], self.using)
        if window.kind == "last":
            known = []
            for period in self.candidates(end):
                if self.known(period, choice) is not None:
                    known.append(period)
                    if len(known) == window.count:
                        break
            if len(known) < window.least:
                return self.window_missing(end, choice, "%s has too few values" % self.series)
            return joined([one(each, choice) for each in reversed(known)], self.using)
        if window.kind == "units":
            around = Period.holding(window.unit, day)
            units = [around.after(-back) for back in range(window.count - 1, -1, -1)]
            days = [(each.first_day(), each.last_day()) for each in units]
        else:
            last = datetime.date(day.year, day.month, min(window.last, month_length(day.year, day.month)))
            month = day.replace(day=1)
            if window.first > window.last:
                month = add_months(month, -1)
            first = month.replace(day=min(window.first, month_length(month.year, month.month)))
            days = [(first, last)]
        return self.by_units(days, choice, one, window.least, before, no_later)

    def candidates(self, end):
        """Periods up to one for which there is any figure, newest first."""
        numbers = set(self.figures.numbers(self.series))
        for link in self.links:
            numbers.update(self.figures.numbers(link["series"]))
        periods = [Period(self.own, number) for number in numbers]
        if self.is_expanded:
            months = MONTHS_OF[self.own]
            periods = [Period("MONTHLY", each.number * months + n) for each in periods for n in range(months)]
        return sorted((each for each in periods if each.number <= end.number), key=lambda each: -each.number)

    def by_label(self, first, last, choice, one, before=None):
        """From one label to another."""
        if self.frequency == first.frequency or self.frequency not in ("DAILY", "WEEKLY"):
            periods = self.each_in(first.first_day(), last.last_day())
            if not periods:
                periods = [Period.holding(self.frequency, last.last_day())]
            return joined([one(each, choice) for each in periods], self.using)
        count = last.number - first.number + 1
        days = [(first.after(n).first_day(), first.after(n).last_day()) for n in range(count)]
        return self.by_units(days, choice, one, 1, before)


class BoundInput:
    """An input of the governing document, bound to the series of the receipt."""

    def __init__(self, figures, written):
        self.written = written
        convert = written.convert or {}
        self.source = Source(
            figures, written.series, written.window, written.using, written.lag,
            written.week, written.expand, written.links, written.missing,
        )
        self.rate = None
        self.scale = convert.get("scale")
        if convert.get("fx") is not None:
            is_each = convert["each"]
            window = None if is_each else convert["window"] if convert["window"] is not None else written.window
            self.rate = Source(
                figures, convert["fx"], window, convert["using"] or written.using, convert["lag"] or written.lag,
                missing=("LAST_KNOWN",) if written.missing[0] == "LAST_KNOWN" else ("BLOCK",),
            )
        self.is_each = convert.get("each", False)
        if written.interpolate == "DAILY" and self.source.frequency != "MONTHLY":
            raise Unfitting("interpolate needs months")
        if written.base is not None and written.base[0] == "label":
            label = written.base[1].frequency
            is_day = written.interpolate == "DAILY" and label == "DAILY"
            if not is_day and FREQUENCIES.index(label) < FREQUENCIES.index(self.source.frequency):
                raise Unfitting("the base is finer than the series")

    def choice(self, body, day, is_current):
        until = end_of(day) if self.written.vintage == "AT_DATE" else None
        policy = "LATEST" if self.written.vintage == "AT_DATE" else self.written.vintage
        tag = body["dataVersionAsked"]
        return Choice(policy, tag, not is_current, until, is_current and tag is not None)

    def rate_choice(self, choice):
        return Choice("LATEST", choice.tag, True, choice.until, choice.is_strict)

    def one(self, period, choice):
        """The value of one period, converted where each one is."""
        reading = self.source.value(period, choice)
        if not self.is_each:
            return reading
        rate = self.rate.by_label(period, period, self.rate_choice(choice), self.rate_value)
        return self.converted(reading, rate)

    def rate_value(self, period, choice):
        return self.rate.value(period, choice)

    def converted(self, reading, rate):
        if self.written.convert["operation"] == "MULTIPLY":
            value = reading.value * rate.value
        else:
            if rate.value == 0:
                raise Insufficient("a rate is 0")
            value = reading.value / rate.value
        return Reading(value, reading.used + rate.used, reading.is_substituted or rate.is_substituted)

    def finished(self, reading, rate):
        """The rate, the scale, the rounding."""
        if rate is not None:
            reading = self.converted(reading, rate)
        value = reading.value if self.scale is None else reading.value * number_of(self.scale)
        return Reading(round_by(value, self.written.round), reading.used, reading.is_substituted)

    def interpolated(self, day, month_day, choice):
        month = Period.holding("MONTHLY", day)
        first = self.one(month, choice)
        if month_day.day == 1:
            return first
        second = self.one(month.after(1), choice)
        share = Fraction(month_day.day - 1, month_length(month_day.year, month_day.month))
        value = first.value + share * (second.value - first.value)
        used = first.used + second.used
        return Reading(value, used, first.is_substituted or second.is_substituted)

    def base(self, body, contract):
        written = self.written.base
        if written is None:
            raise Insufficient("%s has no base" % self.written.name)
        if written[0] == "value":
            return Reading(number_of(written[1]), [])
        _, first, last = written
        choice = self.choice(body, contract.start, False)
        before = contract.start if self.written.vintage == "AT_DATE" else None
        if self.written.interpolate == "DAILY" and first.frequency == "DAILY":
            if first != last:
                raise Insufficient("several days are interpolated")
            reading = self.interpolated(self.written.lag.back_from(first.first_day()), first.first_day(), choice)
        else:
            reading = self.source.by_label(first, last, choice, self.one, before)
        rate = None
        if self.rate is not None and not self.is_each:
            rate = self.rate.by_label(first, last, self.rate_choice(choice), self.rate_value, before)
        return self.finished(reading, rate)

    def current(self, body, day, is_current=True):
        choice = self.choice(body, day, is_current)
        before = day if self.written.vintage == "AT_DATE" else None
        around = self.written.lag.back_from(day)
        if self.written.interpolate == "DAILY":
            reading = self.interpolated(around, day, choice)
        elif self.written.pick == "LAG":
            end = Period.holding(self.source.frequency, around)
            reading = self.source.over_window(end, around, choice, self.one, before)
        else:
            picked = self.latest_published(end_of(around), choice)
            end = picked
            if self.source.is_expanded:
                end = Period.holding("MONTHLY", picked.last_day())
            reading = self.source.over_window(end, self.source.day_by(picked), choice, self.one, before, no_later=end)
        rate = None
        if self.rate is not None and not self.is_each:
            on = self.rate.lag.back_from(day)
            end = Period.holding(self.rate.frequency, on)
            rate = self.rate.over_window(end, on, self.rate_choice(choice), self.rate_value, before)
        return self.finished(reading, rate)

    def latest_published(self, until, choice):
        """The newest period with a vintage published by then."""
        source = self.source
        numbers = set(source.figures.numbers(source.series))
        for link in source.links:
            numbers.update(source.figures.numbers(link["series"]))
        if choice.until is not None:
            until = min(until, choice.until)
        for number in sorted(numbers, reverse=True):
            period = Period(source.own, number)
            link = source.link_of(period)
            series = source.series if link is None else link["series"]
            vintages = source.figures.vintages(series, number, until)
            if self.written.vintage == "FINAL":
                vintages = [each for each in vintages if each["version"] == "FINAL"]
            if vintages:
                return period
        raise Insufficient("%s has nothing published by then" % source.series)


# --- Computing a period again ----------------------------------------------------------------------------------------

MOST_LINES, LONGEST_LINE, MOST_SIGNS = 400, 100000, 4000


class Computation:
    """The lines of a receipt, over its own figures, for its own date."""

    def __init__(self, body, documents, lines=None):
        self.body = body
        self.documents = documents
        self.formula = documents[body["formulaVersion"]]
        self.contract = self.formula.contract
        self.day = day_of(body["adjustmentDate"])
        self.lines = body["steps"] if lines is None else lines
        self.carried = self.what_is_carried()
        self.figures = Figures(body["observations"], body["series"])
        self.expressions = self.read_lines()
        self.inputs = {name: BoundInput(self.figures, each) for name, each in self.formula.inputs.items()}
        self.readings = {}
        self.values = {}

    def what_is_carried(self):
        carried = self.body["carriedIn"]
        restarted = self.formula.contract.restart and carried.get("origin") != self.formula.effective_from.isoformat()
        if not restarted:
            return carried
        nothing = {"date": None, "version": None, "steps": {}, "readings": {}}
        return {**nothing, "factor": "1", "last": dict(nothing), **{k: carried[k] for k in ("origin",) if k in carried}}

    def read_lines(self):
        names = [line["name"] for line in self.lines]
        if len(names) > MOST_LINES:
            raise Refused("it has more than %d lines" % MOST_LINES)
        if len(set(names)) < len(names):
            raise Unreadable("two lines of the receipt have the same name")
        expressions = []
        before = set()
        for line in self.lines:
            signs = sum(line["expr"].count(sign) for sign in "-+*/(,<>=")
            if utf16(line["expr"]) > LONGEST_LINE or signs > MOST_SIGNS:
                raise Unreadable("the line %s of the receipt is too long" % line["name"])
            expressions.append(Expression(line["expr"], self.formula, before, set(names)).tree)
            before.add(line["name"])
        if self.body["rules"]["step"] not in before:
            raise Refused("the line of the result is missing")
        return expressions

    def run(self):
        for line, tree in zip(self.lines, self.expressions):
            self.values[line["name"]] = round_by(self.number(tree), line["round"])
        return self

    def reading(self, name, part):
        key = (name, part)
        if key not in self.readings:
            self.readings[key] = self.take_reading(name, part)
        return self.readings[key]

    def take_reading(self, name, part):
        bound = self.inputs[name]
        if part == "current":
            return bound.current(self.body, self.day)
        if part == "base":
            return bound.base(self.body, self.contract)
        state = self.carried if part == "prev" else self.carried["last"]
        if state["date"] is None:
            return self.take_reading(name, "base")
        if name in state["readings"] and self.means_the_same(name, state["version"]):
            kept = state["readings"][name]
            return Reading(number_of(kept["value"]), kept["used"], kept["substituted"])
        return bound.current(self.body, day_of(state["date"]), False)

    def means_the_same(self, name, version):
        if version is None or version == self.body["formulaVersion"]:
            return True
        other = self.documents.get(version)
        if other is None or name not in other.inputs:
            return False
        return other.inputs[name].meaning() == self.formula.inputs[name].meaning()

    def number(self, tree):
        kind = tree[0]
        if kind == "constant":
            return tree[1]
        if kind == "line":
            return self.values[tree[1]]
        if kind == "reading":
            return self.reading(tree[1], tree[2]).value
        if kind == "param":
            value = self.formula.param(tree[1], self.day)
            if value is None:
                raise Insufficient("%s has no value on that day" % tree[1])
            return value
        if kind == "built-in":
            return Fraction(self.built_in(tree[1]))
        if kind == "negative":
            return -self.number(tree[1])
        if kind == "prev":
            kept = self.carried["steps"].get(tree[1])
            return self.number(tree[2]) if kept is None else number_of(kept)
        if kind == "lookup":
            return self.looked_up(self.formula.tables[tree[1]], self.number(tree[2]))
        if kind == "call":
            return self.called(tree[1], tree[2])
        left, right = self.number(tree[1]), self.number(tree[2])
        if kind == "+":
            return left + right
        if kind == "-":
            return left - right
        if kind == "*":
            return left * right
        if right == 0:
            raise Insufficient("it divides by 0")
        return left / right

    def truth(self, tree):
        kind = tree[0]
        if kind == "truth":
            return tree[1]
        if kind == "not":
            return not self.truth(tree[1])
        if kind == "and":
            return self.truth(tree[1]) and self.truth(tree[2])
        if kind == "or":
            return self.truth(tree[1]) or self.truth(tree[2])
        _, sign, left, right = tree
        left, right = self.number(left), self.number(right)
        return {
            "<": left < right, "<=": left <= right, ">": left > right,
            ">=": left >= right, "==": left == right, "!=": left != right,
        }[sign]

    @staticmethod
    def looked_up(rows, number):
        for edge, at, value in rows:
            if edge is None or (number < at if edge == "below" else number <= at):
                return value

    def called(self, name, arguments):
        if name == "if":
            return self.number(arguments[1] if self.truth(arguments[0]) else arguments[2])
        numbers = [self.number(each) for each in arguments]
        if name == "min":
            return min(numbers)
        if name == "max":
            return max(numbers)
        if name in ("sum", "avg"):
            return sum(numbers) / (len(numbers) if name == "avg" else 1)
        if name == "abs":
            return abs(numbers[0])
        if name == "clamp":
            return min(max(numbers[0], numbers[1]), numbers[2])
        if name in ROUND_MODES:
            return round_by(numbers[0], {"dp": int(numbers[1]), "mode": ROUND_MODES[name]})
        if name == "mod":
            if numbers[1] == 0:
                raise Insufficient("it divides by 0")
            return numbers[0] % numbers[1]
        if len(numbers) == 3:
            return rounded_power(numbers[0], numbers[1], int(numbers[2]))
        base, exponent = numbers
        if exponent.denominator != 1 or abs(exponent) > 400 or (base == 0 and exponent < 0):
            raise Insufficient("a power that does not compute")
        return base ** int(exponent)

    def built_in(self, name):
        day, contract = self.day, self.contract
        if name in ("year", "month", "day"):
            return getattr(day, name)
        if name == "quarter":
            return (day.month - 1) // 3 + 1
        if name == "daysInMonth":
            return month_length(day.year, day.month)
        if name == "daysInYear":
            return 366 if calendar.isleap(day.year) else 365
        if name == "daysInPeriod":
            following = contract.next_after(day)
            if following is None or (contract.end is not None and following > contract.end):
                if contract.end is None:
                    raise Insufficient("no date follows and the contract has no end")
                return (contract.end - day).days + 1
            return (following - day).days
        if name == "periodsSinceStart":
            return contract.periods_since_start(day)
        if name == "yearsSinceStart":
            return whole_months(contract.start, day) // 12
        origin = day_of(self.carried["origin"]) if "origin" in self.carried else contract.start
        if name == "daysSinceLast":
            last = self.carried["last"]["date"]
            return (day - (day_of(last) if last is not None else origin)).days
        if name == "price":
            if contract.amount is None:
                raise Insufficient("the contract has no price")
            return contract.amount
        return self.factor_on(name, origin)

    def factor_on(self, name, origin):
        """The factor that was applied when a year began."""
        if name == "calendarYearFactor":
            on = self.day.replace(month=1, day=1)
        elif name == "yearAgoFactor":
            on = add_months(self.day, -12)
        else:
            on = add_months(origin, whole_months(origin, self.day) // 12 * 12)
        found = [each for each in self.carried.get("factors", []) if day_of(each["date"]) <= on]
        return number_of(found[-1]["factor"]) if found else 1

    # What follows from the lines.

    def outcome(self):
        result = self.values[self.body["rules"]["step"]]
        kind = self.body["rules"]["kind"]
        before = number_of(self.carried["factor"])
        amount = self.contract.amount
        if kind in ("PRICE", "SURCHARGE") and amount is None:
            raise Insufficient("the contract has no price")
        factor = {
            "FACTOR": lambda: result,
            "CHANGE_PCT": lambda: before * (1 + result / 100),
            "PRICE": lambda: result / amount,
            "SURCHARGE": lambda: 1 + result / amount,
        }[kind]()
        price = None
        if amount is not None:
            price = round_by(amount * factor, self.body["rules"]["priceRound"])
        percent = None if before == 0 else (factor / before - 1) * 100
        return {
            "factor": factor, "price": price, "adjustmentPct": percent, "cumulativePct": (factor - 1) * 100,
            "surcharge": result if kind == "SURCHARGE" else None,
        }

    def data_version(self):
        tags = {each["version"] for reading in self.readings.values() for each in reading.used}
        if any(reading.is_substituted for reading in self.readings.values()) or "PRELIMINARY" in tags:
            return "PRELIMINARY"
        return "REVISED" if "REVISED" in tags else "FINAL"

    def observations(self):
        """Every figure that was used, as a receipt lists them, without origins."""
        found = []
        for name in self.formula.inputs:
            used = [each for (of, _), reading in self.readings.items() if of == name for each in reading.used]
            used.sort(key=lambda each: (in_utf16_order(each["series"]), Period.of(each["period"]).number))
            seen = set()
            for each in used:
                key = (each["series"], each["period"], each["published"], each["recorded"])
                if key not in seen:
                    seen.add(key)
                    kept = {field: each[field] for field, _ in VINTAGE}
                    found.append({"input": name, **kept})
        return found


def told(text):
    """A figure as a sentence has it."""
    if "/" in text and is_exact(text):
        return write_carried(number_of(text))
    return text


def cut_alike(written, own):
    """Long texts are told from shortly before where they part."""
    a, b = in_utf16_order(written), in_utf16_order(own)
    alike = 0
    while alike < min(len(a), len(b)) and a[alike : alike + 2] == b[alike : alike + 2]:
        alike += 2
    begin = max(0, alike - 200)

    def cut(text, units):
        if len(units) <= 400:
            return text
        return "…" + units[begin : begin + 400].decode("utf-16-be", "replace")

    return cut(written, a), cut(own, b)


def difference_of(body, computation):
    """The first line that does not follow, as (line, written, recomputed); None where everything does."""
    rules, result = body["rules"], body["result"]
    for line in body["steps"]:
        own = computation.values[line["name"]]
        if line["value"] != write_exact(own):
            return ("step " + line["name"], line["value"], write_exact(own))
        shown = None if line["show"] is None else write_rounded(own, line["show"])
        if not is_same_figure(line["shown"], shown, line["show"]):
            return ("step %s (shown)" % line["name"], line["shown"] or "nothing", shown or "nothing")
    outcome = computation.outcome()
    price = outcome["price"]
    if price is not None:
        price = write_carried(price) if rules["priceRound"] is None else write_rounded(price, rules["priceRound"])
    percent = outcome["adjustmentPct"]
    surcharge = outcome["surcharge"]
    label = computation.contract.label(computation.day)
    if re.fullmatch(re.escape(label) + r"\.(?:[2-9]|[1-9][0-9]{1,3})", body["period"]):
        label = body["period"]
    bare = [{key: value for key, value in each.items() if key != "origin"} for each in body["observations"]]
    pairs = [
        ("factor", result["factor"], write_exact(outcome["factor"]), None),
        ("adjustmentPct", result["adjustmentPct"], None if percent is None else write_short(percent, rules["show"]), None),
        ("cumulativePct", result["cumulativePct"], write_short(outcome["cumulativePct"], rules["show"]), None),
        ("price", result.get("price"), price, rules["priceRound"]),
        ("surcharge", result.get("surcharge"), None if surcharge is None else write_carried(surcharge), None),
        ("dataVersion", result["dataVersion"], computation.data_version(), None),
        ("period", body["period"], label, None),
        ("period", result["period"], body["period"], None),
        ("adjustmentDate", result["adjustmentDate"], body["adjustmentDate"], None),
        ("formulaVersion", str(result["formulaVersion"]), str(body["formulaVersion"]), None),
        ("observations", canonical(bare), canonical(computation.observations()), None),
    ]
    for line, written, own, rounding in pairs:
        if not is_same_figure(written, own, rounding):
            return (line,) + cut_alike("nothing" if written is None else written, "nothing" if own is None else own)
    if rules["addsUp"] and result["adjustmentPct"] is not None:
        parts = [each["contribution"] for each in result["components"]] + [each["points"] for each in result["controls"]]
        total = sum((number_of(each) for each in parts), Fraction(0))
        if total != number_of(result["adjustmentPct"]):
            return ("components and controls", write_exact(total), result["adjustmentPct"])
    return None


def is_same_figure(written, own, rounding):
    if written == own:
        return True
    if written is None or own is None or rounding is None or "multiple" not in rounding:
        return False
    return is_exact(written) and number_of(written) == number_of(own)
