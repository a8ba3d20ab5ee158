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
