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
        return self.frequency == other.frequency and self.number == other.number

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
