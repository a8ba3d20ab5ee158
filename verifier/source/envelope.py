"""The form of a file of proof: what stands around the body that was signed (RECEIPT.md, 3.1)."""

import re

from text import Unreadable, canonical

# Of each kind of file: what it is called, and its fields in the order in which they are read; ? may be missing.
FIELDS = {
    "receipt": ["hash", "body", "signatures", "objections?", "seal"],
    "correction": ["hash", "body", "receipts", "signatures", "seal"],
    "change": ["hash", "body", "document", "signatures", "seal"],
    "seal": ["algorithm", "publicKey", "value"],
}


def misfit(path, what):
    raise Unreadable("the receipt cannot be read: %s must be %s" % (path, what))


def check_keys(value, kind, path):
    check_type(value, dict, path)
    for name in FIELDS[kind]:
        if not name.endswith("?") and name not in value:
            misfit(path, "a mapping with %s, which is missing" % name)
    for key in value:
        if key not in [name.rstrip("?") for name in FIELDS[kind]]:
            misfit(path, "a mapping without %s, which is not known" % canonical(key))


def check_type(value, kind, path):
    if not isinstance(value, kind):
        misfit(path, {str: "a text", list: "a list", dict: "a mapping"}[kind])


def check_envelope(file, kind):
    """Everything but what is in the body, in the signatures and in the objections."""
    check_keys(file, kind, "the " + kind)
    check_type(file["hash"], str, "hash")
    if not re.fullmatch("[0-9a-f]{64}", file["hash"]):
        misfit("hash", "64 hexadecimal digits")
    check_type(file["body"], dict, "body")
    if kind == "correction":
        check_type(file["receipts"], list, "receipts")
        for at, each in enumerate(file["receipts"]):
            check_type(each, dict, "receipts[%d]" % at)
    if kind == "change" and file["document"] is not None:
        check_type(file["document"], str, "document")
    check_type(file["signatures"], list, "signatures")
    check_type(file.get("objections", []), list, "objections")
    seal = file["seal"]
    if seal is None:
        return
    check_keys(seal, "seal", "seal")
    algorithm = seal["algorithm"]
    if algorithm != "Ed25519":
        kind = {bool: "boolean", int: "number"}.get(type(algorithm), "object")
        got = canonical(algorithm) if isinstance(algorithm, str) else kind
        misfit("seal.algorithm", "one of Ed25519, got %s" % got)
    check_type(seal["publicKey"], str, "seal.publicKey")
    check_type(seal["value"], str, "seal.value")
