"""Text: hashes, base64, strict JSON, and how text of other people is printed.

Everything here refuses rather than guesses, because two programs that guess differently would read two files in one.
"""

import base64
import hashlib
import json
import re


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
