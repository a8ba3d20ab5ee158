"""The command: reads a file, judges it by its kind, and prints the lines of the verdict."""

import json
import os
import re
import sys

from archive import MOST_BYTES
from changes import Change
from corrections import Correction
from log import NoteKey
from package import Package
from party_signatures import Trust
from receipts import DEEPEST_RECEIPT, LONGEST_RECEIPT, Receipt
from slips import SLIP_START, Brought, SlipFile
from text import FORM_ERRORS, NOT_FORMED, NotStrict, Unreadable, decode_utf8, read_json, strict_json, visible

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
