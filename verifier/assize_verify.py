#!/usr/bin/env python3
# Generated from the modules in verifier/source by `npm run verifier`: change those.
"""Checks receipts, corrections, changes of terms, evidence packages and slips of Assize, offline.

    python3 assize_verify.py receipt.json
    python3 assize_verify.py package.zip --trust KEY

It was written from the format's reference (docs/RECEIPT.md) and not from the program that makes the files, so that the two
can disagree. It needs Python 3.9 or later and nothing else, opens no connection and writes no file.
"""

import base64
import calendar
import datetime
import functools
import hashlib
import hmac
import json
import os
import re
import struct
import sys
import unicodedata
import zlib
from fractions import Fraction


# ======================================================================================================================
# text.py: Text: hashes, base64, strict JSON, and how text of other people is printed.
#
# Everything here refuses rather than guesses, because two programs that guess differently would read two files in one.
# ======================================================================================================================


class Unreadable(Exception):
    """A file that cannot be judged at all; the message is the one line that is printed."""


# What Python raises where a field is missing or of another type than the reference says. Fields are not looked at one by
# one, as `assize verify` does: one that is used and does not fit is the verdict, in one line.
FORM_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
NOT_FORMED = "the receipt cannot be read: a field is not as the reference says"


def counted(number, one, many):
    return "%d %s" % (number, one if number == 1 else many)


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_text(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def utf16_length(text):
    """Texts are bounded in UTF-16 code units."""
    return len(text) + sum(1 for character in text if character > "\uffff")


def utf16_order(text):
    """The key by which names are sorted."""
    return text.encode("utf-16-be", "surrogatepass")


def canonical(value):
    """The one text of a value, which is hashed: keys in UTF-16 order, no white space."""
    if isinstance(value, dict):
        keys = sorted(value, key=utf16_order)
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def hash_value(value):
    return hash_text(canonical(value))


def pretty(value):
    """As the lists of a package are written: two spaces of indentation and a line feed at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def decode_utf8(data):
    """None for other bytes: a replaced character would be covered by a hash of something else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text):
    """None where it is not the one spelling of its bytes."""
    if not isinstance(text, str) or not re.fullmatch("[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64url(data) == text else None


def from_base64(text):
    """The same with padding, as C2SP writes it."""
    if len(text) % 4 or not re.fullmatch("[A-Za-z0-9+/]*={0,2}", text):
        return None
    data = base64.b64decode(text)
    return data if base64.b64encode(data).decode("ascii") == text else None


# --- Text of other people --------------------------------------------------------------------------------------------

# Signs that nobody sees, that move others or break a line: RECEIPT.md, section 7. With them the maker of a file could
# write a line of the verdict.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def visible(text):
    """One line in which every sign can be seen."""
    return UNSEEN.sub(lambda sign: "\\u{%x}" % ord(sign.group()), text)


# --- Strict JSON -----------------------------------------------------------------------------------------------------

TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
WITH_SOMETHING = re.compile(r"[\[{](?![ \t\n\r]*[\]}])")
GREATEST_NUMBER = 2**53 - 1


class NotStrict(Exception):
    """JSON with more than one reading, or beyond a bound."""


def refuse_number(digits):
    raise NotStrict("%s is not a number it may hold" % digits[:40])


def whole_number(digits):
    # Its length first: Python refuses to read very many digits.
    if len(digits) > 17 or digits == "-0" or abs(int(digits)) > GREATEST_NUMBER:
        refuse_number(digits)
    return int(digits)


def mapping_of(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise NotStrict("the key %s is repeated" % canonical(next(each for each in names if names.count(each) > 1)))
    return found


STRICT = json.JSONDecoder(
    object_pairs_hook=mapping_of, parse_int=whole_number, parse_float=refuse_number, parse_constant=refuse_number
)


def value_count(text):
    """How many values a text holds, before memory is taken for them. In JSON each but the first stands behind a comma
    or opens a list or a mapping; keys are texts before a colon and count with the value behind it."""
    bare = TEXT.sub("0", text)
    return 1 + bare.count(",") + len(WITH_SOMETHING.findall(bare))


def depth_of(value):
    """The outermost value has depth 0."""
    depth, level = 0, [value]
    while True:
        level = [
            inside
            for each in level
            if isinstance(each, (dict, list))
            for inside in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return depth
        depth += 1


def strict_json(text, depth, values=1000000):
    """The value of JSON that has one meaning: no repeated key, whole numbers, no lone surrogate, nothing behind it."""
    if value_count(text) > values:
        raise NotStrict("it holds more than %d values" % values)
    try:
        value = STRICT.decode(text)
        if re.search(r"\\u[dD][89a-fA-F]", text):
            canonical(value).encode("utf-8")
    except UnicodeEncodeError:
        raise NotStrict("a text contains half of a character (a lone surrogate)")
    except RecursionError:
        raise NotStrict("it is nested deeper than %d" % depth)
    except ValueError as wrong:
        raise NotStrict(str(wrong))
    if depth_of(value) > depth:
        raise NotStrict("it is nested deeper than %d" % depth)
    return value


def read_json(text, called, length, depth):
    """The value of a file of proof, whose refusal is the verdict."""
    if utf16_length(text) > length:
        raise Unreadable("%s is too large: %d characters, at most %d" % (called, utf16_length(text), length))
    try:
        return strict_json(text, depth)
    except NotStrict as wrong:
        raise Unreadable("%s cannot be read as strict JSON: %s" % (called, wrong))


# ======================================================================================================================
# exact.py: Exact fractions: reading, rounding and writing them (RECEIPT.md, section 2). Binary floating point appears nowhere.
# ======================================================================================================================


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


# ======================================================================================================================
# public_keys.py: Public keys: Ed25519 (RFC 8032), ECDSA with P-256 (FIPS 186), RSA (RFC 8017), and DER as far as keys need it.
#
# Signatures are only verified, and everything is public, so nothing here has to run in constant time. Published vectors
# hold it (test/verifier/primitives.test.ts).
# ======================================================================================================================


class Ed25519:
    P = 2**255 - 19
    ORDER = 2**252 + 27742317777372353535851937790883648493
    D = -121665 * pow(121666, -1, P) % P
    ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
    BASE_Y = 4 * pow(5, -1, P) % P
    NEUTRAL = (0, 1, 1, 0)

    @classmethod
    def x_of(cls, y, is_odd):
        """None where no point has this y and this parity of x."""
        square = (y * y - 1) * pow(cls.D * y * y + 1, -1, cls.P) % cls.P
        x = pow(square, (cls.P + 3) // 8, cls.P)
        if (x * x - square) % cls.P:
            x = x * cls.ROOT_OF_MINUS_ONE % cls.P
        if y >= cls.P or (x * x - square) % cls.P or (x == 0 and is_odd):
            return None
        return cls.P - x if x & 1 != is_odd else x

    @classmethod
    def decode(cls, data):
        """A point in extended coordinates (X, Y, Z, T); None where the bytes are none."""
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
        result = cls.NEUTRAL
        while scalar:
            if scalar & 1:
                result = cls.add(result, point)
            point = cls.add(point, point)
            scalar >>= 1
        return result

    @classmethod
    def is_same(cls, a, b):
        return (a[0] * b[2] - b[0] * a[2]) % cls.P == 0 and (a[1] * b[2] - b[1] * a[2]) % cls.P == 0

    @classmethod
    def is_of_small_order(cls, point):
        """Order 1, 2, 4 or 8: for such a key anybody can sign anything."""
        return cls.is_same(cls.times(8, point), cls.NEUTRAL)

    @classmethod
    def verify(cls, key, message, signature):
        if len(key) != 32 or len(signature) != 64:
            return False
        point, commitment = cls.decode(key), cls.decode(signature[:32])
        scalar = int.from_bytes(signature[32:], "little")
        if point is None or commitment is None or scalar >= cls.ORDER:
            return False
        if cls.is_of_small_order(point) or cls.is_of_small_order(commitment):
            return False
        digest = hashlib.sha512(signature[:32] + key + message).digest()
        challenge = int.from_bytes(digest, "little") % cls.ORDER
        base_x = cls.x_of(cls.BASE_Y, 0)
        base = (base_x, cls.BASE_Y, 1, base_x * cls.BASE_Y % cls.P)
        return cls.is_same(cls.times(scalar, base), cls.add(commitment, cls.times(challenge, point)))


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
        digest, inverse = int.from_bytes(sha256(message), "big"), pow(s, -1, cls.ORDER)
        of_base = cls.times(digest * inverse % cls.ORDER, cls.BASE)
        point = cls.add(of_base, cls.times(r * inverse % cls.ORDER, key))
        return point is not None and point[0] % cls.ORDER == r


def rsa_opened(modulus, exponent, signature):
    """The bytes that were signed, with their padding; None where it cannot be a signature of the key."""
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    # Longer keys are taken by no library, and would keep whoever verifies waiting.
    is_long = modulus.bit_length() > 16384 or (modulus.bit_length() > 3072 and exponent.bit_length() > 64)
    if len(signature) != size or number >= modulus or exponent >= modulus or is_long:
        return None
    return pow(number, exponent, modulus).to_bytes(size, "big")


SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def rsa_pkcs1_verify(modulus, exponent, message, signature):
    """RSASSA-PKCS1-v1_5 with SHA-256."""
    opened = rsa_opened(modulus, exponent, signature)
    if opened is None:
        return False
    wanted = SHA256_PREFIX + sha256(message)
    return opened == b"\x00\x01" + b"\xff" * (len(opened) - len(wanted) - 3) + b"\x00" + wanted


def rsa_pss_verify(modulus, exponent, message, signature):
    """RSASSA-PSS with SHA-256 for everything and a salt of 32 bytes, as PS256 has it."""
    opened = rsa_opened(modulus, exponent, signature)
    bits = modulus.bit_length() - 1
    size = (bits + 7) // 8
    if opened is None or size < 66 or (len(opened) > size and opened[0] != 0):
        return False
    encoded = opened[-size:]
    masked, digest, end = encoded[: size - 33], encoded[size - 33 : -1], encoded[-1]
    unused = 8 * size - bits
    if end != 0xBC or masked[0] >> (8 - unused):
        return False
    mask = b"".join(sha256(digest + n.to_bytes(4, "big")) for n in range(size // 32 + 1))
    block = bytearray(a ^ b for a, b in zip(masked, mask))
    block[0] &= 0xFF >> unused
    padding, salt = bytes(block[:-32]), bytes(block[-32:])
    if padding != b"\x00" * (len(padding) - 1) + b"\x01":
        return False
    return digest == sha256(b"\x00" * 8 + sha256(message) + salt)


# --- DER -------------------------------------------------------------------------------------------------------------

INTEGER, BITS, SEQUENCE = 0x02, 0x03, 0x30
ED25519_NAME = bytes.fromhex("06032b6570")
P256_NAME = bytes.fromhex("06072a8648ce3d020106082a8648ce3d030107")
RSA_NAME = bytes.fromhex("06092a864886f70d0101010500")


def der_parts(data):
    """The (tag, content) pairs that stand one after the other, each in its one spelling; None where they do not."""
    parts, at = [], 0
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


def der_sequence(data, *tags):
    """The contents of one SEQUENCE of elements with these tags; None for anything else."""
    outer = der_parts(data)
    if outer is None or [tag for tag, _ in outer] != [SEQUENCE]:
        return None
    inner = der_parts(outer[0][1])
    if inner is None or [tag for tag, _ in inner] != list(tags):
        return None
    return [content for _, content in inner]


def der_integers(data):
    """The two positive integers of a SEQUENCE, each in its shortest form; None for anything else."""
    contents = der_sequence(data, INTEGER, INTEGER)
    for content in contents or [b""]:
        if not content or content[0] & 0x80 or (content[0] == 0 and not content[1:2] >= b"\x80"):
            return None
    return tuple(int.from_bytes(content, "big") for content in contents)


def ecdsa_signature(data):
    """(r, s) of a signature in DER; None where it is none."""
    return der_integers(data) if len(data) <= 72 else None


def public_key_of(data):
    """("Ed25519", bytes), ("P-256", point) or ("RSA", (n, e)) of a SubjectPublicKeyInfo; None for any other."""
    contents = der_sequence(data, SEQUENCE, BITS)
    if contents is None or contents[1][:1] != b"\x00":
        return None
    name, key = contents[0], contents[1][1:]
    if name == ED25519_NAME and len(key) == 32:
        return ("Ed25519", key)
    if name == P256_NAME and len(key) == 65 and key[0] == 4:
        point = (int.from_bytes(key[1:33], "big"), int.from_bytes(key[33:], "big"))
        return ("P-256", point) if P256.is_on_curve(*point) else None
    numbers = der_integers(key) if name == RSA_NAME else None
    return None if numbers is None else ("RSA", numbers)


# ======================================================================================================================
# envelope.py: The form of a file of proof: what stands around the body that was signed (RECEIPT.md, 3.1).
# ======================================================================================================================


# Of each kind of file: what it is called, and its fields in the order in which they are read; ? may be missing.
FIELDS = {
    "receipt": ["hash", "body", "signatures", "objections?", "seal"],
    "correction": ["hash", "body", "receipts", "signatures", "seal"],
    "change": ["hash", "body", "document", "signatures", "seal"],
    "seal": ["algorithm", "publicKey", "value"],
}


def misfit(path, what):
    raise Unreadable("the receipt cannot be read: %s must be %s" % (path, what))


def check_keys(value, kind, path):
    check_type(value, dict, path)
    for name in FIELDS[kind]:
        if not name.endswith("?") and name not in value:
            misfit(path, "a mapping with %s, which is missing" % name)
    for key in value:
        if key not in [name.rstrip("?") for name in FIELDS[kind]]:
            misfit(path, "a mapping without %s, which is not known" % canonical(key))


def check_type(value, kind, path):
    if not isinstance(value, kind):
        misfit(path, {str: "a text", list: "a list", dict: "a mapping"}[kind])


def check_envelope(file, kind):
    """Everything but what is in the body, in the signatures and in the objections."""
    check_keys(file, kind, "the " + kind)
    check_type(file["hash"], str, "hash")
    if not re.fullmatch("[0-9a-f]{64}", file["hash"]):
        misfit("hash", "64 hexadecimal digits")
    check_type(file["body"], dict, "body")
    if kind == "correction":
        check_type(file["receipts"], list, "receipts")
        for at, each in enumerate(file["receipts"]):
            check_type(each, dict, "receipts[%d]" % at)
    if kind == "change" and file["document"] is not None:
        check_type(file["document"], str, "document")
    check_type(file["signatures"], list, "signatures")
    check_type(file.get("objections", []), list, "objections")
    seal = file["seal"]
    if seal is None:
        return
    check_keys(seal, "seal", "seal")
    algorithm = seal["algorithm"]
    if algorithm != "Ed25519":
        kind = {bool: "boolean", int: "number"}.get(type(algorithm), "object")
        got = canonical(algorithm) if isinstance(algorithm, str) else kind
        misfit("seal.algorithm", "one of Ed25519, got %s" % got)
    check_type(seal["publicKey"], str, "seal.publicKey")
    check_type(seal["value"], str, "seal.value")


# ======================================================================================================================
# party_signatures.py: Seals and the signatures of the parties: passkeys, tokens of identity providers, lists signed at once.
#
# RECEIPT.md, sections 4 and 5.
# ======================================================================================================================


class Trust:
    """What whoever verifies knows from elsewhere: keys of installations, of identity providers, of a log and its
    witnesses, and the checkpoints that they kept."""

    def __init__(self, keys=None, issuers=None, log_keys=(), witnesses=(), brought=None, ended=None):
        self.keys = keys
        # By key, when it ended and the file that says so: what it sealed counts with slips alone.
        self.ended = ended or {}
        self.issuers = issuers
        self.log_keys = list(log_keys)
        self.witnesses = list(witnesses)
        # Slips and kept checkpoints (slips.py); None where there are none.
        self.brought = brought


# --- The seal --------------------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=10000)
def is_signed(key, message, signature):
    """By Ed25519. The same checkpoint comes with many slips, so each answer is kept."""
    return Ed25519.verify(key, message, signature)


def is_sealed(seal, text):
    """Whether a seal is one of a text, under the key that it names."""
    key, value = from_base64url(seal["publicKey"]), from_base64url(seal["value"])
    return key is not None and value is not None and is_signed(key, text.encode("utf-8"), value)


def sealed_hash(file):
    """Of everything that stands beside the body, but the seal."""
    return hash_value({name: file[name] for name in ("hash", "signatures", "objections") if name in file})


# --- One signature ---------------------------------------------------------------------------------------------------

WAYS = {
    "passkey": "with a passkey",
    "provider": "by the identity provider of the company",
    "password": "with a password",
}


class NotSigned(Exception):
    """Why a signature is none."""


def need(is_so, why):
    if not is_so:
        raise NotSigned(why)


def signed_hash(signature):
    """The hash of the one thing that was signed, or of the list of several."""
    together = signature["together"]
    if len(together) == 1:
        return together[0]["hash"]
    return hash_value([{"hash": each["hash"], "period": each["period"]} for each in together])


def challenge_of(signature):
    """The hash that a passkey or a provider was given: of what was signed or of the whole batch, with the signer's origin."""
    found = signed_hash(signature)
    if "batch" in signature:
        found = hash_value({"entries": signature["batch"]["entries"], "format": "assize-batch/1"})
    return hash_value({"format": "assize-signature/2", "hash": found, "signer": signature.get("origin")})


class SignedThing:
    """What signatures have to cover: a hash, the period of a receipt (None for proposals), the accepted ways to sign."""

    def __init__(self, own_hash, body, has_period, has_plain_lists):
        self.hash = own_hash
        self.period = body["period"] if has_period else None
        self.ways = body["parties"].get("signWith")
        self.has_plain_lists = has_plain_lists


def check_signature(signature, thing, is_sealed_well, trust):
    """The kind of proof: "word" or "operator" of the operator, "key" of a passkey, "token" of a provider."""
    need(signature["hash"] == thing.hash, "it is given for another receipt")
    seen = [each["period"] for each in signature["together"] if each["hash"] == thing.hash]
    is_seen = seen if thing.period is None else thing.period in seen
    need(is_seen, "%s is not among what was signed" % ("what it is given for" if thing.period is None else thing.period))
    means, passkey, provider = signature["means"], signature["passkey"], signature.get("provider")
    if thing.ways is not None and means.lower() not in thing.ways:
        words = [WAYS[way] for way in WAYS if way in thing.ways]
        listed = " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
        raise NotSigned("what was signed is to be signed %s, and this is none of it" % listed)
    without = "a signature by %s is said, or is there, without the other"
    need((means == "PASSKEY") == (passkey is not None), without % "passkey")
    need((means == "PROVIDER") == (provider is not None), without % "a provider")
    if "batch" in signature:
        check_batch(signature, thing)
    if passkey is not None:
        check_passkey(signature)
        return "key"
    if provider is not None and "proof" not in provider:
        check_token(signature, trust)
        return "token"
    need(is_sealed_well, "nothing vouches for it: the seal on the receipt is not valid")
    return "operator" if means == "OPERATOR" else "word"


def check_batch(signature, thing):
    """The list of several agreements has what was signed here."""
    has_passkey, has_provider = signature["passkey"] is not None, "provider" in signature
    is_list = has_passkey or has_provider or thing.has_plain_lists
    need(is_list, "a list that a passkey signed is there without the passkey")
    by = "the passkey signed" if has_passkey else "the provider signed" if has_provider else "was signed"
    entries = signature["batch"]["entries"]
    need(all(a < b for a, b in zip(entries, entries[1:])), "the list that %s is not in ascending order" % by)
    entry = {"format": "assize-batch-entry/1", "hash": signed_hash(signature), "salt": signature["batch"]["salt"]}
    need(hash_value(entry) in entries, "it is not in the list that %s" % by)


# --- Passkeys (Web Authentication, section 7.2 as far as it can be checked offline) -----------------------------------

def decoded(text, what):
    data = from_base64url(text)
    need(data is not None, "%s is not base64url" % what)
    return data


def mapping_in(data, what, depth):
    """A mapping in strict JSON, from its bytes."""
    text = decode_utf8(data)
    need(text is not None, "%s is not UTF-8" % what)
    try:
        value = strict_json(text, depth)
    except NotStrict as wrong:
        raise NotSigned("%s cannot be read as strict JSON: %s" % (what, wrong))
    need(isinstance(value, dict), "%s is not a mapping" % what)
    return value


def check_passkey(signature):
    passkey, site = signature["passkey"], signature["passkey"]["rpId"]
    client_bytes = decoded(passkey["clientDataJSON"], "clientDataJSON")
    need(len(client_bytes) <= 30000, "clientDataJSON is too large: %d bytes" % len(client_bytes))
    client = mapping_in(client_bytes, "clientDataJSON", 4)
    is_get = client.get("type") == "webauthn.get"
    need(is_get, "clientDataJSON is not of a signature (its type is not webauthn.get)")
    challenge = base64url(bytes.fromhex(challenge_of(signature)))
    need(client.get("challenge") == challenge, "it was made for another hash")
    need(client.get("crossOrigin", False) is False, "it was made inside a page of another site")
    origin = canonical(client["origin"]) if "origin" in client else "undefined"
    need(belongs_to(client.get("origin"), site), "it was made on %s, which does not belong to %s" % (origin, site))
    data = decoded(passkey["authenticatorData"], "authenticatorData")
    need(len(data) >= 37, "authenticatorData is too short")
    need(data[:32] == sha256(site.encode("utf-8")), "the authenticator signed for another site than %s" % site)
    need(data[32] & 1, "the authenticator does not say that a person was present")
    made, key = decoded(passkey["signature"], "signature"), decoded(passkey["publicKey"], "publicKey")
    holds = is_passkey_signature(passkey["algorithm"], key, data + sha256(client_bytes), made)
    need(holds, "it is not a signature of what the authenticator was shown under the key it names")
    listed = [each["id"] for each in signature.get("origin", {}).get("passkeys", [])]
    need(passkey["credentialId"] in listed, "the key that signed is not one of those that were recorded for the signer")


def belongs_to(origin, site):
    """Whether a page is of the site or of a host under it; browsers allow plain http for localhost only."""
    found = re.fullmatch(r"(https?)://([a-z0-9.-]+)(?::[0-9]{1,5})?", origin) if isinstance(origin, str) else None
    if found is None or site == "":
        return False
    scheme, host = found.groups()
    is_local = host == "localhost" or host.endswith(".localhost")
    return (host == site or host.endswith("." + site)) and (scheme == "https" or is_local)


def is_passkey_signature(algorithm, key, message, made):
    kind, parts = public_key_of(key) or (None, None)
    if algorithm == "ES256" and kind == "P-256":
        pair = ecdsa_signature(made)
        return pair is not None and P256.verify(parts, message, *pair)
    if algorithm == "EdDSA" and kind == "Ed25519":
        return is_signed(parts, message, made)
    return algorithm == "RS256" and kind == "RSA" and rsa_pkcs1_verify(parts[0], parts[1], message, made)


# --- Tokens of identity providers ------------------------------------------------------------------------------------

TOKEN_ALGORITHMS = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}
SKEW_SECONDS = 60


def quoted(value):
    """A value of a token in a sentence."""
    text = "nothing" if value is None else canonical(value)
    return text if utf16_length(text) <= 120 else text[:120] + "…"


def seconds_of(instant):
    moment = datetime.datetime.strptime(instant[:19], "%Y-%m-%dT%H:%M:%S")
    return int((moment - datetime.datetime(1970, 1, 1)).total_seconds())


def check_token(signature, trust):
    """The ID token whose nonce is the hash of what was signed."""
    provider = signature["provider"]
    random = from_base64url(provider["random"])
    need(random is not None and len(random) == 32, "the random bytes are not 32 bytes")
    challenge = b"assize sign-off/1\n" + random + b"\n" + challenge_of(signature).encode("ascii")
    claims = signed_claims(provider)
    check_claims(claims, provider, base64url(sha256(challenge)))
    is_short = claims["exp"] - claims["iat"] <= 86400
    need(is_short, "the token is valid for more than a day; a signature needs one whose proof can be shown soon")
    subject, expires = provider["subject"], provider["expiresAt"]
    need(claims["sub"] == subject, "the token is about %s, not about %s" % (claims["sub"], subject))
    is_same = claims["exp"] == seconds_of(expires) and expires[20:26] == "000000"
    need(is_same, "the token expires at another time than is said")
    delay = seconds_of(signature["signedAt"]) - seconds_of(provider["checkedAt"])
    need(-SKEW_SECONDS <= delay <= 1200, "the token was checked at another time than the signature is of")
    identities = [(each["issuer"], each["subject"]) for each in signature.get("origin", {}).get("identities", [])]
    is_known = (provider["issuer"], subject) in identities
    need(is_known, "who signed at the provider is not who was recorded for the signer")
    is_trusted = trust.issuers is None or is_trusted_issuer(provider, trust)
    need(is_trusted, "it is by a key that you do not trust as one of %s" % provider["issuer"])


def signed_claims(provider):
    """The claims of a token that is signed by the key beside it."""
    token, key = provider["token"], provider["key"]
    need(utf16_length(token) <= 32000, "the token has %d characters; at most 32000 are read" % utf16_length(token))
    parts = token.split(".")
    need(len(parts) == 3, "the token has %d parts in place of 3" % len(parts))
    header = mapping_in(decoded(parts[0], "the header of the token"), "the header of the token", 8)
    algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
    is_known = isinstance(algorithm, str) and algorithm in TOKEN_ALGORITHMS
    accepted = "RS256, PS256, ES256, EdDSA are accepted and nothing else"
    need(is_known, "the token is signed by %s; %s" % (quoted(algorithm), accepted))
    need("crit" not in header, "the token demands an extension (crit), and none is known here")
    need("kid" not in header or isinstance(kid, str), "kid of the token is not a text")
    is_jwt = isinstance(kind, str) and re.fullmatch("(application/)?jwt", kind, re.I)
    need(is_jwt, "the token is of another type: %s" % quoted(kind))
    made = decoded(parts[2], "the signature of the token")
    need(made, "the token is not signed")
    need(len(made) <= 1024, "the signature of the token is too long")
    claims = mapping_in(decoded(parts[1], "the claims of the token"), "the claims of the token", 8)
    fits = TOKEN_ALGORITHMS[algorithm] == key["kty"] and key.get("alg", algorithm) == algorithm
    fits = fits and (kid is None or key.get("kid") == kid)
    need(fits, "the provider publishes no key %s for %s" % (quoted(kid), algorithm))
    check_token_key(key)
    holds = is_token_signature(key, algorithm, (parts[0] + "." + parts[1]).encode("ascii"), made)
    need(holds, "the token is not signed by the key of the provider")
    return claims


def check_token_key(key):
    wrong = "the provider’s key cannot be relied on: "
    if key["kty"] == "RSA":
        need(key["e"] == "AQAB", wrong + "its exponent is not 65537")
        size = 0 if key["n"].startswith("AA") else len(from_base64url(key["n"]) or b"")
        need(256 <= size <= 1024, wrong + "its modulus does not have 2,048 to 8,192 bits")
        return
    need(key["crv"] == ("P-256" if key["kty"] == "EC" else "Ed25519"), wrong + "it is on another curve")
    sizes = [len(from_base64url(key[name]) or b"") for name in ("x", "y")[: 2 if key["kty"] == "EC" else 1]]
    need(all(size == 32 for size in sizes), wrong + "its numbers do not have 32 bytes")


def is_token_signature(key, algorithm, message, made):
    if key["kty"] == "RSA":
        modulus = int.from_bytes(from_base64url(key["n"]), "big")
        return (rsa_pkcs1_verify if algorithm == "RS256" else rsa_pss_verify)(modulus, 65537, message, made)
    if key["kty"] == "OKP":
        return is_signed(from_base64url(key["x"]), message, made)
    point = tuple(int.from_bytes(from_base64url(key[name]), "big") for name in ("x", "y"))
    pair = (int.from_bytes(made[:32], "big"), int.from_bytes(made[32:], "big"))
    return len(made) == 64 and P256.verify(point, message, *pair)


def check_claims(claims, provider, nonce):
    """As of the moment at which the installation checked the token."""
    now, issuer, client = seconds_of(provider["checkedAt"]), provider["issuer"], provider["clientId"]
    from_whom, audience, subject = claims.get("iss"), claims.get("aud"), claims.get("sub")
    need(from_whom == issuer, "the token is from %s, not from %s" % (quoted(from_whom), issuer))
    listed = audience if isinstance(audience, list) else [audience]
    need(client in listed, "the token was made for %s, not for %s" % (quoted(audience), client))
    is_for_one = len(listed) == 1 or "azp" in claims
    need(is_for_one, "the token was made for several, and does not say for whom (azp)")
    party = claims.get("azp", client)
    need(party == client, "the token was made for %s (azp), not for %s" % (quoted(party), client))
    need(claims.get("nonce") == nonce, "the token was made for another request (its nonce is another)")
    is_person = isinstance(subject, str) and 1 <= utf16_length(subject) <= 255
    need(is_person, "the token names no person: sub is %s" % quoted(subject))
    issued, expires = claim_time(claims, "iat"), claim_time(claims, "exp")
    need(expires > now - SKEW_SECONDS, "the token has expired")
    need(issued <= now + SKEW_SECONDS, "the token is from the future")
    need(expires > issued, "the token expires before it was made")
    is_begun = "nbf" not in claims or claim_time(claims, "nbf") <= now + SKEW_SECONDS
    need(is_begun, "the token is not valid yet")
    signed_in = claim_time(claims, "auth_time")
    need(signed_in <= now + SKEW_SECONDS, "the token says that the person will sign in later (auth_time)")
    is_recent = signed_in >= now - 300
    need(is_recent, "the person signed in at the provider more than 300 seconds ago (auth_time)")


def claim_time(claims, name):
    value = claims.get(name)
    is_time = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    need(is_time, "%s of the token is %s, not a time" % (name, quoted(value)))
    return value


def is_trusted_issuer(provider, trust):
    """Whether the key is one that whoever verifies knows as the issuer's."""
    known = (trust.issuers or {}).get(provider["issuer"])
    if known is None or ("clients" in known and provider["clientId"] not in known["clients"]):
        return False

    def numbers(key):
        return {name: value for name, value in key.items() if name in ("kty", "n", "e", "crv", "x", "y")}

    return any(numbers(key) == numbers(provider["key"]) for key in known["keys"])


class NotBefore(Exception):
    """Why it is not shown that a receipt was sealed before its key ended."""


# --- A file of proof -------------------------------------------------------------------------------------------------

# More than two are refused anyway, and each takes milliseconds.
MOST_CHECKED = 20


class Proof:
    """A file with body, hash, signatures and seal. What is wrong with it is found in one order, that of `assize verify`:
    form, hash, seal, signatures, and what a kind of file computes from its body."""

    kind, has_plain_lists = "receipt", False

    def __init__(self, file, trust):
        check_envelope(file, self.kind)
        self.file, self.body, self.trust = file, file["body"], trust
        self.refusals, self.differences, self.proofs = [], [], []
        self.own_hash = hash_value(self.body)
        if file["hash"] != self.own_hash:
            self.refusals.append("hash: the %s says %s, its body gives %s" % (self.kind, file["hash"], self.own_hash))
        self.judge_seal()
        try:
            self.judge_signatures()
            self.compute()
        except Unreadable as wrong:
            self.end(wrong)
        except FORM_ERRORS:
            self.end(Unreadable(NOT_FORMED))

    def end(self, why):
        """What cannot be read or computed is the verdict where nothing was wrong before it."""
        if not self.refusals:
            raise why
        self.refusals.append(str(why))

    def judge_seal(self):
        seal, keys = self.file["seal"], self.trust.keys
        self.is_sealed = seal is not None and is_sealed(seal, sealed_hash(self.file))
        if seal is None:
            self.refusals.append("seal: it recomputes, but nobody signed it")
        elif not self.is_sealed:
            self.refusals.append("seal: it is not one of this receipt under the key it names")
        # With a key that has ended: since when, and what shows that this was sealed before.
        self.sealed_before = []
        if seal is not None and keys is not None and seal["publicKey"] not in keys:
            why = self.why_not_trusted(seal["publicKey"])
            if why is not None:
                self.refusals.append("seal: it is by ed25519:%s, %s" % (seal["publicKey"], why))

    def why_not_trusted(self, key):
        """None where the key has ended, and slips show that it sealed this before."""
        if key not in self.trust.ended:
            return "which is not a key that you trust"
        words, again = "a key that ended at %s (%s)" % self.trust.ended[key], "Ask the installation for it again, under its key of now"
        if self.trust.brought is None:
            alone = "that it was sealed before is not shown by the receipt alone, but by the slips of its signatures"
            return "%s: %s (--slip, --kept). %s" % (words, alone, again)
        try:
            self.sealed_before = [words] + self.trust.brought.sealed_before(self.file, key, self.trust)
        except NotBefore as wrong:
            return "%s: %s. %s" % (words, wrong, again)
        return None

    def judge_signatures(self):
        signatures = self.file["signatures"]
        thing = SignedThing(self.own_hash, self.body, self.kind == "receipt", self.has_plain_lists)
        for each in signatures[:MOST_CHECKED]:
            try:
                self.proofs.append(check_signature(each, thing, self.is_sealed, self.trust))
            except NotSigned as wrong:
                self.proofs.append(None)
                self.refusals.append("the %s's signature (%s): %s" % (each["party"], each["signedBy"], wrong))
        if len({each["party"] for each in signatures}) < len(signatures):
            self.refusals.append("signatures: one party has signed twice")
        if len({each["signedBy"] for each in signatures}) < len(signatures):
            self.refusals.append("signatures: one person has signed for both parties")

    def compute(self):
        raise NotImplementedError

    def differences_in_words(self):
        """In a package, where figures are not told."""
        return self.differences

    def problems(self):
        return ["refused: " + each for each in self.refusals] + ["different: " + each for each in self.differences]


# ======================================================================================================================
# words.py: The lines about issuer, parties, seal and signatures, and what rests on the operator's word (RECEIPT.md, 7.1 to 7.3).
# ======================================================================================================================


MEANS = {
    "PASSKEY": "with a passkey, checked here",
    "PROVIDER": "by the identity provider of their company",
    "PASSWORD": "with a password, recorded by the server that issued it",
    "OPERATOR": "by the operator, in the person's name",
}


def percent_words(text):
    """+6.25 %, −0.4 %, 0 %."""
    if text is None:
        return "no percent (from a price of 0)"
    if text.startswith("-"):
        return "−%s %%" % text[1:]
    is_zero = is_decimal(text) and number_of(text) == 0
    return "%s%s %%" % ("" if is_zero else "+", text)


def issuer_line(body):
    installation, workspace = body["installation"], body["workspace"]
    if installation is None or workspace is None:
        return "it does not say who issued it"
    name = "" if installation["name"] is None else " (%s)" % installation["name"]
    place = (workspace["slug"], workspace["name"], workspace["id"])
    return "issued by %s%s, workspace %s" % (installation["id"], name, "%s (%s, %s)" % place)


def party_lines(body):
    lines = []
    for side in ("buyer", "supplier"):
        slug = body["parties"][side]
        if isinstance(slug, str):
            name = body.get("companies", {}).get(slug)
            lines.append("the %s is %s" % (side, slug if name is None else "%s (%s)" % (name, slug)))
    return lines


def seal_lines(seal, trust, sealed_before=()):
    known = "a key that you trust" if trust.keys is not None else "which was not compared with a key that you trust (--trust)"
    words, *before = sealed_before or [known]
    return ["sealed by ed25519:%s, %s" % (seal["publicKey"], words)] + before


def signature_lines(file, trust):
    """Who signed, and by which means. Where the signer comes from is recorded by the operator: `assize verify` says it."""
    lines = []
    for each in file["signatures"]:
        is_bare = each["name"] == "" or "redacted" in each
        person = each["signedBy"] if is_bare else "%s (%s)" % (each["name"], each["signedBy"])
        words = (each["party"], person, each["signedAt"][:10], MEANS[each["means"]])
        lines.append("signed for the %s by %s on %s %s" % words)
        provider = each.get("provider")
        if provider is None:
            continue
        if "proof" not in provider and is_trusted_issuer(provider, trust):
            lines.append("  its token is checked here, under a key of %s that you trust" % provider["issuer"])
        elif "proof" not in provider:
            lines.append(
                "  its token is checked here; its key was not compared with one of %s that you trust (--trust-issuer)"
                % provider["issuer"]
            )
        lines.append("  signed by subject %s at %s" % (provider["subject"], provider["issuer"]))
    return lines


def proof_lines(proof):
    """Issuer, parties, seal, signatures."""
    lines = [issuer_line(proof.body)] + party_lines(proof.body)
    lines += seal_lines(proof.file["seal"], proof.trust, proof.sealed_before)
    return lines + signature_lines(proof.file, proof.trust)


# --- The operator's word ---------------------------------------------------------------------------------------------

def figures_on_word(observations):
    words = []
    origins = [each["origin"] for each in observations]
    providers = {origin["provider"] for origin in origins if "provider" in origin}
    if providers:
        listed = ", ".join(sorted(providers, key=utf16_order))
        words.append("that the figures of %s were read there as they stand here" % listed)
    for who in dict.fromkeys(origin["uploadedBy"] for origin in origins if "provider" not in origin):
        if who is None:
            words.append("where imported figures come from: it was not recorded")
        else:
            words.append("that %s imported the files whose hashes are shown beside the figures" % who)
    return words


def signers_on_word(proof):
    words = []
    for each, kind in zip(proof.file["signatures"], proof.proofs):
        by, party = each["signedBy"], each["party"]
        if kind == "word":
            words.append("that %s signed as %s, and how they came to be let in" % (by, party))
        elif kind == "operator":
            words.append("that %s agreed: the operator signed as %s in their name" % (by, party))
        elif kind == "key":
            words.append(
                "that the key with which was signed as %s was registered by %s, and how they came to be let in" % (party, by)
            )
        else:
            provider = each["provider"]
            if not is_trusted_issuer(provider, proof.trust):
                words.append("that the key in the proof is one of %s" % provider["issuer"])
            words.append("that subject %s at %s is %s" % (provider["subject"], provider["issuer"], by))
    return words


# ======================================================================================================================
# expressions.py: Expressions: the grammar of the lines of a receipt, and their value in exact fractions (receipt/formula.md, section 6).
# ======================================================================================================================


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


# ======================================================================================================================
# receipts.py: Receipts of periods: their form, hash, seal and signatures, and the arithmetic of the lines that they record.
#
# A receipt lists figures and lines. Which figure a line reads, and whether the contract's document makes these lines, is
# left to `assize verify`. Where an input reads one figure at a time, its readings are nevertheless known here; a line that
# needs any other reading counts as it is written, and everything after it is computed from that.
# ======================================================================================================================


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


# ======================================================================================================================
# corrections.py: Corrections: factors from the receipts that they name, prices from factors, amounts from prices, the net from amounts.
# ======================================================================================================================


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


# ======================================================================================================================
# changes.py: Changes of terms: what was signed, and the documents by their hashes. What they say is left to `assize verify`.
# ======================================================================================================================


CHANGES_ON_WORD = (
    "that the figures in changes of terms, and what they do to later dates, are as the installation recorded them"
)
LEFT_OF_CHANGES = "left to assize verify: whether document and coefficient follow from the terms and the figures"


class Change(Proof):
    kind, has_plain_lists = "change", True

    def compute(self):
        body, document = self.body, self.file["document"]
        self.is_splice = body["format"] == "assize-splice/1"
        self.basis = body["version"] if self.is_splice else body["basis"]
        if self.is_splice:
            if hash_value(body["evidence"]["overlap"]) != body["evidence"]["hash"]:
                self.refusals.append("the hash of the evidence is another one")
            if document is not None:
                self.refusals.append("a splice has its document in its body alone")
            return
        is_list = body["format"] == "assize-price-list/1"
        if hash_text(document or "") != body["listAfter" if is_list else "documentAfter"]:
            what = "the rows are not those" if is_list else "the document is not the one"
            self.refusals.append(what + " whose hash was signed")

    def terms(self):
        body = self.body
        if self.is_splice:
            written = "" if body["coefficient"] is None else ", coefficient " + body["coefficient"]["written"]
            return "in place of %s comes %s (%s%s)" % (body["old"]["series"], body["new"]["series"], body["method"], written)
        if "listAfter" in body:
            count = "{:,}".format(len(body["effect"]["changes"]))
            return "another price list from %s on: %s prices differ" % (body["from"], count)
        paths = ", ".join(each["path"] for each in body["differences"])
        return "other " + paths if paths else "other words for the same terms"

    def on_word(self):
        return signers_on_word(self)

    def summary(self, state):
        return "change of formula %d, %s: %s, from %s on" % (self.basis, state, self.terms(), self.body["effectiveFrom"])

    def lines(self):
        words = (self.basis, self.body["pam"], self.terms(), self.body["effectiveFrom"])
        lines = ["same: the change of formula %d of %s follows from its figures: %s, from %s on" % words]
        lines += proof_lines(self) + ["on the operator's word: " + each for each in self.on_word() + [CHANGES_ON_WORD]]
        return lines + [LEFT_OF_CHANGES]


# ======================================================================================================================
# log.py: The log: trees (RFC 6962), notes, checkpoints and cosignatures (C2SP), and announcements of other keys (receipt/proof.md).
# ======================================================================================================================


# --- Trees -----------------------------------------------------------------------------------------------------------

def leaf_hash(leaf):
    return sha256(b"\x00" + leaf)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def root_by_inclusion(index, size, leaf, proof):
    """The root that an inclusion proof leads to; None where it does not fit the size."""
    if index >= size:
        return None
    node, at, last = leaf, index, size - 1
    for each in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            node = node_hash(each, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, each)
        at, last = at >> 1, last >> 1
    return node if last == 0 else None


def is_grown(old_size, old_root, new_size, new_root, proof):
    """Whether a consistency proof leads from one tree to a later one."""
    if old_size >= new_size:
        return old_size == new_size and not proof and old_root == new_root
    if old_size == 0:
        return not proof
    path = ([old_root] if old_size & (old_size - 1) == 0 else []) + list(proof)
    if not path:
        return False
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(each, old), node_hash(each, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, each)
        at, last = at >> 1, last >> 1
    return last == 0 and old == old_root and new == new_root


# --- Keys and checkpoints --------------------------------------------------------------------------------------------

MOST_HASHES, MOST_SIGNATURES, LONGEST_NOTE = 63, 100, 1_000_000


def require(is_so, why):
    if not is_so:
        raise Unreadable(why)


def hash_in(line):
    data = from_base64(line)
    require(data is not None and len(data) == 32, '"%s" is not a hash in base64' % line)
    return data


def whole_number_in(text, what):
    is_one = re.fullmatch("0|[1-9][0-9]{0,15}", text) and int(text) < 2**53
    require(is_one, '%s must be a whole number, got "%s"' % (what, text))
    return int(text)


def time_of(seconds):
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def key_digits(name, data):
    return sha256(name.encode("utf-8") + b"\n" + data)[:4].hex()


class NoteKey:
    """The public key of a log or a witness, as people pass it on: name+digits+base64."""

    PLAIN, COSIGNING = 1, 4

    def __init__(self, text):
        name, _, rest = text.partition("+")
        digits, _, encoded = rest.partition("+")
        data = from_base64(encoded)
        is_key = name and re.fullmatch("[0-9a-f]{8}", digits) and data
        require(is_key, 'a key is written name+8 digits+base64, got "%s"' % text)
        is_known = data[0] in (self.PLAIN, self.COSIGNING)
        require(is_known, "the key of %s is of the type %d, which is not read here" % (name, data[0]))
        is_name = re.fullmatch("[^\\s\x00-\x1f\x7f-\x9f]+", name)
        require(is_name, 'the name of a key has no spaces and no "+", got "%s"' % name)
        kind = "ed25519" if data[0] == self.PLAIN else "ed25519-cosignature"
        require(len(data) == 33, "a key of the kind %s has 32 bytes, got %d" % (kind, len(data) - 1))
        self.name, self.digits, self.type, self.key = name, digits, data[0], data[1:]
        own = key_digits(name, data)
        require(own == digits, "the key of %s has the digits %s, not %s" % (name, own, digits))

    def under(self, name):
        """The same key under the name of another origin."""
        data = bytes([self.PLAIN]) + self.key
        return NoteKey("%s+%s+%s" % (name, key_digits(name, data), base64.b64encode(data).decode("ascii")))

    @property
    def called(self):
        return "%s+%s" % (self.name, self.digits)


class Note:
    """A text and the lines of its signatures."""

    def __init__(self, note):
        require(len(note) <= LONGEST_NOTE, "a note has at most %d characters" % LONGEST_NOTE)
        require(not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", note), "a note has no control characters")
        text, middle, signatures = note.rpartition("\n\n")
        require(middle, "a note has an empty line before its signatures")
        require(signatures.endswith("\n"), "a signature of a note ends with a line break")
        self.signatures = [self.read_signature(line) for line in signatures[:-1].split("\n")]
        require(len(self.signatures) <= MOST_SIGNATURES, "a note has at most %d signatures" % MOST_SIGNATURES)
        self.text = text + "\n"

    @staticmethod
    def read_signature(line):
        """The name of a key, its digits, and the signature."""
        found = re.fullmatch("— ([^\\s+\x00-\x1f\x7f-\x9f]+) ([A-Za-z0-9+/=]+)", line)
        data = from_base64(found.group(2)) if found is not None else None
        require(data is not None and len(data) > 4, '"%s" is not a line of a signature' % line)
        return (found.group(1), data[:4].hex(), data[4:])

    def checked(self, keys):
        """(key, whether it holds, seconds of a cosignature) of each signature by one of these keys, in its order."""
        for name, digits, value in self.signatures:
            key = next((each for each in keys if (each.name, each.digits) == (name, digits)), None)
            if key is None:
                continue
            if key.type == NoteKey.PLAIN:
                yield key, is_signed(key.key, self.text.encode("utf-8"), value), None
                continue
            seconds = int.from_bytes(value[:8], "big")
            message = "cosignature/v1\ntime %d\n%s" % (seconds, self.text)
            is_time = len(value) >= 8 and seconds < 2**53
            yield key, is_time and is_signed(key.key, message.encode("utf-8"), value[8:]), seconds


class Checkpoint(Note):
    """A note whose text is the origin of a log, its number of leaves, and its root."""

    def __init__(self, note):
        super().__init__(note)
        lines = self.text[:-1].split("\n")
        is_whole = len(lines) >= 3 and lines[0] != "" and "" not in lines[3:]
        require(is_whole, "a checkpoint has a line for its origin, its size and its root")
        self.origin = lines[0]
        self.size, self.root = whole_number_in(lines[1], "the size of a checkpoint"), hash_in(lines[2])


# Each signature that is checked costs milliseconds; the same one counts once.
MOST_CHECKED_SIGNATURES, MOST_ANNOUNCED = 1000, 100


def refuse_many_signatures(checkpoints, keys):
    named = {(key.name, key.digits) for key in keys}
    found = {(one.text, each) for one in checkpoints for each in one.signatures if each[:2] in named}
    require(len(found) <= MOST_CHECKED_SIGNATURES, "at most %d signatures are checked" % MOST_CHECKED_SIGNATURES)


def refuse_many_announcements(announcements):
    require(len(announcements) <= MOST_ANNOUNCED, "a file announces at most %d keys" % MOST_ANNOUNCED)


# --- Announcements of other keys -------------------------------------------------------------------------------------

KEY_FORM = "assize-key/1\n"
SEAL_LINE = re.compile("ed25519:([A-Za-z0-9_-]{43})")


class Announcement:
    """A leaf by which the key that signed until then and the next key say so, with its way to a checkpoint."""

    def __init__(self, leaf, index, proof, checkpoint):
        note = Note(leaf)
        lines = note.text.split("\n")
        seals = [SEAL_LINE.fullmatch(line) for line in lines[3:5]]
        is_whole = len(lines) == 6 and lines[0] == KEY_FORM[:-1] and lines[5] == "" and None not in seals
        require(is_whole, "the announcement of a key has five lines: its form, two keys and two seals")
        self.previous, self.next, self.seal = NoteKey(lines[1]), NoteKey(lines[2]), seals[0].group(1)
        self.leaf, self.note, self.index, self.proof, self.checkpoint = leaf, note, index, proof, checkpoint

    def problem(self):
        """Why it counts for nothing; None where it is in the tree and both keys signed it."""
        leaf, checkpoint = leaf_hash(self.leaf.encode("utf-8")), self.checkpoint
        if root_by_inclusion(self.index, checkpoint.size, leaf, self.proof) != checkpoint.root:
            return "it is not in the tree of its checkpoint"
        for key in (self.previous, self.next):
            if not any(holds for _, holds, _ in self.note.checked([key])):
                return "it is not signed by %s" % key.called
        return "the key is the one before" if self.previous.key == self.next.key else None

    def told(self, problem):
        return "leaf %d, which announces another key of the log: %s" % (self.index, problem)


def succession_problem(current, announced):
    """Why announcements, ascending, do not lead to the key that signs now: each goes on from the key before it."""
    for each, later in zip(announced, announced[1:] + [None]):
        in_force = current if later is None else later.previous
        if later is not None and later.index <= each.index:
            return "the announcements of its keys are not in their order"
        if each.next.key == in_force.key:
            continue
        if later is None:
            return "leaf %d: it announces the key %s, and the log is signed by %s" % (each.index, each.next.called, current.called)
        words = (later.index, in_force.called, each.index, each.next.called)
        return "leaf %d: it ends the key %s, and since leaf %d the key of the log is %s" % words
    return None


class KnownKeys:
    """The keys that are trusted: those that were named, and those that follow from them by announcements."""

    def __init__(self, named, announcements):
        self.named, self.announced, self.problems = named, [], []
        for each in sorted(announcements, key=lambda one: one.index):
            other = next((one for one in self.announced if one.previous.key == each.previous.key), None)
            if other is not None and (other.index, other.leaf) == (each.index, each.leaf):
                continue
            problem = each.problem()
            if problem is None and other is not None:
                problem = "leaf %d has ended the key %s already" % (other.index, each.previous.called)
            if problem is None:
                self.announced.append(each)
            else:
                self.problems.append(each.told(problem))
        self.trusted = named + self.after(named)
        if named:
            self.problems += list(self.strangers())

    def after(self, keys):
        """The keys that these were followed by."""
        known, later = {key.key for key in keys}, []
        for each in self.announced:
            if each.previous.key in known and each.next.key not in known:
                known.add(each.next.key)
                later.append(each.next)
        return later

    def strangers(self):
        """Announcements that are not between keys of the log, or in no checkpoint of it."""
        known = {key.key for key in self.trusted}
        for each in reversed(self.announced):
            known |= {each.previous.key} if each.next.key in known else set()
        for each in self.announced:
            if each.next.key not in known:
                yield each.told("%s is not a key of the log that you trust" % each.previous.called)
            elif not any(holds for _, holds, _ in each.checkpoint.checked(self.trusted)):
                yield each.told("its checkpoint is not signed by a key of the log that you trust")


# ======================================================================================================================
# slips.py: Slips, which say that an entry is in the log, and what they show of a receipt whose key has ended (receipt/proof.md).
# ======================================================================================================================


MOST_PROOFS = 10_000

SLIP_START = "c2sp.org/tlog-proof@v1\n"


class Lines:
    """Takes lines off the front, each behind the word it begins with."""

    def __init__(self, lines):
        self.left = lines

    def has(self, word):
        return bool(self.left) and self.left[0].startswith(word + " ")

    def take(self, word, of="a slip lacks its line"):
        require(self.has(word), '%s "%s"' % (of, word))
        return self.left.pop(0)[len(word) + 1 :]

    def hashes(self):
        require(len(self.left) <= MOST_HASHES, "a proof has at most %d hashes" % MOST_HASHES)
        return [hash_in(line) for line in self.left]


def read_proof(text):
    """Of a file of C2SP tlog-proof: what it has besides, its index, its hashes, its checkpoint."""
    head, _, note = text.partition("\n\n")
    require(text.startswith(SLIP_START), "a proof begins with the line " + SLIP_START.strip())
    lines = Lines(head.split("\n")[1:])
    extra = from_base64(lines.take("extra")) if lines.has("extra") else b""
    require(extra is not None, "what a proof has besides is not base64")
    index = lines.take("index", "a proof has a line")
    proof = lines.hashes()
    index, checkpoint, decoded = whole_number_in(index, "the index of a proof"), Checkpoint(note), decode_utf8(extra)
    require(decoded is not None, "a slip is not UTF-8")
    return decoded, index, proof, checkpoint


class Slip:
    """An entry, the way from it to a head of its scope's tree, what opens that head, and its way to a checkpoint."""

    def __init__(self, extra, index, proof, checkpoint):
        self.leaf_index, self.leaf_proof, self.checkpoint = index, proof, checkpoint
        require(extra, "this proof is not a slip: it has nothing about an entry")
        self.read_entry(Lines(extra.split("\n")))

    def read_entry(self, lines):
        is_slip = lines.left.pop(0) == "assize-slip/1"
        require(is_slip, "what a slip has besides begins with the line assize-slip/1")
        require(lines.left and lines.left.pop() == "", "a slip ends with a line break")
        self.scope, self.secret = lines.take("scope"), hash_in(lines.take("secret"))
        head = lines.take("head").split(" ")
        require(len(head) == 3, "a head is its number, its size and its root")
        self.number, self.size = (whole_number_in(each, "a number of a head") for each in head[:2])
        self.root = hash_in(head[2])
        self.index = whole_number_in(lines.take("index"), "the index of an entry")
        self.line = lines.take("entry")
        self.salt = self.content = None
        if lines.has("salt"):
            salt = lines.take("salt")
            require(re.fullmatch("([0-9a-f]{2})*", salt), "a salt is hexadecimal digits")
            self.salt, self.content = bytes.fromhex(salt), lines.take("content")
        self.proof = lines.hashes()
        found = re.fullmatch(r"([0-9]+)\|([^|]+)\|(.*)\|([0-9a-f]{64})", self.line)
        require(found is not None, '"%s" is not an entry of a log' % self.line)
        seq, self.kind, self.subject, self.content_hash = found.groups()
        self.seq = whole_number_in(seq, "the number of an entry")

    def head_leaf(self):
        """The leaf of the head in the public log, which only members of the scope can find."""

        def word(*parts):
            return base64url(hmac.new(self.secret, b"".join(parts), hashlib.sha256).digest())

        number, size = self.number.to_bytes(8, "big"), self.size.to_bytes(8, "big")
        lines = ("assize-head/1", word(b"id", number), word(b"head", number, size, self.root), "")
        return "\n".join(lines).encode("ascii")

    def problem(self):
        """Why entry, head and checkpoint do not belong together; None where they do."""
        if self.content is not None:
            if sha256(self.salt + self.content.encode("utf-8")).hex() != self.content_hash:
                return "the content is not that of the entry"
        entry, head = leaf_hash(self.line.encode("utf-8")), leaf_hash(self.head_leaf())
        if root_by_inclusion(self.index, self.size, entry, self.proof) != self.root:
            return "the entry is not in the tree of its head"
        if root_by_inclusion(self.leaf_index, self.checkpoint.size, head, self.leaf_proof) != self.checkpoint.root:
            return "the head is not in the tree of the checkpoint"
        return None

    def redaction_line(self):
        """What an entry says that erased a person from another; None where it says something else."""
        if self.kind != "redaction" or self.content is None:
            return None
        try:
            content = strict_json(self.content, 4)
        except NotStrict as wrong:
            raise Unreadable("the content of the entry cannot be read as strict JSON: %s" % wrong)
        said = (content.get(name) for name in ("entry", "kind", "by", "reason", "instead"))
        words = tuple(each if isinstance(each, str) else canonical(each) for each in said)
        return "what entry %s (%s) said of a person was erased by %s: %s; %s stands for them" % words


class ProofFile:
    """Slips, one after the other, and announcements of keys behind them."""

    def __init__(self, text):
        pieces = re.split("(?m)^(?=%s)" % re.escape(SLIP_START), text)
        pieces = pieces[1:] if pieces[0] == "" else pieces
        require(len(pieces) <= MOST_PROOFS, "a file has at most %d slips" % MOST_PROOFS)
        self.slips, self.announcements = [], []
        for extra, *place in map(read_proof, pieces):
            if extra.startswith(KEY_FORM):
                self.announcements.append(Announcement(extra, *place))
                refuse_many_announcements(self.announcements)
            else:
                self.slips.append(Slip(extra, *place))


class SlipFile:
    """The verdict on a file of slips. Without the key of the log nothing is proven: anybody can write a log."""

    def __init__(self, text, trust):
        file, self.witnesses = ProofFile(text), trust.witnesses
        keys = trust.log_keys + [each.next for each in file.announcements] + trust.witnesses
        refuse_many_signatures([each.checkpoint for each in file.slips + file.announcements], keys)
        self.known = KnownKeys(trust.log_keys, file.announcements)
        self.refusals = ["refused: " + each for each in self.known.problems]
        self.unproven, self.holding = [], []
        for slip in file.slips:
            self.judge(slip)
        for each in self.known.announced:
            words = (each.next.called, each.previous.called, each.index)
            self.holding.append("the key %s follows %s: leaf %d says so, and both signed it" % words)

    def judge(self, slip):
        checkpoint, problem, keys = slip.checkpoint, slip.problem(), self.known.trusted
        what = "entry %d (%s) of %s" % (slip.seq, slip.kind, slip.scope)
        log = "the log %s of %d leaves" % (checkpoint.origin, checkpoint.size)
        problems, lines = [] if problem is None else [problem], ["same: %s is in %s" % (what, log)]
        checked = list(checkpoint.checked(keys + self.witnesses))
        if keys and not any(holds for key, holds, _ in checked if key in keys):
            problems.append("the checkpoint is not signed by a key of the log that you trust")
        for key, holds, seconds in checked:
            if not holds:
                problems.append("the signature of %s does not hold" % key.called)
            elif key in keys:
                lines.append("signed by the log's key %s" % key.called)
            else:
                lines.append("cosigned by %s on %s" % (key.called, time_of(seconds)))
        if not self.witnesses:
            lines.append("no witness was named (--witness)")
        said = slip.redaction_line()
        self.holding += lines + ([] if said is None else [said])
        self.unproven.append("not proven: %s fits %s, whose key was not named (--log-key)" % (what, log))
        self.refusals += ["refused: %s: %s" % (what, each) for each in problems]

    def problems(self):
        return self.refusals or ([] if self.known.named else self.unproven)

    def lines(self):
        return self.holding


# --- A receipt whose key has ended -----------------------------------------------------------------------------------

SIGNATURE_KINDS = ("signature", "correction-signature", "terms-signature")


class Brought:
    """What whoever verifies brings beside a receipt: slips, announcements, and checkpoints that they kept."""

    def __init__(self):
        self.slips, self.announcements, self.kept = [], [], []

    def add(self, file, text, is_kept):
        if not is_kept or text.startswith(SLIP_START):
            found = ProofFile(text)
            self.slips += [(file, each) for each in found.slips]
            self.announcements += [(file, each) for each in found.announcements]
            self.kept += [(file, each.checkpoint) for each in found.slips if is_kept]
        else:
            self.kept.append((file, Checkpoint(text)))

    def sealed_before(self, receipt, key, trust):
        """Lines that say where each signature was in the log before the key ended. Raises NotBefore."""
        announcements = [each for _, each in self.announcements]
        checkpoints = [each.checkpoint for each in [slip for _, slip in self.slips] + announcements]
        refuse_many_signatures(checkpoints, trust.log_keys + trust.witnesses)
        known = KnownKeys(trust.log_keys, announcements)
        if known.problems:
            raise NotBefore(known.problems[0])
        if "objections" in receipt:
            raise NotBefore("its objections are in no slip")
        if not receipt["signatures"]:
            raise NotBefore("nobody signed it, and slips are of signatures")
        if len(receipt["signatures"]) > 2:
            raise NotBefore("it has more signatures than parties")
        return EndedSeal(self, known, key, trust).lines(receipt)


class EndedSeal:
    """Of one receipt: each of its signatures needs a slip that counts."""

    def __init__(self, brought, known, key, trust):
        self.brought, self.known, self.witnesses, (ended, _) = brought, known, trust.witnesses, trust.ended[key]
        end = datetime.datetime.strptime(ended, "%Y-%m-%dT%H:%M:%S.%fZ")
        self.ended = (end - datetime.datetime(1970, 1, 1)).total_seconds()
        announced = [each for each in known.announced if each.seal == key]
        self.later = known.after([announced[0].previous]) if announced else []
        is_good = announced and self.signer(announced[0].checkpoint) is not None
        self.announced = announced[0] if is_good else None

    def signer(self, checkpoint):
        """A key after the one that ended, by which a checkpoint is signed."""
        later = {key.key for key in self.later}
        signers = (key for key, holds, _ in checkpoint.checked(self.known.named) if holds)
        return next((key for key in signers if key.key in later), None)

    def lines(self, receipt):
        lines, entries = [], [(each, entry_about(receipt["hash"], each[1])) for each in self.brought.slips]
        for given in receipt["signatures"]:
            given = given if isinstance(given, dict) else {}
            words = [given.get(name) if isinstance(given.get(name), str) else "unknown" for name in ("party", "signedBy")]
            called = "the %s's signature (%s)" % tuple(words)
            expected = canonical(entry_of(given))
            own = [each for each, said in entries if said is not None and canonical(said) == expected]
            if not own:
                raise NotBefore("%s is in no slip" % called)
            found = [self.judged(file, slip) for file, slip in own]
            good = next((line for line, _ in found if line is not None), None)
            if good is None:
                raise NotBefore("%s: %s" % (called, found[0][1]))
            lines.append("%s %s" % (called, good))
        return lines

    def judged(self, file, slip):
        """(line, None) where a slip counts, (None, why) where it does not."""
        problem = slip.problem()
        if problem is not None:
            return None, "%s: %s" % (file, problem)
        checkpoint, entry = slip.checkpoint, "entry %d" % slip.seq
        place = "the checkpoint of %d leaves" % checkpoint.size
        at = "is in the log before the key ended: %s at leaf %d (%s)" % (entry, slip.leaf_index, file)
        if self.announced is not None:
            source = next(name for name, each in self.brought.announcements if each is self.announced)
            leaf = "leaf %d, which announced the next key (%s)" % (self.announced.index, source)
            if slip.leaf_index >= self.announced.index:
                return None, "%s: %s is at leaf %d, behind %s" % (file, entry, slip.leaf_index, leaf)
            signer = self.signer(checkpoint)
            if signer is not None:
                return "%s, before %s, in %s signed by %s" % (at, leaf, place, signer.called), None
        for key, holds, seconds in checkpoint.checked(self.witnesses):
            if holds and seconds is not None and seconds < self.ended:
                return "%s, in %s cosigned by %s on %s" % (at, place, key.called, time_of(seconds)), None
        signers = [key for key, holds, _ in checkpoint.checked(self.known.named) if holds]
        if self.announced is None and signers:
            words = (file, entry, place, signers[0].called)
            return None, "%s: %s is in %s signed by %s, and the leaf that announced the next key is in no file" % words
        kept = [name for name, each in self.brought.kept if each.text == checkpoint.text]
        if kept:
            return "%s, in %s that you kept (%s)" % (at, place, kept[0]), None
        why = "which no later key signed, no witness that you named cosigned before, and you did not keep"
        return None, "%s: %s is in %s, %s" % (file, entry, place, why)


SAID_ALIKE, SAID_AS_HASH = ("party", "signedBy", "signedAt", "name", "means"), ("together", "passkey", "origin", "batch")


def entry_about(own_hash, slip):
    """What an entry of a signature says of this file; None for another entry."""
    if slip.kind not in SIGNATURE_KINDS or slip.content is None or utf16_length(slip.content) > 4000:
        return None
    try:
        said = strict_json(slip.content, 8)
        is_about = said["receiptHash" if slip.kind == "signature" else "hash"] == own_hash
    except (NotStrict,) + FORM_ERRORS:
        return None
    return {name: said[name] for name in SAID_ALIKE + SAID_AS_HASH if name in said} if is_about else None


def entry_of(given):
    """Everything that a receipt says of a signature, as its entry says it."""
    hashes = {name: given[name] if given[name] is None else hash_value(given[name]) for name in SAID_AS_HASH if name in given}
    return {**{name: given[name] for name in SAID_ALIKE if name in given}, **hashes}


# ======================================================================================================================
# archive.py: Archives: the one grammar of ZIP that every program unpacks alike (receipt/package.md, section 1).
#
# Whatever two programs could read differently is refused: other names, links, hidden sizes, bytes that belong to no file.
# ======================================================================================================================


MOST_BYTES, MOST_FILES, LONGEST_PATH = 200_000_000, 20_000, 400
ENCRYPTED, SIZES_FOLLOW, UTF8_NAME, EFFORT = 0x1, 0x8, 0x800, 0x6
NEWEST_VERSION = 20
STORED, DEFLATED = 0, 8
# Times and owners; any other field can give a file another name, size or kind.
HARMLESS_FIELDS = (0x5455, 0x7875, 0x5855, 0x000A)
FILE_KINDS, FOLDER_KINDS = (0, 0x8), (0, 0x4)
DISK_NAME, FOLDER_BIT = 0x8, 0x10


def refuse(why):
    raise Unreadable("the archive cannot be relied on: " + why)


def check(is_so, why):
    if not is_so:
        refuse(why)


def path_in(raw):
    """A name that no system changes when it unpacks it."""
    path = decode_utf8(raw)
    check(path is not None and len(raw) <= LONGEST_PATH, "a path is too long, or not UTF-8")
    steps = (path[:-1] if path.endswith("/") else path).split("/")
    is_plain = all(step and not re.search(r'[\\:*?"<>|]|[. ]\Z', step) for step in steps)
    check(is_plain and visible(path) == path and unicodedata.normalize("NFC", path) == path, "%s is no plain path" % path)
    return path


def check_fields(raw):
    at = 0
    while at + 4 <= len(raw):
        kind, length = struct.unpack_from("<HH", raw, at)
        check(kind in HARMLESS_FIELDS, "a field is there that not every program reads")
        at += 4 + length
    check(at == len(raw), "a field is cut off")


class Entry:
    """A file as the directory lists it."""

    def __init__(self, data, at, end):
        check(at + 46 <= end and data[at : at + 4] == b"PK\x01\x02", "its directory is damaged")
        head = struct.unpack_from("<HHHHHHIIIHHHHHII", data, at + 4)
        _, version, self.flags, self.method, _, _, self.crc, self.packed, self.size = head[:9]
        name, fields, remark, disk, internal, attributes, self.at = head[9:]
        self.end = at + 46 + name + fields + remark
        check(self.end <= end, "its directory is damaged")
        self.path = path_in(data[at + 46 : at + 46 + name])
        self.is_folder = self.path.endswith("/")
        self.check_described(version)
        kind = attributes >> 28
        check(kind in (FOLDER_KINDS if self.is_folder else FILE_KINDS), "%s is neither a file nor a folder" % self.path)
        is_odd = attributes & DISK_NAME or (attributes & FOLDER_BIT and not self.is_folder)
        check(not is_odd and disk == 0, "%s is neither a file nor a folder" % self.path)
        check(remark == 0 and internal <= 1, "%s has something beside it" % self.path)
        check(self.method == DEFLATED or self.packed == self.size, "%s has two sizes" % self.path)
        check_fields(data[at + 46 + name : at + 46 + name + fields])

    def check_described(self, version):
        known = SIZES_FOLLOW | UTF8_NAME | (EFFORT if self.method == DEFLATED else 0)
        check(self.method in (STORED, DEFLATED), "%s is packed in another way" % self.path)
        check(self.flags & ~known == 0 and version & 0xFF <= NEWEST_VERSION, "%s needs something more" % self.path)
        check(0xFFFFFFFF not in (self.packed, self.size), "%s is too large" % self.path)
        check(self.flags & UTF8_NAME or re.fullmatch("[ -~]*", self.path), "the letters of %s are not said" % self.path)
        check(not (self.is_folder and self.size), "%s is a folder with something in it" % self.path)

    def check_place(self, data, expected, directory):
        """What stands in front of the file says the same; returns where the file ends."""
        check(self.at == expected and self.at + 30 <= directory, "bytes belong to no file")
        check(data[self.at : self.at + 4] == b"PK\x03\x04", "%s is not where it should be" % self.path)
        head = struct.unpack_from("<HHHHHIIIHH", data, self.at + 4)
        version, flags, method, sizes, name, fields = head[0], head[1], head[2], head[5:8], head[8], head[9]
        begin = self.at + 30 + name
        self.begin = begin + fields
        check(self.begin <= directory, "%s is cut off" % self.path)
        own = (self.crc, self.packed, self.size)
        # Whoever unpacks while it arrives would not know where a stored file ends.
        may_follow = self.flags & SIZES_FOLLOW and (self.method == DEFLATED or self.size == 0)
        is_same = (flags, method) == (self.flags, self.method) and path_in(data[self.at + 30 : begin]) == self.path
        check(is_same and (sizes == own or (may_follow and sizes == (0, 0, 0))), "%s is described twice" % self.path)
        self.check_described(version)
        check_fields(data[begin : self.begin])
        return self.begin + self.packed

    def check_sizes_behind(self, data, end, following):
        """Checksum and sizes once more, with a mark or without; returns where the next file begins."""
        if not self.flags & SIZES_FOLLOW or end == following:
            return end
        own = struct.pack("<III", self.crc, self.packed, self.size)
        check(data[end:following] in (own, b"PK\x07\x08" + own), "%s is described twice" % self.path)
        return following


class Archive:
    """The files of an archive in their order; each is unpacked when it is asked for."""

    def __init__(self, data):
        self.data = data
        directory, end, count = self.find_directory()
        entries, at, total = [], directory, 0
        for _ in range(count):
            entry = Entry(data, at, end)
            at, total = entry.end, total + entry.size
            check(total <= MOST_BYTES, "its files are too large")
            entries.append(entry)
        check(at == end, "its directory is damaged")
        self.check_paths([entry.path for entry in entries])
        entries.sort(key=lambda entry: entry.at)
        at = 0
        for entry, following in zip(entries, [entry.at for entry in entries[1:]] + [directory]):
            over = entry.check_place(data, at, directory)
            check(over <= directory, "%s is cut off" % entry.path)
            at = entry.check_sizes_behind(data, over, following)
        check(at == directory, "bytes belong to no file")
        self.files = {entry.path: entry for entry in entries if not entry.is_folder}

    def find_directory(self):
        """Where it begins and ends, and how many files it lists: by the one end record, behind which nothing follows."""
        data = self.data
        at = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 0xFFFF))
        while at >= 0 and (at + 22 > len(data) or at + 22 + struct.unpack_from("<H", data, at + 20)[0] != len(data)):
            at = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 0xFFFF), at + 3)
        if at < 0:
            raise Unreadable("this is not a whole ZIP archive: its directory is missing")
        parts, here, count, size, start = struct.unpack_from("<IHHII", data, at + 4)
        check(parts == 0 and here == count, "it is one of several parts")
        check(start + size == at, "its directory is not where it should be")
        check(at < 20 or data[at - 20 : at - 16] != b"PK\x06\x07", "it has a second directory")
        check(data.find(b"PK\x05\x06", at + 4) < 0, "it has two ends")
        check(count <= MOST_FILES, "it has too many files")
        return start, at, count

    @staticmethod
    def check_paths(paths):
        """Some systems make one path of two that differ in letter case."""
        lowered = [re.sub("[A-Z]", lambda letter: letter.group().lower(), path) for path in paths]
        folders = {path[: at.start() + 1] for path in lowered for at in re.finditer("/", path)}
        check(len(set(lowered)) == len(lowered), "a path is in it twice")
        check(not any(path + "/" in folders for path in lowered), "a path is a file and a folder")

    def unpacked(self, path):
        """Never more than the archive says, with its checksum compared."""
        entry = self.files[path]
        content = self.data[entry.begin : entry.begin + entry.packed]
        is_whole = True
        if entry.method == DEFLATED:
            reader = zlib.decompressobj(-15)
            try:
                content = reader.decompress(content, entry.size + 1)
                is_whole = reader.eof and not reader.unused_data
            except zlib.error:
                is_whole = False
        if not is_whole or len(content) != entry.size or zlib.crc32(content) != entry.crc:
            raise Unreadable("%s in the archive is damaged" % path)
        return content


# ======================================================================================================================
# package.py: Evidence packages: the sealed list and its files, every proof among them, the part of the chain, and the log
# (receipt/package.md, receipt/proof.md).
# ======================================================================================================================


MOST_VALUES, DEEPEST_LIST, LARGEST_MANIFEST = 4_000_000, 64, 20_000_000
KNOWN_PATH = re.compile(
    r"README\.txt|verify\.html|assize_verify\.py|(?:chain|log|words|corrections|terms-changes)\.json"
    r"|(?:vintages|sign-offs|objections|settled|corrections|terms-changes|activity|people)\.csv"
    r"|(?:receipts|corrections|terms-changes|companies)/[^/]+\.json|pages/[^/]+\.html|formulas/[^/]+\.yaml"
    r"|slips/[1-9][0-9]{0,14}\.tlog-proof"
)
NOT_PROVEN = [
    "that the operator recorded what the provider really published",
    "that no entry was left out before it was logged",
    "that two names stand for two different people",
]
LEFT_OF_PACKAGES = (
    LEFT + ", the documents of changes of terms, what the chain and the lists say of proposals and people, tables and pages;"
    " and to OpenSSL: who made time stamps"
)
NOT_A_PACKAGE = "this is a ZIP archive, but not an evidence package: it has no manifest.json of one"


def read_list(text):
    return strict_json(text, DEEPEST_LIST, MOST_VALUES)


def read_manifest(text):
    """None where it is not one of an evidence package."""
    try:
        manifest = read_list(text)
        body, seal = manifest["body"], manifest["seal"]
        place, agreement = body["workspace"], body["agreement"]
        texts = [manifest["hash"], seal["publicKey"], seal["value"], body["installation"]["id"]]
        texts += [place["slug"], place["name"], agreement["slug"], agreement["name"]]
        texts += [body[name] for name in ("from", "to", "madeAt", "madeBy")]
        texts += [each[name] for each in body["files"] for name in ("path", "sha256")]
        texts += [] if body["installation"]["name"] is None else [body["installation"]["name"]]
        is_one = body["format"] == "assize-evidence/1" and all(isinstance(each, str) for each in texts)
        return manifest if is_one and len({each["path"] for each in body["files"]}) == len(body["files"]) else None
    except (NotStrict,) + FORM_ERRORS:
        return None


def script_text(text):
    """JSON in plain ASCII without <, as the copy for the page is written."""
    return json.dumps(text).replace("<", "\\u003c").replace("\x7f", "\\u007f")


class Package:
    """The verdict on a package: what was wrong in each part, in the order of the parts."""

    def __init__(self, data, trust):
        self.trust, self.archive = trust, Archive(data)
        self.unpack()
        body = self.manifest["body"]
        self.key, self.agreement = self.manifest["seal"]["publicKey"], body["agreement"]["slug"]
        # Everything in it is by the installation that sealed the list.
        self.own_trust = Trust({self.key}, trust.issuers)
        self.parts, self.refusals = [], []
        self.receipts, self.proposals, self.records = {}, {}, {}
        self.chain = self.log = None
        self.judge("The list of files", self.check_list)
        self.judge("Every file as it was sealed", self.check_files)
        self.judge("Every number", self.check_receipts)
        self.judge("Every correction", self.check_corrections)
        self.judge("Every change of terms", self.check_changes)
        if "words.json" in self.texts or self.names_words():
            self.judge("The contract’s own words", self.check_words)
        if "chain.json" in self.texts:
            self.judge("The part of the chain", self.check_chain)
        if "log.json" in self.texts:
            self.judge("The log", self.check_log)
        if self.log is not None and trust.brought is not None:
            self.judge("What you kept", self.check_kept)

    def judge(self, title, check):
        """A check returns the words of its part, and says what is wrong on the way."""
        self.title = title
        try:
            self.parts.append((title, check()))
        except (Unreadable, NotStrict) as wrong:
            self.say(str(wrong))
        except FORM_ERRORS:
            self.say("it is not as the reference says")

    def say(self, problem):
        self.refusals.append("refused: %s: %s" % (self.title, problem))

    def unpack(self):
        """Files by the paths that the list has: whoever packed it again may have put them into another folder."""
        paths = list(self.archive.files)
        top = "" if "manifest.json" in paths else None
        if top is None:
            top = next((path[: -len("manifest.json")] for path in paths if path.endswith("/manifest.json")), "")
        own = {path[len(top) :] if path.startswith(top) else "../" + path: path for path in paths}
        place = own.pop("manifest.json", None)
        if place is None or self.archive.files[place].size > LARGEST_MANIFEST:
            raise Unreadable(NOT_A_PACKAGE)
        self.manifest_text = decode_utf8(self.archive.unpacked(place))
        self.manifest = read_manifest(self.manifest_text) if self.manifest_text is not None else None
        if self.manifest is None:
            raise Unreadable(NOT_A_PACKAGE)
        self.listed = {each["path"]: each["sha256"] for each in self.manifest["body"]["files"]}
        self.texts, self.copy, self.unread = {}, "", []
        for path, packed in own.items():
            is_listed = path in self.listed or path == "verify-data.js"
            text = decode_utf8(self.archive.unpacked(packed)) if is_listed else None
            if text is None:
                self.unread.append(path)
            elif path == "verify-data.js":
                self.copy = text
            else:
                self.texts[path] = text

    def texts_in(self, folder, ending=".json"):
        """(name, text) of the files of a folder, in the order of the archive."""
        found = [(re.fullmatch("%s/(.+)%s" % (folder, re.escape(ending)), path), text) for path, text in self.texts.items()]
        return [(match.group(1), text) for match, text in found if match is not None]

    # The list and its files

    def check_list(self):
        manifest, seal = self.manifest, self.manifest["seal"]
        if self.manifest_text != pretty({name: manifest[name] for name in ("body", "hash", "seal")}):
            self.say("manifest.json is not written as it was made")
        if manifest["hash"] != hash_value(manifest["body"]):
            self.say("its hash is not of what it says")
        sizes = [len(from_base64url(seal[name]) or b"") for name in ("publicKey", "value")]
        if sizes != [32, 64]:
            self.say("its seal is none")
        elif not is_sealed(seal, "assize-evidence/1 " + manifest["hash"]):
            self.say("its seal is not one of this list")
        if self.trust.keys is not None and self.key not in self.trust.keys:
            self.say("it is sealed by ed25519:%s, which is not a key that you trust" % self.key)
        return "Sealed by the key ed25519:%s." % self.key

    def check_files(self):
        for path, digest in self.listed.items():
            if path not in self.texts:
                self.say("%s is missing%s" % (path, " or damaged" if path in self.unread else ""))
            elif hash_text(self.texts[path]) != digest:
                self.say("%s was changed" % path)
        for path in self.listed:
            if not KNOWN_PATH.fullmatch(path):
                self.say("%s is something that this program does not know, and was not checked" % path)
        for path in self.unread:
            if path not in self.listed:
                self.say("%s does not belong to it" % path)
        files = {**self.texts, "manifest.json": self.manifest_text}
        pairs = (script_text(path) + ":" + script_text(files[path]) for path in sorted(files, key=utf16_order))
        if self.copy != "globalThis.assizeEvidence={" + ",".join(pairs) + "}\n":
            self.say("verify-data.js is not a copy of the files")
        return "%s compared." % counted(len(self.listed), "file", "files")

    # Receipts, corrections, changes of terms

    def belonging_problems(self, proof):
        manifest, body, seal = self.manifest["body"], proof.body, proof.file["seal"]
        installation, workspace = body["installation"], body["workspace"]
        if body["pam"] != self.agreement:
            yield "it is of another agreement"
        if installation and installation["id"] != manifest["installation"]["id"]:
            yield "it is of another installation"
        if workspace and workspace["slug"] != manifest["workspace"]["slug"]:
            yield "it is of another workspace"
        if seal is None or seal["publicKey"] != self.key:
            yield "it is sealed by another key than the list of files"

    def judged(self, name, text, judge, called, length, depth):
        """A proof with its problems told under its name; None where it cannot be read."""
        try:
            proof = judge(read_json(text, called, length, depth), self.own_trust)
        except Unreadable as wrong:
            self.say("%s: %s" % (name, wrong))
            return None
        for problem in proof.refusals + proof.differences_in_words() + list(self.belonging_problems(proof)):
            self.say("%s: %s" % (name, problem))
        return proof

    def check_receipts(self):
        found = self.texts_in("receipts")
        for name, text in found:
            self.receipts[name] = self.judged(name, text, Receipt, "the receipt", LONGEST_RECEIPT, DEEPEST_RECEIPT)
        if not found:
            self.say("there is no receipt in it")
        return "%s computed again, every line." % counted(len(found), "receipt", "receipts")

    def check_corrections(self):
        count = self.check_proposals("corrections", Correction, "the correction", 100_000_000, DEEPEST_RECEIPT + 2)
        return "%d computed again from the receipts they name." % count if count else "No signed price was corrected."

    def check_changes(self):
        count = self.check_proposals("terms-changes", Change, "the change", LONGEST_RECEIPT, 64)
        some = "%d with the figures, the document and the version that follow."
        return some % count if count else "No change of terms was proposed."

    def check_proposals(self, folder, judge, called, length, depth):
        """Each against the list of what happened to it."""
        path = folder + ".json"
        if path not in self.texts:
            self.say("%s is missing" % path)
        records = read_list(self.texts.get(path, "[]"))
        if path in self.texts and pretty(records) != self.texts[path]:
            self.say("%s: it is not a list of %s" % (path, "corrections" if judge is Correction else "changes of terms"))
        records, texts = {each["id"]: each for each in records}, dict(self.texts_in(folder))
        for one in list(records) + [each for each in texts if each not in records]:
            if one not in texts:
                self.say("%s: %s/%s.json is missing" % (one, folder, one))
                continue
            proof = self.judged(one, texts[one], judge, called, length, depth)
            if one not in records:
                self.say("%s: it is not in %s" % (one, path))
            if proof is None or one not in records:
                continue
            state, signed = records[one]["state"], len(proof.file["signatures"])
            if records[one]["hash"] != proof.file["hash"]:
                self.say("%s: %s names another hash" % (one, path))
            if (state == "AGREED") != (signed == 2 or records[one].get("plannedBy") is not None):
                self.say("%s: it is said to be %s, and %d have signed it" % (one, state, signed))
            self.proposals[one], self.records[one] = proof, records[one]
        return len(set(records) | set(texts))

    # The contract's own words

    def formula_entries(self):
        entries = read_list(self.texts["chain.json"])["entries"] if "chain.json" in self.texts else []
        return [each["content"] for each in entries if each["kind"] == "formula"]

    def names_words(self):
        proofs = [proof.body for proof in self.receipts.values() if proof is not None]
        return any("words" in each for each in proofs + self.formula_entries())

    def check_words(self):
        """Each text against its hash, and against those that receipts, versions and changes of terms name."""
        rows = read_list(self.texts.get("words.json", "[]"))
        for row in rows:
            if hash_value({name: row[name] for name in ("links", "sentences")}) != row["sha256"]:
                self.say("the words under %s do not have that hash" % row["sha256"])
        pairs = [(version, row["sha256"]) for row in rows for version in row["versions"]]
        hashes, versions = dict(pairs), [version for version, _ in pairs]
        for version in hashes:
            if versions.count(version) > 1:
                self.say("version %d has more than one text" % version)
        for name, proof in self.receipts.items():
            if proof is not None and hashes.get(proof.body["formulaVersion"]) != proof.body.get("words", {}).get("sha256"):
                self.say("%s: the words of version %d are not those that it names" % (name, proof.body["formulaVersion"]))
        for entry in self.formula_entries():
            if hashes.get(entry["version"]) != entry.get("words"):
                self.say("the words of version %d are not those that were published" % entry["version"])
        for one, proof in self.proposals.items():
            version, words = self.records[one].get("version"), proof.body.get("words")
            if words is None or "formulas/%s.yaml" % version not in self.texts:
                continue
            after = words["after"]
            agreed = None if after is None else hash_value({name: after[name] for name in ("links", "sentences")})
            if hashes.get(version) != agreed:
                self.say("%s: the words of version %d are not those that were agreed" % (one, version))
        return "%s, as receipts and versions name them." % counted(len(rows), "text", "texts")

    # The part of the chain

    def chain_problems(self):
        """Each content against its hash, or against the last of the redactions that replaced it."""
        chain, redactions = read_list(self.texts["chain.json"]), {}
        for each in chain["entries"]:
            if each["kind"] == "redaction":
                redactions.setdefault(each["content"]["entry"], []).append(each)
        for each in chain["entries"]:
            what, stands = "publication %s (%s)" % (each["seq"], each["kind"]), each["contentHash"]
            for one in redactions.get(each["seq"], []):
                goes_on = (one["content"]["was"], one["content"]["kind"]) == (stands, each["kind"])
                stands = one["content"]["is"] if goes_on and each["kind"] != "redaction" else None
            salt = each.get("salt", "")
            content = bytes.fromhex(salt) + canonical(each["content"]).encode("utf-8")
            if stands is None:
                yield "a redaction of %s does not go on from what was published" % what
            elif len(salt) not in (0, 32) or sha256(content).hex() != stands:
                yield "%s is not what its hash covers" % what
        self.chain, self.redactions = chain, redactions

    def check_chain(self):
        for problem in self.chain_problems():
            self.say(problem)
        entries = self.chain["entries"]
        for said in [each["content"] for each in entries if each["kind"] == "formula"]:
            text = self.texts.get("formulas/version-%s.yaml" % said["version"])
            if text is None or hash_text(text) != said["documentText"]:
                self.say("version %s of the formula is not the one that was published" % said["version"])
        signed = [each["content"] for each in entries if each["kind"] in ("sign-off", "signature")]
        signed = {(each["receiptHash"], each["party"], each["signedBy"]) for each in signed}
        for name, proof in self.receipts.items():
            for each in proof.file["signatures"] if proof is not None else []:
                if (each["hash"], each["party"], each["signedBy"]) not in signed:
                    self.say("%s: the %s's signature is not in the chain" % (name, each["party"]))
        words = ["%s computed again." % counted(len(entries), "publication", "publications")]
        for one in [one for of_entry in self.redactions.values() for one in of_entry]:
            said, day = one["content"], one["recordedAt"][:10]
            by = "the operator" if said["by"] == "operator" else said["by"]
            words.append("%s was redacted on %s by %s: %s." % (said["instead"], day, by, said["reason"]))
        return " ".join(dict.fromkeys(words))

    # The log

    def check_log(self):
        text = self.texts["log.json"]
        self.log = value = read_list(text)
        if value["format"] != "assize-log/1" or text != pretty(value):
            self.log = None
            raise Unreadable("log.json is not one")
        try:
            return self.judge_log(value)
        except Unreadable as wrong:
            raise Unreadable("log.json is not one: %s" % wrong)

    def judge_log(self, value):
        self.log_key = NoteKey(value["keys"][0])
        self.witnesses = {each["key"]: each["name"] for each in value["witnesses"]}
        self.witness_keys = {key: NoteKey(key) for key in self.witnesses}
        newest = Checkpoint(value["checkpoint"])
        self.checkpoints, self.announced = [newest], []
        self.check_announcements(value.get("announcements", []), newest)
        earlier = [(each, Checkpoint(each["checkpoint"])) for each in value["earlier"]]
        keys = [self.log_key] + [each.previous for each in self.announced] + list(self.witness_keys.values())
        refuse_many_signatures([newest] + [older for _, older in earlier], keys)
        for each, older in earlier:
            if not is_grown(older.size, older.root, newest.size, newest.root, [hash_in(line) for line in each["proof"]]):
                self.say(contradiction(older, newest))
            self.checkpoints.insert(-1, older)
        # By checkpoint and witness, when it was cosigned.
        self.cosigned = {each.text: dict(self.cosignatures(each)) for each in self.checkpoints}
        self.slips = {}
        for name, slip_text in self.texts_in("slips", ".tlog-proof"):
            try:
                self.check_slip(name, Slip(*read_proof(slip_text)))
            except Unreadable as wrong:
                self.say("slips/%s.tlog-proof: %s" % (name, wrong))
        for each in self.chain["entries"] if self.chain is not None else []:
            if each["kind"] in ("signature", "correction-signature", "terms-signature") and each["seq"] not in self.slips:
                self.say("publication %d (%s) has no slip" % (each["seq"], each["kind"]))
        grown = counted(len(self.checkpoints) - 1, "earlier checkpoint grows", "earlier checkpoints grow")
        entries, leaves = counted(len(self.slips), "entry is", "entries are"), counted(newest.size, "leaf", "leaves")
        return "%s in %s at %s, and %s into it." % (entries, value["origin"], leaves, grown)

    def check_announcements(self, announcements, newest):
        """The keys that signed earlier checkpoints, up to the one of now."""
        refuse_many_announcements(announcements)
        for each in announcements:
            self.announced.append(Announcement(each["leaf"], each["index"], [hash_in(line) for line in each["proof"]], newest))
        for each in self.announced:
            problem = each.problem()
            if problem is not None:
                self.say(each.told(problem))
        broken = succession_problem(self.log_key, self.announced)
        if broken is not None:
            self.say(broken)

    def key_of(self, checkpoint):
        """The key of the log that signed checkpoints of that size."""
        ended = next((each.previous for each in self.announced if each.index >= checkpoint.size), None)
        return self.log_key if ended is None else ended.under(self.log_key.name)

    def cosignatures(self, checkpoint):
        """(witness, seconds) of those that hold."""
        of, own = "the checkpoint of %d leaves" % checkpoint.size, self.key_of(checkpoint)
        if checkpoint.origin != self.log["origin"]:
            self.say("%s is of another log: %s" % (of, checkpoint.origin))
        names = {id(key): self.witnesses[text] for text, key in self.witness_keys.items()}
        found = list(checkpoint.checked([own] + list(self.witness_keys.values())))
        if not any(holds for key, holds, _ in found if key is own):
            self.say("%s is not signed by the log" % of)
        for key, holds, seconds in found:
            if key is own:
                continue
            if not holds:
                self.say("the cosignature of %s on %s does not hold" % (names[id(key)], of))
            elif seconds is not None:
                yield names[id(key)], seconds

    def check_slip(self, name, slip):
        entries = {} if self.chain is None else {each["seq"]: each for each in self.chain["entries"]}
        entry, problem = entries.get(slip.seq), slip.problem()
        if problem is None and str(slip.seq) != name:
            problem = "it is of another entry"
        if problem is None and self.chain is not None and slip.scope != self.chain["scope"]:
            problem = "it is of another scope"
        if problem is None and slip.checkpoint.text not in self.cosigned:
            problem = "its checkpoint is not one of log.json"
        if problem is None and entry is not None and entry["contentHash"] != slip.content_hash:
            problem = "it is of another entry than the chain has"
        if problem is not None:
            raise Unreadable(problem)
        said = entry["content"] if entry is not None else None
        self.slips[slip.seq] = (slip, said if slip.content is None else read_list(slip.content))

    def proven_line(self, name, proof):
        """When what was signed was in the log, by the word of which witness; None where no slip is of it."""
        found = []
        for each in proof.file["signatures"]:
            wanted = (each["hash"], each["party"], each["signedBy"])
            for slip, said in self.slips.values():
                if said and (said.get("receiptHash", said.get("hash")), said.get("party"), said.get("signedBy")) == wanted:
                    found.append((each, slip))
        if not found:
            return []
        day = max(each["signedAt"] for each, _ in found)[:10]
        by = "both" if len(found) == 2 else "the " + found[0][0]["party"]
        index, times = max(slip.leaf_index for _, slip in found), {}
        for checkpoint in self.checkpoints:
            for witness, seconds in self.cosigned[checkpoint.text].items() if checkpoint.size > index else ():
                times[witness] = min(seconds, times.get(witness, seconds))
        words = ["%sZ (witness %s)" % (at[:16], one) for at, one in sorted((time_of(s), one) for one, s in times.items())]
        how = "by " + ", ".join(words) if words else "on the operator's word alone: no witness"
        return ["%s: signed by %s on %s; in the log %s" % (name, by, day, how)]

    def check_kept(self):
        """Checkpoints that whoever verifies kept must be those of the package."""
        self.kept_lines, same = [], {}
        for path, kept in self.trust.brought.kept:
            own = next((each for each in self.checkpoints if each.size == kept.size), None)
            if kept.origin != self.log["origin"]:
                self.kept_lines.append("%s: a checkpoint of %s, which is another log" % (path, kept.origin))
            elif own is None:
                self.kept_lines.append("%s: a checkpoint of %d leaves, which is not in the package" % (path, kept.size))
            elif own.root != kept.root:
                self.say("%s: %s" % (path, contradiction(kept, own)))
            else:
                same[own.size] = own
        times = [seconds for each in same.values() for seconds in self.cosigned[each.text].values()]
        since = time_of(min(times))[:10] if times else "the oldest checkpoint you kept"
        if same:
            kept_words = counted(len(same), "checkpoint", "checkpoints")
            self.kept_lines.insert(0, "not rewritten since %s (%s you kept)" % (since, kept_words))
        one, many = "checkpoint is in the package as you kept it.", "checkpoints are in the package as you kept them."
        return counted(len(same), one, many)

    # The verdict

    def problems(self):
        return self.refusals

    def on_word(self):
        words = [word for proof in list(self.receipts.values()) + list(self.proposals.values()) for word in proof.on_word()]
        return list(dict.fromkeys(words + ["that nothing about these periods was left out"]))

    def lines(self):
        body = self.manifest["body"]
        installation, workspace = body["installation"], body["workspace"]
        name = "" if installation["name"] is None else " (%s)" % installation["name"]
        what = (body["agreement"]["name"], self.agreement, body["from"], body["to"])
        issuer = (installation["id"], name, workspace["slug"], workspace["name"], body["madeBy"], body["madeAt"][:10])
        lines = ["same: everything in the evidence for %s (%s), %s to %s, verifies" % what]
        lines.append("issued by %s%s, workspace %s (%s); made by %s on %s" % issuer)
        lines += ["%s: %s" % part for part in self.parts] + seal_lines(self.manifest["seal"], self.trust)
        proofs = {**self.receipts, **self.proposals}
        for one, proof in proofs.items():
            record = self.records.get(one, {"state": "", "plannedBy": None})
            own = signature_lines(proof.file, self.own_trust) or ["signed by nobody"]
            # What was agreed in advance is signed by nobody.
            own = [proof.summary(record["state"])] + (own if record.get("plannedBy") is None else [])
            lines += ["%s: %s" % (one, line) for line in own]
        if self.log is not None:
            lines += [line for one, proof in proofs.items() for line in self.proven_line(one, proof)]
            lines += self.kept_lines if self.trust.brought is not None else ["nothing that you kept was compared (--kept)"]
        lines += ["on the operator's word: " + each for each in self.on_word()]
        lines += ["not proven: " + each for each in NOT_PROVEN]
        return lines + [LEFT_OF_PACKAGES + taken_words(sum(getattr(proof, "taken", 0) for proof in proofs.values()))]


def contradiction(one, other):
    return "the log contradicts itself: %s and %s" % (canonical(one.text), canonical(other.text))


# ======================================================================================================================
# command.py: The command: reads a file, judges it by its kind, and prints the lines of the verdict.
# ======================================================================================================================


# Of each kind of file, by the format of its body: how it is judged, what it is called, its length and depth.
KINDS = {
    "assize-correction/1": (Correction, "the correction", 100_000_000, DEEPEST_RECEIPT + 2),
    "assize-splice/1": (Change, "the change", LONGEST_RECEIPT, 64),
    "assize-amendment/1": (Change, "the change", LONGEST_RECEIPT, 64),
    "assize-price-list/1": (Change, "the change", LONGEST_RECEIPT, 64),
}
PERIOD = (Receipt, "the receipt", LONGEST_RECEIPT, DEEPEST_RECEIPT)


def format_of(text):
    """The format that a file names, whatever else is in it; None where it names none."""
    try:
        return strict_json(text, 64)["body"]["format"] if len(text) <= 100_000_000 else None
    except (NotStrict,) + FORM_ERRORS:
        return None


def judged_of(data, trust):
    """The file, read and judged: it has problems() and lines(). Raises Unreadable."""
    if data[:2] == b"PK" and data[2:3] in (b"\x03", b"\x05"):
        return Package(data, trust)
    text = decode_utf8(data)
    if text is None:
        raise Unreadable("the receipt cannot be read: it is not UTF-8")
    if text.startswith(SLIP_START):
        return SlipFile(text, trust)
    found = format_of(text)
    judge, called, length, depth = KINDS.get(found, PERIOD) if isinstance(found, str) else PERIOD
    value = read_json(text, called, length, depth)
    if judge is Receipt and not isinstance(value, dict):
        raise Unreadable("the receipt cannot be read: it must be a mapping")
    if judge is Receipt and "body" not in value:
        raise Unreadable("this is not a receipt: it has no body")
    return judge(value, trust)


def verdict_of(data, trust):
    """(exit status, lines)."""
    try:
        judged = judged_of(data, trust)
        problems = judged.problems()
        return (1, problems) if problems else (0, judged.lines())
    except Unreadable as wrong:
        return 1, ["assize: %s" % wrong]
    except FORM_ERRORS:
        return 1, ["assize: %s" % NOT_FORMED]


def verdict(path, trust=None):
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as wrong:
        return 1, ["assize: %s cannot be read: %s" % (path, wrong.strerror)]
    if len(data) > MOST_BYTES:
        return 1, ["assize: %s is larger than %d bytes" % (path, MOST_BYTES)]
    return verdict_of(data, trust or Trust())


USAGE = (
    "usage: assize_verify.py FILE [--trust KEY] [--trust-issuer FILE] [--log-key VKEY] [--witness VKEY] [--slip FILE]"
    " [--kept FILE]",
)
OPTIONS = ("--trust", "--trust-issuer", "--log-key", "--witness", "--slip", "--kept")


def read_trust(given):
    """Keys from texts or from files of an installation; issuers, slips and checkpoints from files."""

    def text_of(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    keys, ended, issuers, brought = set(), {}, {}, Brought()
    log_keys, witnesses = ([NoteKey(each) for each in given[name]] for name in ("--log-key", "--witness"))
    for each in given["--trust"]:
        if each.startswith("ed25519:"):
            keys.add(each[len("ed25519:") :])
        elif re.fullmatch(r"[^+]+\+[0-9a-f]{8}\+.+", each):
            log_keys.append(NoteKey(each))
        else:
            published = json.loads(text_of(each))
            listed = {key["publicKey"]: key.get("endedAt") for key in published["keys"]}
            ended.update({key: (at, os.path.basename(each)) for key, at in listed.items() if at is not None})
            keys.update(key for key, at in listed.items() if at is None)
            log_keys += [NoteKey(key) for key in published.get("logKeys", [])]
    for path in given["--trust-issuer"]:
        issuers.update(json.loads(text_of(path)))
    for name in ("--slip", "--kept"):
        for path in given[name]:
            brought.add(os.path.basename(path), text_of(path), name == "--kept")
    trusted, given_issuers = keys if given["--trust"] else None, issuers if given["--trust-issuer"] else None
    return Trust(trusted, given_issuers, log_keys, witnesses, brought if given["--slip"] + given["--kept"] else None, ended)


def write_lines(lines, out):
    """The one way out: text of other people is made visible here, whichever line it is in."""
    out.reconfigure(encoding="utf-8", newline="\n")
    for line in lines:
        print(visible(line), file=out)


def main(arguments):
    files, given, left = [], {name: [] for name in OPTIONS}, list(arguments)
    while left:
        word = left.pop(0)
        if word in given and left:
            given[word].append(left.pop(0))
        else:
            files += [None] if word.startswith("--") else [word]
    if len(files) != 1 or None in files:
        write_lines(USAGE, sys.stderr)
        return 2
    try:
        trust = read_trust(given)
    except Unreadable as wrong:
        write_lines(["assize: %s" % wrong], sys.stderr)
        return 2
    except (OSError,) + FORM_ERRORS:
        write_lines(["assize: a key or a file that you trust cannot be read"], sys.stderr)
        return 2
    status, lines = verdict(files[0], trust)
    write_lines(lines, sys.stdout if status == 0 else sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
