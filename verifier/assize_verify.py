#!/usr/bin/env python3
"""Checks receipts, corrections, changes of terms and evidence packages of Assize, offline.

    python3 assize_verify.py receipt.json
    python3 assize_verify.py package.zip --trust KEY

It was written from the format's reference (docs/RECEIPT.md) and not from the program that makes the files, so that the two
can disagree. It needs Python 3.9 or later and nothing else, opens no connection and writes no file. From top to bottom: text
and JSON, numbers, signatures, and then each kind of file.
"""

import base64
import hashlib
import json
import re

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
