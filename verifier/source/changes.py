"""Changes of terms: what was signed, and the documents by their hashes. What they say is left to `assize verify`."""

from party_signatures import Proof
from text import hash_text, hash_value
from words import proof_lines, signers_on_word

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
