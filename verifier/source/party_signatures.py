"""Seals and the signatures of the parties: passkeys, tokens of identity providers, lists signed at once.

RECEIPT.md, sections 4 and 5.
"""

import datetime
import functools
import re

from envelope import check_envelope
from public_keys import Ed25519, P256, ecdsa_signature, public_key_of, rsa_pkcs1_verify, rsa_pss_verify
from text import (
    FORM_ERRORS, NOT_FORMED, NotStrict, Unreadable, base64url, canonical, decode_utf8, from_base64url, hash_value, sha256,
    strict_json, utf16_length,
)


class Trust:
    """What whoever verifies knows from elsewhere: keys of installations, of identity providers, of a log and its
    witnesses, and the checkpoints that they kept."""

    def __init__(self, keys=None, issuers=None, log_keys=(), witnesses=(), brought=None, ended=None):
        self.keys = keys
        # By key, when it ended and the file that says so: what it sealed counts with slips alone.
        self.ended = ended or {}
        self.issuers = issuers
        self.log_keys = list(log_keys)
        self.witnesses = list(witnesses)
        # Slips and kept checkpoints (slips.py); None where there are none.
        self.brought = brought


# --- The seal --------------------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=10000)
def is_signed(key, message, signature):
    """By Ed25519. The same checkpoint comes with many slips, so each answer is kept."""
    return Ed25519.verify(key, message, signature)


def is_sealed(seal, text):
    """Whether a seal is one of a text, under the key that it names."""
    key, value = from_base64url(seal["publicKey"]), from_base64url(seal["value"])
    return key is not None and value is not None and is_signed(key, text.encode("utf-8"), value)


def sealed_hash(file):
    """Of everything that stands beside the body, but the seal."""
    return hash_value({name: file[name] for name in ("hash", "signatures", "objections") if name in file})


# --- One signature ---------------------------------------------------------------------------------------------------

WAYS = {
    "passkey": "with a passkey",
    "provider": "by the identity provider of the company",
    "password": "with a password",
}


class NotSigned(Exception):
    """Why a signature is none."""


def need(is_so, why):
    if not is_so:
        raise NotSigned(why)


def signed_hash(signature):
    """The hash of the one thing that was signed, or of the list of several."""
    together = signature["together"]
    if len(together) == 1:
        return together[0]["hash"]
    return hash_value([{"hash": each["hash"], "period": each["period"]} for each in together])


def challenge_of(signature):
    """The hash that a passkey or a provider was given: of what was signed or of the whole batch, with the signer's origin."""
    found = signed_hash(signature)
    if "batch" in signature:
        found = hash_value({"entries": signature["batch"]["entries"], "format": "assize-batch/1"})
    return hash_value({"format": "assize-signature/2", "hash": found, "signer": signature.get("origin")})


class SignedThing:
    """What signatures have to cover: a hash, the period of a receipt (None for proposals), the accepted ways to sign."""

    def __init__(self, own_hash, body, has_period, has_plain_lists):
        self.hash = own_hash
        self.period = body["period"] if has_period else None
        self.ways = body["parties"].get("signWith")
        self.has_plain_lists = has_plain_lists


def check_signature(signature, thing, is_sealed_well, trust):
    """The kind of proof: "word" or "operator" of the operator, "key" of a passkey, "token" of a provider."""
    need(signature["hash"] == thing.hash, "it is given for another receipt")
    seen = [each["period"] for each in signature["together"] if each["hash"] == thing.hash]
    is_seen = seen if thing.period is None else thing.period in seen
    need(is_seen, "%s is not among what was signed" % ("what it is given for" if thing.period is None else thing.period))
    means, passkey, provider = signature["means"], signature["passkey"], signature.get("provider")
    if thing.ways is not None and means.lower() not in thing.ways:
        words = [WAYS[way] for way in WAYS if way in thing.ways]
        listed = " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
        raise NotSigned("what was signed is to be signed %s, and this is none of it" % listed)
    without = "a signature by %s is said, or is there, without the other"
    need((means == "PASSKEY") == (passkey is not None), without % "passkey")
    need((means == "PROVIDER") == (provider is not None), without % "a provider")
    if "batch" in signature:
        check_batch(signature, thing)
    if passkey is not None:
        check_passkey(signature)
        return "key"
    if provider is not None and "proof" not in provider:
        check_token(signature, trust)
        return "token"
    need(is_sealed_well, "nothing vouches for it: the seal on the receipt is not valid")
    return "operator" if means == "OPERATOR" else "word"


def check_batch(signature, thing):
    """The list of several agreements has what was signed here."""
    has_passkey, has_provider = signature["passkey"] is not None, "provider" in signature
    is_list = has_passkey or has_provider or thing.has_plain_lists
    need(is_list, "a list that a passkey signed is there without the passkey")
    by = "the passkey signed" if has_passkey else "the provider signed" if has_provider else "was signed"
    entries = signature["batch"]["entries"]
    need(all(a < b for a, b in zip(entries, entries[1:])), "the list that %s is not in ascending order" % by)
    entry = {"format": "assize-batch-entry/1", "hash": signed_hash(signature), "salt": signature["batch"]["salt"]}
    need(hash_value(entry) in entries, "it is not in the list that %s" % by)


# --- Passkeys (Web Authentication, section 7.2 as far as it can be checked offline) -----------------------------------

def decoded(text, what):
    data = from_base64url(text)
    need(data is not None, "%s is not base64url" % what)
    return data


def mapping_in(data, what, depth):
    """A mapping in strict JSON, from its bytes."""
    text = decode_utf8(data)
    need(text is not None, "%s is not UTF-8" % what)
    try:
        value = strict_json(text, depth)
    except NotStrict as wrong:
        raise NotSigned("%s cannot be read as strict JSON: %s" % (what, wrong))
    need(isinstance(value, dict), "%s is not a mapping" % what)
    return value


def check_passkey(signature):
    passkey, site = signature["passkey"], signature["passkey"]["rpId"]
    client_bytes = decoded(passkey["clientDataJSON"], "clientDataJSON")
    need(len(client_bytes) <= 30000, "clientDataJSON is too large: %d bytes" % len(client_bytes))
    client = mapping_in(client_bytes, "clientDataJSON", 4)
    is_get = client.get("type") == "webauthn.get"
    need(is_get, "clientDataJSON is not of a signature (its type is not webauthn.get)")
    challenge = base64url(bytes.fromhex(challenge_of(signature)))
    need(client.get("challenge") == challenge, "it was made for another hash")
    need(client.get("crossOrigin", False) is False, "it was made inside a page of another site")
    origin = canonical(client["origin"]) if "origin" in client else "undefined"
    need(belongs_to(client.get("origin"), site), "it was made on %s, which does not belong to %s" % (origin, site))
    data = decoded(passkey["authenticatorData"], "authenticatorData")
    need(len(data) >= 37, "authenticatorData is too short")
    need(data[:32] == sha256(site.encode("utf-8")), "the authenticator signed for another site than %s" % site)
    need(data[32] & 1, "the authenticator does not say that a person was present")
    made, key = decoded(passkey["signature"], "signature"), decoded(passkey["publicKey"], "publicKey")
    holds = is_passkey_signature(passkey["algorithm"], key, data + sha256(client_bytes), made)
    need(holds, "it is not a signature of what the authenticator was shown under the key it names")
    listed = [each["id"] for each in signature.get("origin", {}).get("passkeys", [])]
    need(passkey["credentialId"] in listed, "the key that signed is not one of those that were recorded for the signer")


def belongs_to(origin, site):
    """Whether a page is of the site or of a host under it; browsers allow plain http for localhost only."""
    found = re.fullmatch(r"(https?)://([a-z0-9.-]+)(?::[0-9]{1,5})?", origin) if isinstance(origin, str) else None
    if found is None or site == "":
        return False
    scheme, host = found.groups()
    is_local = host == "localhost" or host.endswith(".localhost")
    return (host == site or host.endswith("." + site)) and (scheme == "https" or is_local)


def is_passkey_signature(algorithm, key, message, made):
    kind, parts = public_key_of(key) or (None, None)
    if algorithm == "ES256" and kind == "P-256":
        pair = ecdsa_signature(made)
        return pair is not None and P256.verify(parts, message, *pair)
    if algorithm == "EdDSA" and kind == "Ed25519":
        return is_signed(parts, message, made)
    return algorithm == "RS256" and kind == "RSA" and rsa_pkcs1_verify(parts[0], parts[1], message, made)


# --- Tokens of identity providers ------------------------------------------------------------------------------------

TOKEN_ALGORITHMS = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}
SKEW_SECONDS = 60


def quoted(value):
    """A value of a token in a sentence."""
    text = "nothing" if value is None else canonical(value)
    return text if utf16_length(text) <= 120 else text[:120] + "…"


def seconds_of(instant):
    moment = datetime.datetime.strptime(instant[:19], "%Y-%m-%dT%H:%M:%S")
    return int((moment - datetime.datetime(1970, 1, 1)).total_seconds())


def check_token(signature, trust):
    """The ID token whose nonce is the hash of what was signed."""
    provider = signature["provider"]
    random = from_base64url(provider["random"])
    need(random is not None and len(random) == 32, "the random bytes are not 32 bytes")
    challenge = b"assize sign-off/1\n" + random + b"\n" + challenge_of(signature).encode("ascii")
    claims = signed_claims(provider)
    check_claims(claims, provider, base64url(sha256(challenge)))
    is_short = claims["exp"] - claims["iat"] <= 86400
    need(is_short, "the token is valid for more than a day; a signature needs one whose proof can be shown soon")
    subject, expires = provider["subject"], provider["expiresAt"]
    need(claims["sub"] == subject, "the token is about %s, not about %s" % (claims["sub"], subject))
    is_same = claims["exp"] == seconds_of(expires) and expires[20:26] == "000000"
    need(is_same, "the token expires at another time than is said")
    delay = seconds_of(signature["signedAt"]) - seconds_of(provider["checkedAt"])
    need(-SKEW_SECONDS <= delay <= 1200, "the token was checked at another time than the signature is of")
    identities = [(each["issuer"], each["subject"]) for each in signature.get("origin", {}).get("identities", [])]
    is_known = (provider["issuer"], subject) in identities
    need(is_known, "who signed at the provider is not who was recorded for the signer")
    is_trusted = trust.issuers is None or is_trusted_issuer(provider, trust)
    need(is_trusted, "it is by a key that you do not trust as one of %s" % provider["issuer"])


def signed_claims(provider):
    """The claims of a token that is signed by the key beside it."""
    token, key = provider["token"], provider["key"]
    need(utf16_length(token) <= 32000, "the token has %d characters; at most 32000 are read" % utf16_length(token))
    parts = token.split(".")
    need(len(parts) == 3, "the token has %d parts in place of 3" % len(parts))
    header = mapping_in(decoded(parts[0], "the header of the token"), "the header of the token", 8)
    algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
    is_known = isinstance(algorithm, str) and algorithm in TOKEN_ALGORITHMS
    accepted = "RS256, PS256, ES256, EdDSA are accepted and nothing else"
    need(is_known, "the token is signed by %s; %s" % (quoted(algorithm), accepted))
    need("crit" not in header, "the token demands an extension (crit), and none is known here")
    need("kid" not in header or isinstance(kid, str), "kid of the token is not a text")
    is_jwt = isinstance(kind, str) and re.fullmatch("(application/)?jwt", kind, re.I)
    need(is_jwt, "the token is of another type: %s" % quoted(kind))
    made = decoded(parts[2], "the signature of the token")
    need(made, "the token is not signed")
    need(len(made) <= 1024, "the signature of the token is too long")
    claims = mapping_in(decoded(parts[1], "the claims of the token"), "the claims of the token", 8)
    fits = TOKEN_ALGORITHMS[algorithm] == key["kty"] and key.get("alg", algorithm) == algorithm
    fits = fits and (kid is None or key.get("kid") == kid)
    need(fits, "the provider publishes no key %s for %s" % (quoted(kid), algorithm))
    check_token_key(key)
    holds = is_token_signature(key, algorithm, (parts[0] + "." + parts[1]).encode("ascii"), made)
    need(holds, "the token is not signed by the key of the provider")
    return claims


def check_token_key(key):
    wrong = "the provider’s key cannot be relied on: "
    if key["kty"] == "RSA":
        need(key["e"] == "AQAB", wrong + "its exponent is not 65537")
        size = 0 if key["n"].startswith("AA") else len(from_base64url(key["n"]) or b"")
        need(256 <= size <= 1024, wrong + "its modulus does not have 2,048 to 8,192 bits")
        return
    need(key["crv"] == ("P-256" if key["kty"] == "EC" else "Ed25519"), wrong + "it is on another curve")
    sizes = [len(from_base64url(key[name]) or b"") for name in ("x", "y")[: 2 if key["kty"] == "EC" else 1]]
    need(all(size == 32 for size in sizes), wrong + "its numbers do not have 32 bytes")


def is_token_signature(key, algorithm, message, made):
    if key["kty"] == "RSA":
        modulus = int.from_bytes(from_base64url(key["n"]), "big")
        return (rsa_pkcs1_verify if algorithm == "RS256" else rsa_pss_verify)(modulus, 65537, message, made)
    if key["kty"] == "OKP":
        return is_signed(from_base64url(key["x"]), message, made)
    point = tuple(int.from_bytes(from_base64url(key[name]), "big") for name in ("x", "y"))
    pair = (int.from_bytes(made[:32], "big"), int.from_bytes(made[32:], "big"))
    return len(made) == 64 and P256.verify(point, message, *pair)


def check_claims(claims, provider, nonce):
    """As of the moment at which the installation checked the token."""
    now, issuer, client = seconds_of(provider["checkedAt"]), provider["issuer"], provider["clientId"]
    from_whom, audience, subject = claims.get("iss"), claims.get("aud"), claims.get("sub")
    need(from_whom == issuer, "the token is from %s, not from %s" % (quoted(from_whom), issuer))
    listed = audience if isinstance(audience, list) else [audience]
    need(client in listed, "the token was made for %s, not for %s" % (quoted(audience), client))
    is_for_one = len(listed) == 1 or "azp" in claims
    need(is_for_one, "the token was made for several, and does not say for whom (azp)")
    party = claims.get("azp", client)
    need(party == client, "the token was made for %s (azp), not for %s" % (quoted(party), client))
    need(claims.get("nonce") == nonce, "the token was made for another request (its nonce is another)")
    is_person = isinstance(subject, str) and 1 <= utf16_length(subject) <= 255
    need(is_person, "the token names no person: sub is %s" % quoted(subject))
    issued, expires = claim_time(claims, "iat"), claim_time(claims, "exp")
    need(expires > now - SKEW_SECONDS, "the token has expired")
    need(issued <= now + SKEW_SECONDS, "the token is from the future")
    need(expires > issued, "the token expires before it was made")
    is_begun = "nbf" not in claims or claim_time(claims, "nbf") <= now + SKEW_SECONDS
    need(is_begun, "the token is not valid yet")
    signed_in = claim_time(claims, "auth_time")
    need(signed_in <= now + SKEW_SECONDS, "the token says that the person will sign in later (auth_time)")
    is_recent = signed_in >= now - 300
    need(is_recent, "the person signed in at the provider more than 300 seconds ago (auth_time)")


def claim_time(claims, name):
    value = claims.get(name)
    is_time = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    need(is_time, "%s of the token is %s, not a time" % (name, quoted(value)))
    return value


def is_trusted_issuer(provider, trust):
    """Whether the key is one that whoever verifies knows as the issuer's."""
    known = (trust.issuers or {}).get(provider["issuer"])
    if known is None or ("clients" in known and provider["clientId"] not in known["clients"]):
        return False

    def numbers(key):
        return {name: value for name, value in key.items() if name in ("kty", "n", "e", "crv", "x", "y")}

    return any(numbers(key) == numbers(provider["key"]) for key in known["keys"])


class NotBefore(Exception):
    """Why it is not shown that a receipt was sealed before its key ended."""


# --- A file of proof -------------------------------------------------------------------------------------------------

# More than two are refused anyway, and each takes milliseconds.
MOST_CHECKED = 20


class Proof:
    """A file with body, hash, signatures and seal. What is wrong with it is found in one order, that of `assize verify`:
    form, hash, seal, signatures, and what a kind of file computes from its body."""

    kind, has_plain_lists = "receipt", False

    def __init__(self, file, trust):
        check_envelope(file, self.kind)
        self.file, self.body, self.trust = file, file["body"], trust
        self.refusals, self.differences, self.proofs = [], [], []
        self.own_hash = hash_value(self.body)
        if file["hash"] != self.own_hash:
            self.refusals.append("hash: the %s says %s, its body gives %s" % (self.kind, file["hash"], self.own_hash))
        self.judge_seal()
        try:
            self.judge_signatures()
            self.compute()
        except Unreadable as wrong:
            self.end(wrong)
        except FORM_ERRORS:
            self.end(Unreadable(NOT_FORMED))

    def end(self, why):
        """What cannot be read or computed is the verdict where nothing was wrong before it."""
        if not self.refusals:
            raise why
        self.refusals.append(str(why))

    def judge_seal(self):
        seal, keys = self.file["seal"], self.trust.keys
        self.is_sealed = seal is not None and is_sealed(seal, sealed_hash(self.file))
        if seal is None:
            self.refusals.append("seal: it recomputes, but nobody signed it")
        elif not self.is_sealed:
            self.refusals.append("seal: it is not one of this receipt under the key it names")
        # With a key that has ended: since when, and what shows that this was sealed before.
        self.sealed_before = []
        if seal is not None and keys is not None and seal["publicKey"] not in keys:
            why = self.why_not_trusted(seal["publicKey"])
            if why is not None:
                self.refusals.append("seal: it is by ed25519:%s, %s" % (seal["publicKey"], why))

    def why_not_trusted(self, key):
        """None where the key has ended, and slips show that it sealed this before."""
        if key not in self.trust.ended:
            return "which is not a key that you trust"
        words, again = "a key that ended at %s (%s)" % self.trust.ended[key], "Ask the installation for it again, under its key of now"
        if self.trust.brought is None:
            alone = "that it was sealed before is not shown by the receipt alone, but by the slips of its signatures"
            return "%s: %s (--slip, --kept). %s" % (words, alone, again)
        try:
            self.sealed_before = [words] + self.trust.brought.sealed_before(self.file, key, self.trust)
        except NotBefore as wrong:
            return "%s: %s. %s" % (words, wrong, again)
        return None

    def judge_signatures(self):
        signatures = self.file["signatures"]
        thing = SignedThing(self.own_hash, self.body, self.kind == "receipt", self.has_plain_lists)
        for each in signatures[:MOST_CHECKED]:
            try:
                self.proofs.append(check_signature(each, thing, self.is_sealed, self.trust))
            except NotSigned as wrong:
                self.proofs.append(None)
                self.refusals.append("the %s's signature (%s): %s" % (each["party"], each["signedBy"], wrong))
        if len({each["party"] for each in signatures}) < len(signatures):
            self.refusals.append("signatures: one party has signed twice")
        if len({each["signedBy"] for each in signatures}) < len(signatures):
            self.refusals.append("signatures: one person has signed for both parties")

    def compute(self):
        raise NotImplementedError

    def differences_in_words(self):
        """In a package, where figures are not told."""
        return self.differences

    def problems(self):
        return ["refused: " + each for each in self.refusals] + ["different: " + each for each in self.differences]
