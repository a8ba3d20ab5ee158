"""Evidence packages: the sealed list and its files, every proof among them, the part of the chain, and the log
(receipt/package.md, receipt/proof.md)."""

import json
import re

from archive import Archive
from changes import Change
from corrections import Correction
from log import Announcement, Checkpoint, NoteKey, hash_in, is_grown, refuse_many_announcements, refuse_many_signatures, succession_problem, time_of
from party_signatures import Trust, is_sealed
from receipts import DEEPEST_RECEIPT, LEFT, LONGEST_RECEIPT, Receipt, taken_words
from slips import Slip, read_proof
from text import (
    FORM_ERRORS, NotStrict, Unreadable, canonical, counted, decode_utf8, from_base64url, hash_text, hash_value, pretty,
    read_json, sha256, strict_json, utf16_order,
)
from words import seal_lines, signature_lines

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
