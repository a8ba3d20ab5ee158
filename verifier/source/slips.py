"""Slips, which say that an entry is in the log, and what they show of a receipt whose key has ended (receipt/proof.md)."""

import datetime
import hashlib
import hmac
import re

from log import (
    KEY_FORM, MOST_HASHES, Announcement, Checkpoint, KnownKeys, hash_in, leaf_hash, refuse_many_announcements,
    refuse_many_signatures, require, root_by_inclusion, time_of, whole_number_in,
)
from party_signatures import NotBefore
from text import (
    FORM_ERRORS, NotStrict, Unreadable, base64url, canonical, decode_utf8, from_base64, hash_value, sha256, strict_json,
    utf16_length,
)

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
