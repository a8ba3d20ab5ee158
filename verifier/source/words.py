"""The lines about issuer, parties, seal and signatures, and what rests on the operator's word (RECEIPT.md, 7.1 to 7.3)."""

from exact import is_decimal, number_of
from party_signatures import is_trusted_issuer
from text import utf16_order

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
