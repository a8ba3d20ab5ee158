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
import hmac
import json
import os
import re
import shlex
import struct
import sys
import zlib
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


def counted(number, one, many):
    return "%d %s" % (number, one if number == 1 else many)


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
    SIZE = 32
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
    def verify(cls, key, message, r, s, algorithm="sha256"):
        """`key` is a point (x, y)."""
        if not cls.is_on_curve(*key) or not 0 < r < cls.ORDER or not 0 < s < cls.ORDER:
            return False
        digest = int.from_bytes(hashlib.new(algorithm, message).digest()[: cls.SIZE], "big")
        inverse = pow(s, -1, cls.ORDER)
        point = cls.add(
            cls.times(digest * inverse % cls.ORDER, cls.BASE), cls.times(r * inverse % cls.ORDER, key)
        )
        return point is not None and point[0] % cls.ORDER == r


class P384(P256):
    SIZE = 48
    P = 2**384 - 2**128 - 2**96 + 2**32 - 1
    ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973
    B = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF
    BASE = (
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    )


def rsa_opened(modulus, exponent, signature):
    """What the signature says under the key, as bytes; None where it cannot be one of the key."""
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= modulus:
        return None
    return pow(number, exponent, modulus).to_bytes(size, "big")


DIGEST_PREFIXES = {
    "sha256": bytes.fromhex("3031300d060960864801650304020105000420"),
    "sha384": bytes.fromhex("3041300d060960864801650304020205000430"),
    "sha512": bytes.fromhex("3051300d060960864801650304020305000440"),
}


def rsa_pkcs1_verify(modulus, exponent, message, signature, algorithm="sha256"):
    opened = rsa_opened(modulus, exponent, signature)
    if opened is None:
        return False
    said = DIGEST_PREFIXES[algorithm] + hashlib.new(algorithm, message).digest()
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


P384_NAME = bytes.fromhex("06072a8648ce3d020106052b81040022")


def ecdsa_signature(data, size=32):
    """(r, s) of a signature in DER, each of at most `size` bytes; None where it is none."""
    outer = der_parts(data)
    if outer is None or [tag for tag, _ in outer] != [SEQUENCE] or len(data) > 2 * size + 8:
        return None
    inner = der_parts(outer[0][1])
    if inner is None or [tag for tag, _ in inner] != [INTEGER, INTEGER]:
        return None
    r, s = (der_integer(content) for _, content in inner)
    return None if r is None or s is None else (r, s)


def public_key_of(data):
    """("Ed25519", bytes), ("P-256" or "P-384", point) or ("RSA", (n, e)) of a SubjectPublicKeyInfo; None for any other."""
    outer = der_parts(data)
    if outer is None or [tag for tag, _ in outer] != [SEQUENCE]:
        return None
    inner = der_parts(outer[0][1])
    if inner is None or [tag for tag, _ in inner] != [SEQUENCE, BITS] or inner[1][1][:1] != b"\x00":
        return None
    name, key = inner[0][1], inner[1][1][1:]
    if name == ED25519_NAME and len(key) == 32:
        return ("Ed25519", key)
    for called, own_name, curve in (("P-256", P256_NAME, P256), ("P-384", P384_NAME, P384)):
        if name == own_name and len(key) == 2 * curve.SIZE + 1 and key[0] == 4:
            point = tuple(int.from_bytes(each, "big") for each in (key[1 : curve.SIZE + 1], key[curve.SIZE + 1 :]))
            return (called, point) if curve.is_on_curve(*point) else None
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
    """Reads a text that has one meaning: no repeated key, whole numbers only, no lone surrogate, bounded depth and number."""

    NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?![0-9.eE])")
    PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
    ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
    GREATEST = 2**53 - 1

    def __init__(self, text, deepest, most):
        self.text = text
        self.deepest = deepest
        self.left = self.most = most
        self.at = 0

    @classmethod
    def read(cls, text, deepest, most=1000000):
        reader = cls(text, deepest, most)
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
        self.left -= 1
        if self.left < 0:
            self.stop("it holds more than %d values" % self.most)
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
    (
        "parties",
        fields(
            ("signWith?", list_of(one_of("passkey", "provider", "password"))), ("buyer", side_field), ("supplier", side_field)
        ),
    ),
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
    ("words?", fields(("sha256", hash_field))),
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
        ways = parties.raw("signWith")
        if ways is not None:
            if not isinstance(ways, list) or not ways or any(each not in WAYS for each in ways) or len(set(ways)) < len(ways):
                raise Refused("parties: signWith is not a list of ways to sign")
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


# --- The seal --------------------------------------------------------------------------------------------------------


def is_sealed(seal, text):
    """Whether a seal is an Ed25519 signature of a text under the key it names."""
    key, value = from_base64url(seal["publicKey"]), from_base64url(seal["value"])
    if key is None or value is None:
        return False
    return Ed25519.verify(key, text.encode("utf-8"), value)


def sealed_hash(receipt):
    """Of everything in the file but the body and the seal."""
    return hash_value({key: receipt[key] for key in ("hash", "signatures", "objections") if key in receipt})


# --- Signatures of the parties ---------------------------------------------------------------------------------------

ACT = [
    ("by", or_null(text_field)),
    ("at", instant_field),
    ("from", or_null(one_of("OPERATOR", "COMPANY", "WORKSPACE"))),
    ("role", or_null(text_field)),
    ("company", or_null(text_field)),
]
ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]


def jwk_field(value, path):
    if not isinstance(value, dict):
        raise Misfit(path, "a mapping")
    if "kty" not in value:
        raise Misfit(path, "a mapping with kty, which is missing")
    tables = {
        "RSA": [("kty", text_field), ("n", text_field), ("e", text_field)],
        "EC": [("kty", text_field), ("crv", one_of("P-256")), ("x", text_field), ("y", text_field)],
        "OKP": [("kty", text_field), ("crv", one_of("Ed25519")), ("x", text_field)],
    }
    kind = value["kty"]
    if not isinstance(kind, str) or kind not in tables:
        raise Misfit(below(path, "kty"), "RSA, EC or OKP")
    fields(*tables[kind], ("kid?", text_field), ("alg?", one_of(*ALGORITHMS)))(value, path)


def provider_field(value, path):
    head = [(name, text_field) for name in ("issuer", "subject", "discovery", "clientId")]
    head += [("checkedAt", instant_field), ("expiresAt", instant_field)]
    if isinstance(value, dict) and "proof" in value:
        fields(*head, ("proof", one_of("FOLLOWS")))(value, path)
    else:
        fields(*head, ("token", text_field), ("random", text_field), ("key", jwk_field))(value, path)


ORIGIN = fields(
    ("role", text_field),
    ("invited", fields(*ACT)),
    ("joinedAt", or_null(instant_field)),
    ("renewed", or_null(fields(*ACT, ("how", one_of("LINK", "OPERATOR")), ("usedAt", instant_field)))),
    (
        "company",
        or_null(
            fields(
                ("slug", text_field),
                ("put", or_null(fields(*ACT))),
                (
                    "confirmed",
                    or_null(
                        fields(("by", text_field), ("at", instant_field), ("hash", hash_field), ("isListed", bool_field))
                    ),
                ),
            )
        ),
    ),
    ("passkeys", list_of(fields(("id", text_field), ("registeredAt", instant_field)))),
    ("identities?", list_of(fields(("issuer", text_field), ("subject", text_field), ("linkedAt", instant_field)))),
)
SIGNATURE = fields(
    ("party", one_of("buyer", "supplier")),
    ("signedBy", text_field),
    ("name", text_field),
    ("signedAt", instant_field),
    ("hash", hash_field),
    ("means", one_of("PASSKEY", "PROVIDER", "PASSWORD", "OPERATOR", "SESSION")),
    ("together", list_of(fields(("period", text_field), ("hash", hash_field)))),
    (
        "passkey",
        or_null(
            fields(
                ("credentialId", text_field),
                ("publicKey", text_field),
                ("algorithm", one_of("ES256", "EdDSA", "RS256")),
                ("rpId", text_field),
                ("authenticatorData", text_field),
                ("clientDataJSON", text_field),
                ("signature", text_field),
            )
        ),
    ),
    ("provider?", provider_field),
    ("origin?", ORIGIN),
    ("batch?", fields(("salt", text_field), ("entries", list_of(hash_field)))),
    ("redacted?", fields(("at", instant_field), ("by", text_field), ("reason", text_field))),
)


class NotValid(Exception):
    """Why a signature is none."""


def signed_hash(signature):
    together = signature["together"]
    if len(together) == 1:
        return together[0]["hash"]
    return hash_value([{"hash": each["hash"], "period": each["period"]} for each in together])


def batch_entry(signature):
    salt = signature["batch"]["salt"]
    return hash_value({"format": "assize-batch-entry/1", "hash": signed_hash(signature), "salt": salt})


def challenge_of(signature):
    """What a passkey or a provider was given, as 64 hexadecimal digits."""
    found = signed_hash(signature)
    if "batch" in signature:
        found = hash_value({"entries": signature["batch"]["entries"], "format": "assize-batch/1"})
    if "origin" not in signature:
        return found
    return hash_value({"format": "assize-signature/2", "hash": found, "signer": signature["origin"]})


class Trust:
    """What the caller knows from elsewhere: keys of installations, of identity providers, of a log and its witnesses,
    and the slips, checkpoints and stamps that they kept."""

    def __init__(self, keys=None, issuers=None, log_keys=(), witnesses=(), kept=(), stamps=()):
        self.keys = keys
        self.issuers = issuers
        self.log_keys = log_keys
        self.witnesses = witnesses
        self.kept = kept
        self.stamps = stamps


WAYS = {
    "passkey": "with a passkey",
    "provider": "by the identity provider of the company",
    "password": "with a password",
}


def check_signature(signature, of, is_sealed_well, trust):
    """What kind of proof it is: 'word', 'operator', 'key' or 'token'. `of`: hash, period (None for proposals), isChange."""
    if signature["hash"] != of["hash"]:
        raise NotValid("it is given for another receipt")
    if not any(
        each["hash"] == of["hash"] and (of["period"] is None or each["period"] == of["period"])
        for each in signature["together"]
    ):
        named = "what it is given for" if of["period"] is None else of["period"]
        raise NotValid("%s is not among what was signed" % named)
    ways = of.get("signWith")
    if ways is not None and signature["means"].lower() not in ways:
        words = [WAYS[way] for way in WAYS if way in ways]
        listed = words[0] if len(words) == 1 else "%s or %s" % (", ".join(words[:-1]), words[-1])
        raise NotValid("what was signed is to be signed %s, and this is none of it" % listed)
    passkey, provider = signature["passkey"], signature.get("provider")
    if (signature["means"] == "PASSKEY") != (passkey is not None):
        raise NotValid("a signature by passkey is said, or is there, without the other")
    if (signature["means"] == "PROVIDER") != (provider is not None):
        raise NotValid("a signature by a provider is said, or is there, without the other")
    if "batch" in signature:
        if passkey is None and provider is None and not of["isChange"]:
            raise NotValid("a list that a passkey signed is there without the passkey")
        by = "the passkey signed" if passkey is not None else "the provider signed" if provider is not None else "was signed"
        entries = signature["batch"]["entries"]
        if any(a >= b for a, b in zip(entries, entries[1:])):
            raise NotValid("the list that %s is not in ascending order" % by)
        if batch_entry(signature) not in entries:
            raise NotValid("it is not in the list that %s" % by)
    if passkey is not None:
        check_passkey(signature)
        return "key"
    if provider is not None and "proof" not in provider:
        check_token(signature, trust)
        return "token"
    if not is_sealed_well:
        raise NotValid("nothing vouches for it: the seal on the receipt is not valid")
    return "operator" if signature["means"] == "OPERATOR" else "word"


def check_passkey(signature):
    passkey = signature["passkey"]
    client_bytes = from_base64url(passkey["clientDataJSON"])
    if client_bytes is None:
        raise NotValid("clientDataJSON is not base64url")
    try:
        client_text = client_bytes.decode("utf-8")
    except UnicodeDecodeError:
        raise NotValid("clientDataJSON is not UTF-8")
    if utf16(client_text) > 10000:
        raise NotValid("clientDataJSON cannot be read as strict JSON: it is too long")
    try:
        client = StrictJson.read(client_text, 4)
    except NotStrict as wrong:
        raise NotValid("clientDataJSON cannot be read as strict JSON: %s (line %d)" % (wrong.why, wrong.line))
    if not isinstance(client, dict):
        raise NotValid("clientDataJSON is not a mapping")
    if client.get("type") != "webauthn.get":
        raise NotValid("clientDataJSON is not of a signature (its type is not webauthn.get)")
    if client.get("challenge") != base64url(bytes.fromhex(challenge_of(signature))):
        raise NotValid("it was made for another hash")
    if client.get("crossOrigin", False) is not False:
        raise NotValid("it was made inside a page of another site")
    check_site(client.get("origin"), passkey["rpId"])
    data = from_base64url(passkey["authenticatorData"])
    if data is None:
        raise NotValid("authenticatorData is not base64url")
    if len(data) < 37:
        raise NotValid("authenticatorData is too short")
    if data[:32] != sha256(passkey["rpId"].encode("utf-8")):
        raise NotValid("the authenticator signed for another site than %s" % passkey["rpId"])
    if not data[32] & 1:
        raise NotValid("the authenticator does not say that a person was present")
    made, key = (from_base64url(passkey[field]) for field in ("signature", "publicKey"))
    for field, value in (("signature", made), ("publicKey", key)):
        if value is None:
            raise NotValid("%s is not base64url" % field)
    if not is_passkey_signature(passkey["algorithm"], key, data + sha256(client_bytes), made):
        raise NotValid("it is not a signature of what the authenticator was shown under the key it names")
    if "origin" in signature and all(each["id"] != passkey["credentialId"] for each in signature["origin"]["passkeys"]):
        raise NotValid("the key that signed is not one of those that were recorded for the signer")


def check_site(origin, site):
    found = re.fullmatch(r"(https?)://([a-z0-9.-]+)(?::[0-9]{1,5})?", origin) if isinstance(origin, str) else None
    belongs = found is not None and (found.group(2) == site or found.group(2).endswith("." + site))
    if belongs and found.group(1) == "http":
        belongs = found.group(2) == "localhost" or found.group(2).endswith(".localhost")
    if not belongs:
        told_origin = "undefined" if origin is None else canonical(origin)
        raise NotValid("it was made on %s, which does not belong to %s" % (told_origin, site))


def is_passkey_signature(algorithm, key, message, made):
    found = public_key_of(key)
    if found is None:
        return False
    kind, parts = found
    if algorithm == "ES256" and kind == "P-256":
        pair = ecdsa_signature(made)
        return pair is not None and P256.verify(parts, message, *pair)
    if algorithm == "EdDSA" and kind == "Ed25519":
        return Ed25519.verify(parts, message, made)
    if algorithm == "RS256" and kind == "RSA":
        return rsa_pkcs1_verify(parts[0], parts[1], message, made)
    return False


# --- Tokens of identity providers ------------------------------------------------------------------------------------

LONGEST_TOKEN = 32000


def in_words(value):
    """A value of a token in a sentence."""
    if value is None:
        return "nothing"
    text = canonical(value)
    return text if utf16(text) <= 120 else text[:120] + "…"


def token_part(text, what):
    data = from_base64url(text)
    if data is None:
        raise NotValid("%s of the token is not base64url" % what if what == "the header" else "%s of the token are not base64url" % what)
    verb = "is" if what == "the header" else "are"
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotValid("%s of the token %s not UTF-8" % (what, verb))
    try:
        value = StrictJson.read(decoded, 8)
    except NotStrict as wrong:
        raise NotValid("%s of the token cannot be read as strict JSON: %s (line %d)" % (what, wrong.why, wrong.line))
    if not isinstance(value, dict):
        raise NotValid("%s of the token %s not a mapping" % (what, verb))
    return value


def seconds_of(instant):
    moment = datetime.datetime.strptime(instant[:19], "%Y-%m-%dT%H:%M:%S")
    return int((moment - datetime.datetime(1970, 1, 1)).total_seconds())


def check_token(signature, trust):
    provider = signature["provider"]
    random = from_base64url(provider["random"])
    if random is None or len(random) != 32:
        raise NotValid("the random bytes are not 32 bytes")
    token = provider["token"]
    if utf16(token) > LONGEST_TOKEN:
        raise NotValid("the token has %d characters; at most %d are read" % (utf16(token), LONGEST_TOKEN))
    parts = token.split(".")
    if len(parts) != 3:
        raise NotValid("the token has %d parts in place of 3" % len(parts))
    header = token_part(parts[0], "the header")
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise NotValid(
            "the token is signed by %s; RS256, PS256, ES256, EdDSA are accepted and nothing else" % in_words(algorithm)
        )
    if "crit" in header:
        raise NotValid("the token demands an extension (crit), and none is known here")
    if "kid" in header and not isinstance(header["kid"], str):
        raise NotValid("kid of the token is not a text")
    kind = header.get("typ")
    if "typ" in header and not (isinstance(kind, str) and re.fullmatch("(application/)?jwt", kind, re.I)):
        raise NotValid("the token is of another type: %s" % in_words(kind))
    made = from_base64url(parts[2])
    if made is None:
        raise NotValid("the signature of the token is not base64url")
    if not made:
        raise NotValid("the token is not signed")
    if len(made) > 1024:
        raise NotValid("the signature of the token is too long")
    claims = token_part(parts[1], "the claims")
    check_token_key(provider["key"], algorithm, header.get("kid"))
    if not is_token_signature(provider["key"], algorithm, (parts[0] + "." + parts[1]).encode("ascii"), made):
        raise NotValid("the token is not signed by the key of the provider")
    check_claims(claims, provider, base64url(sha256(
        b"assize sign-off/1\n" + random + b"\n" + challenge_of(signature).encode("ascii"))))
    expires = claims["exp"]
    if claims["sub"] != provider["subject"]:
        raise NotValid("the token is about %s, not about %s" % (in_words(claims["sub"]), in_words(provider["subject"])))
    if expires != seconds_of(provider["expiresAt"]):
        raise NotValid("the token expires at another time than is said")
    if not -60 <= seconds_of(signature["signedAt"]) - seconds_of(provider["checkedAt"]) <= 1200:
        raise NotValid("the token was checked at another time than the signature is of")
    identities = signature.get("origin", {}).get("identities", [])
    if all((each["issuer"], each["subject"]) != (provider["issuer"], provider["subject"]) for each in identities):
        raise NotValid("who signed at the provider is not who was recorded for the signer")
    if trust.issuers is not None and not is_trusted_issuer(provider, trust):
        raise NotValid("it is by a key that you do not trust as one of %s" % provider["issuer"])


def is_trusted_issuer(provider, trust):
    if trust.issuers is None:
        return False
    known = trust.issuers.get(provider["issuer"])
    if known is None:
        return False

    def bare(key):
        return {name: value for name, value in key.items() if name in ("kty", "n", "e", "crv", "x", "y")}

    is_client = "clients" not in known or provider["clientId"] in known["clients"]
    return is_client and any(bare(key) == bare(provider["key"]) for key in known["keys"])


def check_token_key(key, algorithm, kid):
    fits = {"RSA": ("RS256", "PS256"), "EC": ("ES256",), "OKP": ("EdDSA",)}[key["kty"]]
    if algorithm not in fits or key.get("alg", algorithm) != algorithm or (kid is not None and key.get("kid") != kid):
        raise NotValid("the provider publishes no key %s for %s" % (in_words(kid), algorithm))
    wrong = "the provider’s key cannot be relied on: "
    if key["kty"] == "RSA":
        if key["e"] != "AQAB":
            raise NotValid(wrong + "its exponent is not 65537")
        modulus = from_base64url(key["n"])
        if modulus is None or not 256 <= len(modulus) <= 1024 or key["n"].startswith("AA"):
            raise NotValid(wrong + "its modulus does not have 2,048 to 8,192 bits")
    else:
        numbers = [from_base64url(key[name]) for name in ("x", "y") if name in key]
        if any(number is None or len(number) != 32 for number in numbers):
            raise NotValid(wrong + "its numbers do not have 32 bytes")


def is_token_signature(key, algorithm, message, made):
    if key["kty"] == "RSA":
        modulus = int.from_bytes(from_base64url(key["n"]), "big")
        check = rsa_pkcs1_verify if algorithm == "RS256" else rsa_pss_verify
        return check(modulus, 65537, message, made)
    if key["kty"] == "OKP":
        return Ed25519.verify(from_base64url(key["x"]), message, made)
    if len(made) != 64:
        return False
    point = tuple(int.from_bytes(from_base64url(key[name]), "big") for name in ("x", "y"))
    r, s = int.from_bytes(made[:32], "big"), int.from_bytes(made[32:], "big")
    return P256.verify(point, message, r, s)


def check_claims(claims, provider, nonce):
    now = seconds_of(provider["checkedAt"])
    issuer, client = provider["issuer"], provider["clientId"]
    if claims.get("iss") != issuer:
        raise NotValid("the token is from %s, not from %s" % (in_words(claims.get("iss")), in_words(issuer)))
    audience = claims.get("aud")
    listed = audience if isinstance(audience, list) else [audience]
    if client not in listed:
        raise NotValid("the token was made for %s, not for %s" % (in_words(audience), in_words(client)))
    if len(listed) > 1 and "azp" not in claims:
        raise NotValid("the token was made for several, and does not say for whom (azp)")
    if "azp" in claims and claims["azp"] != client:
        raise NotValid("the token was made for %s (azp), not for %s" % (in_words(claims["azp"]), in_words(client)))
    if claims.get("nonce") != nonce:
        raise NotValid("the token was made for another request (its nonce is another)")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 1 <= utf16(subject) <= 255:
        raise NotValid("the token names no person: sub is %s" % in_words(subject))

    def time(name):
        value = claims.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise NotValid("%s of the token is %s, not a time" % (name, in_words(value)))
        return value

    issued, expires = time("iat"), time("exp")
    if expires <= now - 60:
        raise NotValid("the token has expired")
    if issued > now + 60:
        raise NotValid("the token is from the future")
    if expires <= issued:
        raise NotValid("the token expires before it was made")
    if "nbf" in claims and time("nbf") > now + 60:
        raise NotValid("the token is not valid yet")
    signed_in = time("auth_time")
    if signed_in > now + 60:
        raise NotValid("the token says that the person will sign in later (auth_time)")
    if signed_in < now - 300:
        raise NotValid("the person signed in at the provider more than 300 seconds ago (auth_time)")
    if expires - issued > 86400:
        raise NotValid("the token is valid for more than a day; a signature needs one whose proof can be shown soon")


# --- The lines of a clause -------------------------------------------------------------------------------------------
#
# A receipt has its lines in full; these are written again only to say whether today's rules would write the same.

P = "prev(applied, 1)"
ONE_NAME = re.compile(r"[^\W\d]\w*|[0-9]+(\.[0-9]+)?")
ONE_GROUP = re.compile(r"(?:[a-zA-Z]+)?\([^()]*\)")
ONE_CALL = re.compile(r"[a-z]+\((?:[^()]|\([^()]*\))*\)")


def group(text):
    return text if ONE_NAME.fullmatch(text) or ONE_GROUP.fullmatch(text) else "(%s)" % text


def within(value, lows, highs):
    if lows and highs:
        low = lows[0] if len(lows) == 1 else "max(%s)" % ", ".join(lows)
        high = highs[0] if len(highs) == 1 else "min(%s)" % ", ".join(highs)
        return "clamp(%s, %s, %s)" % (value, low, high)
    if highs:
        return "min(%s)" % ", ".join([value] + highs)
    if lows:
        return "max(%s)" % ", ".join([value] + lows)
    return value


class Side:
    """A cap or a floor."""

    def __init__(self, node, clause):
        self.period = clause.amount(node, "periodPct")
        self.year_pct = clause.amount(node, "yearPct")
        self.year = node.word("year", "CONTRACT", "ROLLING", "CALENDAR")
        self.cumulative = clause.amount(node, "cumulativePct")
        self.is_carried = node.truth("carryForward")
        node.end()
        if (self.year is not None) != (self.year_pct is not None):
            raise Refused("yearPct and year go together")


class Clause:
    """A clause as it is written. Amounts are texts: digits, or the name of a param."""

    def __init__(self, document):
        node = Node(document.value, "the document").node("clause")
        self.document = document
        self.fixed = self.amount(node, "fixed") or "0"
        self.tolerance = node.number("tolerance", lambda number: 0 <= number < 1)
        self.basis = node.word("basis", "FIXED_BASE", "CHAINED") or "FIXED_BASE"
        self.combine = node.word("combine", "SUM_OF_RATIOS", "RATIO_OF_SUMS") or "SUM_OF_RATIOS"
        self.adder = self.amount(node, "adder")
        self.threshold = None
        threshold = node.node("threshold")
        if threshold is not None:
            self.threshold = {
                "pct": self.amount(threshold, "pct", required=True),
                "test": threshold.word("test", "EXCEEDS", "REACHES", required=True),
                "pays": threshold.word("pays", "ALL", "EXCESS", required=True),
                "since": threshold.word("since", "LAST", "BASE") or "LAST",
                "inside": threshold.word("inside", "KEEP", "RETURN") or "KEEP",
            }
            threshold.end()
        self.bands = [(None, "1")]
        if isinstance(node.value.get("passThrough"), list):
            self.bands = []
            for each in node.nodes("passThrough", 1, 100):
                self.bands.append((self.amount(each, "upTo"), self.amount(each, "share", required=True)))
                each.end()
            if self.bands[-1][0] is not None or any(edge is None for edge, _ in self.bands[:-1]):
                raise Refused("the last band has no edge, all others have one")
        else:
            self.bands = [(None, self.amount(node, "passThrough") or "1")]
        self.cap = Side(node.node("cap"), self) if node.has("cap") else None
        self.floor = Side(node.node("floor"), self) if node.has("floor") else None
        rounding = node.node("rounding")
        self.rounding = {name: None for name in ("ratio", "factor", "total", "percent", "price")}
        self.has_price_rounding = rounding is not None and rounding.has("price")
        if rounding is not None:
            for name in self.rounding:
                self.rounding[name] = rule_of(rounding.rounding(name))
            rounding.end()
        node.end()
        self.weighted = [each for each in document.inputs.values() if each.weight is not None]
        self.check_weights()

    def amount(self, node, key, required=False):
        """Digits, or the name of a param."""
        text = node.text(key, lambda text: is_decimal(text) or text in self.document.params, required)
        return text

    def is_number(self, text):
        return text not in self.document.params

    def days_of_change(self):
        """Days on which any param may change, and the start."""
        days = {self.document.contract.start}
        for value in self.document.params.values():
            if not isinstance(value, str):
                days.update(since for since, _ in value if since >= self.document.contract.start)
        return sorted(days)

    def value(self, text, day):
        return number_of(text) if self.is_number(text) else self.document.param(text, day)

    def check_weights(self):
        if not self.weighted:
            raise Refused("a clause needs weights")
        for day in self.days_of_change():
            amounts = [self.value(text, day) for text in [self.fixed] + [each.weight for each in self.weighted]]
            if None in amounts:
                continue
            off = abs(sum(amounts) - 1)
            if off > (number_of(self.tolerance) if self.tolerance else 0):
                raise Refused("weights and fixed do not add up to 1")

    # Terms

    def percent(self, text):
        return write_exact(number_of(text) / 100) if self.is_number(text) else text + " / 100"

    def one_plus(self, text):
        return write_exact(1 + number_of(text) / 100) if self.is_number(text) else "(1 + %s / 100)" % text

    def is_zero_fixed(self):
        return self.is_number(self.fixed) and number_of(self.fixed) == 0

    def has(self, side, name):
        return side is not None and getattr(side, name) is not None

    # Facts

    @property
    def is_worked_back(self):
        return self.basis == "FIXED_BASE" or self.has(self.cap, "cumulative") or self.has(self.floor, "cumulative")

    @property
    def may_stay_still(self):
        if self.threshold is None or self.threshold["inside"] == "RETURN":
            return False
        return self.threshold["pays"] == "ALL" or self.basis == "CHAINED"

    def is_carried(self, side):
        return side is not None and side.is_carried and (side.period is not None or side.year_pct is not None)

    @property
    def keeps_held_back(self):
        is_any = self.is_carried(self.cap) or self.is_carried(self.floor)
        return is_any and (self.basis == "CHAINED" or self.may_stay_still)

    @property
    def may_reach_zero(self):
        if self.is_number(self.fixed) and number_of(self.fixed) > 0:
            return False
        return self.floor is None or not any(
            getattr(self.floor, name) is not None for name in ("period", "year_pct", "cumulative")
        )

    @property
    def against(self):
        return "base" if self.basis == "FIXED_BASE" else "last"

    def shares(self):
        return [share for _, share in self.bands]

    # Lines

    def lines(self):
        self.made = []
        self.write_factor()
        self.write_shared()
        self.write_target()
        self.write_threshold()
        for name, side in (("year_cap", self.cap), ("year_floor", self.floor)):
            if self.has(side, "year_pct"):
                factor = {"CONTRACT": "contractYearFactor", "ROLLING": "yearAgoFactor", "CALENDAR": "calendarYearFactor"}
                self.add(name, "%s * %s" % (self.one_plus(side.year_pct), factor[side.year]))
        self.write_percent()
        self.write_applied()
        return self.made

    def add(self, name, expr, rounding=None):
        self.made.append({"name": name, "expr": expr, "round": rounding, "show": None})

    def write_factor(self):
        rounding = self.rounding
        if self.combine == "SUM_OF_RATIOS":
            for each in self.weighted:
                name = each.name
                self.add("ratio_" + name, "%s / %s.%s" % (name, name, self.against), rounding["ratio"])
            terms = ["%s * ratio_%s" % (each.weight, each.name) for each in self.weighted]
            if not self.is_zero_fixed():
                terms.insert(0, self.fixed)
            self.add("factor", " + ".join(terms), rounding["factor"])
            return
        now = " + ".join("%s * %s" % (each.weight, each.name) for each in self.weighted)
        then = " + ".join("%s * %s.%s" % (each.weight, each.name, self.against) for each in self.weighted)
        self.add("ratio", "(%s) / (%s)" % (now, then), rounding["ratio"])
        factor = "ratio" if self.is_zero_fixed() else "%s + (1 - %s) * ratio" % (self.fixed, self.fixed)
        self.add("factor", factor, rounding["factor"])

    def write_shared(self):
        movement = "factor - 1" if self.adder is None else "factor - 1 + " + self.percent(self.adder)
        self.add("movement", movement)
        self.add("payable", self.payable())
        self.add("shared", self.shared())

    @property
    def limit(self):
        return self.percent(self.threshold["pct"])

    @property
    def beyond(self):
        return ">" if self.threshold["test"] == "EXCEEDS" else ">="

    def payable(self):
        if self.threshold is None:
            return "movement"
        t = self.limit
        if self.threshold["inside"] == "RETURN":
            return "if(abs(movement) %s %s, movement, 0)" % (self.beyond, t)
        if self.threshold["pays"] == "EXCESS":
            return "if(movement > %s, movement - %s, if(movement < -%s, movement + %s, 0))" % (t, t, group(t), t)
        return "movement"

    def shared(self):
        if len(self.bands) == 1:
            share = self.bands[0][1]
            if self.is_number(share) and number_of(share) == 1:
                return "payable"
            return "%s * payable" % share
        parts = []
        before = None
        for edge, share in self.bands:
            reach = "abs(payable)" if edge is None else "min(abs(payable), %s)" % self.percent(edge)
            width = reach if before is None else "max(%s - %s, 0)" % (reach, self.percent(before))
            is_whole = self.is_number(share) and number_of(share) == 1
            parts.append(width if is_whole else "%s * %s" % (share, width))
            before = edge
        return "if(payable < 0, -1, 1) * (%s)" % " + ".join(parts)

    def write_target(self):
        lows = [self.floor.cumulative] if self.has(self.floor, "cumulative") else []
        highs = [self.cap.cumulative] if self.has(self.cap, "cumulative") else []
        if self.basis == "CHAINED":
            level = P + " * (1 + shared)" + (" * prev(held_back, 1)" if self.keeps_held_back else "")
            self.add("target", within(level, [self.one_plus(x) for x in lows], [self.one_plus(x) for x in highs]))
        else:
            held = within("shared", [self.percent(x) for x in lows], [self.percent(x) for x in highs])
            if self.rounding["total"] is None:
                self.add("target", "1 + " + held)
            else:
                above = [("bare", x, "{X} > %s" % x, "{X} <= %s" % x, False) for x in highs]
                under = [("bare", x, "{X} < %s" % x, "{X} >= %s" % x, False) for x in lows]
                self.write_inside("total", held, self.rounding["total"], above, under)
                self.add("target", "1 + total / 100")
        if self.is_worked_back:
            step = "target / %s - 1" % P
            if self.may_reach_zero:
                step = "if(%s == 0, 0, %s)" % (P, step)
        elif self.keeps_held_back:
            step = "(1 + shared) * prev(held_back, 1) - 1"
        else:
            step = "shared"
        self.add("step", step)

    def whole(self):
        """Whether everything is passed on: True, False, or the condition under which it is."""
        conditions = []
        for share in self.shares():
            if self.is_number(share):
                if number_of(share) != 1:
                    return False
                continue
            value = self.document.params[share]
            values = [number_of(value)] if isinstance(value, str) else [number_of(each) for _, each in value]
            if all(each != 1 for each in values):
                return False
            if any(each != 1 for each in values) and share + " == 1" not in conditions:
                conditions.append(share + " == 1")
        return True if not conditions else " and ".join(conditions)

    def write_threshold(self):
        if not self.may_stay_still:
            return
        t, beyond = self.limit, self.beyond
        whole = True
        if self.threshold["pays"] == "EXCESS":
            condition = "abs(movement) %s %s" % (beyond, t)
        else:
            if self.threshold["since"] == "BASE":
                condition = "abs(movement) %s %s" % (beyond, t)
            else:
                whole = self.whole()
                by_step = "abs(step) %s %s" % (beyond, t)
                if self.is_worked_back and self.may_reach_zero:
                    by_step = "%s == 0 or %s" % (P, by_step)
                if self.basis == "FIXED_BASE":
                    moved = "prev(movement_applied, 0)"
                    by_movement = "abs(movement - %s) %s %s * abs(1 + %s)" % (moved, beyond, group(t), moved)
                else:
                    by_movement = "abs(movement) %s %s" % (beyond, t)
                if whole is True:
                    condition = by_step
                elif whole is False:
                    condition = by_movement
                else:
                    condition = "%s and %s or not (%s) and %s" % (whole, group(by_step), whole, by_movement)
            if self.basis == "FIXED_BASE":
                if self.is_carried(self.cap):
                    condition += " or prev(held_back, 1) > 1 and step > 0"
                if self.is_carried(self.floor):
                    condition += " or prev(held_back, 1) < 1 and step < 0"
        self.add("threshold_met", "if(%s, 1, 0)" % condition)
        is_all = self.threshold["pays"] == "ALL" and self.threshold["since"] == "LAST"
        if is_all and whole is not True and self.basis == "FIXED_BASE":
            self.add("movement_applied", "if(threshold_met == 1, movement, prev(movement_applied, 0))")

    def bounds(self, side, name):
        """Year, then period: as (step, level, crossed kind, amount)."""
        found = []
        if self.has(side, "year_pct"):
            found.append(("%s / %s - 1" % (name, P), name, "level", name))
        if self.has(side, "period"):
            one = self.one_plus(side.period)
            found.append((self.percent(side.period), "%s * %s" % (P, one), "bare", side.period))
        return found

    @property
    def asks_no_limit(self):
        return self.may_reach_zero and (self.is_worked_back or self.has(self.cap, "year_pct"))

    def write_percent(self):
        above, under = self.bounds(self.cap, "year_cap"), self.bounds(self.floor, "year_floor")
        held = within("step", [each[0] for each in under], [each[0] for each in above])
        if held != "step" and self.asks_no_limit:
            held = "if(%s <= 0, step, %s)" % (P, held)
        rounding = self.rounding["percent"]
        is_cumulative = self.has(self.cap, "cumulative") or self.has(self.floor, "cumulative")
        if rounding is None:
            self.add("pct", self.times_hundred(held))
        elif not above and not under and not is_cumulative:
            self.add("pct", "step * 100", rounding)
        else:
            # A bound below may lie inside what a bound above allows.
            may_cross = len(above) > 1 or len(under) > 1 or self.has(self.cap, "year_pct")
            over = [self.edge(kind, amount, ">", False) for _, _, kind, amount in above]
            beneath = [self.edge(kind, amount, "<", may_cross) for _, _, kind, amount in under]
            if self.has(self.cap, "cumulative"):
                over.append(self.edge("level", self.one_plus(self.cap.cumulative), ">", True))
            if self.has(self.floor, "cumulative"):
                beneath.append(self.edge("level", self.one_plus(self.floor.cumulative), "<", True))
            self.write_inside("pct", held, rounding, over, beneath)

    @staticmethod
    def edge(kind, amount, sign, may_lie_inside):
        opposite = "<=" if sign == ">" else ">="
        left = "{X}" if kind == "bare" else P + " * (1 + {X} / 100)"
        return (kind, amount, "%s %s %s" % (left, sign, amount), "%s %s %s" % (left, opposite, amount), may_lie_inside)

    @staticmethod
    def times_hundred(text):
        return text + " * 100" if re.fullmatch("[a-z_]+", text) or ONE_CALL.fullmatch(text) else "(%s) * 100" % text

    def write_inside(self, name, held, rounding, above, under):
        """A percent that is rounded, but never across a limit."""

        def can_cross(edge):
            kind, amount = edge[0], edge[1]
            if kind != "bare" or not self.is_number(amount):
                return True
            unit = number_of(rounding["multiple"]) if "multiple" in rounding else power_of_ten(-rounding["dp"])
            return (number_of(amount) / unit).denominator != 1

        above, under = [each for each in above if can_cross(each)], [each for each in under if can_cross(each)]
        self.add(name + "_held", self.times_hundred(held))
        if not above and not under:
            self.add(name, name + "_held", rounding)
            return
        self.add(name + "_nearest", name + "_held", rounding)
        if above:
            self.add(name + "_down", name + "_held", {**rounding, "mode": "FLOOR"})
        if under:
            self.add(name + "_up", name + "_held", {**rounding, "mode": "CEILING"})

        def crossed(edges):
            conditions = []
            for _, _, crossing, inside, may_lie_inside in edges:
                condition = crossing.replace("{X}", name + "_nearest")
                if may_lie_inside:
                    condition += " and " + inside.replace("{X}", name + "_held")
                conditions.append(condition)
            return " or ".join(conditions)

        expr = name + "_nearest"
        if under:
            expr = "if(%s, %s_up, %s)" % (crossed(under), name, expr)
        if above:
            expr = "if(%s, %s_down, %s)" % (crossed(above), name, expr)
        self.add(name, expr)

    def write_applied(self):
        above, under = self.bounds(self.cap, "year_cap"), self.bounds(self.floor, "year_floor")
        by_percent = P + " * (1 + pct / 100)"
        has_year = self.has(self.cap, "year_pct") or self.has(self.floor, "year_pct")
        if self.rounding["percent"] is not None:
            applied = by_percent
            if self.is_worked_back and self.may_reach_zero:
                applied = "if(%s == 0, target, %s)" % (P, by_percent)
        elif not above and not under:
            applied = "target"
        elif not self.is_worked_back and not has_year:
            applied = by_percent
        else:
            applied = within("target", [each[1] for each in under], [each[1] for each in above])
            if self.asks_no_limit:
                applied = "if(%s <= 0, target, %s)" % (P, applied)
        if self.may_stay_still:
            applied = "if(threshold_met == 1, %s, %s)" % (applied, P)
        self.add("applied", applied)
        if self.keeps_held_back:
            held = "pct / 100" if self.rounding["percent"] is None else "pct_held / 100"
            kept = "(1 + step) / (1 + %s)" % held
            if not (self.is_carried(self.cap) and self.is_carried(self.floor)):
                sign = ">" if self.is_carried(self.cap) else "<"
                kept = "if(step %s %s, %s, 1)" % (sign, held, kept)
            if self.may_stay_still:
                kept = "if(threshold_met == 1, %s, prev(held_back, 1))" % kept
            self.add("held_back", kept)


SHOW = {"dp": 4, "mode": "HALF_UP"}


class Compiled:
    """A whole document: the lines it becomes, and its rules."""

    def __init__(self, document):
        value = document.value
        node = Node(value, "the document")
        self.clause = Clause(document) if "clause" in value else None
        self.lines = self.clause.lines() if self.clause is not None else []
        for each in node.nodes("steps", 0, 400):
            self.lines.append(
                {
                    "name": each.text("name", required=True),
                    "expr": each.text("expr", required=True),
                    "round": rule_of(each.rounding("round")),
                    "show": rule_of(each.rounding("show")),
                }
            )
            each.end()
        result = node.node("result")
        if result is None and self.clause is None:
            raise Refused("neither clause nor result")
        self.kind, self.step, self.show = "FACTOR", "applied", SHOW
        if result is not None:
            kind = result.word("kind", "FACTOR", "CHANGE_PCT", "PRICE", "SURCHARGE", required=self.clause is None)
            step = result.text("step", required=self.clause is None)
            show = result.rounding("show")
            result.end()
            self.kind, self.step = kind or "FACTOR", step or "applied"
            self.show = show if isinstance(show, dict) else SHOW
        self.price_round = document.contract.round
        if self.clause is not None and self.clause.has_price_rounding:
            self.price_round = self.clause.rounding["price"]


# --- Sharing a change among its parts --------------------------------------------------------------------------------


class Shares:
    """Components and controls of a period whose document has a clause, or of steps alone."""

    def __init__(self, computation, compiled):
        self.run = computation
        self.clause = compiled.clause
        self.body = computation.body
        self.rules = self.body["rules"]
        self.values = computation.values
        self.carried = computation.carried
        self.last = self.carried["last"]
        self.is_chained = self.clause is not None and self.clause.basis == "CHAINED"
        self.against = "last" if self.is_chained else "base"
        self.is_exact = True
        usual = {"factor", "movement", "payable", "shared", "target", "step", "pct", "applied"}
        if self.clause is not None and self.clause.rounding["total"] is not None:
            usual.add("total_held")
        self.has_last_lines = self.last["version"] == self.body["formulaVersion"] and usual <= set(self.last["steps"])
        self.applied_before = number_of(self.carried["steps"].get("applied", "1"))
        self.starts_anew = self.is_chained or self.last["date"] is None

    @property
    def adds_up(self):
        is_applied = (self.rules["kind"], self.rules["step"]) == ("FACTOR", "applied")
        is_carried = self.carried["date"] is None or "applied" in self.carried["steps"]
        return self.clause is not None and is_applied and number_of(self.carried["factor"]) != 0 and is_carried

    @property
    def scale(self):
        return Fraction(100) if self.is_chained else 100 / self.applied_before

    def parts(self):
        """The inputs that are components: (input, weight now, current, against)."""
        found = []
        for name, each in self.run.formula.inputs.items():
            now = self.run.readings.get((name, "current"))
            then = self.run.readings.get((name, self.against))
            if each.weight is None or each.base is None or now is None or then is None or then.value == 0:
                continue
            found.append((each, now.value, then.value))
        return found

    def weight(self, each, day):
        if each.weight in self.run.formula.params:
            return self.run.formula.param(each.weight, day)
        return number_of(each.weight)

    def share(self, each, ratio, day):
        """What one input moves the factor by, at a ratio, with the weights of a day."""
        weight = self.weight(each, day)
        if self.clause.combine == "SUM_OF_RATIOS":
            return weight * (ratio - 1)
        fixed = self.clause.value(self.clause.fixed, day)
        total = sum(
            self.weight(other, day) * self.run.reading(other.name, self.against).value for other in self.clause.weighted
        )
        return (1 - fixed) * weight * self.run.reading(each.name, self.against).value * (ratio - 1) / total

    def ratio(self, each, now, then):
        return self.values.get("ratio_" + each.name, now / then)

    def ratio_then(self, each):
        if self.has_last_lines and "ratio_" + each.name in self.last["steps"]:
            return number_of(self.last["steps"]["ratio_" + each.name])
        try:
            last = self.run.take_reading(each.name, "last").value
            base = self.run.reading(each.name, "base").value
            if base == 0:
                raise Insufficient("a base is 0")
            return last / base
        except Insufficient:
            self.is_exact = False
            return Fraction(1)

    def shared(self):
        """(components, controls) as a receipt reports them."""
        show = self.rules["show"]
        is_added = self.adds_up
        percent = self.run.outcome()["adjustmentPct"]
        components, contributions = [], []
        moved_then = Fraction(0)
        last_day = None if self.last["date"] is None else day_of(self.last["date"])
        for each, now, then in self.parts():
            change = (now / then - 1) * 100
            if not is_added:
                contribution = self.weight(each, self.run.day) * change
            elif self.starts_anew:
                contribution = self.share(each, self.ratio(each, now, then), self.run.day) * self.scale
            else:
                before = self.share(each, self.ratio_then(each), last_day)
                moved_then += before
                contribution = (self.share(each, self.ratio(each, now, then), self.run.day) - before) * self.scale
            weight = each.weight
            if weight in self.run.formula.params:
                weight = write_exact(self.weight(each, self.run.day))
            contributions.append(contribution)
            components.append(
                {
                    "input": each.name,
                    "series": each.series,
                    "weight": weight,
                    "change": write_short(change, show),
                    "contribution": write_short(contribution, show),
                }
            )
        if not is_added or percent is None:
            return components, []
        points = self.controls(moved_then, sum(contributions, Fraction(0)))
        rounded = {name: round_by(value, show) for name, value in points if name != "rounding"}
        total = sum((round_by(each, show) for each in contributions), Fraction(0)) + sum(rounded.values(), Fraction(0))
        rounded["rounding"] = round_by(percent, show) - total
        controls = [
            {"control": name, "points": write_short(rounded[name], show)} for name, _ in points if rounded[name] != 0
        ]
        return components, controls

    def controls(self, moved_then, contributed):
        """The points of each control, in the order in which they are reported."""
        value, last_steps, clause = self.values, self.last["steps"], self.clause
        has_percent = clause.rounding["percent"] is not None
        zero = Fraction(0)

        def before(line):
            if self.starts_anew:
                return Fraction(1) if line in ("factor", "target") else zero
            if self.has_last_lines and line in last_steps:
                return number_of(last_steps[line])
            if line in ("factor", "target"):
                return 1 + moved_then
            return 100 * moved_then if line.startswith("total") else moved_then

        def difference(of):
            return (of(lambda line: value[line]) - of(before)) * self.scale

        step = value["step"] * 100
        is_moving = value.get("threshold_met", 1) != 0
        limited = value["pct_held"] if "pct_held" in value else step if has_percent else value["pct"]
        points = []
        points.append(("adder", difference(lambda get: get("movement") - (get("factor") - 1))))
        moved = difference(lambda get: get("payable") - get("movement"))
        points.append(("threshold", moved - (0 if is_moving else step)))
        points.append(("passThrough", difference(lambda get: get("shared") - get("payable"))))

        def target(get):
            return 1 + get("total_held") / 100 if clause.rounding["total"] is not None else get("target")

        held = number_of(self.carried["steps"].get("held_back", "1"))
        if self.is_chained:
            over = (1 + value["step"] - (1 + value["shared"]) * held) * 100
            points.append(("cumulativeCap", min(over, zero)))
            points.append(("cumulativeFloor", max(over, zero)))
        else:
            points.append(("cumulativeCap", difference(lambda get: min(target(get) - 1 - get("shared"), zero))))
            points.append(("cumulativeFloor", difference(lambda get: max(target(get) - 1 - get("shared"), zero))))
        points.extend(self.limits(limited - step if is_moving else zero))
        rounded_then = zero
        if not self.starts_anew and self.has_last_lines and "pct" in last_steps:
            pct = number_of(last_steps["pct"])
            last_step = number_of(last_steps.get("step", "0")) * 100
            then = number_of(last_steps["pct_held"]) if "pct_held" in last_steps else last_step if has_percent else pct
            if 1 + pct / 100 != 0:
                rounded_then = number_of(last_steps["applied"]) / (1 + pct / 100) * (then - pct) / 100
        if self.is_chained:
            carry = (1 + value["shared"]) * (held - 1) * 100
        else:
            carry = (before("target") - self.applied_before) * self.scale - rounded_then * self.scale
        points.append(("carryForward", carry))
        rounding = difference(lambda get: get("factor")) - contributed
        if clause.rounding["total"] is not None:
            rounding += difference(lambda get: get("target") - target(get))
        rounding += rounded_then * self.scale
        if is_moving:
            rounding += value["pct"] - limited
        points.append(("rounding", rounding))
        return points

    def limits(self, held):
        """Which bound held the step back: the lowest above, or the highest below; the year's before the period's."""
        found = {"yearCap": Fraction(0), "yearFloor": Fraction(0), "periodCap": Fraction(0), "periodFloor": Fraction(0)}
        if held != 0:
            clause = self.clause
            side, word = (clause.cap, "Cap") if held < 0 else (clause.floor, "Floor")
            bounds = []
            if clause.has(side, "year_pct") and self.applied_before != 0:
                bounds.append((self.values["year_" + word.lower()] / self.applied_before - 1, "year" + word))
            if clause.has(side, "period"):
                bounds.append((clause.value(side.period, self.run.day) / 100, "period" + word))
            if bounds:
                pick = min if held < 0 else max
                best = pick(bound for bound, _ in bounds)
                name = next(name for bound, name in bounds if bound == best)
                found[name] = held
        return list(found.items())


# --- The receipt of a period -----------------------------------------------------------------------------------------

LONGEST_RECEIPT = 20000000


def read_json(text, most, deepest, called="the receipt"):
    if utf16(text) > most:
        raise Unreadable("%s is too large: %d characters, at most %d" % (called, utf16(text), most))
    try:
        return StrictJson.read(text, deepest)
    except NotStrict as wrong:
        raise Unreadable("%s cannot be read as strict JSON: %s (line %d)" % (called, wrong.why, wrong.line))


def fitted(read, *arguments):
    """A field that does not fit, as the sentence that is printed."""
    try:
        return read(*arguments)
    except Misfit as wrong:
        raise Unreadable("the receipt cannot be read: %s must be %s" % (wrong.path, wrong.what))


ABOUT = {
    "number": fields(("kind", text_field)),
    "line": fields(("kind", text_field), ("line", text_field)),
    "figure": fields(("kind", text_field), ("input", text_field), ("series", text_field), ("period", text_field)),
}


def about_field(value, path):
    if not isinstance(value, dict):
        raise Misfit(path, "a mapping")
    if "kind" not in value:
        raise Misfit(path, "a mapping with kind, which is missing")
    if not isinstance(value["kind"], str) or value["kind"] not in ABOUT:
        raise Misfit(below(path, "kind"), "number, line or figure")
    ABOUT[value["kind"]](value, path)


WHO = [
    ("party", one_of("buyer", "supplier")),
    ("by", text_field),
    ("name", text_field),
    ("at", instant_field),
    ("means", one_of("SESSION", "OPERATOR")),
]
OBJECTION = fields(
    ("id", text_field),
    *WHO,
    ("hash", hash_field),
    ("about", about_field),
    ("reason", text_field),
    (
        "reading",
        or_null(
            fields(
                ("id", text_field),
                ("title", text_field),
                ("words", text_field),
                ("adjustmentPct", or_null(text_field)),
                ("cumulativePct", text_field),
                ("price", or_null(text_field)),
            )
        ),
    ),
    ("answers", list_of(fields(*WHO, ("kind", one_of("ANSWER", "WITHDRAWAL")), ("words", text_field)))),
)


def objections_field(value, path):
    list_of(OBJECTION)(value, path)
    if not value:
        raise Misfit(path, "a list with one in it, or left out")


def mapping_field(value, path):
    if not isinstance(value, dict):
        raise Misfit(path, "a mapping")


RECEIPT = fields(
    ("hash", hash_field),
    ("body", mapping_field),
    ("signatures", list_of(SIGNATURE)),
    ("objections?", objections_field),
    ("seal", or_null(SEAL)),
)


def anything(value, path):
    pass


FIRST_RECEIPT = fields(
    ("hash", hash_field), ("body", mapping_field), ("issuedAt", anything), ("cuts", anything), ("signature", or_null(SEAL))
)


def read_receipt(value):
    """The file with its body, both held to their fields; the first format is brought to today's names."""
    if not isinstance(value, dict):
        raise Unreadable("the receipt cannot be read: it must be a mapping")
    if "body" not in value:
        raise Unreadable("this is not a receipt: it has no body")
    is_first = "issuedAt" in value
    fitted(FIRST_RECEIPT if is_first else RECEIPT, value, "", "the receipt")
    body = value["body"]
    if "format" not in body:
        raise Unreadable("the receipt cannot be read: body must be a mapping with format, which is missing")
    fitted(one_of("assize-receipt/2", "assize-receipt/1"), body["format"], "body.format")
    if is_first:
        seal = value["signature"]
        return {"hash": value["hash"], "body": body, "signatures": [], "seal": seal, "isFirst": True}
    return {**value, "isFirst": False}


def read_body(body):
    """The body in today's form, whichever format it has."""
    if body["format"] == "assize-receipt/1":
        fitted(FIRST_BODY, body, "body")
        check_body(body)
        return first_body(body)
    fitted(BODY, body, "body")
    check_body(body)
    return body


def check_body(body):
    if "companies" in body:
        if not body["companies"]:
            raise Unreadable("the receipt cannot be read: body.companies must be a mapping with a name in it, or left out")
        sides = [body["parties"][side] for side in ("buyer", "supplier")]
        if any(key not in sides for key in body["companies"]):
            raise Unreadable(
                "the receipt cannot be read: body.companies must be a mapping from the slugs that stand under parties"
            )
    if str(body["formulaVersion"]) not in body["documents"]:
        raise Unreadable(
            "the receipt cannot be read: body.documents must be a mapping with formula %d" % body["formulaVersion"]
        )
    if body.get("edition", 2) != 2:
        raise Unreadable(
            "the receipt was computed by edition %d of the rules; this program knows edition 2 and computes nothing by guess"
            % body["edition"]
        )
    known = {each["series"] for each in body["series"]}
    for each in body["observations"]:
        if each["series"] not in known:
            raise Unreadable("the receipt cannot be read: %s is not among its series" % each["series"])


ONE_PERIOD = {
    "DAILY": "1 day", "WEEKLY": "1 week", "MONTHLY": "1 month",
    "QUARTERLY": "1 quarter", "SEMIANNUAL": "6 months", "ANNUAL": "1 year",
}


def first_body(body):
    """The first format: rules and roundings follow from the governing document, with the defaults of its time."""
    frequency = {each["series"]: each["frequency"] for each in body["series"]}
    documents = {}
    for number, text in body["documents"].items():
        value = document_value(text)
        clause = value.get("clause")
        if isinstance(clause, dict):
            rounding = clause.setdefault("rounding", {})
            if isinstance(rounding, dict):
                rounding.setdefault("percent", {"dp": "4", "mode": "HALF_UP"})
        inputs = value.get("inputs")
        for each in inputs.values() if isinstance(inputs, dict) else []:
            convert = each.get("convert") if isinstance(each, dict) else None
            if isinstance(convert, dict) and convert.get("fx") in frequency and convert.get("each") != "true":
                convert.setdefault("window", ONE_PERIOD[frequency[convert["fx"]]])
                convert.setdefault("using", "MEAN")
        # In the order in which it was written: inputs are told in that order.
        documents[number] = json.dumps(value, ensure_ascii=False)
    governing = document_value(documents[str(body["formulaVersion"])])
    own = {}
    result, steps = governing.get("result"), governing.get("steps")
    rounding = {}
    try:
        for each in Node(governing, "the document").nodes("steps", 0, 400) if steps is not None else []:
            own[each.text("name", required=True)] = (rule_of(each.rounding("round")), rule_of(each.rounding("show")))
        if isinstance(governing.get("clause"), dict) and isinstance(governing["clause"].get("rounding"), dict):
            node = Node(governing["clause"]["rounding"], "rounding")
            rounding = {name: rule_of(node.rounding(name)) for name in node.value}
        node = Node(result if isinstance(result, dict) else {}, "result")
        show = node.rounding("show")
        price_round = rule_of(Node(governing["contract"], "contract").node("price").rounding("round")) if isinstance(
            governing.get("contract"), dict) and isinstance(governing["contract"].get("price"), dict) else None
    except (Refused, KeyError):
        raise Unreadable("the receipt's formula %d is refused: its roundings cannot be read" % body["formulaVersion"])
    if "price" in rounding:
        price_round = rounding["price"]
    names = {each["name"] for each in body["steps"]}

    def rounding_of(name):
        if name in own:
            return own[name]
        percent = rounding.get("percent")
        if name == "ratio" or name.startswith("ratio_"):
            return rounding.get("ratio"), None
        if name == "factor":
            return rounding.get("factor"), None
        if name == "pct_down":
            return (None if percent is None else {**percent, "mode": "FLOOR"}), None
        if name == "pct_up":
            return (None if percent is None else {**percent, "mode": "CEILING"}), None
        if name == "pct_nearest" or (name == "pct" and "pct_nearest" not in names):
            return percent, None
        return None, None

    lines = []
    for each in body["steps"]:
        carried_on, shown = rounding_of(each["name"])
        lines.append({**each, "round": carried_on, "show": shown})
    return {
        **body,
        "edition": 2,
        "documents": documents,
        "rules": {
            "kind": node.value.get("kind", "FACTOR"),
            "step": node.value.get("step", "applied"),
            "show": show if isinstance(show, dict) else SHOW,
            "priceRound": price_round,
            "addsUp": False,
        },
        "steps": lines,
    }


def document_value(text):
    value = read_json(text, 1000000, 16, "the receipt's formula")
    if not isinstance(value, dict):
        raise Unreadable("the receipt's formula is not a mapping")
    return value


def compute(body):
    """The lines of a body that was read, computed again."""
    documents = {}
    for number in sorted(map(int, body["documents"])):
        try:
            documents[number] = Document(document_value(body["documents"][str(number)]))
        except Refused as wrong:
            raise Unreadable("the receipt's formula %d is refused: %s" % (number, wrong))
    version = body["formulaVersion"]
    try:
        return Computation(body, documents).run()
    except Refused as wrong:
        raise Unreadable("the receipt's formula %d is refused: %s" % (version, wrong))
    except Unfitting as wrong:
        raise Unreadable("the receipt's formula %d does not fit its series: %s" % (version, wrong))
    except Insufficient as wrong:
        raise Unreadable("the receipt's data do not suffice: %s" % wrong)


def compiled_again(body, computation):
    """(what is said of the compiler, a difference of the parts, whether the parts follow from the figures alone)."""
    other = "today's compiler writes other steps: the wording changed; "
    unknown = (other + "they cannot be computed from the values carried in", None, True)
    try:
        compiled = Compiled(computation.formula)
    except Refused:
        return unknown
    bare = [{key: line[key] for key in ("name", "expr", "round", "show")} for line in body["steps"]]
    if canonical(bare) != canonical(compiled.lines):
        names = set()
        for document in computation.documents.values():
            try:
                names.update(line["name"] for line in Compiled(document).lines)
            except Refused:
                pass
        if any(name not in names for name in body["carriedIn"]["steps"]):
            return unknown
        try:
            again = Computation(body, computation.documents, compiled.lines).run()
            is_same = again.outcome()["factor"] == computation.outcome()["factor"]
        except (Refused, Unfitting, Insufficient, Unreadable):
            return unknown
        return (other + ("the number is the same" if is_same else "the number differs"), None, True)
    shares = Shares(computation, compiled)
    components, controls = shares.shared()
    written = body["result"]["components"]
    if not shares.is_exact:
        components = [{k: v for k, v in each.items() if k != "contribution"} for each in components]
        written = [{k: v for k, v in each.items() if k != "contribution"} for each in written]
    difference = None
    if canonical(written) != canonical(components):
        difference = ("components",) + cut_alike(canonical(written), canonical(components))
    elif shares.is_exact and canonical(body["result"]["controls"]) != canonical(controls):
        difference = ("controls",) + cut_alike(canonical(body["result"]["controls"]), canonical(controls))
    return ("today's compiler writes the same steps", difference, shares.is_exact)


# --- What is said about a receipt ------------------------------------------------------------------------------------


class Verdict:
    """What is wrong, and what is said where nothing is."""

    def __init__(self):
        self.problems = []
        self.lines = []


def percent_words(text):
    """+6.25 %, −0.4 %, 0 %."""
    if text is None:
        return "no percent (from a price of 0)"
    if text.startswith("-"):
        return "−%s %%" % text[1:]
    return "%s%s %%" % ("" if number_of(text) == 0 else "+", text)


def counted(count, one, many):
    return "1 %s" % one if count == 1 else "%d %s" % (count, many)


def judge_seal(seal, text, trust):
    """The problem of a seal, or None."""
    if seal is None:
        return "seal: it recomputes, but nobody signed it"
    if not is_sealed(seal, text):
        return "seal: it is not one of this receipt under the key it names"
    if trust.keys is not None and seal["publicKey"] not in trust.keys:
        return "seal: it is by ed25519:%s, which is not a key that you trust" % seal["publicKey"]
    return None


def judge_signatures(receipt, of, is_sealed_well, trust):
    """(problems, the kind of proof of each signature)."""
    problems, kinds = [], []
    for each in receipt["signatures"]:
        try:
            kinds.append(check_signature(each, of, is_sealed_well, trust))
        except NotValid as wrong:
            kinds.append(None)
            problems.append("the %s's signature (%s): %s" % (each["party"], each["signedBy"], wrong))
    parties = [each["party"] for each in receipt["signatures"]]
    people = [each["signedBy"].lower() for each in receipt["signatures"]]
    if len(set(parties)) < len(parties):
        problems.append("signatures: one party has signed twice")
    if len(set(people)) < len(people):
        problems.append("signatures: one person has signed for both parties")
    return problems, kinds


def issuer_line(body):
    installation, workspace = body.get("installation"), body.get("workspace")
    if installation is None or workspace is None:
        return "it does not say who issued it"
    name = "" if installation["name"] is None else " (%s)" % installation["name"]
    where = "%s (%s, %s)" % (workspace["slug"], workspace["name"], workspace["id"])
    return "issued by %s%s, workspace %s" % (installation["id"], name, where)


def party_lines(body):
    lines = []
    for side in ("buyer", "supplier"):
        slug = body.get("parties", {}).get(side)
        if isinstance(slug, str):
            name = body.get("companies", {}).get(slug)
            lines.append("the %s is %s" % (side, slug if name is None else "%s (%s)" % (name, slug)))
    return lines


def between(body):
    """Who the parties are by the signed body."""
    sides = []
    for party in ("buyer", "supplier"):
        named = body.get("parties", {}).get(party)
        if named is None and party == "buyer":
            words = "(nobody by name: whoever has that role)"
        elif not named:
            words = "(nobody by name)"
        elif isinstance(named, str):
            name = body.get("companies", {}).get(named)
            words = named if name is None else "%s (%s)" % (name, named)
        else:
            words = named[0] if len(named) == 1 else "%s and %s" % (", ".join(named[:-1]), named[-1])
        sides.append("the %s %s" % (party, words))
    return " and ".join(sides)


def origin_words(origin):
    if "provider" in origin:
        return "read from %s by the installation" % origin["provider"]
    if origin["file"] is None:
        return "imported before source files were recorded"
    day = "" if origin["recorded"] is None else origin["recorded"][:10] + ", "
    who = "from" if origin["uploadedBy"] is None else "uploaded by %s," % origin["uploadedBy"]
    return "%s %sfile %s (SHA-256 %s)" % (who, day, origin["file"], origin["sha256"])


def origin_lines(observations):
    counts = {}
    for each in observations:
        words = origin_words(each["origin"])
        counts[words] = counts.get(words, 0) + 1
    return ["%s %s" % (counted(count, "figure", "figures"), words) for words, count in counts.items()]


def seal_line(seal, trust):
    known = "a key that you trust" if trust.keys is not None else "which was not compared with a key that you trust (--trust)"
    return "sealed by ed25519:%s, %s" % (seal["publicKey"], known)


HOW = {
    "PASSKEY": "with a passkey, checked here",
    "PROVIDER": "by the identity provider of their company",
    "PASSWORD": "with a password, recorded by the server that issued it",
    "SESSION": "signed in, recorded by the server that issued it",
    "OPERATOR": "by the operator, in the person's name",
}


def named(signature):
    by = signature["signedBy"]
    return by if signature["name"] == "" or "redacted" in signature else "%s (%s)" % (signature["name"], by)


def signature_lines(signature, body, trust):
    head = "signed for the %s by %s on %s %s" % (
        signature["party"], named(signature), signature["signedAt"][:10], HOW[signature["means"]],
    )
    return [head] + ["  " + phrase for phrase in signer_phrases(signature, body, trust)]


def act_words(act):
    if act["from"] == "OPERATOR":
        return "the operator" if act["by"] in (None, "operator") else "the operator, for %s" % act["by"]
    who = act["by"] or "somebody who was not recorded"
    if act["from"] == "COMPANY":
        return who + " of the same company"
    if act["from"] == "WORKSPACE":
        of = "" if act["company"] is None else ", of %s" % act["company"]
        return "%s (%s of the workspace%s)" % (who, act["role"] or "member", of)
    return who


def provider_phrases(signature, trust):
    provider = signature.get("provider")
    if provider is None:
        return []
    phrases = []
    if "proof" not in provider:
        if is_trusted_issuer(provider, trust):
            phrases.append("its token is checked here, under a key of %s that you trust" % provider["issuer"])
        else:
            phrases.append(
                "its token is checked here; its key was not compared with one of %s that you trust (--trust-issuer)"
                % provider["issuer"]
            )
    phrases.append("signed by subject %s at %s" % (provider["subject"], provider["issuer"]))
    if "proof" in provider:
        phrases.append(
            "the proof follows: it is in what is made after %sZ, when the token has expired" % provider["expiresAt"][:16]
        )
    return phrases


def redaction_words(redaction):
    by = "the operator" if redaction["by"] == "operator" else redaction["by"]
    return "%s by %s: %s" % (redaction["at"][:10], by, redaction["reason"])


def signer_phrases(signature, body, trust):
    phrases = []
    if "redacted" in signature:
        phrases.append("who signed was redacted on %s" % redaction_words(signature["redacted"]))
    phrases += provider_phrases(signature, trust)
    origin = signature.get("origin")
    if origin is None:
        key = "when the key was registered, " if signature["passkey"] is not None else ""
        phrases.append(key + "who invited the signer and when they joined was not recorded")
    else:
        phrases.extend(origin_phrases(signature, origin))
    side = body.get("parties", {}).get(signature["party"])
    if side is None:
        phrases.append("the agreement names nobody for this party: whoever has its role in the workspace signs")
    elif isinstance(side, list):
        phrases.append("the agreement names this party by e-mail address, not as a company")
    others = len(signature["batch"]["entries"]) - 1 if "batch" in signature else 0
    if others > 0:
        way = "by one touch" if signature["passkey"] else "by one sign-in" if "provider" in signature else "in one list"
        phrases.append("signed %s together with %s" % (way, counted(others, "other", "others")))
    return phrases


def origin_phrases(signature, origin):
    joined_on = "who has not joined" if origin["joinedAt"] is None else "who joined on " + origin["joinedAt"][:10]
    invited = origin["invited"]
    key = ""
    if signature["passkey"] is not None:
        registered = [e["registeredAt"] for e in origin["passkeys"] if e["id"] == signature["passkey"]["credentialId"]]
        if registered:
            key = "a key registered here on %s " % registered[0][:10]
    phrases = ["%sby a person invited by %s on %s, %s" % (key, act_words(invited), invited["at"][:10], joined_on)]
    if origin["role"] == "owner":
        phrases.append("they are an owner of the workspace")
    renewed = origin["renewed"]
    if renewed is not None:
        if renewed["how"] == "OPERATOR":
            phrases.append("the operator set a password for them on %s" % renewed["usedAt"][:10])
        else:
            phrases.append(
                "they came in again on %s with a link for a new password made by %s on %s"
                % (renewed["usedAt"][:10], act_words(renewed), renewed["at"][:10])
            )
    company = origin["company"]
    if company is not None:
        put = company["put"]
        if put is not None and (put["at"] != invited["at"] or put["by"] != invited["by"]):
            phrases.append("put into %s by %s on %s" % (company["slug"], act_words(put), put["at"][:10]))
        confirmed = company["confirmed"]
        if confirmed is None:
            phrases.append("not confirmed by the company: %s has not confirmed who its people are" % company["slug"])
        else:
            among = "this one among them" if confirmed["isListed"] else "this one not among them"
            phrases.append(
                "%s confirmed its people on %s by %s, %s (list %s)"
                % (company["slug"], confirmed["at"][:10], confirmed["by"], among, confirmed["hash"])
            )
    return phrases


def objection_lines(receipt):
    lines = []
    for each in receipt.get("objections", []):
        about = each["about"]
        what = {
            "number": "the number",
            "line": "line %s" % about.get("line"),
            "figure": "%s of %s (%s)" % (about.get("series"), about.get("period"), about.get("input")),
        }[about["kind"]]
        if any(answer["kind"] == "WITHDRAWAL" for answer in each["answers"]):
            state = "withdrawn"
        elif each["hash"] != receipt["hash"]:
            state = "to another proposal"
        elif any(signature["party"] == each["party"] for signature in receipt["signatures"]):
            state = "signed after all"
        else:
            state = "open"
        answers = sum(1 for answer in each["answers"] if answer["kind"] == "ANSWER")
        more = "" if answers == 0 else ", " + counted(answers, "answer", "answers")
        lines.append(
            "the %s (%s) objected to %s on %s: %s%s" % (each["party"], each["by"], what, each["at"][:10], state, more)
        )
    return lines


def figures_on_word(observations):
    """What rests on the operator's word about where figures come from."""
    words = []
    origins = [each.get("origin") for each in observations]
    providers = sorted({origin["provider"] for origin in origins if origin and "provider" in origin}, key=in_utf16_order)
    if providers:
        words.append("that the figures of %s were read there as they stand here" % ", ".join(providers))
    uploaders = []
    for origin in origins:
        if origin and "provider" not in origin and origin["uploadedBy"] not in uploaders:
            uploaders.append(origin["uploadedBy"])
    for who in uploaders:
        if who is None:
            words.append("where imported figures come from: it was not recorded")
        else:
            words.append("that %s imported the files whose hashes are shown beside the figures" % who)
    if any(origin is None for origin in origins):
        words.append("where the figures come from: it does not say")
    return words


def signatures_on_word(signatures, kinds, trust):
    words = []
    for each, kind in zip(signatures, kinds):
        by, party = each["signedBy"], each["party"]
        if kind == "word":
            words.append("that %s signed as %s, and how they came to be let in" % (by, party))
        elif kind == "key":
            words.append(
                "that the key with which was signed as %s was registered by %s, and how they came to be let in" % (party, by)
            )
        elif kind == "operator":
            words.append("that %s agreed: the operator signed as %s in their name" % (by, party))
        else:
            provider = each["provider"]
            if not is_trusted_issuer(provider, trust):
                words.append("that the key in the proof is one of %s" % provider["issuer"])
            words.append("that subject %s at %s is %s" % (provider["subject"], provider["issuer"], by))
    return words


class PeriodJudged:
    """Everything about the receipt of a period. Raises Unreadable where it cannot be read or computed."""

    def __init__(self, value, trust):
        receipt = read_receipt(value)
        self.receipt = receipt
        self.is_first = receipt["isFirst"]
        self.body = read_body(receipt["body"])
        self.computation = compute(self.body)
        self.own_hash = hash_value(receipt["body"])
        self.difference = difference_of(self.body, self.computation)
        self.compiler, self.is_exact = "", True
        if self.difference is None:
            self.compiler, self.difference, self.is_exact = compiled_again(self.body, self.computation)
        self.refusals = []
        if receipt["hash"] != self.own_hash:
            self.refusals.append("hash: the receipt says %s, its body gives %s" % (receipt["hash"], self.own_hash))
        text = receipt["hash"] if self.is_first else sealed_hash(receipt)
        seal_problem = judge_seal(receipt["seal"], text, trust)
        is_sealed_well = receipt["seal"] is not None and is_sealed(receipt["seal"], text)
        if seal_problem is not None:
            self.refusals.append(seal_problem)
        ways = self.body.get("parties", {}).get("signWith")
        of = {"hash": self.own_hash, "period": self.body["period"], "isChange": False, "signWith": ways}
        problems, self.kinds = judge_signatures(receipt, of, is_sealed_well, trust)
        self.refusals.extend(problems)
        self.trust = trust

    @property
    def percent(self):
        return percent_words(self.body["result"]["adjustmentPct"])

    def problems(self):
        found = []
        if self.difference is not None:
            line, written, own = self.difference
            found.append(
                "different: %s: the receipt says %s, recomputed %s" % (line, told(written), told(own))
            )
        return found + ["refused: " + each for each in self.refusals]

    def on_word(self):
        words = figures_on_word(self.body["observations"])
        if not self.is_exact:
            words.append(
                "how the change of %s is shared among its parts, which add up: it is the first under other terms"
                % self.body["period"]
            )
        return words + signatures_on_word(self.receipt["signatures"], self.kinds, self.trust)

    def lines(self):
        body = self.body
        lines = [
            "same: %s %s recomputes to %s (edition %d, lines: %d, observations: %d)"
            % (body["pam"], body["period"], self.percent, body["edition"], len(body["steps"]), len(body["observations"])),
            self.compiler,
            issuer_line(body),
        ]
        if not self.is_first:
            lines += party_lines(body) + origin_lines(body["observations"])
        lines.append(seal_line(self.receipt["seal"], self.trust))
        for each in self.receipt["signatures"]:
            lines += signature_lines(each, body, self.trust)
        lines += objection_lines(self.receipt)
        return lines + ["on the operator's word: " + each for each in self.on_word()]


# --- Corrections -----------------------------------------------------------------------------------------------------

CORRECTED_PERIOD = fields(
    ("period", text_field),
    ("adjustmentDate", day_field),
    ("factorBefore", exact_field),
    ("factorAfter", exact_field),
    ("priceBefore", or_null(exact_field)),
    ("priceAfter", or_null(exact_field)),
    ("amount", or_null(exact_field)),
    ("receiptBefore", or_null(hash_field)),
    ("receiptAfter", or_null(hash_field)),
)
CORRECTED_PRICE = fields(
    ("period", text_field),
    ("item", text_field),
    ("fromQuantity", exact_field),
    ("price", exact_field),
    ("per", positive_field),
    ("share", exact_field),
    ("base", text_field),
    ("rounding", rounding_field),
    ("movementBefore", exact_field),
    ("movementAfter", exact_field),
    ("before", exact_field),
    ("after", exact_field),
)
LINE_SHARE = fields(
    ("period", text_field),
    ("days", text_like(lambda number: number >= 1, "at least one day", int_field)),
    ("per", positive_field),
    ("priceBefore", exact_field),
    ("priceAfter", exact_field),
)


def line_shares_field(value, path):
    if isinstance(value, list) and not value:
        raise Misfit(path, "a list with at least one share")
    list_of(LINE_SHARE)(value, path)


CORRECTED_LINE = fields(
    ("supplier", or_null(text_field)),
    ("invoice", or_null(text_field)),
    ("line", or_null(text_field)),
    ("item", text_field),
    ("period", text_field),
    ("quantity", exact_field),
    ("shares", line_shares_field),
    ("amountBefore", exact_field),
    ("amountAfter", exact_field),
    ("amount", exact_field),
)


def carried_or_null(value, path):
    if value is not None:
        carried_field('"origin":{' in canonical(value))(value, path)


CORRECTION_BODY = fields(
    ("format", one_of("assize-correction/1")),
    *HEAD,
    ("level", one_of("HEAL", "REBASE")),
    ("reason", or_null(text_field)),
    ("waived", bool_field),
    ("currency", or_null(text_like(lambda text: re.fullmatch("[A-Z]{3}", text), "three capital letters"))),
    ("net", or_null(exact_field)),
    (
        "causes",
        list_of(
            fields(
                ("series", text_field), ("period", text_field),
                ("before", or_null(fields(*VINTAGE))), ("after", fields(*VINTAGE)),
            )
        ),
    ),
    ("periods", list_of(CORRECTED_PERIOD)),
    ("prices", list_of(CORRECTED_PRICE)),
    ("lines", list_of(CORRECTED_LINE)),
    ("settle", one_of("NOTE", "NEXT_INVOICE", "SPREAD")),
    ("parts", list_of(exact_field)),
    ("carried", carried_or_null),
)
CORRECTION = fields(
    ("hash", hash_field),
    ("body", CORRECTION_BODY),
    ("receipts", list_of(mapping_field)),
    ("signatures", list_of(SIGNATURE)),
    ("seal", or_null(SEAL)),
)
NO_MINOR_UNITS = set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
THREE_DECIMALS = set("BHD IQD JOD KWD LYD OMR TND".split())


def minor_units(currency):
    if currency in NO_MINOR_UNITS:
        return 0
    if currency in THREE_DECIMALS:
        return 3
    return 4 if currency in ("CLF", "UYW") else 2


def check_head(body):
    """The rules about companies and editions that a receipt has too."""
    if "companies" in body:
        if not body["companies"]:
            raise Unreadable("the receipt cannot be read: body.companies must be a mapping with a name in it, or left out")
        sides = [body["parties"][side] for side in ("buyer", "supplier")]
        if any(key not in sides for key in body["companies"]):
            raise Unreadable(
                "the receipt cannot be read: body.companies must be a mapping from the slugs that stand under parties"
            )
    if body["edition"] != 2:
        raise Unreadable(
            "the receipt was computed by edition %d of the rules; this program knows edition 2 and computes nothing by guess"
            % body["edition"]
        )


class Proposal:
    """What corrections and changes of terms have in common: a hash, signatures, a seal."""

    is_change = False

    def judge(self, file, called, trust):
        self.file, self.trust = file, trust
        self.own_hash = hash_value(file["body"])
        self.refusals = []
        if file["hash"] != self.own_hash:
            self.refusals.append("hash: the %s says %s, its body gives %s" % (called, file["hash"], self.own_hash))
        self.own_problems()
        text = sealed_hash({"hash": file["hash"], "signatures": file["signatures"]})
        problem = judge_seal(file["seal"], text, trust)
        if problem is not None:
            self.refusals.append(problem)
        ways = file["body"]["parties"].get("signWith")
        of = {"hash": self.own_hash, "period": None, "isChange": self.is_change, "signWith": ways}
        is_sealed_well = file["seal"] is not None and is_sealed(file["seal"], text)
        problems, self.kinds = judge_signatures(file, of, is_sealed_well, trust)
        self.refusals.extend(problems)

    def own_problems(self):
        pass

    def between_lines(self):
        """Of a change of terms, between whom it was agreed."""
        return []

    def about(self):
        """Issuer, parties, seal, signatures."""
        body = self.file["body"]
        lines = [issuer_line(body)] + party_lines(body) + self.between_lines()
        lines.append(seal_line(self.file["seal"], self.trust))
        for each in self.file["signatures"]:
            lines += signature_lines(each, body, self.trust)
        return lines


class CorrectionJudged(Proposal):
    def __init__(self, value, trust):
        fitted(CORRECTION, value, "", "the correction")
        self.body = body = value["body"]
        check_head(body)
        self.differences = []
        self.receipts = {}
        for each in value["receipts"]:
            self.receipts[hash_value(each)] = each
        self.read = {}
        self.check_periods()
        self.check_prices()
        self.check_lines()
        self.check_net()
        self.check_names()
        self.judge(value, "correction", trust)

    def receipt(self, found_hash):
        """A receipt that the correction names, read and computed once."""
        if found_hash not in self.read:
            body = self.receipts[found_hash]
            if "format" not in body:
                raise Unreadable("the receipt cannot be read: body must be a mapping with format, which is missing")
            fitted(one_of("assize-receipt/2", "assize-receipt/1"), body["format"], "body.format")
            own = read_body(body)
            self.read[found_hash] = (own, compute(own))
        return self.read[found_hash]

    def say(self, *words):
        self.differences.append("".join(words))

    def check_periods(self):
        for each in self.body["periods"]:
            period = each["period"]
            for which, key, factor in (("settled", "receiptBefore", "factorBefore"), ("restated", "receiptAfter", "factorAfter")):
                named_hash = each[key]
                if named_hash is None:
                    if each["factorBefore"] != each["factorAfter"]:
                        self.say("%s: its number moved without a receipt" % period)
                    continue
                if named_hash not in self.receipts:
                    self.say("%s: the %s receipt %s is not there" % (period, which, named_hash))
                    continue
                body, computation = self.receipt(named_hash)
                if (body["pam"], body["period"]) != (self.body["pam"], period):
                    self.say("%s: the %s receipt is of another period" % (period, which))
                    continue
                difference = difference_of(body, computation)
                if difference is not None:
                    self.say(
                        "%s: %s of the %s receipt does not follow from its figures" % (period, difference[0], which)
                    )
                    continue
                if body["result"]["factor"] != each[factor]:
                    self.say(
                        "%s: the %s receipt has the factor %s, not %s"
                        % (period, which, body["result"]["factor"], each[factor])
                    )
            pair = (each["priceBefore"], each["priceAfter"])
            if pair[0] != pair[1] and all(
                (price["period"], price["before"], price["after"]) != (period,) + pair for price in self.body["prices"]
            ):
                self.say("%s: its price is not among the corrected prices" % period)

    def check_prices(self):
        periods = {each["period"]: each for each in self.body["periods"]}
        for each in self.body["prices"]:
            item, period = each["item"], each["period"]
            if period not in periods:
                self.say("%s: %s is not among the corrected periods" % (item, period))
                continue
            for when, key, movement in (("before", "factorBefore", "movementBefore"), ("after", "factorAfter", "movementAfter")):
                if each["base"] in periods:
                    divisor = number_of(periods[each["base"]][key])
                else:
                    divisor = Fraction(1) if each["base"] == "start" else None
                if divisor and number_of(periods[period][key]) / divisor != number_of(each[movement]):
                    self.say(
                        "%s in %s: the price %s moves by %s, which is not the factor over its base"
                        % (item, period, when, each[movement])
                    )
                    continue
                share = number_of(each["share"])
                own = number_of(each["price"]) * (1 - share + share * number_of(each[movement]))
                written = write_rounded(own, each["rounding"])
                if not is_same_figure(each[when], written, each["rounding"]):
                    self.say("%s in %s: the price %s comes to %s, not %s" % (item, period, when, written, each[when]))

    def check_lines(self):
        currency = self.body["currency"]
        prices = {(each["period"], each["item"], each["before"], each["after"]) for each in self.body["prices"]}
        for each in self.body["lines"]:
            if each["invoice"] is None:
                called = "%s in %s" % (each["item"], each["period"])
            else:
                called = "%s, line %s" % (each["invoice"], each["line"])
            if currency is None:
                self.say("%s: an amount without a currency" % called)
                continue
            if any(
                share["priceBefore"] != share["priceAfter"]
                and (share["period"], each["item"], share["priceBefore"], share["priceAfter"]) not in prices
                for share in each["shares"]
            ):
                self.say("%s: its price is not among the corrected prices" % called)
            days = sum(share["days"] for share in each["shares"])
            for when, price, amount in (("before", "priceBefore", "amountBefore"), ("after", "priceAfter", "amountAfter")):
                own = sum(
                    number_of(each["quantity"]) * share["days"] / days * number_of(share[price]) / number_of(share["per"])
                    for share in each["shares"]
                )
                written = write_fixed(own, minor_units(currency))
                if written != each[amount]:
                    self.say("%s: the amount %s comes to %s, not %s" % (called, when, written, each[amount]))
            if number_of(each["amountAfter"]) - number_of(each["amountBefore"]) != number_of(each["amount"]):
                self.say("%s: %s is not the difference of its amounts" % (called, each["amount"]))

    def check_net(self):
        body = self.body
        if body["net"] is None:
            if body["lines"]:
                self.say("net: it is missing beside amounts of lines")
            return
        net = number_of(body["net"])
        if net != sum((number_of(each["amount"]) for each in body["lines"]), Fraction(0)):
            self.say("net: %s is not the sum of its lines" % body["net"])
        if net != sum((number_of(each["amount"] or "0") for each in body["periods"]), Fraction(0)):
            self.say("net: %s is not the sum of its periods" % body["net"])
        if body["waived"]:
            if body["parts"]:
                self.say("parts: what is waived is not settled by anything")
            return
        units = minor_units(body["currency"])
        count = max(1, len(body["parts"])) if body["settle"] == "SPREAD" else 1
        each_part = round_by(net / count, {"dp": units, "mode": "DOWN"})
        parts = [each_part] * (count - 1) + [net - each_part * (count - 1)]
        own = [write_fixed(part, units) for part in parts]
        if body["parts"] != own:
            self.say("parts: they are %s" % ", ".join(own))

    def check_names(self):
        named_hashes = {each[key] for each in self.body["periods"] for key in ("receiptBefore", "receiptAfter")}
        for found_hash in self.receipts:
            if found_hash not in named_hashes:
                self.say("receipts: no period names %s" % found_hash)

    def amount(self):
        body = self.body
        if body["net"] is None:
            words = "no amount"
        else:
            words = body["net"] if body["currency"] is None else "%s %s" % (body["net"], body["currency"])
        return words + (", waived" if body["waived"] else "")

    def problems(self):
        return ["different: " + each for each in self.differences] + ["refused: " + each for each in self.refusals]

    def on_word(self):
        observations = [each for body in self.file["receipts"] for each in body["observations"]]
        return figures_on_word(observations) + signatures_on_word(self.file["signatures"], self.kinds, self.trust)

    def lines(self):
        body = self.body
        counts = (body["edition"], len(body["periods"]), len(body["lines"]), len(self.file["receipts"]))
        head = "same: the correction of %s comes to %s" % (body["pam"], self.amount())
        lines = [head + " (edition %d, periods: %d, lines: %d, receipts: %d)" % counts] + self.about()
        return lines + ["on the operator's word: " + each for each in self.on_word()]


# --- Changes of terms ------------------------------------------------------------------------------------------------

NUMBERS = fields(
    ("adjustmentPct", or_null(text_field)),
    ("cumulativePct", or_null(text_field)),
    ("price", or_null(text_field)),
    ("gap", or_null(text_field)),
)
CONTRACT_WORDS = [
    ("sentences", list_of(text_field)),
    ("links", list_of(fields(("sentence", version_field), ("path", or_null(text_field))))),
    ("file", or_null(fields(("name", text_field), ("sha256", hash_field)))),
]
WORDS_ROWS = list_of(fields(("versions", list_of(version_field)), ("sha256", hash_field), *CONTRACT_WORDS))
AMENDMENT_BODY = fields(
    ("format", one_of("assize-amendment/1")),
    *HEAD,
    ("basis", int_field),
    ("documentBefore", hash_field),
    ("documentAfter", hash_field),
    ("differences", list_of(fields(("path", text_field), ("before", or_null(text_field)), ("after", or_null(text_field))))),
    ("words?", fields(("before", or_null(hash_field)), ("after", or_null(fields(*CONTRACT_WORDS))))),
    ("effectiveFrom", day_field),
    (
        "effect",
        list_of(
            fields(("date", day_field), ("period", text_field), ("before", or_null(NUMBERS)), ("after", or_null(NUMBERS)))
        ),
    ),
    ("reason", text_field),
    ("knownAt", instant_field),
)
SERIES_SIDE = fields(("series", text_field), ("name", text_field), ("unit", text_field), ("frequency", FREQUENCY))
OUTCOME = fields(("factor", or_null(exact_field)), ("price", or_null(exact_field)), ("gap", or_null(text_field)))
CLOSENESS = [(name, or_null(decimal_field)) for name in ("spreadPct", "correlation", "differencePct")]
SPLICE_BODY = fields(
    ("format", one_of("assize-splice/1")),
    *HEAD,
    ("version", version_field),
    ("effectiveFrom", day_field),
    ("inputs", list_of(text_field)),
    ("old", SERIES_SIDE),
    ("new", SERIES_SIDE),
    (
        "ground",
        fields(
            ("kind", one_of("EVENT", "SUSPECT", "BY_HAND")),
            ("event", or_null(text_field)),
            ("change", or_null(one_of("ENDED", "REBASED", "SUPERSEDED", "CANCELLED", "METHOD"))),
            ("sentence", text_field),
        ),
    ),
    ("method", one_of("OVERLAP", "POINT", "PUBLISHED", "SAME_LEVEL", "RELEVEL")),
    (
        "window",
        or_null(
            fields(
                ("from", text_field), ("until", text_field), ("averaged", or_null(one_of("OLD", "NEW"))),
                ("leftOut", list_of(fields(("period", text_field), ("why", text_field)))),
            )
        ),
    ),
    (
        "coefficient",
        or_null(
            fields(
                ("direction", one_of("OLD_TO_NEW", "NEW_TO_OLD")), ("exact", exact_field), ("written", decimal_field),
                ("rounding", or_null(rounding_field)), ("source", or_null(text_field)),
            )
        ),
    ),
    (
        "bases",
        list_of(
            fields(
                ("input", text_field), ("before", text_field), ("beforeReading", exact_field),
                ("after", text_field), ("afterReading", exact_field),
            )
        ),
    ),
    ("join", text_field),
    ("waitedForFinal", bool_field),
    (
        "effect",
        fields(
            (
                "signed",
                list_of(
                    fields(
                        ("period", text_field), ("adjustmentDate", day_field), ("factor", exact_field), ("receipt", hash_field)
                    )
                ),
            ),
            (
                "next",
                list_of(
                    fields(
                        ("period", text_field), ("adjustmentDate", day_field),
                        ("old", OUTCOME), ("new", OUTCOME), ("others", list_of(OUTCOME)),
                    )
                ),
            ),
            ("windows", list_of(fields(("from", text_field), ("until", text_field), ("coefficient", decimal_field)))),
        ),
    ),
    (
        "evidence",
        fields(
            (
                "overlap",
                list_of(
                    fields(
                        ("period", text_field), ("old", list_of(fields(*VINTAGE))), ("new", list_of(fields(*VINTAGE))),
                        ("ratio", exact_field),
                    )
                ),
            ),
            ("worst", or_null(text_field)),
            *CLOSENESS,
            ("hash", hash_field),
        ),
    ),
    (
        "alternatives",
        list_of(
            fields(("series", text_field), ("name", text_field), ("why", text_field), ("common", or_null(text_field)), *CLOSENESS)
        ),
    ),
    ("document", text_field),
)


def change_field(value, path):
    is_splice = isinstance(value, dict) and value.get("format") == "assize-splice/1"
    (SPLICE_BODY if is_splice else AMENDMENT_BODY)(value, path)


CHANGE = fields(
    ("hash", hash_field),
    ("body", change_field),
    ("document", or_null(text_field)),
    ("signatures", list_of(SIGNATURE)),
    ("seal", or_null(SEAL)),
)


def mean(numbers):
    return sum(numbers) / len(numbers)


def correlation_of(pairs):
    """Of the changes from one period to the next, to four decimals; None where it cannot be told."""
    xs, ys = [], []
    for (period, old, new), (after, later_old, later_new) in zip(pairs, pairs[1:]):
        if after == period.after(1):
            xs.append(to_whole((later_old / old - 1) * 10**12, "HALF_UP"))
            ys.append(to_whole((later_new / new - 1) * 10**12, "HALF_UP"))
    count = len(xs)
    if count < 3:
        return None
    xs = [count * each - sum(xs) for each in xs]
    ys = [count * each - sum(ys) for each in ys]
    both, x2, y2 = sum(a * b for a, b in zip(xs, ys)), sum(a * a for a in xs), sum(b * b for b in ys)
    if x2 == 0 or y2 == 0:
        return None
    size = (integer_root(4 * both * both * 10**8 // (x2 * y2), 2) + 1) // 2
    return write_fixed(Fraction(size if both >= 0 else -size, 10**4), 4)


class ChangeJudged(Proposal):
    is_change = True

    def __init__(self, value, trust):
        fitted(CHANGE, value, "", "the change")
        self.body = value["body"]
        check_head(self.body)
        self.is_splice = self.body["format"] == "assize-splice/1"
        self.judge(value, "change", trust)

    @property
    def basis(self):
        return self.body["version"] if self.is_splice else self.body["basis"]

    def own_problems(self):
        if self.is_splice:
            self.check_splice()
        else:
            self.check_amendment()

    def check_amendment(self):
        document = self.file["document"]
        if document is None or hash_text(document) != self.body["documentAfter"]:
            self.refusals.append("the document is not the one whose hash was signed")
            return
        found = re.search(r"(?m)^slug:\s*[\"']?([^\s\"'#]+)", document) or re.search(r'"slug"\s*:\s*"([^"]*)"', document)
        if found is not None and found.group(1) != self.body["pam"]:
            self.refusals.append("the document is of another agreement")

    def check_splice(self):
        body, say = self.body, self.refusals.append
        evidence = body["evidence"]
        if hash_value(evidence["overlap"]) != evidence["hash"]:
            say("the hash of the evidence is another one")
        pairs = []
        for each in evidence["overlap"]:
            sides = [[number_of(vintage["value"]) for vintage in each[side]] for side in ("old", "new")]
            if any(not side or min(side) <= 0 for side in sides):
                say("a common period lacks a value above 0")
                return
            pairs.append((each["period"], mean(sides[0]), mean(sides[1])))
        for each, (period, old, new) in zip(evidence["overlap"], pairs):
            if each["ratio"] != write_exact(new / old):
                say("the ratio of %s is not that of its values" % period)
        self.check_coefficient(pairs)
        if self.closeness(pairs) != {key: evidence[key] for key in ("worst", "spreadPct", "correlation", "differencePct")}:
            say("spread, correlation, difference or the worst period is not that of the evidence")
        self.check_document()
        if self.file["document"] is not None:
            say("a splice has its document in its body alone")

    def check_coefficient(self, pairs):
        body, say = self.body, self.refusals.append
        method, coefficient = body["method"], body["coefficient"]
        if method == "RELEVEL":
            return
        if coefficient is None:
            say("%s needs a coefficient" % method)
        elif method == "SAME_LEVEL":
            if (coefficient["written"], coefficient["exact"]) != ("1", "1"):
                say("SAME_LEVEL has the coefficient 1")
        elif method == "PUBLISHED":
            if coefficient["source"] is None:
                say("a published coefficient names its source")
            if number_of(coefficient["exact"]) != number_of(coefficient["written"]):
                say("the coefficient is not the one that was published")
        elif not pairs:
            say("%s needs common periods" % method)
        else:
            if method == "POINT" and len(pairs) != 1:
                say("POINT rests on one period")
            if coefficient["rounding"] is None:
                say("a computed coefficient says how it is rounded")
                return
            old, new = mean([pair[1] for pair in pairs]), mean([pair[2] for pair in pairs])
            own = new / old if coefficient["direction"] == "OLD_TO_NEW" else old / new
            written = write_rounded(own, coefficient["rounding"])
            if (coefficient["exact"], coefficient["written"]) != (write_exact(own), written) or number_of(written) <= 0:
                say("the coefficient is not the ratio of the means of the evidence")

    def closeness(self, pairs):
        coefficient = self.body["coefficient"]
        c = None
        if coefficient is not None and number_of(coefficient["written"]) != 0:
            c = number_of(coefficient["written"])
            c = c if coefficient["direction"] == "OLD_TO_NEW" else 1 / c
        ratios = [new / old for _, old, new in pairs]
        spread = difference = worst = None
        if len(ratios) >= 2:
            spread = write_fixed((max(ratios) / min(ratios) - 1) * 100, 4)
        if c is not None and ratios:
            gaps = [abs(ratio / c - 1) for ratio in ratios]
            difference = write_fixed(mean(gaps) * 100, 4)
            worst = pairs[gaps.index(max(gaps))][0]
        periods = [(Period.of(period), old, new) for period, old, new in pairs]
        correlation = None if any(period is None for period, _, _ in periods) else correlation_of(periods)
        return {"worst": worst, "spreadPct": spread, "correlation": correlation, "differencePct": difference}

    def check_document(self):
        body, say = self.body, self.refusals.append
        try:
            value = StrictJson.read(body["document"], 16)
        except NotStrict:
            return  # Written as people write it: without a YAML reader its terms are not judged.
        try:
            document = Document(value)
            Compiled(document)
        except Refused as wrong:
            say("the document does not hold: %s" % wrong)
            return
        if document.effective_from.isoformat() != body["effectiveFrom"]:
            say("the document governs from another day")
        if document.slug != body["pam"]:
            say("the document is of another agreement")
        for name in body["inputs"]:
            if name not in document.inputs:
                say("the document has no input %s" % name)
            elif not self.is_spliced(document.inputs[name]):
                say("the input %s is not spliced as the proposal says" % name)

    def is_spliced(self, each):
        body = self.body
        old, new, join = body["old"]["series"], body["new"]["series"], Period.of(body["join"])
        if body["coefficient"] is None:
            base = next((entry["after"] for entry in body["bases"] if entry["input"] == each.name), None)
            value = self.body["document"]
            written = StrictJson.read(value, 16)["inputs"][each.name].get("base")
            return each.series == new and not each.links and written == base
        if any(link["series"] == new and link["from"] == join.after(1) and link["until"] is None for link in each.links):
            return True
        return each.series == new and any(
            link["series"] == old and link["until"] == join
            and number_of(link["coefficient"]) == number_of(body["coefficient"]["written"])
            for link in each.links
        )

    def terms(self):
        body = self.body
        if self.is_splice:
            way = body["method"]
            if body["coefficient"] is not None:
                way += ", coefficient " + body["coefficient"]["written"]
            return "in place of %s comes %s (%s)" % (body["old"]["series"], body["new"]["series"], way)
        if not body["differences"]:
            return "other words for the same terms"
        return "other " + ", ".join(each["path"] for each in body["differences"])

    def problems(self):
        return ["refused: " + each for each in self.refusals]

    def on_word(self):
        return signatures_on_word(self.file["signatures"], self.kinds, self.trust)

    def between_lines(self):
        state = "agreed" if len(self.file["signatures"]) == 2 else "proposed"
        return ["%s between %s" % (state, between(self.body))]

    def lines(self):
        body = self.body
        head = "same: the change of formula %d of %s follows from its figures: %s, from %s on" % (
            self.basis, body["pam"], self.terms(), body["effectiveFrom"],
        )
        words = self.on_word() + [CHANGES_ON_WORD]
        return [head] + self.about() + ["on the operator's word: " + each for each in words]


CHANGES_ON_WORD = (
    "that the figures in changes of terms, and what they do to later dates, are as the installation recorded them"
)


# --- Archives: one that two programs could unpack differently is refused ---------------------------------------------

MOST_BYTES, MOST_FILES, LONGEST_PATH = 200000000, 20000, 400
# Of each of its JSON files.
MOST_VALUES = 4000000


class Archive:
    """The files of a ZIP archive by path, in their order; contents are unpacked on demand."""

    def __init__(self, data):
        self.data = data
        self.entries = {}
        self.read_directory()

    @staticmethod
    def refuse(why):
        raise Unreadable("the archive cannot be relied on: " + why)

    def read_directory(self):
        data = self.data
        end = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 65535))
        while end >= 0 and (end + 22 > len(data) or end + 22 + struct.unpack_from("<H", data, end + 20)[0] != len(data)):
            end = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 65535), end)
        if end < 0:
            raise Unreadable("this is not a whole ZIP archive: its directory is missing")
        disk, start_disk, here, count, size, at, _ = struct.unpack_from("<HHHHIIH", data, end + 4)
        if disk or start_disk or here != count:
            self.refuse("it has several parts")
        if 0xFFFF in (here, count) or 0xFFFFFFFF in (size, at) or data[end - 20 : end - 16] == b"PK\x06\x07":
            self.refuse("it is ZIP64")
        if count > MOST_FILES:
            self.refuse("it has too many files")
        if at + size != end:
            self.refuse("bytes belong to no file")
        total, position = 0, at
        for _ in range(count):
            position, entry = self.read_entry(position, end)
            total += entry["size"]
            if total > MOST_BYTES:
                self.refuse("its files are too large")
            if entry["path"] in self.entries:
                self.refuse("a path is there twice")
            self.entries[entry["path"]] = entry
        if position != end:
            self.refuse("bytes belong to no file")
        self.check_places(at)

    def read_entry(self, position, end):
        data = self.data
        if data[position : position + 4] != b"PK\x01\x02" or position + 46 > end:
            self.refuse("its directory is damaged")
        head = struct.unpack_from("<HHHHHHIIIHHHHHII", data, position + 4)
        made, _, flags, method, _, _, crc, packed, size, name, extra, comment, disk, _, outside, at = head
        begin = position + 46
        raw = data[begin : begin + name]
        if disk:
            self.refuse("it has several parts")
        if flags & 0x2041:
            self.refuse("a file is encrypted")
        if method not in (0, 8):
            self.refuse("a file is packed in an unknown way")
        if 0xFFFFFFFF in (packed, size, at):
            self.refuse("it is ZIP64")
        if made >> 8 == 3 and (outside >> 28) == 0xA:
            self.refuse("a file is a symbolic link")
        entry = {
            "path": self.path_of(raw), "flags": flags, "method": method, "crc": crc,
            "packed": packed, "size": size, "at": at, "raw": raw,
        }
        return begin + name + extra + comment, entry

    def path_of(self, raw):
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse("a path is not UTF-8")
        steps = path.split("/")
        if path.endswith("/"):
            steps = steps[:-1]
        if len(raw) > LONGEST_PATH or not steps or any(step in ("", ".", "..") for step in steps):
            self.refuse("a path cannot be relied on")
        if re.search(r"[\x00-\x1f\x7f\\:]", path):
            self.refuse("a path cannot be relied on")
        return path

    def check_places(self, directory):
        """Each file begins where the one before it ends."""
        data, expected = self.data, 0
        for entry in sorted(self.entries.values(), key=lambda each: each["at"]):
            at = entry["at"]
            if at != expected or data[at : at + 4] != b"PK\x03\x04":
                self.refuse("bytes belong to no file")
            _, flags, method, _, _, crc, packed, size, name, extra = struct.unpack_from("<HHHHHIIIHH", data, at + 4)
            follows = bool(flags & 8)
            same = (flags, method) == (entry["flags"], entry["method"]) and data[at + 30 : at + 30 + name] == entry["raw"]
            sizes = (crc, packed, size)
            if not same or (sizes != (entry["crc"], entry["packed"], entry["size"]) and not (follows and sizes == (0, 0, 0))):
                self.refuse("a file is described twice, differently")
            entry["begin"] = at + 30 + name + extra
            expected = entry["begin"] + entry["packed"]
            if follows:
                expected = self.behind_descriptor(entry, expected)
        if expected != directory:
            self.refuse("bytes belong to no file")

    def behind_descriptor(self, entry, at):
        for length in (12, 16, 20, 24):
            following = self.data[at + length : at + length + 4]
            if following in (b"PK\x03\x04", b"PK\x01\x02"):
                return at + length
        self.refuse("bytes belong to no file")

    def bytes_of(self, path):
        """Unpacked, with its length and checksum compared."""
        entry = self.entries[path]
        packed = self.data[entry["begin"] : entry["begin"] + entry["packed"]]
        if entry["method"] == 8:
            try:
                unpacker = zlib.decompressobj(-15)
                content = unpacker.decompress(packed, entry["size"] + 1)
                is_whole = unpacker.eof and not unpacker.unused_data
            except zlib.error:
                content, is_whole = b"", False
        else:
            content, is_whole = packed, True
        if not is_whole or len(content) != entry["size"] or zlib.crc32(content) != entry["crc"]:
            raise Unreadable("%s in the archive is damaged" % path)
        return content


# --- The log: trees (RFC 6962), notes, checkpoints, cosignatures and slips (C2SP) ------------------------------------


def leaf_hash(leaf):
    return sha256(b"\x00" + leaf)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def root_by_inclusion(index, size, leaf, proof):
    """The root that an inclusion proof leads to; None where the proof does not fit."""
    if index >= size:
        return None
    node, last, at = leaf, size - 1, index
    for each in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            node = node_hash(each, node)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            node = node_hash(node, each)
        at >>= 1
        last >>= 1
    return node if last == 0 else None


def is_grown(old_size, old_root, new_size, new_root, proof):
    """Whether a consistency proof leads from one tree to a later one."""
    if old_size > new_size:
        return False
    if old_size == new_size:
        return not proof and old_root == new_root
    if old_size == 0:
        return not proof
    path = list(proof)
    if old_size & (old_size - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at >>= 1
        last >>= 1
    old = new = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(each, old), node_hash(each, new)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            new = node_hash(new, each)
        at >>= 1
        last >>= 1
    return last == 0 and old == old_root and new == new_root


def from_base64(text):
    """The bytes of base64 with padding, or None where it is not the one spelling of them."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def hash_of_line(line):
    data = from_base64(line)
    if data is None or len(data) != 32:
        raise Unreadable("a line of a proof is not a hash")
    return data


class Vkey:
    """The public key of a log or a witness: name+id+key."""

    def __init__(self, text):
        parts = text.split("+", 2)
        data = from_base64(parts[2]) if len(parts) == 3 else None
        if data is None or len(data) < 2 or not re.fullmatch("[0-9a-f]{8}", parts[1]) or not parts[0]:
            raise Unreadable("this is not a key of a log or a witness: %s" % text)
        self.name, self.id = parts[0], bytes.fromhex(parts[1])
        self.type, self.key = data[0], data[1:]
        if self.type not in (1, 4) or len(self.key) != 32:
            raise Unreadable("the key of %s is of the type %d, which is not read here" % (self.name, self.type))
        if sha256(self.name.encode("utf-8") + b"\n" + data)[:4] != self.id:
            raise Unreadable("the id of the key %s+%s is not that of its key" % (self.name, parts[1]))

    @property
    def called(self):
        return "%s+%s" % (self.name, self.id.hex())


class Checkpoint:
    """A note whose text is an origin, a size and a root."""

    def __init__(self, note):
        text, _, signatures = note.rpartition("\n\n")
        self.text = text + "\n"
        lines = text.split("\n")
        if not signatures.endswith("\n") or len(lines) < 3 or not re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]):
            raise Unreadable("this is not a checkpoint")
        self.origin, self.size, self.root = lines[0], int(lines[1]), from_base64(lines[2])
        if self.root is None or len(self.root) != 32:
            raise Unreadable("this is not a checkpoint")
        self.signatures = []
        for line in signatures[:-1].split("\n"):
            found = re.fullmatch("— (\\S+) (\\S+)", line)
            data = from_base64(found.group(2)) if found is not None else None
            if data is None or len(data) < 5:
                raise Unreadable("a signature of the checkpoint cannot be read")
            self.signatures.append((found.group(1), data[:4], data[4:]))

    def of(self, key):
        """Signatures that name a key."""
        return [value for name, key_id, value in self.signatures if (name, key_id) == (key.name, key.id)]

    def is_signed_by(self, key):
        """True, False, or None where nothing by that key is there."""
        found = self.of(key)
        if not found:
            return None
        return all(self.holds(key, value) for value in found)

    def holds(self, key, value):
        if key.type == 1:
            return Ed25519.verify(key.key, self.text.encode("utf-8"), value)
        if key.type == 4 and len(value) == 72:
            time = int.from_bytes(value[:8], "big")
            message = "cosignature/v1\ntime %d\n%s" % (time, self.text)
            return Ed25519.verify(key.key, message.encode("utf-8"), value[8:])
        return False

    def cosigned_at(self, key):
        """Seconds since 1970, or None where that key did not cosign."""
        if self.is_signed_by(key) is not True or key.type == 1:
            return None
        return min(int.from_bytes(value[:8], "big") for value in self.of(key))


class Slip:
    """Says that one entry is in the log."""

    def __init__(self, text):
        if not text.startswith("c2sp.org/tlog-proof@v1\n"):
            raise Unreadable("a proof begins with the line c2sp.org/tlog-proof@v1")
        head, found, note = text.partition("\n\n")
        lines = head.split("\n")[1:]
        if not lines or not lines[0].startswith("extra "):
            raise Unreadable("this proof is not a slip: it has nothing about an entry")
        extra = from_base64(lines[0][len("extra ") :])
        index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines[1]) if len(lines) > 1 else None
        if extra is None or index is None or not found:
            raise Unreadable("this proof cannot be read")
        self.leaf_index = int(index.group(1))
        self.leaf_proof = [hash_of_line(line) for line in lines[2:]]
        self.checkpoint = Checkpoint(note)
        self.read_extra(extra)

    def read_extra(self, extra):
        try:
            lines = extra.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            raise Unreadable("this proof is not a slip: it has nothing about an entry")
        pattern = [
            "assize-slip/1", "scope (.+)", "secret (.+)", "head ([1-9][0-9]*) ([1-9][0-9]*) (.+)", "index (0|[1-9][0-9]*)",
            r"entry (([1-9][0-9]*)\|([^|]*)\|([^|]*)\|([0-9a-f]{64}))",
        ]
        if lines and lines[-1] == "":
            lines.pop()
        found = [re.fullmatch(each, line) for each, line in zip(pattern, lines)]
        if lines[:1] != ["assize-slip/1"]:
            raise Unreadable("this proof is not a slip: it has nothing about an entry")
        if len(found) < len(pattern) or None in found:
            raise Unreadable("this slip cannot be read")
        self.scope = found[1].group(1)
        self.secret, self.root = from_base64(found[2].group(1)), from_base64(found[3].group(3))
        if self.secret is None or len(self.secret) != 32 or self.root is None or len(self.root) != 32:
            raise Unreadable("this slip cannot be read")
        self.number, self.size = int(found[3].group(1)), int(found[3].group(2))
        self.index = int(found[4].group(1))
        self.line, seq, self.kind, self.subject, self.content_hash = found[5].groups()
        self.seq = int(seq)
        rest = lines[len(pattern) :]
        self.salt = self.content = None
        if rest and re.fullmatch("salt ([0-9a-f]{2})*", rest[0]):
            if len(rest) < 2 or not rest[1].startswith("content "):
                raise Unreadable("this slip cannot be read")
            self.salt, self.content = bytes.fromhex(rest[0][5:]), rest[1][len("content ") :]
            rest = rest[2:]
        self.proof = [hash_of_line(line) for line in rest]

    def head_leaf(self):
        def mac(*parts):
            return base64url(hmac.new(self.secret, b"".join(parts), hashlib.sha256).digest())

        number, size = self.number.to_bytes(8, "big"), self.size.to_bytes(8, "big")
        return ("assize-head/1\n%s\n%s\n" % (mac(b"id", number), mac(b"head", number, size, self.root))).encode("ascii")

    def problem(self):
        """Why it does not hold; None where it does."""
        if self.content is not None:
            if sha256(self.salt + self.content.encode("utf-8")).hex() != self.content_hash:
                return "the content is not that of the entry"
        entry = leaf_hash(self.line.encode("utf-8"))
        if root_by_inclusion(self.index, self.size, entry, self.proof) != self.root:
            return "the entry is not in the tree of its head"
        checkpoint = self.checkpoint
        leaf = leaf_hash(self.head_leaf())
        if root_by_inclusion(self.leaf_index, checkpoint.size, leaf, self.leaf_proof) != checkpoint.root:
            return "the head is not in the tree of the checkpoint"
        return None


def slips_in(text):
    """A file may hold several, one after the other."""
    pieces = re.split(r"(?m)^(?=c2sp\.org/tlog-proof@v1$)", text)
    if pieces and pieces[0] == "":
        pieces.pop(0)
    return [Slip(piece) for piece in pieces]


def moment_of(seconds):
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


class SlipsJudged:
    """A file of slips."""

    def __init__(self, text, trust):
        self.slips = slips_in(text)
        if not self.slips:
            raise Unreadable("a proof begins with the line c2sp.org/tlog-proof@v1")
        self.keys = [Vkey(each) for each in trust.log_keys]
        self.witnesses = [Vkey(each) for each in trust.witnesses]
        self.stamps = trust.stamps

    def problems(self):
        found = []
        for slip in self.slips:
            what = "entry %d (%s) of %s" % (slip.seq, slip.kind, slip.scope)
            found += ["refused: %s: %s" % (what, each) for each in self.problems_of(slip)]
        if not found and not self.keys:
            for slip in self.slips:
                found.append(
                    "not proven: entry %d (%s) of %s fits the log %s of %d leaves, whose key was not named (--log-key)"
                    % (slip.seq, slip.kind, slip.scope, slip.checkpoint.origin, slip.checkpoint.size)
                )
        return found

    def problems_of(self, slip):
        checkpoint, problem = slip.checkpoint, slip.problem()
        found = [] if problem is None else [problem]
        if self.keys and not any(checkpoint.is_signed_by(key) for key in self.keys):
            found.append("the checkpoint is not signed by a key of the log that you trust")
        for key in self.keys + self.witnesses:
            if checkpoint.is_signed_by(key) is False:
                found.append("the signature of %s does not hold" % key.called)
        for name, data in self.stamps:
            read = read_stamp(data)
            if read is None or not read[0].is_over(checkpoint.text):
                found.append("%s is not a time stamp over the checkpoint of %d leaves" % (name, checkpoint.size))
        return found

    def lines(self):
        lines = []
        for slip in self.slips:
            checkpoint = slip.checkpoint
            lines.append(
                "same: entry %d (%s) of %s is in the log %s of %d leaves"
                % (slip.seq, slip.kind, slip.scope, checkpoint.origin, checkpoint.size)
            )
            signed = [key.called for key in self.keys if checkpoint.is_signed_by(key)]
            lines += ["signed by the log's key %s" % each for each in signed]
            for key in self.witnesses:
                at = checkpoint.cosigned_at(key)
                if at is not None:
                    lines.append("cosigned by %s on %s" % (key.called, moment_of(at)))
            if not self.witnesses:
                lines.append("no witness was named (--witness)")
            for name, data in self.stamps:
                stamp, is_token = read_stamp(data)
                lines.append(
                    "left to OpenSSL: who stamped the checkpoint of %d leaves on %s: %s"
                    % (checkpoint.size, stamp.at, stamp.command(name, is_token))
                )
        return lines


# --- Time stamps -----------------------------------------------------------------------------------------------------


OCTETS, OBJECT, FIRST = 0x04, 0x06, 0xA0
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
STAMP_CONTENT = bytes.fromhex("2a864886f70d0109100104")
SHA256_NAME = bytes.fromhex("608648016503040201")


class NotDer(Exception):
    """Something that is not where it has to be."""


def inside(element, tag):
    """The parts of an element of a tag."""
    parts = der_parts(element[1]) if element is not None and element[0] == tag else None
    if parts is None:
        raise NotDer()
    return parts


def content_of(element, tag):
    if element is None or element[0] != tag:
        raise NotDer()
    return element[1]


def nth(parts, index):
    return parts[index] if -len(parts) <= index < len(parts) else None


def only(data):
    """The one element that bytes are."""
    parts = der_parts(data)
    if parts is None or len(parts) != 1:
        raise NotDer()
    return parts[0]


class TimeStamp:
    """What the token of an authority is over, and when it says that it was made. Raises NotDer where it is none over a SHA-256."""

    def __init__(self, token):
        outer = inside(only(token), SEQUENCE)
        if nth(outer, 0) != (OBJECT, SIGNED_DATA):
            raise NotDer()
        data = inside(nth(inside(nth(outer, 1), FIRST), 0), SEQUENCE)
        content = inside(nth(data, 2), SEQUENCE)
        if nth(content, 0) != (OBJECT, STAMP_CONTENT):
            raise NotDer()
        parts = inside(only(content_of(nth(inside(nth(content, 1), FIRST), 0), OCTETS)), SEQUENCE)
        imprint = inside(nth(parts, 2), SEQUENCE)
        self.digest = content_of(nth(imprint, 1), OCTETS)
        if nth(inside(nth(imprint, 0), SEQUENCE), 0) != (OBJECT, SHA256_NAME) or len(self.digest) != 32:
            raise NotDer()
        found = re.fullmatch(rb"([0-9]{14})(\.[0-9]+)?Z", content_of(nth(parts, 4), 0x18))
        if found is None:
            raise NotDer()
        digits = found.group(1).decode("ascii")
        try:
            time = datetime.datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=datetime.timezone.utc)
        except ValueError:
            raise NotDer()
        if not 1970 <= time.year <= 2199 or time.strftime("%Y%m%d%H%M%S") != digits:
            raise NotDer()
        self.seconds = int(time.timestamp())
        self.at = moment_of(self.seconds)

    def is_over(self, text):
        return self.digest == sha256(text.encode("utf-8"))

    def command(self, path, is_token):
        """How OpenSSL checks who signed it."""
        given = ("-token_in " if is_token else "") + "-in " + shlex.quote(path)
        return "openssl ts -verify -digest %s -attime %d %s -CAfile root.pem" % (self.digest.hex(), self.seconds, given)


def read_stamp(data):
    """(stamp, whether the file has the token alone and not the whole answer), or None where it is none."""
    try:
        parts = inside(only(data), SEQUENCE)
        is_token = len(parts) < 2 or parts[0][0] != SEQUENCE or parts[1][0] != SEQUENCE
        return TimeStamp(data if is_token else data_of(*parts[1])), is_token
    except NotDer:
        return None


def data_of(tag, content):
    """An element as it stood, since its length has one spelling."""
    size = len(content)
    digits = b"" if size < 0x80 else size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, size]) + content if size < 0x80 else bytes([tag, 0x80 + len(digits)]) + digits + content


class PackagedLog:
    """log.json and the slips of a package."""

    def __init__(self, package):
        self.package = package
        self.part = package.part("The log")
        self.slips = {}
        value = self.read()
        if value is None:
            self.part.words = "It cannot be read."
            self.part.problems.append("log.json is not one")
            return
        self.check_checkpoints()
        self.check_slips()
        self.check_stamps()
        self.part.words = "%s in %s at %s, and %s into it." % (
            counted(len(self.slips), "entry is", "entries are"),
            self.origin,
            counted(self.newest.size, "leaf", "leaves"),
            counted(len(self.earlier), "earlier checkpoint grows", "earlier checkpoints grow"),
        )

    def read(self):
        text = self.package.texts["log.json"]
        try:
            value = StrictJson.read(text, 64, MOST_VALUES)
            if value["format"] != "assize-log/1" or text != pretty(value) + "\n":
                return None
            self.origin = value["origin"]
            self.keys = [Vkey(each) for each in value["keys"]]
            self.witnesses = [(each["name"], Vkey(each["key"])) for each in value["witnesses"]]
            self.newest = Checkpoint(value["checkpoint"])
            self.earlier = [(Checkpoint(e["checkpoint"]), [hash_of_line(h) for h in e["proof"]]) for e in value["earlier"]]
            self.stamps = [(e["size"], e["authority"], e["stampedAt"], from_base64(e["token"])) for e in value["stamps"]]
            return value if self.keys else None
        except (NotStrict, Unreadable, KeyError, TypeError, AttributeError):
            return None

    def checkpoints(self):
        return [self.newest] + [each for each, _ in self.earlier]

    def check_checkpoints(self):
        say = self.part.problems.append
        for each in self.checkpoints():
            if each.origin != self.origin or not each.is_signed_by(self.keys[0]):
                say("the checkpoint of %d leaves is not signed by the log" % each.size)
            for name, key in self.witnesses:
                if each.is_signed_by(key) is False:
                    say("the cosignature of %s on the checkpoint of %d leaves does not hold" % (name, each.size))
        for each, proof in self.earlier:
            if not is_grown(each.size, each.root, self.newest.size, self.newest.root, proof):
                say("the log contradicts itself: %s and %s" % (canonical(each.text), canonical(self.newest.text)))

    def check_slips(self):
        say = self.part.problems.append
        chain = self.package.chain
        entries = {each["seq"]: each for each in chain["entries"]} if chain is not None else {}
        known = {each.text for each in self.checkpoints()}
        for name, text in self.package.texts_in("slips", ".tlog-proof"):
            problem = None
            try:
                slip = Slip(text)
                problem = slip.problem()
            except Unreadable as wrong:
                problem, slip = str(wrong), None
            if problem is None and str(slip.seq) != name:
                problem = "it is of another entry"
            if problem is None and chain is not None and slip.scope != chain["scope"]:
                problem = "it is of another scope"
            if problem is None and slip.checkpoint.text not in known:
                problem = "its checkpoint is not one of log.json"
            if problem is None and slip.seq in entries:
                entry = entries[slip.seq]
                if (entry["contentHash"], entry["subject"]) != (slip.content_hash, slip.subject):
                    problem = "it is of another entry than the chain has"
            if problem is not None:
                say("slips/%s.tlog-proof: %s" % (name, problem))
            else:
                self.slips[slip.seq] = slip
        for entry in self.package.entries("signature", "correction-signature", "terms-signature"):
            if entry["seq"] not in self.slips:
                say("publication %d (%s) has no slip" % (entry["seq"], entry["kind"]))

    def check_stamps(self):
        texts = {each.size: each.text for each in self.checkpoints()}
        self.left_to_openssl = []
        for number, (size, authority, at, token) in enumerate(self.stamps, 1):
            read = None if token is None else read_stamp(token)
            stamp, is_token = read or (None, True)
            is_over = stamp is not None and is_token and size in texts and stamp.is_over(texts[size])
            if not is_over or stamp.at[:19] != at[:19]:
                self.part.problems.append(
                    "the time stamp of %s is not over the checkpoint of %s leaves" % (authority, size)
                )
                continue
            path = "stamp-%d.der" % number
            take = "sed -n 's/^ *\"token\": \"\\(.*\\)\"$/\\1/p' log.json | sed -n %dp | openssl base64 -d -A -out %s"
            self.left_to_openssl.append(
                "left to OpenSSL: who stamped the checkpoint of %d leaves on %s (%s, the operator says): %s && %s"
                % (size, stamp.at, authority, take % (number, path), stamp.command(path, True))
            )

    def content_of(self, slip):
        if slip.content is not None:
            try:
                return StrictJson.read(slip.content, 64)
            except NotStrict:
                return None
        for entry in self.package.entries(slip.kind):
            if entry["seq"] == slip.seq:
                return entry["content"]
        return None

    def slip_of(self, signature):
        for slip in self.slips.values():
            content = self.content_of(slip)
            if not isinstance(content, dict):
                continue
            signed = content.get("receiptHash", content.get("hash"))
            if (signed, content.get("party"), content.get("signedBy")) == (
                signature["hash"], signature["party"], signature["signedBy"],
            ):
                return slip
        return None

    def proven_lines(self, name, file):
        """When what was signed was in the log, by whom."""
        found = [(each, self.slip_of(each)) for each in file["signatures"]]
        found = [(each, slip) for each, slip in found if slip is not None]
        if not found:
            return []
        last = max(each["signedAt"] for each, _ in found)[:10]
        by = "both" if len(found) == 2 else "the " + found[0][0]["party"]
        index = max(slip.leaf_index for _, slip in found)
        late_enough = [each for each in self.checkpoints() if each.size > index]
        proofs = []
        for witness, key in self.witnesses:
            times = [each.cosigned_at(key) for each in late_enough]
            times = [each for each in times if each is not None]
            if times:
                proofs.append((moment_of(min(times)), "witness %s" % witness))
        how = ", ".join("%sZ (%s)" % (at[:16], by) for at, by in sorted(proofs))
        if proofs:
            return ["%s: signed by %s on %s; in the log by %s" % (name, by, last, how)]
        alone = "in the log on the operator's word alone: no witness"
        return ["%s: signed by %s on %s; %s" % (name, by, last, alone)]

    # What the reader kept

    def compare_kept(self, kept):
        """Problems, lines, and the checkpoints that could be compared."""
        problems, lines, same = [], [], []
        texts = {each.size: each for each in self.checkpoints()}
        for path, checkpoint in kept:
            if checkpoint.origin != self.origin:
                lines.append("%s: a checkpoint of %s, which is another log" % (path, checkpoint.origin))
            elif checkpoint.size not in texts:
                lines.append("%s: a checkpoint of %d leaves, which is not in the package" % (path, checkpoint.size))
            elif texts[checkpoint.size].root != checkpoint.root:
                problems.append(
                    "%s: the log contradicts itself: %s and %s"
                    % (path, canonical(checkpoint.text), canonical(texts[checkpoint.size].text))
                )
            elif checkpoint.text not in {each.text for each in same}:
                same.append(checkpoint)
        return problems, lines, same

    def kept_line(self, kept, same):
        if not kept:
            return ["nothing that you kept was compared (--kept)"]
        if not same:
            return []
        times = [each.cosigned_at(key) for each in same for _, key in self.witnesses]
        times = [moment_of(each)[:10] for each in times if each is not None]
        since = min(times) if times else "the oldest checkpoint you kept"
        return ["not rewritten since %s (%s you kept)" % (since, counted(len(same), "checkpoint", "checkpoints"))]


# --- Evidence packages -----------------------------------------------------------------------------------------------

KNOWN_PATHS = re.compile(
    r"README\.txt|verify\.html|verify-data\.js|assize_verify\.py|chain\.json|log\.json|corrections\.json|terms-changes\.json|words\.json"
    r"|(?:vintages|sign-offs|objections|settled|corrections|terms-changes|activity|people)\.csv"
    r"|(?:receipts|corrections|terms-changes|companies)/[^/]+\.json|pages/[^/]+\.html|formulas/[^/]+\.yaml"
    r"|slips/[^/]+\.tlog-proof"
)
STATES = ["PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "AGREED", "SUPERSEDED", "REFUSED", "LAPSED"]


def pretty(value):
    """As JSON.stringify(value, null, 2) writes it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def read_manifest(text):
    """The manifest, or None where it is none."""
    try:
        value = StrictJson.read(text, 64, MOST_VALUES)
    except NotStrict:
        return None

    def texts(mapping, *names):
        return isinstance(mapping, dict) and all(isinstance(mapping.get(name), str) for name in names)

    body = value.get("body") if isinstance(value, dict) else None
    seal = value.get("seal") if isinstance(value, dict) else None
    if not texts(value, "hash") or not texts(seal, "algorithm", "publicKey", "value"):
        return None
    if not texts(body, "format", "from", "to", "madeAt", "madeBy") or body["format"] != "assize-evidence/1":
        return None
    installation = body.get("installation")
    if not texts(installation, "id") or not isinstance(installation.get("name"), (str, type(None))):
        return None
    if not texts(body.get("workspace"), "slug", "name") or not texts(body.get("agreement"), "slug", "name"):
        return None
    files = body.get("files")
    if not isinstance(files, list) or any(not texts(each, "path", "sha256") for each in files):
        return None
    paths = [each["path"] for each in files]
    return value if len(set(paths)) == len(paths) else None


def in_script(text):
    """JSON in plain ASCII without <, as the copy of the files is written."""
    return "".join(
        character if " " <= character <= "~" and character != "<"
        else "".join("\\u%04x" % unit for unit in struct.unpack(">%dH" % utf16(character), in_utf16_order(character)))
        for character in text
    )


SPREADSHEET = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
FIGURE = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def cell(value):
    if value is None:
        return ""
    text = value if isinstance(value, str) else str(value)
    if not FIGURE.fullmatch(text):
        text = ";".join("'" + piece if SPREADSHEET.match(piece) else piece for piece in text.split(";"))
    if re.search('[",;\n\r]', text):
        return '"%s"' % text.replace('"', '""')
    return text


def table(head, rows):
    return "".join(",".join(map(cell, row)) + "\r\n" for row in [head.split(",")] + rows)


def redactions_in(entries):
    """What redactions say, by the number of the entry that they are of."""
    found = {}
    for each in sorted(entries, key=lambda entry: entry["seq"]):
        content = each.get("content")
        if each["kind"] == "redaction" and isinstance(content, dict):
            told_at = {**content, "at": each["recordedAt"]}
            if all(isinstance(content.get(name), str) for name in ("kind", "was", "is", "instead", "reason", "by")):
                found.setdefault(content.get("entry"), []).append(told_at)
    return found


class Part:
    def __init__(self, title):
        self.title = title
        self.words = ""
        self.problems = []


class Package:
    """An evidence package. Raises Unreadable where it is none."""

    def __init__(self, data, trust):
        self.trust = trust
        self.archive = Archive(data)
        self.find_files()
        body = self.manifest["body"]
        self.key = self.manifest["seal"]["publicKey"]
        self.own_trust = Trust({self.key}, trust.issuers)
        self.agreement = body["agreement"]["slug"]
        self.parts = []
        self.check_list()
        self.check_files()
        self.read_receipts()
        self.chain = self.read_chain("chain.json")
        self.read_corrections()
        self.read_changes()
        self.check_words()
        self.check_tables()
        self.check_pages()
        self.check_chain()
        self.check_companies()
        self.log = PackagedLog(self) if "log.json" in self.texts else None
        self.check_kept()

    def check_kept(self):
        """Slips and checkpoints that the reader kept, against those of the package."""
        self.kept_lines, self.kept_same = [], []
        if self.log is None or not hasattr(self.log, "newest") or not self.trust.kept:
            return
        part = self.part("What you kept")
        part.problems, self.kept_lines, self.kept_same = self.log.compare_kept(self.trust.kept)
        part.words = counted(
            len(self.kept_same),
            "checkpoint is in the package as you kept it.",
            "checkpoints are in the package as you kept them.",
        )

    def part(self, title):
        self.parts.append(Part(title))
        return self.parts[-1]

    def find_files(self):
        paths = [path for path in self.archive.entries if not path.endswith("/")]
        top = ""
        if "manifest.json" not in paths:
            found = [path for path in paths if path.endswith("/manifest.json")]
            top = found[0][: -len("manifest.json")] if found else ""
        missing = "this is a ZIP archive, but not an evidence package: it has no manifest.json of one"
        place = top + "manifest.json"
        if place not in paths or self.archive.entries[place]["size"] > 20000000:
            raise Unreadable(missing)
        try:
            self.manifest_text = self.archive.bytes_of(place).decode("utf-8")
        except UnicodeDecodeError:
            raise Unreadable(missing)
        self.manifest = read_manifest(self.manifest_text)
        if self.manifest is None:
            raise Unreadable(missing)
        self.listed = {each["path"]: each["sha256"] for each in self.manifest["body"]["files"]}
        self.texts, self.others = {}, []
        for path in paths:
            own = path[len(top) :] if path.startswith(top) else "../" + path
            if own == "manifest.json":
                continue
            if own not in self.listed and own != "verify-data.js":
                self.others.append(own)
                continue
            try:
                self.texts[own] = self.archive.bytes_of(path).decode("utf-8")
            except UnicodeDecodeError:
                self.others.append(own)

    def check_list(self):
        part = self.part("The list of files")
        part.words = "Sealed by the key ed25519:%s." % self.key
        seal, body = self.manifest["seal"], self.manifest["body"]
        if self.manifest_text != pretty({"body": body, "hash": self.manifest["hash"], "seal": seal}) + "\n":
            part.problems.append("manifest.json is not written as it was made")
        if self.manifest["hash"] != hash_value(body):
            part.problems.append("its hash is not of what it says")
        key, value = from_base64url(seal["publicKey"]), from_base64url(seal["value"])
        if key is None or value is None or len(key) != 32 or len(value) != 64:
            part.problems.append("its seal is none")
        elif not Ed25519.verify(key, ("assize-evidence/1 " + self.manifest["hash"]).encode("utf-8"), value):
            part.problems.append("its seal is not one of this list")
        if self.trust.keys is not None and self.key not in self.trust.keys:
            part.problems.append("it is sealed by ed25519:%s, which is not a key that you trust" % self.key)

    def check_files(self):
        part = self.part("Every file as it was sealed")
        part.words = "%s compared." % counted(len(self.listed), "file", "files")
        for path, digest in self.listed.items():
            if path not in self.texts:
                part.problems.append("%s is missing%s" % (path, " or damaged" if path in self.others else ""))
            elif hash_text(self.texts[path]) != digest:
                part.problems.append("%s was changed" % path)
        for path in self.listed:
            if not KNOWN_PATHS.fullmatch(path):
                part.problems.append("%s is something that this program does not know, and was not checked" % path)
        for path in [each for each in self.texts if each not in self.listed and each != "verify-data.js"] + [
            each for each in self.others if each not in self.listed
        ]:
            part.problems.append("%s does not belong to it" % path)
        files = {path: text for path, text in self.texts.items() if path != "verify-data.js"}
        files["manifest.json"] = self.manifest_text
        copied = {path: files[path] for path in sorted(files, key=in_utf16_order)}
        own = in_script("globalThis.assizeEvidence=" + json.dumps(copied, ensure_ascii=False, separators=(",", ":"))) + "\n"
        if self.texts.get("verify-data.js") != own:
            part.problems.append("verify-data.js is not a copy of the files")

    def texts_in(self, folder, ending=".json"):
        """(name, text) of the files of a folder, in the order of the archive."""
        start = folder + "/"
        return [
            (path[len(start) : -len(ending)], text)
            for path, text in self.texts.items()
            if path.startswith(start) and path.endswith(ending) and "/" not in path[len(start) :]
        ]

    def belonging(self, body, seal):
        manifest = self.manifest["body"]
        problems = []
        if body["pam"] != self.agreement:
            problems.append("it is of another agreement")
        if body.get("installation") and body["installation"]["id"] != manifest["installation"]["id"]:
            problems.append("it is of another installation")
        if body.get("workspace") and body["workspace"]["slug"] != manifest["workspace"]["slug"]:
            problems.append("it is of another workspace")
        if seal is not None and seal["publicKey"] != self.key:
            problems.append("it is sealed by another key than the list of files")
        return problems

    def read_receipts(self):
        part = self.part("Every number")
        self.receipts = {}
        found = self.texts_in("receipts")
        for name, text in found:
            try:
                judged = PeriodJudged(read_json(text, LONGEST_RECEIPT, 12), self.own_trust)
            except Unreadable as wrong:
                part.problems.append("%s: %s" % (name, wrong))
                continue
            self.receipts[name] = judged
            problems = []
            if judged.difference is not None:
                problems.append("%s does not follow from the figures in the receipt" % judged.difference[0])
            problems += judged.refusals + self.belonging(judged.body, judged.receipt["seal"])
            part.problems.extend("%s: %s" % (name, problem) for problem in problems)
        if not found:
            part.problems.append("there is no receipt in it")
        part.words = "%s computed again, every line." % counted(len(found), "receipt", "receipts")

    def in_order(self):
        """Receipts by adjustment date and name."""
        return sorted(self.receipts.items(), key=lambda pair: in_utf16_order(pair[1].body["adjustmentDate"] + " " + pair[0]))

    def read_list(self, path):
        """corrections.json or terms-changes.json: None where it is none."""
        try:
            value = StrictJson.read(self.texts[path], 64, MOST_VALUES)
        except NotStrict:
            return None

        def is_one(each):
            if not isinstance(each, dict) or each.get("state") not in STATES:
                return False
            if any(not isinstance(each.get(name), str) for name in ("id", "hash", "proposedAt", "proposedBy")):
                return False
            refusal = each.get("refusal", 0)
            if refusal is not None and not (
                isinstance(refusal, dict) and all(isinstance(refusal.get(n), str) for n in ("party", "by", "at", "reason"))
            ):
                return False
            if path == "corrections.json":
                notes = each.get("notes")
                return isinstance(notes, list) and all(
                    isinstance(note, dict)
                    and isinstance(note.get("part"), int)
                    and all(isinstance(note.get(n), str) for n in ("number", "date", "amount", "fileHash", "recordedAt"))
                    for note in notes
                )
            return all(each.get(name, "") is None or isinstance(each.get(name), int) for name in ("plannedBy", "version"))

        if not isinstance(value, list) or not all(map(is_one, value)) or self.texts[path] != pretty(value) + "\n":
            return None
        return value

    def entries(self, *kinds):
        return [each for each in (self.chain or {"entries": []})["entries"] if each["kind"] in kinds]

    def read_corrections(self):
        part = self.part("Every correction")
        self.corrections, self.correction_list = {}, None
        has_list = "corrections.json" in self.texts
        periods = {judged.body["period"] for judged in self.receipts.values()}
        if not has_list:
            part.words = "They are not in it."
            before = ": the package was made before packages had corrections"
            if self.chain is None:
                part.problems.append("it does not say whether signed prices were corrected" + before)
                if not self.texts_in("corrections"):
                    return
            for entry in self.entries("correction"):
                content = entry["content"]
                if not periods & set(content["periods"]):
                    continue
                signers = [
                    "the %s" % each["content"]["party"]
                    for each in self.entries("correction-signature")
                    if each["content"]["correction"] == content["id"]
                ]
                part.problems.append(
                    "the correction %s of %s, signed by %s, is not in it%s"
                    % (content["id"], ", ".join(content["periods"]), " and ".join(signers) or "nobody", before)
                )
        else:
            self.correction_list = self.read_list("corrections.json")
            if self.correction_list is None:
                part.problems.append("corrections.json: it is not a list of corrections")
        self.judge_proposals(
            part, "corrections", "the correction", self.correction_list, self.corrections,
            lambda value: CorrectionJudged(value, self.own_trust), 100000000, 14, self.correction_problems,
        )
        count = len(self.corrections)
        if has_list:
            part.words = "%d computed again from the receipts they name." % count if count else "No signed price was corrected."

    def judge_proposals(self, part, folder, called, listed, found, judge, most, deepest, own_problems):
        by_id = {each["id"]: each for each in listed or []}
        texts = dict(self.texts_in(folder))
        for one in list(by_id) + [each for each in texts if each not in by_id]:
            def say(problem, one=one):
                part.problems.append("%s: %s" % (one, problem))

            if one not in texts:
                say("%s/%s.json is missing" % (folder, one))
                continue
            try:
                judged = judge(read_json(texts[one], most, deepest, called))
            except Unreadable as wrong:
                say(str(wrong))
                continue
            found[one] = judged
            for problem in getattr(judged, "differences", []) + judged.refusals:
                say(problem)
            for problem in self.belonging(judged.body, judged.file["seal"]):
                say(problem)
            if one not in by_id:
                say("it is not in %s.json" % folder)
                continue
            if by_id[one]["hash"] != judged.file["hash"]:
                say("%s.json names another hash" % folder)
            for problem in self.state_problems(by_id[one], judged) + own_problems(by_id[one], judged):
                say(problem)

    @staticmethod
    def is_agreed(entry, judged):
        return len(judged.file["signatures"]) == 2 or entry.get("plannedBy") is not None

    def state_problems(self, entry, judged):
        problems, state = [], entry["state"]
        signatures = judged.file["signatures"]
        if (state == "AGREED") != self.is_agreed(entry, judged):
            problems.append("it is said to be %s, and %d have signed it" % (state, len(signatures)))
        elif state in ("PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER"):
            own = "SIGNED_BY_" + signatures[0]["party"].upper() if signatures else "PROPOSED"
            if own != state:
                problems.append("it is said to be %s, and is %s" % (state, own))
        if (state == "REFUSED") != (entry["refusal"] is not None and not self.is_agreed(entry, judged)):
            problems.append("it is refused, or said to be, without the other")
        return problems

    def correction_problems(self, entry, judged):
        problems = []
        parts = judged.body["parts"]
        for note in entry["notes"]:
            is_part = 1 <= note["part"] <= len(parts) and parts[note["part"] - 1] == note["amount"]
            if not is_part or not self.is_agreed(entry, judged):
                problems.append("note %d is not one of its parts" % note["part"])
        return problems

    def read_changes(self):
        self.changes, self.change_list = {}, None
        has_list = "terms-changes.json" in self.texts
        if not has_list and not self.texts_in("terms-changes") and not self.entries("terms-change"):
            return
        part = self.part("Every change of terms")
        if has_list:
            self.change_list = self.read_list("terms-changes.json")
            if self.change_list is None:
                part.problems.append("terms-changes.json: it is not a list of changes of terms")
        else:
            part.words = "They are not in it."
            self.missing_changes(part)
        self.judge_proposals(
            part, "terms-changes", "the change", self.change_list, self.changes,
            lambda value: ChangeJudged(value, self.own_trust), LONGEST_RECEIPT, 64, self.change_problems,
        )
        count = len(self.changes)
        if has_list:
            part.words = (
                "%d with the figures, the document and the version that follow." % count
                if count else "No change of terms was proposed."
            )

    def missing_changes(self, part):
        last = max((judged.body["adjustmentDate"] for judged in self.receipts.values()), default="")
        made = {each["content"].get("proposal") for each in self.entries("formula")}
        for entry in self.entries("terms-change"):
            content = entry["content"]
            if content["effectiveFrom"] > last and content["id"] not in made:
                continue
            signers = [
                "the %s" % each["content"]["party"]
                for each in self.entries("terms-signature")
                if each["content"]["change"] == content["id"]
            ]
            part.problems.append(
                "the change of terms %s from %s on, signed by %s, is not in it: the package was made before packages had "
                "changes of terms" % (content["id"], content["effectiveFrom"], " and ".join(signers) or "nobody")
            )

    def change_problems(self, entry, judged):
        problems, version = [], entry["version"]
        is_agreed = self.is_agreed(entry, judged)
        if version is not None and not is_agreed:
            problems.append("it made formula %d without being agreed" % version)
        if version is None and is_agreed and judged.is_splice:
            problems.append("it is agreed and made no formula")
        if version is not None and version != judged.basis + 1:
            problems.append("formula %d does not follow formula %d" % (version, judged.basis))
        if entry["plannedBy"] is not None and entry["plannedBy"] != judged.basis:
            problems.append("it is planned by another formula than %d" % judged.basis)
        if version is not None:
            document = judged.body["document"] if judged.is_splice else judged.file["document"]
            written = self.texts.get("formulas/version-%d.yaml" % version)
            if written is not None and document is not None and written != document:
                problems.append("formula %d is not the document that was agreed" % version)
        return problems

    # The contract's own words

    def check_words(self):
        published = [each["content"] for each in self.entries("formula")]
        named = [(name, judged.body) for name, judged in self.in_order() if "words" in judged.body]
        if "words.json" not in self.texts and not named and not any("words" in each for each in published):
            return
        part = self.part("The contract’s own words")
        rows = []
        if "words.json" in self.texts:
            try:
                rows = StrictJson.read(self.texts["words.json"], 64, MOST_VALUES)
                WORDS_ROWS(rows, "words.json")
            except (NotStrict, Misfit):
                part.words, part.problems = "It cannot be read.", ["words.json is not one"]
                return
        part.words = counted(len(rows), "text", "texts") + ", as receipts and versions name them."
        hashes, counts = {}, {}
        for row in rows:
            if hash_value({"sentences": row["sentences"], "links": row["links"]}) != row["sha256"]:
                part.problems.append("the words under %s do not have that hash" % row["sha256"])
            for version in row["versions"]:
                hashes[version] = row["sha256"]
                counts[version] = counts.get(version, 0) + 1
        part.problems += ["version %d has more than one text" % each for each in counts if counts[each] > 1]
        for name, judged in self.in_order():
            version = judged.body["formulaVersion"]
            if hashes.get(version) != judged.body.get("words", {}).get("sha256"):
                part.problems.append("%s: the words of version %d are not those that it names" % (name, version))
        for each in published:
            if hashes.get(each["version"]) != each.get("words"):
                part.problems.append("the words of version %d are not those that were published" % each["version"])

    # Tables

    def check_tables(self):
        part = self.part("Tables")
        made = {
            "vintages.csv": self.vintages_table,
            "sign-offs.csv": self.signoffs_table,
            "objections.csv": self.objections_table,
            "settled.csv": self.settled_table,
            "corrections.csv": self.corrections_table,
            "terms-changes.csv": self.changes_table,
        }
        found = [path for path in made if path in self.texts or path in self.listed]
        for path in found:
            if self.texts.get(path) != made[path]():
                part.problems.append("%s does not follow from the receipts" % path)
        part.words = "%d made again from the receipts and compared." % len(found)

    def vintages_table(self):
        rows = {}
        for name, judged in self.in_order():
            names = {each["series"]: each.get("name", each["series"]) for each in judged.body["series"]}
            for each in judged.body["observations"]:
                key = " ".join(each[n] or "" for n in ("series", "period", "value", "version", "published", "recorded"))
                if key not in rows:
                    rows[key] = [each, names[each["series"]], []]
                if name not in rows[key][2]:
                    rows[key][2].append(name)
        made = []
        for key in sorted(rows, key=in_utf16_order):
            each, name, used = rows[key]
            made.append(
                [each["series"], name, each["period"], each["value"], each["version"], each["flag"], each["published"],
                 each["recorded"], self.origin_cell(each.get("origin")), " ".join(used)]
            )
        return table("series,name,period,value,version,flag,published,recorded,origin,used by", made)

    @staticmethod
    def origin_cell(origin):
        if origin is None:
            return "not kept"
        if "provider" in origin:
            return "read from " + origin["provider"]
        if origin["file"] is None:
            return "imported before source files were recorded"
        when = "" if origin["recorded"] is None else origin["recorded"] + ", "
        who = "" if origin["uploadedBy"] is None else "uploaded by %s, " % origin["uploadedBy"]
        return "%s%sfile %s (SHA-256 %s)" % (who, when, origin["file"], origin["sha256"])

    def signoffs_table(self):
        head = "receipt,period,party,signed by,name,signed at,means,hash"
        more = (
            ",invited by,invited at,joined at,key registered at,new password by,new password at,company,"
            "list confirmed at,hash of the list,what is recorded"
        )
        all_signatures = [each for judged in self.receipts.values() for each in judged.receipt["signatures"]]
        has_origin = any("origin" in each for each in all_signatures)
        rows = []
        for name, judged in self.in_order():
            for each in judged.receipt["signatures"]:
                row = [name, judged.body["period"], each["party"], each["signedBy"], each["name"], each["signedAt"],
                       each["means"], each["hash"]]
                if has_origin:
                    row += self.origin_cells(each, judged.body)
                rows.append(row)
        return table(head + (more if has_origin else ""), rows)

    def origin_cells(self, signature, body):
        origin = signature.get("origin")
        if origin is None:
            return [None] * 10
        registered = None
        if signature["passkey"] is not None:
            keys = [e["registeredAt"] for e in origin["passkeys"] if e["id"] == signature["passkey"]["credentialId"]]
            registered = keys[0] if keys else None
        renewed, company = origin["renewed"], origin["company"]
        confirmed = company["confirmed"] if company is not None else None
        return [
            act_words(origin["invited"]), origin["invited"]["at"], origin["joinedAt"], registered,
            None if renewed is None else act_words(renewed), None if renewed is None else renewed["usedAt"],
            None if company is None else company["slug"], None if confirmed is None else confirmed["at"],
            None if confirmed is None else confirmed["hash"], "; ".join(signer_phrases(signature, body, self.own_trust)),
        ]

    def objections_table(self):
        found = {}
        for _, judged in self.in_order():
            for each in judged.receipt.get("objections", []):
                found[each["id"]] = (judged.body["period"], each)
        rows = []
        for period, each in found.values():
            about = each["about"]
            what = {
                "number": "the number", "line": "line %s" % about.get("line"),
                "figure": "%s of %s (%s)" % (about.get("series"), about.get("period"), about.get("input")),
            }[about["kind"]]
            rows.append([period, each["id"], "OBJECTION", each["party"], each["by"], each["name"], each["at"], what,
                         each["reason"], each["hash"]])
            for answer in each["answers"]:
                rows.append([period, each["id"], answer["kind"], answer["party"], answer["by"], answer["name"],
                             answer["at"], None, answer["words"], each["hash"]])
        return table("period,objection,kind,party,by,name,at,about,words,hash of the number", rows)

    def settled(self):
        """Of each period: (period, state, price before, price, percent before, percent, correction, agreed at, currency)."""
        by_period = {}
        for name, judged in self.in_order():
            signers = {each["party"] for each in judged.receipt["signatures"] if each["hash"] == judged.receipt["hash"]}
            period = judged.body["period"]
            if len(signers) == 2 or (name == period and by_period.get(period, (None, False))[1] is False):
                by_period[period] = (judged, len(signers) == 2)
        agreed = sorted(
            (
                (max(each["signedAt"] for each in judged.file["signatures"]), one, judged)
                for one, judged in self.corrections.items()
                if len(judged.file["signatures"]) == 2
            ),
            key=lambda each: each[0],
        )
        rows = []
        for period, (judged, is_signed) in sorted(by_period.items(), key=lambda pair: pair[1][0].body["adjustmentDate"]):
            result = judged.body["result"]
            price, percent = result.get("price"), result["cumulativePct"]
            before, before_percent, by, at = price, percent, None, None
            if is_signed:
                for when, one, correction in agreed:
                    entry = next((e for e in correction.body["periods"] if e["period"] == period), None)
                    if entry is None:
                        continue
                    if by is None and entry["priceBefore"] is not None:
                        before = entry["priceBefore"]
                    price = entry["priceAfter"] if entry["priceAfter"] is not None else price
                    if entry["receiptAfter"] is not None:
                        percent = correction.receipts[entry["receiptAfter"]]["result"]["cumulativePct"]
                    by, at = one, when
            state = "PROPOSED" if not is_signed else "SIGNED" if by is None else "CORRECTED"
            currency = judged.computation.contract.currency
            rows.append((period, state, before, price, before_percent, percent, by, at, currency))
        return rows

    def settled_table(self):
        rows = []
        for period, state, before, price, before_percent, percent, by, at, _ in self.settled():
            is_settled = state != "PROPOSED"
            rows.append([period, state, before, price if is_settled else None, before_percent,
                         percent if is_settled else None, by, at])
        head = "period,state,price before,settled price,since start before %,settled since start %,correction,agreed at"
        return table(head, rows)

    def corrections_table(self):
        rows = []
        for each in self.correction_list or []:
            judged = self.corrections.get(each["id"])
            if judged is None:
                continue
            body = judged.body
            rows.append([each["id"], "PROPOSED", each["state"], " ".join(p["period"] for p in body["periods"]), body["net"],
                         body["currency"], "yes" if body["waived"] else "no", each["proposedAt"], each["proposedBy"],
                         body["reason"], each["hash"]])
            for signature in judged.file["signatures"]:
                rows.append([each["id"], "SIGNED"] + [None] * 5 + [signature["signedAt"], signature["signedBy"],
                            "%s, %s" % (signature["party"], signature["means"]), signature["hash"]])
            if each["refusal"] is not None:
                refusal = each["refusal"]
                rows.append([each["id"], "REFUSED"] + [None] * 5 + [refusal["at"], refusal["by"],
                            "%s: %s" % (refusal["party"], refusal["reason"]), each["hash"]])
            for note in each["notes"]:
                rows.append([each["id"], "NOTE", None, None, note["amount"], body["currency"], None, note["recordedAt"], None,
                             "part %d, %s of %s" % (note["part"], note["number"], note["date"]), note["fileHash"]])
        return table("correction,what,state,periods,net,currency,waived,at,by,words,hash", rows)

    def changes_table(self):
        rows = []
        for each in self.change_list or []:
            judged = self.changes.get(each["id"])
            if judged is None:
                continue
            rows.append([each["id"], "PROPOSED", each["state"], judged.basis, each["version"], judged.body["effectiveFrom"],
                         each["proposedAt"], each["proposedBy"], judged.terms(), each["hash"]])
            for signature in judged.file["signatures"]:
                rows.append([each["id"], "SIGNED"] + [None] * 4 + [signature["signedAt"], signature["signedBy"],
                            "%s, %s" % (signature["party"], signature["means"]), signature["hash"]])
            if each["refusal"] is not None:
                refusal = each["refusal"]
                rows.append([each["id"], "REFUSED"] + [None] * 4 + [refusal["at"], refusal["by"],
                            "%s: %s" % (refusal["party"], refusal["reason"]), each["hash"]])
        return table("change,what,state,changes formula,made formula,from,at,by,words,hash", rows)

    def check_pages(self):
        part = self.part("Pages to print")
        pages, receipts = len(self.texts_in("pages", ".html")), len(self.receipts)
        part.words = "%d, as they were sealed." % pages
        if pages != receipts:
            part.problems.append("there are %s of %s" % (counted(pages, "page", "pages"), counted(receipts, "receipt", "receipts")))

    # The part of the chain

    def read_chain(self, path):
        """The part of the chain, or None where there is none or it cannot be read."""
        self.chain_problem = None
        if path not in self.texts:
            return None
        try:
            value = StrictJson.read(self.texts[path], 64, MOST_VALUES)
        except NotStrict as wrong:
            self.chain_problem = "%s cannot be read as strict JSON: %s (line %d)" % (path, wrong.why, wrong.line)
            return None
        is_one = (
            isinstance(value, dict) and isinstance(value.get("scope"), str)
            and isinstance(value.get("entries"), list)
            and all(
                isinstance(each, dict) and isinstance(each.get("seq"), int)
                and all(isinstance(each.get(name), str) for name in ("kind", "subject", "recordedAt", "contentHash"))
                for each in value["entries"]
            )
        )
        if not is_one:
            self.chain_problem = "%s is not one" % path
            return None
        return value

    @staticmethod
    def chain_problems(chain):
        problems, entries = [], chain["entries"]
        redactions = redactions_in(entries)
        for each in entries:
            salt = each.get("salt")
            is_salt = salt is None or (isinstance(salt, str) and re.fullmatch("[0-9a-f]{32}", salt) is not None)
            front = bytes.fromhex(salt) if salt is not None and is_salt else b""
            own = sha256(front + canonical(each.get("content")).encode("utf-8")).hex()
            stands = each["contentHash"]
            for redaction in redactions.get(each["seq"], []):
                if redaction["was"] != stands or redaction["kind"] != each["kind"] or each["kind"] == "redaction":
                    problems.append(
                        "a redaction of publication %d (%s) does not go on from what was published" % (each["seq"], each["kind"])
                    )
                stands = redaction["is"]
            if not is_salt or own != stands:
                problems.append("publication %d (%s) is not what its hash covers" % (each["seq"], each["kind"]))
        return problems

    def check_chain(self):
        if "chain.json" not in self.texts:
            return
        part = self.part("The part of the chain")
        self.chain = self.read_chain("chain.json")
        if self.chain is None:
            part.words = "It cannot be read."
            part.problems.append(self.chain_problem)
            return
        publications = counted(len(self.chain["entries"]), "publication", "publications")
        told_redactions = [each for of_one in redactions_in(self.chain["entries"]).values() for each in of_one]
        sentences = [" %s was redacted on %s." % (each["instead"], redaction_words(each)) for each in told_redactions]
        part.words = "%s computed again." % publications + "".join(dict.fromkeys(sentences))
        part.problems = self.chain_problems(self.chain)
        for entry in self.entries("formula"):
            version = entry["content"]["version"]
            text = self.texts.get("formulas/version-%d.yaml" % version)
            if "documentText" in entry["content"] and (text is None or hash_text(text) != entry["content"]["documentText"]):
                part.problems.append("version %d of the formula is not the one that was published" % version)
        signed = {
            (each["content"]["receiptHash"], each["content"]["party"], each["content"]["signedBy"])
            for each in self.entries("sign-off", "signature")
        }
        objections = {each["content"]["id"] for each in self.entries("objection")}
        for name, judged in self.in_order():
            for each in judged.receipt["signatures"]:
                if (each["hash"], each["party"], each["signedBy"]) not in signed:
                    part.problems.append("%s: the %s's signature is not in the chain" % (name, each["party"]))
            for each in judged.receipt.get("objections", []):
                if each["id"] not in objections:
                    part.problems.append("%s: the objection %s is not in the chain" % (name, each["id"]))
        part.problems += self.proposal_problems()

    def proposal_problems(self):
        """What the chain and the package say of proposals: both must say the same."""
        problems = []
        periods = {judged.body["period"] for judged in self.receipts.values()}
        last = max((judged.body["adjustmentDate"] for judged in self.receipts.values()), default="")
        made = {each["content"]["proposal"]: each["content"]["version"]
                for each in self.entries("formula") if each["content"].get("proposal") is not None}
        if self.correction_list is not None:
            wanted = set(self.corrections) | {
                each["content"]["id"] for each in self.entries("correction") if periods & set(each["content"]["periods"])
            }
            problems += both_ways(self.chain_facts("correction", wanted, {}), self.package_facts("correction", {}))
        if self.change_list is not None:
            wanted = set(self.changes) | {
                each["content"]["id"] for each in self.entries("terms-change")
                if each["content"]["effectiveFrom"] <= last or each["content"]["id"] in made
            }
            problems += both_ways(self.chain_facts("change", wanted, made), self.package_facts("change", made))
        return problems

    def chain_facts(self, kind, wanted, made):
        """What the chain says: (what it is called, what it is compared by)."""
        is_correction = kind == "correction"
        called = "correction" if is_correction else "change of terms"
        names = ("correction", "correction-signature", "correction-refusal") if is_correction else (
            "terms-change", "terms-signature", "terms-refusal")
        facts = []
        for entry in (self.chain or {"entries": []})["entries"]:
            content = entry["content"]
            one = content.get("id") if entry["kind"] == names[0] else content.get(kind) if isinstance(content, dict) else None
            if one not in wanted:
                continue
            if entry["kind"] == names[0]:
                facts.append(("the %s %s" % (called, one), (content["hash"], content["proposedBy"])))
                if content.get("plannedBy") is not None:
                    facts.append(("the plan of formula %d that the change of terms %s carries out" % (content["plannedBy"], one), ()))
            elif entry["kind"] == names[1]:
                facts.append(("the signature of %s for the %s under the %s %s" % (
                    content["signedBy"], content["party"], called, one), (content["hash"],)))
            elif entry["kind"] == names[2]:
                facts.append(("the refusal of the %s %s by %s for the %s" % (
                    called, one, content["by"], content["party"]), (content["reason"],)))
            elif entry["kind"] == "correction-note" and is_correction:
                facts.append(("the note %s over %s for the correction %s" % (content["number"], content["amount"], one),
                              (str(content["part"]), content["date"], content["file"])))
        if not is_correction:
            facts += [("formula %d that the change of terms %s made" % (version, one), ())
                      for one, version in made.items() if one in wanted]
        return facts

    def package_facts(self, kind, made):
        is_correction = kind == "correction"
        called = "correction" if is_correction else "change of terms"
        judged_by_id = self.corrections if is_correction else self.changes
        facts = []
        for each in (self.correction_list if is_correction else self.change_list) or []:
            one = each["id"]
            if one not in judged_by_id:
                continue
            facts.append(("the %s %s" % (called, one), (each["hash"], each["proposedBy"])))
            if each.get("plannedBy") is not None:
                facts.append(("the plan of formula %d that the change of terms %s carries out" % (each["plannedBy"], one), ()))
            for signature in judged_by_id[one].file["signatures"]:
                facts.append(("the signature of %s for the %s under the %s %s" % (
                    signature["signedBy"], signature["party"], called, one), (signature["hash"],)))
            if each["refusal"] is not None:
                facts.append(("the refusal of the %s %s by %s for the %s" % (
                    called, one, each["refusal"]["by"], each["refusal"]["party"]), (each["refusal"]["reason"],)))
            for note in each.get("notes", []):
                facts.append(("the note %s over %s for the correction %s" % (note["number"], note["amount"], one),
                              (str(note["part"]), note["date"], note["fileHash"])))
            if each.get("version") is not None:
                facts.append(("formula %d that the change of terms %s made" % (each["version"], one), ()))
        return facts

    def check_companies(self):
        found = self.texts_in("companies")
        if not found:
            return
        part = self.part("The people of the companies")
        many = "1 company" if len(found) == 1 else "%d companies" % len(found)
        part.words = many + ": what was done about their people, and the lists they confirmed."
        lists = {}
        for slug, _ in found:
            path = "companies/%s.json" % slug
            chain = self.read_chain(path)
            if chain is None:
                part.problems.append("%s: %s" % (path, self.chain_problem))
                continue
            problems = self.chain_problems(chain)
            lists[slug] = set()
            redacted = redactions_in(chain["entries"])
            for each in chain["entries"]:
                content = each.get("content")
                if each["kind"] == "people" and isinstance(content, dict) and content.get("kind") == "CONFIRMED":
                    facts = content["facts"]
                    lists[slug].add(facts["hash"])
                    people = sorted(facts["people"], key=lambda person: in_utf16_order(person["email"]))
                    own = {"format": "assize-people/1", "party": slug, "people": people, "workspace": chain["scope"]}
                    if each["seq"] not in redacted and hash_value(own) != facts["hash"]:
                        problems.append("the list %s is not the one that was confirmed" % facts["hash"])
            part.problems += ["%s: %s" % (path, problem) for problem in problems]
        for judged in list(self.receipts.values()) + list(self.corrections.values()) + list(self.changes.values()):
            file = judged.receipt if isinstance(judged, PeriodJudged) else judged.file
            for signature in file["signatures"]:
                company = signature.get("origin", {}).get("company")
                if company is not None and company["confirmed"] is not None and company["slug"] in lists:
                    named_list = company["confirmed"]["hash"]
                    if named_list not in lists[company["slug"]]:
                        part.problems.append("the list %s that a signature names is not in the chain" % named_list)

    # What is said

    def problems(self):
        return ["refused: %s: %s" % (part.title, problem) for part in self.parts for problem in part.problems]

    def on_word(self):
        words = []
        for judged in list(self.receipts.values()) + list(self.corrections.values()):
            words += judged.on_word()
        planned = []
        for one, judged in self.changes.items():
            words += judged.on_word()
            entry = next(each for each in self.change_list if each["id"] == one)
            if entry["plannedBy"] is not None:
                planned.append("that both had signed formula %d when its plan was carried out" % entry["plannedBy"])
        words += planned
        if self.changes:
            words.append(CHANGES_ON_WORD)
        words.append("that nothing about these periods was left out")
        if self.corrections:
            words.append("that the invoice lines under corrections, and their notes, are as the installation recorded them")
        if "activity.csv" in self.texts:
            words.append("that activity.csv says what was done")
        if "people.csv" in self.texts:
            words.append("that people.csv says what was done about the people of the companies")
        if self.chain is not None and "log.json" not in self.texts:
            words.append("that the publications of the chain were recorded as they stand there: the package has nothing of the log")
        return list(dict.fromkeys(words))

    def lines(self):
        body = self.manifest["body"]
        installation, workspace = body["installation"], body["workspace"]
        name = "" if installation["name"] is None else " (%s)" % installation["name"]
        lines = [
            "same: everything in the evidence for %s (%s), %s to %s, verifies"
            % (body["agreement"]["name"], self.agreement, body["from"], body["to"]),
            "issued by %s%s, workspace %s (%s); made by %s on %s"
            % (installation["id"], name, workspace["slug"], workspace["name"], body["madeBy"], body["madeAt"][:10]),
        ]
        lines += ["%s: %s" % (part.title, part.words) for part in self.parts]
        lines.append(seal_line(self.manifest["seal"], self.trust))
        for name, judged in self.receipts.items():
            price = judged.body["result"].get("price")
            lines.append("%s: recomputes to %s%s" % (name, judged.percent, "" if price is None else ", price " + price))
            lines += self.signed_lines(name, judged.receipt, judged.body)
        for each in self.correction_list or []:
            judged = self.corrections[each["id"]]
            periods = ", ".join(period["period"] for period in judged.body["periods"])
            lines.append("%s: the correction of %s comes to %s, %s" % (each["id"], periods, judged.amount(), each["state"]))
            lines += self.signed_lines(each["id"], judged.file, judged.body)
        for each in self.change_list or []:
            judged = self.changes[each["id"]]
            lines.append("%s: %s" % (each["id"], self.change_words(each, judged)))
            state = "agreed" if each["state"] == "AGREED" else "proposed"
            lines.append("%s: %s between %s" % (each["id"], state, between(judged.body)))
            if each["plannedBy"] is None:
                lines += self.signed_lines(each["id"], judged.file, judged.body)
        if self.log is not None:
            for name, judged in self.receipts.items():
                lines += self.log.proven_lines(name, judged.receipt)
            for listed, judged in ((self.correction_list, self.corrections), (self.change_list, self.changes)):
                for each in listed or []:
                    lines += self.log.proven_lines(each["id"], judged[each["id"]].file)
            lines += self.log.kept_line(self.trust.kept, self.kept_same) + self.kept_lines
            lines += self.log.left_to_openssl
        lines += ["on the operator's word: " + each for each in self.on_word()]
        lines += ["not proven: " + each for each in NOT_PROVEN]
        return lines + self.settled_lines()

    def signed_lines(self, name, file, body):
        if not file["signatures"]:
            return ["%s: signed by nobody" % name]
        return [
            "%s: %s" % (name, line) for each in file["signatures"] for line in signature_lines(each, body, self.own_trust)
        ]

    def change_words(self, entry, judged):
        terms = "%s, from %s on" % (judged.terms(), judged.body["effectiveFrom"])
        if not self.is_agreed(entry, judged):
            state = entry["state"].lower().replace("_", " ")
            return "change of formula %d, %s: %s" % (judged.basis, state, terms)
        what = "change of formula %d" % judged.basis if entry["version"] is None else "formula %d" % entry["version"]
        if entry["plannedBy"] is not None:
            return "%s agreed by the plan of formula %d: %s" % (what, entry["plannedBy"], terms)
        on = max(each["signedAt"] for each in judged.file["signatures"])[:10]
        return "%s agreed by both on %s: %s" % (what, on, terms)

    def settled_lines(self):
        if "corrections.json" not in self.texts:
            return []
        lines = []
        for period, state, before, price, before_percent, percent, by, at, currency in self.settled():
            has_price = before is not None

            def words(amount, pct):
                if not has_price:
                    return percent_words(pct) + " since the start"
                return amount if currency is None else "%s %s" % (amount, currency)

            what = "price" if has_price else "number"
            if state == "PROPOSED":
                lines.append("%s: proposed %s, not signed by both." % (period, words(before, before_percent)))
            elif state == "SIGNED":
                lines.append("%s: the settled %s is %s, as signed." % (period, what, words(price, percent)))
            else:
                lines.append(
                    "%s: the settled %s is %s, corrected from %s, agreed on %s (%s)."
                    % (period, what, words(price, percent), words(before, before_percent), at[:10], by)
                )
        return lines


NOT_PROVEN = [
    "that the operator recorded what the provider really published",
    "that nothing was left out before it was logged",
    "that two people are two people",
]


def both_ways(in_chain, in_package):
    """What only one of two lists of facts has."""
    problems = ["%s is in the chain, but not in the package" % what for what, by in in_chain if (what, by) not in in_package]
    return problems + [
        "%s is in the package, but not in the chain" % what for what, by in in_package if (what, by) not in in_chain
    ]


# --- The command -----------------------------------------------------------------------------------------------------


def judged_of(data, trust):
    """What kind of file it is, read and judged."""
    if data[:2] == b"PK" and data[2:3] in (b"\x03", b"\x05"):
        return Package(data, trust)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("the receipt cannot be read: it is not UTF-8")
    if text.startswith("c2sp.org/tlog-proof@"):
        return SlipsJudged(text, trust)
    found = re.search(r'"format"\s*:\s*"(assize-(?:correction|splice|amendment)/1)"', text)
    if found is not None:
        most, deepest, judge = {
            "assize-correction/1": (100000000, 14, CorrectionJudged),
        }.get(found.group(1), (LONGEST_RECEIPT, 64, ChangeJudged))
        try:
            value = read_json(text, most, deepest)
            body = value.get("body") if isinstance(value, dict) else None
            kind = body.get("format") if isinstance(body, dict) else None
        except Unreadable:
            kind = found.group(1)
        if kind == "assize-correction/1":
            return CorrectionJudged(read_json(text, 100000000, 14), trust)
        if kind in ("assize-splice/1", "assize-amendment/1"):
            return ChangeJudged(read_json(text, LONGEST_RECEIPT, 64), trust)
    return PeriodJudged(read_json(text, LONGEST_RECEIPT, 12), trust)


def verdict(path, trust=None):
    """(exit status, lines) of a file."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as wrong:
        return 1, ["assize: %s cannot be read: %s" % (path, wrong.strerror)]
    if len(data) > MOST_BYTES:
        return 1, ["assize: %s is larger than %d bytes" % (path, MOST_BYTES)]
    try:
        judged = judged_of(data, trust or Trust())
        problems = judged.problems()
        return (1, problems) if problems else (0, judged.lines())
    except Unreadable as wrong:
        return 1, ["assize: %s" % wrong]
    except RecursionError:
        return 1, ["assize: the receipt cannot be read: it is nested too deep"]


USAGE = (
    "usage: assize_verify.py FILE [--trust KEY] [--trust-issuer FILE] [--log-key VKEY] [--witness VKEY] [--kept FILE]",
    "       [--stamp FILE]",
)
OPTIONS = ("--trust", "--trust-issuer", "--log-key", "--witness", "--kept", "--stamp")


def read_trust(given):
    """Keys from texts or from files of an installation; issuers, slips and checkpoints from files."""
    keys = set()
    for each in given["--trust"]:
        if each.startswith("ed25519:"):
            keys.add(each[len("ed25519:") :])
        else:
            with open(each, encoding="utf-8") as file:
                keys.update(key["publicKey"] for key in json.load(file)["keys"])
    issuers = None
    for path in given["--trust-issuer"]:
        with open(path, encoding="utf-8") as file:
            issuers = {**(issuers or {}), **json.load(file)}
    kept = []
    for path in given["--kept"]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.startswith("c2sp.org/tlog-proof@"):
            kept += [(os.path.basename(path), slip.checkpoint) for slip in slips_in(text)]
        else:
            kept.append((os.path.basename(path), Checkpoint(text)))
    for each in given["--log-key"] + given["--witness"]:
        Vkey(each)
    stamps = []
    for path in given["--stamp"]:
        with open(path, "rb") as file:
            stamps.append((os.path.basename(path), file.read(MOST_BYTES)))
    trusted = keys if given["--trust"] else None
    return Trust(trusted, issuers, given["--log-key"], given["--witness"], kept, stamps)


# What nobody sees, moves other signs, or breaks a line: RECEIPT.md, section 7.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text):
    """One line, in which every sign can be seen."""
    return UNSEEN.sub(lambda found: "\\u{%x}" % ord(found.group()), text)


def write_lines(lines, out):
    out.reconfigure(encoding="utf-8", newline="\n")
    for line in lines:
        print(visible(line), file=out)


def main(arguments):
    files, given = [], {name: [] for name in OPTIONS}
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word in given and left:
            given[word].append(left.pop(0))
        elif word.startswith("--"):
            files = []
            break
        else:
            files.append(word)
    if len(files) != 1:
        write_lines(USAGE, sys.stderr)
        return 2
    try:
        trust = read_trust(given)
    except Unreadable as wrong:
        write_lines(["assize: %s" % wrong], sys.stderr)
        return 2
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        write_lines(["assize: a key or a file that you trust cannot be read"], sys.stderr)
        return 2
    status, lines = verdict(files[0], trust)
    write_lines(lines, sys.stdout if status == 0 else sys.stderr)
    return status


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1:]))
