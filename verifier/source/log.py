"""The log: trees (RFC 6962), notes, checkpoints and cosignatures (C2SP), and announcements of other keys (receipt/proof.md)."""

import base64
import datetime
import re

from party_signatures import is_signed
from text import Unreadable, from_base64, sha256

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
