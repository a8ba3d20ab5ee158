"""Public keys: Ed25519 (RFC 8032), ECDSA with P-256 (FIPS 186), RSA (RFC 8017), and DER as far as keys need it.

Signatures are only verified, and everything is public, so nothing here has to run in constant time. Published vectors
hold it (test/verifier/primitives.test.ts).
"""

import hashlib

from text import sha256


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
