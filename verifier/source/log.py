"""The log: trees (RFC 6962), notes, checkpoints and cosignatures (C2SP), and slips, which say that an entry is in it
(receipt/proof.md)."""

import datetime
import hashlib
import hmac
import re

from party_signatures import is_signed
from text import NotStrict, Unreadable, base64url, canonical, decode_utf8, from_base64, sha256, strict_json

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


class NoteKey:
    """The public key of a log or a witness, as people pass it on: name+digits+base64."""

    PLAIN, COSIGNING = 1, 4

    def __init__(self, text):
        name, _, rest = text.partition("+")
        digits, _, encoded = rest.partition("+")
        data = from_base64(encoded)
        is_key = name and re.fullmatch("[0-9a-f]{8}", digits) and data
        require(is_key, 'a key is written name+8 digits+base64, got "%s"' % text)
        is_known = data[0] in (self.PLAIN, self.COSIGNING) and len(data) == 33
        require(is_known, "the key of %s is of the type %d, which is not read here" % (name, data[0]))
        self.name, self.digits, self.type, self.key = name, digits, data[0], data[1:]
        own = sha256(name.encode("utf-8") + b"\n" + data)[:4].hex()
        require(own == digits, "the key of %s has the digits %s, not %s" % (name, own, digits))

    @property
    def called(self):
        return "%s+%s" % (self.name, self.digits)


class Checkpoint:
    """A note whose text is the origin of a log, its number of leaves, and its root."""

    def __init__(self, note):
        require(len(note) <= LONGEST_NOTE, "a note has at most %d characters" % LONGEST_NOTE)
        require(not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", note), "a note has no control characters")
        text, middle, signatures = note.rpartition("\n\n")
        require(middle, "a note has an empty line before its signatures")
        require(signatures.endswith("\n"), "a signature of a note ends with a line break")
        self.signatures = [self.read_signature(line) for line in signatures[:-1].split("\n")]
        require(len(self.signatures) <= MOST_SIGNATURES, "a note has at most %d signatures" % MOST_SIGNATURES)
        self.text, lines = text + "\n", text.split("\n")
        is_whole = len(lines) >= 3 and lines[0] != "" and "" not in lines[3:]
        require(is_whole, "a checkpoint has a line for its origin, its size and its root")
        self.origin = lines[0]
        self.size, self.root = whole_number_in(lines[1], "the size of a checkpoint"), hash_in(lines[2])

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


# --- Slips -----------------------------------------------------------------------------------------------------------

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


class Slip:
    """An entry, the way from it to a head of its scope's tree, what opens that head, and its way to a checkpoint."""

    def __init__(self, text):
        head, _, note = text.partition("\n\n")
        require(text.startswith(SLIP_START), "a proof begins with the line " + SLIP_START.strip())
        lines = Lines(head.split("\n")[1:])
        extra = from_base64(lines.take("extra")) if lines.has("extra") else b""
        require(extra is not None, "what a proof has besides is not base64")
        index = lines.take("index", "a proof has a line")
        self.leaf_proof = lines.hashes()
        self.leaf_index = whole_number_in(index, "the index of a proof")
        self.checkpoint = Checkpoint(note)
        require(extra, "this proof is not a slip: it has nothing about an entry")
        self.read_entry(Lines((decode_utf8(extra) or "").split("\n")))

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


def slips_in(text):
    """One after the other in one file."""
    pieces = re.split("(?m)^(?=%s)" % re.escape(SLIP_START), text)
    return [Slip(piece) for piece in (pieces[1:] if pieces[0] == "" else pieces)]


class SlipFile:
    """The verdict on a file of slips. Without the key of the log nothing is proven: anybody can write a log."""

    def __init__(self, text, trust):
        self.keys, self.witnesses = [NoteKey(each) for each in trust.log_keys], [NoteKey(each) for each in trust.witnesses]
        self.refusals, self.unproven, self.holding = [], [], []
        for slip in slips_in(text):
            self.judge(slip)

    def judge(self, slip):
        checkpoint, problem = slip.checkpoint, slip.problem()
        what = "entry %d (%s) of %s" % (slip.seq, slip.kind, slip.scope)
        log = "the log %s of %d leaves" % (checkpoint.origin, checkpoint.size)
        problems, lines = [] if problem is None else [problem], ["same: %s is in %s" % (what, log)]
        checked = list(checkpoint.checked(self.keys + self.witnesses))
        if self.keys and not any(holds for key, holds, _ in checked if key in self.keys):
            problems.append("the checkpoint is not signed by a key of the log that you trust")
        for key, holds, seconds in checked:
            if not holds:
                problems.append("the signature of %s does not hold" % key.called)
            elif key in self.keys:
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
        return self.refusals or ([] if self.keys else self.unproven)

    def lines(self):
        return self.holding
