"""What travels between client and server. Written from the descriptions of the API: do not edit it.

Objects are plain dictionaries with the names of the wire. Decimals are ``decimal.Decimal``, days and instants are text.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: The part that the hash covers: everything needed to compute the number again.
ReceiptBody = Dict[str, Any]

#: PRELIMINARY: the provider marks the value so. FINAL: the first value without such a mark. REVISED: a value that
#: changed after that.
VersionTag = Literal["PRELIMINARY", "FINAL", "REVISED"]

#: How long one period of the series is
Frequency = Literal["DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"]

#: Who publishes the series; `CUSTOM` for a workspace’s own
Provider = Literal["BLS", "FRED", "EIA", "ECB", "WORLD_BANK", "IMF", "EUROSTAT", "ONS", "STATCAN", "ABS", "BIS", "BOJ", "OECD", "DBNOMICS", "NASDAQ_DATA_LINK", "CUSTOM"]

#: What the figures are
DataType = Literal["INDEX", "PRICE", "RATE", "FX", "WAGE"]

#: Only what is ACTIVE can be signed
AgreementStatus = Literal["DRAFT", "ACTIVE", "SUSPENDED", "EXPIRED", "ARCHIVED"]


class SeriesList(TypedDict):
    """A page of series."""

    data: List[ExtSeries]
    pagination: Pagination


class Series(TypedDict):
    """A series of index values."""

    #: Identifier of the series
    id: str
    #: The provider’s code
    seriesCode: str
    #: Name of the series
    name: str
    provider: Provider
    dataType: DataType
    #: Unit and base period, in words; may be empty
    unit: str
    frequency: Frequency
    #: When the series was first stored here
    createdAt: str


class Values(TypedDict):
    """Observations of a series, one per period, ascending."""

    series: SeriesHeader
    data: List[Observation]
    #: How many match, on this page or not
    total: int


class SummaryValues(TypedDict):
    """Observations with `view=summary`."""

    series: SeriesHeader
    data: List[SummaryObservation]
    #: How many match, on this page or not
    total: int


class SeriesHeader(TypedDict):
    """The series the values belong to."""

    #: Identifier of the series
    id: str
    #: The provider’s code
    seriesCode: str
    #: Name of the series
    name: str
    #: Unit and base period, in words; may be empty
    unit: str
    frequency: Frequency


class Observation(TypedDict):
    """The value of one period."""

    #: First instant of the period the value describes
    asOfDate: str
    #: The digits as they were published, as text
    value: Decimal
    versionTag: VersionTag


class SummaryObservation(TypedDict):
    """The value of one period, in the short form of `view=summary`."""

    #: The period in its own notation: 2024-03, 2024-Q1, 2024-H1, 2024, 2024-W05, 2024-03-15
    period: str
    #: The digits as they were published, as text
    value: Decimal
    version: VersionTag
    #: The day at the end of which this was the value: the requested cut, or today in UTC
    asOf: str


class Vintages(TypedDict):
    """Every vintage of every period, by period, newest last."""

    series: SeriesHeader
    data: List[Vintage]


class Vintage(TypedDict):
    """One value of one period as it was published once."""

    #: First instant of the period the value describes
    asOfDate: str
    #: The digits as they were published; null for a withdrawal
    value: Optional[Decimal]
    #: null for a withdrawal
    versionTag: Optional[VersionTag]
    #: The provider’s own mark, as it came
    flag: Optional[str]
    #: When the provider published it; the first instant of the day where only that is known
    publishedAt: str
    #: When this service stored it; as `knownAt` it includes this vintage
    recordedAt: str


class AgreementList(TypedDict):
    """A page of agreements."""

    data: List[AgreementSummary]
    pagination: Pagination


class AgreementSummary(TypedDict):
    """An agreement."""

    #: Identifier; the slug works in its place in every path
    id: str
    #: Name of the agreement
    name: str
    #: What it is about; may be empty
    description: str
    status: AgreementStatus
    #: When it was first applied
    createdAt: str
    #: When its formula, name or status last changed
    updatedAt: str


class Agreement(TypedDict):
    """One agreement."""

    data: AgreementDetail


class AgreementDetail(TypedDict):
    """An agreement with its contract’s calendar."""

    #: Identifier; the slug works in its place in every path
    id: str
    #: Name of the agreement
    name: str
    #: What it is about; may be empty
    description: str
    status: AgreementStatus
    #: When it was first applied
    createdAt: str
    #: When its formula, name or status last changed
    updatedAt: str
    #: First day of the contract
    contractStartDate: str
    #: Last day of the contract; null while it is open-ended
    contractEndDate: Optional[str]
    #: How often the price is adjusted
    adjustmentFrequency: str


class AgreementValues(TypedDict):
    """Every computed adjustment in the range, ascending."""

    data: List[AgreementValue]


class AgreementValue(TypedDict):
    """One computed adjustment."""

    #: The day it takes effect
    adjustmentDate: str
    #: Adjustment of this period, percent; null for the one period after a price of 0
    adjustmentPct: Optional[Decimal]
    #: Adjustment since the start of the contract, percent, compounded
    cumulativePct: Decimal


class Adjustment(TypedDict):
    """The adjustment of one period."""

    #: Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3
    period: str
    #: Adjustment of this period, percent; null for the one period after a price of 0
    adjustmentPct: Optional[Decimal]
    #: Adjustment since the start of the contract, percent
    cumulativeAdjustmentPct: Decimal
    #: The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL
    dataVersion: Literal["PRELIMINARY", "FINAL", "REVISED"]
    #: Version of the formula used
    formulaVersion: int
    confirmed: Confirmed
    #: One for each weighted series
    components: List[Component]


class Component(TypedDict):
    """What one series did."""

    #: Name of the series
    series: str
    #: Its share of the price, as a fraction of 1, as the formula writes it
    weight: Decimal
    #: Percent change of its reading against the base, before weighting
    change: Decimal


class Confirmed(TypedDict):
    """Who has signed exactly this number; null for a party that has not."""

    #: The day the buyer signed
    buyer: Optional[str]
    #: The day the supplier signed
    supplier: Optional[str]


class CalculationBlocked(TypedDict):
    """A period that cannot be computed."""

    #: Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3
    period: str
    #: What it lacks
    reason: str


class Calculation(TypedDict):
    """The answer of `view=calculation`, the shape of `assize adjustment --json`."""

    #: The slug
    pam: str
    #: The newest version of the formula
    formulaVersion: int
    adjustments: List[CalculationEntry]
    blocked: List[CalculationBlocked]


class CalculationEntryComponents(TypedDict):
    """What one input gave."""

    #: The input’s name in the formula
    input: str
    #: The series, as `PROVIDER/code`
    series: str
    #: As the formula writes it
    weight: Decimal
    #: Percent change against the base
    change: Decimal
    #: Percentage points it gave
    contribution: Decimal
    #: Its identifier; null for one your workspace does not see any more
    seriesId: Optional[str]


class CalculationEntryControls(TypedDict):
    """A control that had an effect."""

    #: Which one
    control: Literal["adder", "threshold", "passThrough", "cumulativeCap", "cumulativeFloor", "yearCap", "yearFloor", "periodCap", "periodFloor", "carryForward", "rounding"]
    #: Percentage points it took or gave
    points: Decimal


class _CalculationEntryStepsAlways(TypedDict):
    #: Its name
    name: str
    #: The carried value; cut with … if it has more than 30 digits
    value: Union[Decimal, str]


class CalculationEntrySteps(_CalculationEntryStepsAlways, total=False):
    """A line of the worksheet."""

    #: As the contract prints it
    shown: Union[Decimal, str]


class _CalculationEntryObservationsAlways(TypedDict):
    #: The input’s name in the formula
    input: str
    #: The series, as `PROVIDER/code`
    series: str
    #: Its identifier; null for one your workspace does not see any more
    seriesId: Optional[str]
    #: The period it describes
    period: str
    #: The digits as published
    value: Decimal
    version: VersionTag
    #: When it was published: a day, or an instant
    published: str


class CalculationEntryObservations(_CalculationEntryObservationsAlways, total=False):
    """A value that was read."""

    #: When this service stored it
    recorded: str


class _CalculationEntryAlways(TypedDict):
    #: Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3
    period: str
    #: The day it takes effect
    adjustmentDate: str
    #: Adjustment of this period, percent; null for the one period after a price of 0
    adjustmentPct: Optional[Decimal]
    #: Adjustment since the start of the contract, percent
    cumulativePct: Decimal
    #: Version of the formula used
    formulaVersion: int
    #: The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL
    dataVersion: Literal["PRELIMINARY", "FINAL", "REVISED"]
    components: List[CalculationEntryComponents]
    #: With the components they add up to the adjustment
    controls: List[CalculationEntryControls]
    confirmed: Confirmed
    steps: List[CalculationEntrySteps]
    observations: List[CalculationEntryObservations]


class CalculationEntry(_CalculationEntryAlways, total=False):
    """An adjustment with its whole calculation. Decimals are text."""

    #: The price, where the contract names one
    price: Union[Decimal, str]
    #: The amount on top of the contract’s price, where the formula gives one
    surcharge: Union[Decimal, str]
    #: Of the price, where there is one
    currency: str
    #: What the price is for, such as `piece` or `kg`; may be empty
    unit: str
    #: How many of the unit: `100` for a price per 100 kg
    per: Decimal


class ReceiptSignaturesTogether(TypedDict):
    """A period."""

    #: Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3
    period: str
    #: Of its receipt
    hash: str


class ReceiptSignaturesPasskey(TypedDict):
    """A WebAuthn assertion; binary values are base64url."""

    #: Of the credential
    credentialId: str
    #: The credential’s public key, SubjectPublicKeyInfo
    publicKey: str
    #: Of the key
    algorithm: Literal["ES256", "EdDSA", "RS256"]
    #: The site it was made for
    rpId: str
    #: As the authenticator wrote it
    authenticatorData: str
    #: As the browser wrote it; its challenge is the hash of what was signed (or of `batch`) and of `origin`
    clientDataJSON: str
    #: Over both
    signature: str


class _ReceiptSignaturesProviderKeyAlways(TypedDict):
    #: Its kind
    kty: Literal["RSA"]
    #: The modulus, base64url
    n: str
    #: The exponent, base64url
    e: str


class ReceiptSignaturesProviderKey(_ReceiptSignaturesProviderKeyAlways, total=False):
    """For RS256 and PS256."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class _ReceiptSignaturesProviderKey2Always(TypedDict):
    #: Its kind
    kty: Literal["EC"]
    #: The curve
    crv: Literal["P-256"]
    #: base64url
    x: str
    #: base64url
    y: str


class ReceiptSignaturesProviderKey2(_ReceiptSignaturesProviderKey2Always, total=False):
    """For ES256."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class _ReceiptSignaturesProviderKey3Always(TypedDict):
    #: Its kind
    kty: Literal["OKP"]
    #: The curve
    crv: Literal["Ed25519"]
    #: base64url
    x: str


class ReceiptSignaturesProviderKey3(_ReceiptSignaturesProviderKey3Always, total=False):
    """For EdDSA."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class ReceiptSignaturesProvider(TypedDict):
    """The proof, to be checked by anybody."""

    #: The provider’s address, as its tokens name it
    issuer: str
    #: Who signed, as the provider names the person
    subject: str
    #: Where the provider describes itself and names its keys
    discovery: str
    #: The name of the installation at the provider: the token was made for it
    clientId: str
    #: When the token was checked here
    checkedAt: str
    #: Until when the token is valid
    expiresAt: str
    #: The ID token; its nonce is, in base64url, SHA-256("assize sign-off/1\n" ‖ `random` ‖ "\n" ‖ the hash that was
    #: signed, as 64 hexadecimal digits)
    token: str
    #: 32 random bytes, base64url
    random: str
    #: The provider’s public key as a JWK (RFC 7517), as it was published when the token was checked
    key: Union[ReceiptSignaturesProviderKey, ReceiptSignaturesProviderKey2, ReceiptSignaturesProviderKey3]


class ReceiptSignaturesProvider2(TypedDict):
    """The token is valid still: the proof follows once it has expired."""

    #: The provider’s address, as its tokens name it
    issuer: str
    #: Who signed, as the provider names the person
    subject: str
    #: Where the provider describes itself and names its keys
    discovery: str
    #: The name of the installation at the provider: the token was made for it
    clientId: str
    #: When the token was checked here
    checkedAt: str
    #: Until when the token is valid
    expiresAt: str
    #: What is made after `expiresAt` has it
    proof: Literal["FOLLOWS"]


#: The newest invitation.
ReceiptSignaturesOriginInvited = TypedDict(
    "ReceiptSignaturesOriginInvited",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
    },
)


#: A new way in.
ReceiptSignaturesOriginRenewed = TypedDict(
    "ReceiptSignaturesOriginRenewed",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
        "how": "Literal[\"LINK\", \"OPERATOR\"]",
        "usedAt": "str",
    },
)


#: Who put the signer into it.
ReceiptSignaturesOriginCompanyPut = TypedDict(
    "ReceiptSignaturesOriginCompanyPut",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
    },
)


class ReceiptSignaturesOriginCompanyConfirmed(TypedDict):
    """The list of its people that the company confirmed."""

    #: E-mail address of its administrator
    by: str
    #: When
    at: str
    #: Of the list
    hash: str
    #: Whether the signer is in it
    isListed: bool


class ReceiptSignaturesOriginCompany(TypedDict):
    """The company."""

    #: Of the party
    slug: str
    #: Null where it was not recorded
    put: Optional[ReceiptSignaturesOriginCompanyPut]
    #: Null: it has confirmed none
    confirmed: Optional[ReceiptSignaturesOriginCompanyConfirmed]


class ReceiptSignaturesOriginPasskeys(TypedDict):
    """A key of the signer’s account."""

    #: Of the credential
    id: str
    #: When
    registeredAt: str


class ReceiptSignaturesOriginIdentities(TypedDict):
    """Who the signer is at an identity provider."""

    #: The provider’s address
    issuer: str
    #: As the provider names the person
    subject: str
    #: When the account was linked to it
    linkedAt: str


class _ReceiptSignaturesOriginAlways(TypedDict):
    #: Of the signer in the workspace
    role: str
    #: The newest invitation.
    invited: ReceiptSignaturesOriginInvited
    #: Null for somebody in whose name the operator signed
    joinedAt: Optional[str]
    #: The newest link for a new password that was used, or password set by the operator
    renewed: Optional[ReceiptSignaturesOriginRenewed]
    #: Null for somebody without one
    company: Optional[ReceiptSignaturesOriginCompany]
    passkeys: List[ReceiptSignaturesOriginPasskeys]


class ReceiptSignaturesOrigin(_ReceiptSignaturesOriginAlways, total=False):
    """Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash."""

    #: Left out where the account is linked to none
    identities: List[ReceiptSignaturesOriginIdentities]


class ReceiptSignaturesBatch(TypedDict):
    """The list that was signed by one act, of which this is one entry."""

    #: What makes this entry unguessable, 32 hexadecimal digits
    salt: str
    #: Every entry of the act, ascending
    entries: List[str]


class ReceiptSignaturesRedacted(TypedDict):
    """The name and address of the signer were redacted."""

    #: When
    at: str
    #: E-mail address, or `operator`
    by: str
    #: Why
    reason: str


class _ReceiptSignaturesAlways(TypedDict):
    #: For which side
    party: Literal["buyer", "supplier"]
    #: E-mail address
    signedBy: str
    #: As the workspace names the person; empty where it does not
    name: str
    #: When
    signedAt: str
    #: The receipt’s hash
    hash: str
    #: How it was known who signs
    means: Literal["PASSKEY", "PROVIDER", "PASSWORD", "OPERATOR"]
    #: Every period that was signed in the same act, this one included, by adjustment date
    together: List[ReceiptSignaturesTogether]
    #: With PASSKEY: what the authenticator signed, to be checked by anybody
    passkey: Optional[ReceiptSignaturesPasskey]


class ReceiptSignatures(_ReceiptSignaturesAlways, total=False):
    """A party’s signature on exactly this hash."""

    #: What the provider vouches for
    provider: Union[ReceiptSignaturesProvider, ReceiptSignaturesProvider2]
    #: Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash.
    origin: ReceiptSignaturesOrigin
    #: The list that was signed by one act, of which this is one entry.
    batch: ReceiptSignaturesBatch
    #: The name and address of the signer were redacted.
    redacted: ReceiptSignaturesRedacted


class ReceiptObjectionsAbout(TypedDict):
    """The number."""

    #: What it is
    kind: Literal["number"]


class ReceiptObjectionsAbout2(TypedDict):
    """A line of the calculation."""

    #: What it is
    kind: Literal["line"]
    #: Its name
    line: str


class ReceiptObjectionsAbout3(TypedDict):
    """A figure that was read."""

    #: What it is
    kind: Literal["figure"]
    #: The input that reads it
    input: str
    #: PROVIDER/code
    series: str
    #: Of the figure
    period: str


class ReceiptObjectionsReading(TypedDict):
    """Another reading of the clause."""

    #: Which one
    id: str
    #: In a few words
    title: str
    #: In a sentence
    words: str
    #: What it gives for the period
    adjustmentPct: Optional[str]
    #: Since the start
    cumulativePct: str
    #: The price
    price: Optional[str]


class ReceiptObjectionsAnswers(TypedDict):
    """An answer, or the withdrawal."""

    #: For which side
    party: Literal["buyer", "supplier"]
    #: E-mail address
    by: str
    #: As the workspace named the person then; empty where it did not
    name: str
    #: When
    at: str
    #: OPERATOR: written by command, in the person’s name
    means: Literal["SESSION", "OPERATOR"]
    #: Which of the two
    kind: Literal["ANSWER", "WITHDRAWAL"]
    #: What was said; empty only for a withdrawal
    words: str


class ReceiptObjections(TypedDict):
    """An objection to a number proposed for this period."""

    #: Its id
    id: str
    #: For which side
    party: Literal["buyer", "supplier"]
    #: E-mail address
    by: str
    #: As the workspace named the person then; empty where it did not
    name: str
    #: When
    at: str
    #: OPERATOR: written by command, in the person’s name
    means: Literal["SESSION", "OPERATOR"]
    #: Of the receipt it is about; another number may be proposed since
    hash: str
    #: What it is pinned to
    about: Union[ReceiptObjectionsAbout, ReceiptObjectionsAbout2, ReceiptObjectionsAbout3]
    #: In the party’s words
    reason: str
    #: How the party reads the clause instead
    reading: Optional[ReceiptObjectionsReading]
    answers: List[ReceiptObjectionsAnswers]


class ReceiptSeal(TypedDict):
    """The installation’s signature."""

    #: The kind of signature
    algorithm: Literal["Ed25519"]
    #: The installation’s key, base64url
    publicKey: str
    #: Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url
    value: str


class _ReceiptAlways(TypedDict):
    #: SHA-256 of the body in canonical JSON
    hash: str
    body: ReceiptBody
    signatures: List[ReceiptSignatures]
    #: Shows which installation issued it; its keys are at /.well-known/assize-keys.json
    seal: Optional[ReceiptSeal]


class Receipt(_ReceiptAlways, total=False):
    """A receipt: recompute it offline with `assize verify`."""

    #: Left out where nobody objected to a number of this period
    objections: List[ReceiptObjections]


class Pagination(TypedDict):
    """The position of a page in its list."""

    #: Items per page, as asked for or by default
    limit: int
    #: Whether there is a further page
    hasMore: bool
    #: Give it back as `cursor` for the next page; null on the last one
    nextCursor: Optional[str]


class Health(TypedDict):
    """That the service runs."""

    #: Always `ok`
    status: Literal["ok"]
    #: The version of the API
    version: Literal["v1"]
    #: The server’s clock
    timestamp: str


class Error(TypedDict):
    """What went wrong, in one sentence for people."""

    #: Names the thing, the rule and what was sent
    error: str


class ExtSeries(TypedDict):
    """A series, with the name formulas use and when it last changed."""

    #: Identifier of the series
    id: str
    #: The provider’s code
    seriesCode: str
    #: Name of the series
    name: str
    provider: Provider
    dataType: DataType
    #: Unit and base period, in words; may be empty
    unit: str
    frequency: Frequency
    #: When the series was first stored here
    createdAt: str
    #: As formulas name it: `PROVIDER/code`
    series: str
    #: When its newest vintage or its name was recorded
    updatedAt: str


class ValuesList(TypedDict):
    """The newest values of many series, in the order asked."""

    data: List[SeriesValues]


class SeriesValues(TypedDict):
    """A series with its newest values."""

    #: Identifier of the series
    id: str
    #: As formulas name it: `PROVIDER/code`
    series: str
    #: Name of the series
    name: str
    #: Unit and base period, in words; may be empty
    unit: str
    frequency: Frequency
    #: Ascending by period
    values: List[Value]


class Value(TypedDict):
    """The value of one period."""

    #: The period it describes
    period: str
    #: The digits as published
    value: Decimal
    versionTag: VersionTag
    #: When it was published
    publishedAt: str


class AdjustmentList(TypedDict):
    """A page of agreements, by slug."""

    data: List[AdjustmentRow]
    pagination: Pagination


class AdjustmentRow(TypedDict):
    """The number of one agreement in one period, or why it has none."""

    #: Identifier of the agreement
    id: str
    #: In addresses and documents
    slug: str
    #: Name of the agreement
    name: str
    #: Label of the period; `start` before the first adjustment
    period: str
    #: The day it takes effect; of `start` the first day of the contract
    adjustmentDate: str
    #: Adjustment of the period; null where blocked, and where the price before was 0
    adjustmentPct: Optional[Decimal]
    #: Adjustment since the start of the contract; null where blocked
    cumulativePct: Optional[Decimal]
    #: Settled price ÷ price at the start, with up to 12 decimals; null where blocked
    factor: Optional[Decimal]
    #: The settled price of the contract; null where it has none
    price: Optional[Decimal]
    #: Of the price
    currency: Optional[str]
    #: How many of the unit the price is for
    per: Optional[Decimal]
    #: What the price is for; may be empty
    unit: Optional[str]
    #: The lowest data version used; null where nothing was read
    dataVersion: Optional[VersionTag]
    #: The formula version that gives it
    formulaVersion: int
    #: Who has signed this number; BLOCKED where there is none
    status: Literal["AGREED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "OPEN", "BLOCKED"]
    confirmed: Confirmed
    #: The hash that the parties sign; null for `start` and where blocked
    receiptHash: Optional[str]
    #: The next adjustment date of the calendar; null where there is none
    nextDate: Optional[str]
    #: When the newest fact was recorded that the row rests on
    updatedAt: str
    #: Why there is no number; null where there is one
    reason: Optional[str]


class VintageList(TypedDict):
    """New vintages, in the order they were recorded."""

    data: List[NewVintage]
    pagination: FeedPagination


class NewVintage(TypedDict):
    """A value as it was published once."""

    #: Identifier of the series
    seriesId: str
    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str
    #: The digits as published; null where the provider withdrew the period
    value: Optional[Decimal]
    #: Null with a withdrawal
    versionTag: Optional[VersionTag]
    #: The provider’s own mark
    flag: Optional[str]
    #: When it was published
    publishedAt: str
    #: When it was recorded here
    recordedAt: str


class ChangeList(TypedDict):
    """What happened, in order."""

    data: List[Change]
    pagination: FeedPagination


class Change(TypedDict):
    """Something that happened."""

    #: Of this change, for this workspace
    id: str
    #: When it was recorded
    at: str
    #: What happened
    kind: Literal["observations", "metadata", "calendar", "index-event", "follow", "formula", "status", "signoff", "agreed", "objection", "price-list", "invoice", "quantity", "correction", "note", "waiver", "splice", "amendment"]
    #: What it happened to: the id of a series, an agreement or a correction, of an invoice `supplier/number`; for names
    #: in receipts, the id of who has the name
    subject: str
    #: The labels of the periods touched; null for all of them, or more than 100
    periods: Optional[List[str]]
    #: The slugs of every agreement whose numbers or terms it can move
    pams: List[str]


class RadarList(TypedDict):
    """What publications did, the largest amounts first; for keys without `money` the largest moves."""

    data: List[RadarRow]
    pagination: Pagination


class _RadarRowAlways(TypedDict):
    #: What happened to it
    kind: Literal["SIGNED_MOVED", "OPEN_MOVED", "NOW_COMPUTABLE", "NOW_BLOCKED", "NOW_FINAL", "NO_EFFECT"]
    #: The slug of the agreement
    agreement: str
    #: Label of the period
    period: str
    #: When the newest figure behind it was recorded
    at: str
    #: The newest figure behind it
    cause: Optional[RadarCause]
    #: Of the factor, in percentage points; null where one of the two cannot be computed
    points: Optional[Decimal]
    #: Of the only item; null where there are several, or none
    priceBefore: Optional[Decimal]
    #: The same, after
    priceAfter: Optional[Decimal]
    #: How much more kept lines and quantities cost, with what both have signed of it as their corrections say; null
    #: where there are none, and for keys without `money`
    amount: Optional[Decimal]
    #: Of the amount
    currency: Optional[str]
    #: What the contract says about it; null for keys without `money` where that follows from what was billed
    policy: Optional[Literal["DUE", "WAITING_FOR_FINAL", "UNDER_MINIMUM", "LAPSED", "NONE", "NO_POLICY"]]


class RadarRow(_RadarRowAlways, total=False):
    """What publications did to one period of an agreement."""

    #: All of them, where there are several
    causes: List[RadarCause]


class RadarCause(TypedDict):
    """A figure that was published."""

    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str
    #: As known before; null where there was none
    before: Optional[Decimal]
    #: As known after; null where it was withdrawn
    after: Optional[Decimal]
    #: Of the figure after; null with a withdrawal
    tag: Optional[VersionTag]


class TrueUpLedgerBalances(TypedDict):
    """entitled + provisional = billed + billingDifferences + agreed + waived"""

    #: Owed at settled prices
    entitled: Decimal
    #: Billed in periods that are not agreed yet
    provisional: Decimal
    #: Billed
    billed: Decimal
    #: Owed and not billed
    billingDifferences: Decimal
    #: Agreed corrections that are not billed yet
    agreed: Decimal
    #: Waived by both parties
    waived: Decimal


class TrueUpLedgerOpen(TypedDict):
    """Owed at restated prices beyond what is posted."""

    #: By the policy, now
    due: Decimal
    #: Until figures are final
    waitingForFinal: Decimal
    #: Below the smallest correction
    underMinimum: Decimal
    #: Too old to be corrected
    lapsed: Decimal


class TrueUpLedgerOtherCurrenciesBalances(TypedDict):
    """entitled + provisional = billed + billingDifferences + agreed + waived"""

    #: Owed at settled prices
    entitled: Decimal
    #: Billed in periods that are not agreed yet
    provisional: Decimal
    #: Billed
    billed: Decimal
    #: Owed and not billed
    billingDifferences: Decimal
    #: Agreed corrections that are not billed yet
    agreed: Decimal
    #: Waived by both parties
    waived: Decimal


class TrueUpLedgerOtherCurrencies(TypedDict):
    """What was billed in another currency than the agreement’s."""

    #: Of all amounts in here
    currency: str
    #: entitled + provisional = billed + billingDifferences + agreed + waived
    balances: TrueUpLedgerOtherCurrenciesBalances
    #: In the order they happened
    entries: List[LedgerEntry]


class TrueUpLedger(TypedDict):
    """The ledger of an agreement."""

    #: The slug of the agreement
    agreement: str
    #: Of balances, open amounts and entries
    currency: str
    #: entitled + provisional = billed + billingDifferences + agreed + waived
    balances: TrueUpLedgerBalances
    #: Owed at restated prices beyond what is posted.
    open: TrueUpLedgerOpen
    #: In the order they happened
    entries: List[LedgerEntry]
    #: They come to the billing differences, in every currency
    differences: List[LedgerDifference]
    #: Every note that was issued
    notes: List[LedgerNote]
    #: Lines that were kept twice before lines had one form
    duplicates: List[LedgerDuplicate]
    #: Accounts in other currencies
    otherCurrencies: List[TrueUpLedgerOtherCurrencies]


class LedgerEntryLegs(TypedDict, total=False):
    """They sum to 0; those that are 0 are left out"""

    #: Amount
    ENTITLED: Decimal
    #: Amount
    PROVISIONAL: Decimal
    #: Amount
    BILLED: Decimal
    #: Amount
    BILLING_DIFF: Decimal
    #: Amount
    AGREED: Decimal
    #: Amount
    WAIVED: Decimal


class LedgerEntry(TypedDict):
    """A posting."""

    #: When it happened
    at: str
    #: What happened
    event: Literal["INVOICE_LINE", "PERIOD_AGREED", "CORRECTION_AGREED", "CORRECTION_WAIVED", "BILLING_AGREED", "BILLING_WAIVED", "NOTE_ISSUED", "NOTE_MATCHED", "NOTE_UNMATCHED"]
    #: The fact it follows from: the id of a line, a correction or a note
    subject: str
    #: Label of the period; null where it has none yet
    period: Optional[str]
    #: The item
    item: Optional[str]
    #: They sum to 0; those that are 0 are left out
    legs: LedgerEntryLegs


class LedgerDifference(TypedDict):
    """A billing difference with its reason."""

    #: The reason
    code: Literal["PRICE", "UNDONE", "NO_NOTE", "OTHER_SUPPLIER", "OTHER_CURRENCY", "OTHER_AMOUNT", "BILLED_TWICE", "SETTLED"]
    #: The id of the line, or of the settlement
    subject: str
    #: Number of the invoice
    invoice: Optional[str]
    #: Number of the line
    line: Optional[str]
    #: The supplier that the line is of
    supplier: Optional[str]
    #: The id of the note that has its number
    note: Optional[str]
    #: Label of the period
    period: Optional[str]
    #: The item
    item: Optional[str]
    #: Owed less billed
    amount: Decimal
    #: Of the amount
    currency: str
    #: The reason as a sentence
    message: str


class LedgerNote(TypedDict):
    """A note, and what it was billed by."""

    #: The id of the correction, and the part
    id: str
    #: Number of the document
    number: str
    #: Whose document it is
    supplier: str
    #: What it bills
    amount: Decimal
    #: Of the amount
    currency: str
    #: The ids of its lines; empty where no document of it is kept
    lines: List[str]


class LedgerDuplicate(TypedDict):
    """A line that is kept twice; both count until one is reversed."""

    #: The id of the line
    subject: str
    #: The id of the earlier line
    sameAs: str
    #: Number of the invoice
    invoice: str
    #: Number of the line
    line: str
    #: The supplier that the line is of
    supplier: str
    #: What it bills
    amount: Decimal
    #: Of the amount
    currency: str


class ReleaseList(TypedDict):
    """Releases by date."""

    data: List[Release]
    pagination: Pagination


class Release(TypedDict):
    """A date on which a provider announced to publish something."""

    provider: Provider
    #: What the provider calls the release: `CPI`
    release: str
    #: In the words of the provider
    title: str
    #: The period that is published; null where the provider names none
    period: Optional[str]
    #: 1 for the publication of the period, 2 and more for revisions of it; null where that cannot be said, and for what
    #: is cancelled
    number: Optional[int]
    #: An RFC 3339 instant, or a day where the provider gives no time of day
    at: str
    #: The time zone in which the provider writes its dates
    zone: str
    #: OFFICIAL: with a time of day. DATE_ONLY: a day. CANCELLED: it will not come. POSTPONED: its date is open again,
    #: and `at` is the last that was announced
    status: Literal["OFFICIAL", "DATE_ONLY", "CANCELLED", "POSTPONED"]
    #: How often its date or status has changed
    moves: int
    #: When this was recorded
    announcedAt: str
    #: The series of your workspace that come with it, as formulas name them
    series: List[str]
    #: The agreements that read one of them, by slug
    pams: List[str]


class NextDates(TypedDict):
    """When the next figures of a series are expected."""

    #: Identifier of the series
    id: str
    #: As formulas name it: `PROVIDER/code`
    series: str
    frequency: Frequency
    #: The newest period with a value; null where there is none
    newest: Optional[str]
    #: The periods after it, ascending
    data: List[NextDate]


class NextDateFinal(TypedDict):
    """When the final figure is expected."""

    #: An RFC 3339 instant, or a day
    expectedAt: str
    #: An RFC 3339 instant, or a day: the last on which it would be usual
    latestAt: str
    #: How many publications a learned date rests on; null for the others
    known: Optional[int]
    #: The share of the last twelve periods for which the same rule, with what was known then, was right; null where
    #: none can be checked
    hitRate: Optional[Decimal]


class NextDate(TypedDict):
    """A period without a value, and when its figure is expected."""

    #: The period
    period: str
    #: When it is expected; null where no date can be said, or none will come
    expectedAt: Optional[str]
    #: The last day or instant that would be usual; null without a date
    latestAt: Optional[str]
    #: What the date rests on; null without a date
    basis: Optional[Literal["OFFICIAL", "DATE_ONLY", "LEARNED", "USUAL"]]
    #: How many publications a learned date rests on; null for the others
    known: Optional[int]
    #: The share of the last twelve periods for which the same rule, with what was known then, was right; null where
    #: none can be checked
    hitRate: Optional[Decimal]
    #: What the calendar of the provider says of the period; null where it says nothing
    status: Optional[Literal["OFFICIAL", "DATE_ONLY", "CANCELLED", "POSTPONED"]]
    #: For a series whose first figures are preliminary; null where that is not known, or where figures are final when
    #: they come
    final: Optional[NextDateFinal]


class DueList(TypedDict):
    """What is due, the nearest date first."""

    data: List[DueRow]
    pagination: Pagination


class DueRowLate(TypedDict):
    """A figure that is late."""

    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str


class DueRowCancelled(TypedDict):
    """A figure whose release was cancelled."""

    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str
    #: What the clause does without it
    rule: Literal["BLOCK", "LAST_KNOWN", "YOY_ESTIMATE", "FALLBACK", "AGREED", "TREND"]
    #: What is read by that rule; null where it gives nothing
    instead: Optional[Decimal]


class DueRow(TypedDict):
    """An adjustment date that is not done with."""

    #: The slug of the agreement
    agreement: str
    #: Its name
    name: str
    #: Label of the period
    period: str
    #: The adjustment date
    date: str
    #: How far it is
    state: Literal["LATE", "BLOCKED", "AT_RISK", "WAITING", "READY", "FINAL_PENDING", "SCHEDULED"]
    #: The first day on which it can be proposed; null where no day can be said
    readyOn: Optional[str]
    #: Whether its number stands on what the clause puts in place of missing figures
    provisional: bool
    #: The latest of what it waits for; of a provisional number, the real value
    waitsFor: Optional[DueFigure]
    #: It takes the newest figure there is, and this one is expected in time
    newer: Optional[DueFigure]
    late: List[DueRowLate]
    cancelled: List[DueRowCancelled]
    #: Why it has no number although no figure is missing
    reason: Optional[str]


class DueFigure(TypedDict):
    """A figure that an adjustment waits for."""

    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str
    #: FINAL where only the final figure counts; null where any does
    stage: Optional[Literal["FINAL"]]
    #: An instant, or a day where no time of day is known; null where no date can be said
    expectedAt: Optional[str]
    #: What the date rests on
    basis: Optional[Literal["OFFICIAL", "DATE_ONLY", "LEARNED", "USUAL"]]


class IndexEventList(TypedDict):
    """Events, the newest day first."""

    data: List[IndexEvent]
    pagination: Pagination


class IndexEventCoefficient(TypedDict):
    """A coefficient as it was printed."""

    #: OLD_TO_NEW: a value of the old index times it is on the level of the new one
    direction: Literal["OLD_TO_NEW", "NEW_TO_OLD"]
    #: The digits as printed: `1.0820`
    digits: Decimal


class IndexEvent(TypedDict):
    """Something that is known about an index."""

    #: Its id; a correction has the same
    id: str
    #: Null for an index that none of the providers has
    provider: Optional[Provider]
    #: The code it is about, or a pattern in which `*` stands for any characters
    codes: Optional[str]
    #: ENDED: no more values. REBASED: another reference year. SUPERSEDED: another series takes its place. CANCELLED: a
    #: period will not be published. METHOD: computed differently
    kind: Literal["ENDED", "REBASED", "SUPERSEDED", "CANCELLED", "METHOD"]
    #: From which it holds; of a cancelled release, the first day of the period
    day: str
    #: In a sentence
    sentence: str
    #: The code of the series that takes its place; null where none is named
    successor: Optional[str]
    #: Null where none was published
    coefficient: Optional[IndexEventCoefficient]
    #: Where it was published
    source: str
    #: When this was recorded
    recordedAt: str
    #: The series of your workspace that it is about, as formulas name them
    series: List[str]
    #: The agreements that read one of them, by slug
    pams: List[str]


class ReadingList(TypedDict):
    """The document as written, then each other reading."""

    #: Of prices; null where the contract has none
    currency: Optional[str]
    data: List[Reading]


class Reading(TypedDict):
    """The document of an agreement, as it is or read differently in one respect."""

    #: `as-written`, `basis`, `preliminary`, `final`, `first`, `latest`, `lag-more` …
    id: str
    #: Its name
    title: str
    #: What is read differently
    words: str
    #: Why the document cannot be read so; then there are no numbers
    notApplicable: Optional[str]
    #: The period that is compared; null where this reading gives it no number
    period: Optional[str]
    #: Adjustment of the period; null also where the price before was 0
    adjustmentPct: Optional[Decimal]
    #: Adjustment since the start of the contract
    cumulativePct: Optional[Decimal]
    #: By this reading; null where the contract has none
    price: Optional[Decimal]
    #: Cumulative, beside the document as written, in percentage points
    points: Optional[Decimal]
    #: Price less that of the document as written
    money: Optional[Decimal]


class FeedPagination(TypedDict):
    """The position of a page in its feed."""

    #: Items per page, as asked for or by default
    limit: int
    #: Whether there is a further page
    hasMore: bool
    #: The cursor of the next request, now or later; always present
    nextCursor: str


class PriceList(TypedDict):
    """A page of prices, by agreement, item, step and validity."""

    data: List[PriceRow]
    pagination: Pagination


class PriceRow(TypedDict):
    """The price of an item from a quantity on, in one period; and the keys that the item has in other systems, as
    `erp_…`."""

    #: The slug of the agreement
    agreement: str
    #: The key of the item; the slug where the contract’s own price is the only one
    item: str
    #: The quantity from which on it is the price
    fromQuantity: Decimal
    #: Label of the period; `start` before the first adjustment
    period: str
    #: The first day of the price
    validFrom: str
    #: The last day of its own period; null where no later date has come
    validTo: Optional[str]
    #: The last day on which it is in force: before the next date that both signed, or with the item or the contract;
    #: null where none of them is known, and where not both signed it
    inForceUntil: Optional[str]
    #: On the row in force on the day asked for (today without one): the newest later price that not both have signed;
    #: null everywhere else
    proposed: Optional[ProposedPrice]
    #: The price, rounded as the contract says
    price: Decimal
    #: How many of the unit the price is for
    per: Decimal
    #: The unit; may be empty
    unit: str
    #: The currency
    currency: str
    #: The settled factor of the period, with up to 12 decimals; prices come from the exact one
    factor: Decimal
    #: Who has signed the number shown: the weaker of period and base
    status: Literal["AGREED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "OPEN"]
    #: The hash that the parties sign; null for `start`
    receiptHash: Optional[str]
    #: Version of the price list; null for the contract’s own price
    listVersion: Optional[int]


class ProposedPrice(TypedDict):
    """A price that not both have signed, beside the one in force."""

    #: Label of its period
    period: str
    #: The price, for the `per` of the row
    price: Decimal
    #: Who has signed it
    status: Literal["AGREED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "OPEN"]


class LeftOutList(TypedDict):
    """A page of what is left out, by agreement."""

    data: List[LeftOutRow]
    pagination: Pagination


class LeftOutRow(TypedDict):
    """What is not among the prices, and why."""

    #: The slug of the agreement
    agreement: str
    #: The key of the item; null for all of them
    item: Optional[str]
    #: Label of the period; null for all of them, or where its date has not come
    period: Optional[str]
    #: BLOCKED: there is no number or no list; UNFIT: the file cannot have it; NOT_AGREED: not signed by those who must
    reason: Literal["BLOCKED", "UNFIT", "NOT_AGREED"]
    #: A sentence for people
    why: str


class InvoiceLineList(TypedDict):
    """A page of kept lines, by date, supplier, invoice and line."""

    data: List[InvoiceLine]
    pagination: Pagination


class InvoiceLineDifference(TypedDict):
    """Why a correction bills no note."""

    #: The reason
    code: Literal["PRICE", "UNDONE", "NO_NOTE", "OTHER_SUPPLIER", "OTHER_CURRENCY", "OTHER_AMOUNT", "BILLED_TWICE", "SETTLED"]
    #: As it counts in the ledger: owed less billed
    amount: Decimal
    #: The reason as a sentence
    message: str


class InvoiceLine(TypedDict):
    """A kept line of an invoice."""

    #: Number of the invoice
    invoice: str
    #: Number of the line
    line: str
    #: Whose invoice numbers these are
    supplier: str
    #: The slug of the agreement
    agreement: str
    #: A reference of the contract
    contractRef: Optional[str]
    #: Key of the item
    item: Optional[str]
    #: How many; negative in a credit note
    quantity: Optional[Decimal]
    #: The unit
    unit: Optional[str]
    #: The unit price
    unitPrice: Optional[Decimal]
    #: How many of the unit the unit price is for
    per: Optional[Decimal]
    #: The amount
    amount: Optional[Decimal]
    #: The currency
    currency: Optional[str]
    #: Day of the invoice
    date: Optional[str]
    #: First day of the service
    serviceFrom: Optional[str]
    #: Last day of the service
    serviceTo: Optional[str]
    #: Day of the order
    orderDate: Optional[str]
    #: What kind of line it is
    kind: Optional[Literal["INVOICE", "CREDIT_NOTE", "DEBIT_NOTE", "CORRECTION"]]
    #: Identifier of the line
    id: str
    #: Label of the period of its day; null outside the contract
    period: Optional[str]
    #: When it was imported
    importedAt: str
    #: The line that this one reverses
    reverses: Optional[str]
    #: Of a correction: the id of the note that it bills
    note: Optional[str]
    #: Of a correction that bills no note; null for other lines, whose prices the check judges
    difference: Optional[InvoiceLineDifference]


class CheckAnswer(TypedDict):
    """One outcome for each line, in their order. Nothing was stored."""

    data: List[CheckRow]
    summary: CheckSummary


class CheckRow(TypedDict):
    """What the check says about one line. Every field is there, null where nothing is known."""

    #: Number of the invoice
    invoice: Optional[str]
    #: Number of the line
    line: Optional[str]
    #: The outcome
    outcome: Literal["OK", "OK_WITHIN", "OVER", "UNDER", "PROVISIONAL", "SPANS", "OUTSIDE", "UNKNOWN", "BLOCKED", "SKIPPED"]
    #: The slug of the agreement
    agreement: Optional[str]
    #: Key of the item
    item: Optional[str]
    #: Label of the period that is in force on its day
    period: Optional[str]
    #: Who has signed the number behind the price
    status: Optional[Literal["AGREED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "OPEN"]]
    #: The price it should have; null where the service spans several
    price: Optional[Decimal]
    #: The billed price for the item’s own `per` and unit; null where none is written
    billedPrice: Optional[Decimal]
    #: Billed less ours
    priceDifference: Optional[Decimal]
    #: The amount it should have
    amount: Optional[Decimal]
    #: The billed amount
    billedAmount: Optional[Decimal]
    #: Billed less ours
    difference: Optional[Decimal]
    #: The currency
    currency: Optional[str]
    #: The first mistake that explains the billed price
    reason: Optional[Reason]
    #: Other mistakes that explain it
    alsoPossible: List[Reason]
    #: A sentence for UNKNOWN, OUTSIDE, BLOCKED, SPANS, contradictions, and wherever a period is not signed by both
    message: Optional[str]
    #: Whether unit price and amount contradict each other
    contradiction: bool
    #: Slugs, where the agreement is not clear
    candidates: List[str]
    #: The prices of a service that crosses an adjustment
    spans: List[Span]


class CheckSummary(TypedDict):
    """The check as a whole."""

    #: How many lines
    lines: int
    #: How many lines have each outcome
    outcomes: Dict[str, int]
    #: By currency: the differences of OVER lines
    over: Dict[str, Decimal]
    #: By currency: the differences of UNDER lines, without their sign
    under: Dict[str, Decimal]


class Reason(TypedDict):
    """A mistake that gives exactly the billed price."""

    #: Which mistake
    code: Literal["PERIOD_BEFORE", "PERIOD_AFTER", "BEFORE_CORRECTION", "NO_ADJUSTMENT", "STEP_ONLY", "TWICE", "ROUNDING", "VINTAGE", "CONTROL_LEFT_OUT", "LAG", "BASIS", "PER", "UNIT", "QUANTITY_STEP", "OTHER_ITEM", "CURRENCY", "VERSION_BEFORE"]
    #: The same in words
    sentence: str


class Span(TypedDict):
    """Days of service under one price."""

    #: Label of the period
    period: str
    #: How many days
    days: int
    #: The price
    price: Decimal


class LinesToCheck(TypedDict):
    """Lines of invoices."""

    lines: List[LineToCheck]


class _LineToCheckAlways(TypedDict):
    #: Number of the invoice
    invoice: str
    #: Number of the line
    line: str


class LineToCheck(_LineToCheckAlways, total=False):
    """A line of an invoice as it was billed. Numbers are decimals as text."""

    #: Whose invoice numbers these are; left out: the party that the agreement names
    supplier: Optional[str]
    #: Slug or id; left out: found by `contractRef` or `item`
    agreement: Optional[str]
    #: A reference of the contract, its slug or its id
    contractRef: Optional[str]
    #: Key of the item; left out: the only one there is
    item: Optional[str]
    #: A decimal; negative in a credit note
    quantity: Optional[str]
    #: The unit; left out: that of the item
    unit: Optional[str]
    #: A decimal; unit price or amount is needed
    unitPrice: Optional[str]
    #: How many of the unit the unit price is for; left out: 1
    per: Optional[str]
    #: A decimal; left out: quantity × unit price ÷ per
    amount: Optional[str]
    #: Three capital letters; left out: that of the contract
    currency: Optional[str]
    #: Day of the invoice
    date: Optional[str]
    #: First day of the service
    serviceFrom: Optional[str]
    #: Last day of the service
    serviceTo: Optional[str]
    #: Day of the order
    orderDate: Optional[str]
    #: One of INVOICE, CREDIT_NOTE, DEBIT_NOTE, CORRECTION; INVOICE unless written. CORRECTION is not checked
    kind: Optional[str]


class CorrectionList(TypedDict):
    """The corrections of an agreement, the newest first."""

    data: List[Correction]
    pagination: Pagination


class CorrectionRefusal(TypedDict):
    """Who refused it, and why."""

    #: The side that refused it
    party: Literal["buyer", "supplier"]
    #: In their words
    reason: str
    #: When
    at: str


class Correction(TypedDict):
    """A correction of signed prices."""

    #: Identifier of the correction
    id: str
    #: The slug of the agreement
    agreement: str
    #: Derived from who signed or refused it, and from what came after; for keys without `money` never LAPSED by a time
    #: that counts from invoices
    state: Literal["PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "AGREED", "SUPERSEDED", "REFUSED", "LAPSED"]
    #: What both parties sign; null for keys without `money`
    hash: Optional[str]
    #: Which periods are put right
    level: Literal["HEAL", "REBASE"]
    #: The net amount; null where none is known, and for keys without `money`
    net: Optional[Decimal]
    #: Of the amounts; for keys without `money` the newest of the agreement
    currency: Optional[str]
    #: Why it was proposed by hand; null where the policy says so
    reason: Optional[str]
    #: The newest publication first
    causes: List[CorrectionCause]
    #: By date
    periods: List[CorrectionPeriod]
    #: Empty for keys without `money`
    lines: List[CorrectionLine]
    confirmed: Confirmed
    #: By part
    notes: List[CorrectionNote]
    #: Whether it waives the amount; null for keys without `money`
    waived: Optional[bool]
    #: How it is billed
    settle: Literal["NOTE", "NEXT_INVOICE", "SPREAD"]
    #: The amounts it is billed in; empty for keys without `money`
    parts: List[Decimal]
    #: Null where nobody refused it
    refusal: Optional[CorrectionRefusal]
    #: When it was proposed
    proposedAt: str
    #: Who proposed it
    proposedBy: str


class CorrectionCause(TypedDict):
    """A figure that was revised."""

    #: As formulas name it: `PROVIDER/code`
    series: str
    #: The period it describes
    period: str
    #: As the receipt read it; null where it read none
    before: Optional[Decimal]
    #: As it counts now
    after: Decimal
    tag: VersionTag


class CorrectionPeriod(TypedDict):
    """A period whose price is corrected."""

    #: Label of the period
    period: str
    #: The settled factor, with up to 12 decimals
    factorBefore: Decimal
    #: The factor that takes its place
    factorAfter: Decimal
    #: Of the only item; null where there are several or none
    priceBefore: Optional[Decimal]
    #: Of the only item, corrected
    priceAfter: Optional[Decimal]
    #: The sum of its lines; null where none is known, and for keys without `money`
    amount: Optional[Decimal]


class CorrectionLine(TypedDict):
    """An invoice line, or a declared quantity, and its difference."""

    #: The number of the invoice; null for a declared quantity
    invoice: Optional[str]
    #: The line; null for a declared quantity
    line: Optional[str]
    #: Key of the item
    item: str
    #: Exact
    quantity: str
    #: What it costs at the corrected price less what it costs now
    amount: Optional[Decimal]


class CorrectionNote(TypedDict):
    """A document by which a part of it was billed."""

    #: From 1
    part: int
    #: The number of the document
    number: str
    #: Its day
    date: str
    #: The part; null where none is known, and for keys without `money`
    amount: Optional[Decimal]
    #: SHA-256 of the file that was written; null for keys without `money`
    fileHash: Optional[str]


class CorrectionReceiptSignaturesTogether(TypedDict):
    """A correction."""

    #: The id of the correction
    period: str
    #: Of the correction
    hash: str


class CorrectionReceiptSignaturesPasskey(TypedDict):
    """A WebAuthn assertion; binary values are base64url."""

    #: Of the credential
    credentialId: str
    #: The credential’s public key, SubjectPublicKeyInfo
    publicKey: str
    #: Of the key
    algorithm: Literal["ES256", "EdDSA", "RS256"]
    #: The site it was made for
    rpId: str
    #: As the authenticator wrote it
    authenticatorData: str
    #: As the browser wrote it; its challenge is the hash of what was signed (or of `batch`) and of `origin`
    clientDataJSON: str
    #: Over both
    signature: str


class _CorrectionReceiptSignaturesProviderKeyAlways(TypedDict):
    #: Its kind
    kty: Literal["RSA"]
    #: The modulus, base64url
    n: str
    #: The exponent, base64url
    e: str


class CorrectionReceiptSignaturesProviderKey(_CorrectionReceiptSignaturesProviderKeyAlways, total=False):
    """For RS256 and PS256."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class _CorrectionReceiptSignaturesProviderKey2Always(TypedDict):
    #: Its kind
    kty: Literal["EC"]
    #: The curve
    crv: Literal["P-256"]
    #: base64url
    x: str
    #: base64url
    y: str


class CorrectionReceiptSignaturesProviderKey2(_CorrectionReceiptSignaturesProviderKey2Always, total=False):
    """For ES256."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class _CorrectionReceiptSignaturesProviderKey3Always(TypedDict):
    #: Its kind
    kty: Literal["OKP"]
    #: The curve
    crv: Literal["Ed25519"]
    #: base64url
    x: str


class CorrectionReceiptSignaturesProviderKey3(_CorrectionReceiptSignaturesProviderKey3Always, total=False):
    """For EdDSA."""

    #: Its name at the provider
    kid: str
    #: What it signs with; left out where the provider does not say
    alg: Literal["RS256", "PS256", "ES256", "EdDSA"]


class CorrectionReceiptSignaturesProvider(TypedDict):
    """The proof, to be checked by anybody."""

    #: The provider’s address, as its tokens name it
    issuer: str
    #: Who signed, as the provider names the person
    subject: str
    #: Where the provider describes itself and names its keys
    discovery: str
    #: The name of the installation at the provider: the token was made for it
    clientId: str
    #: When the token was checked here
    checkedAt: str
    #: Until when the token is valid
    expiresAt: str
    #: The ID token; its nonce is, in base64url, SHA-256("assize sign-off/1\n" ‖ `random` ‖ "\n" ‖ the hash that was
    #: signed, as 64 hexadecimal digits)
    token: str
    #: 32 random bytes, base64url
    random: str
    #: The provider’s public key as a JWK (RFC 7517), as it was published when the token was checked
    key: Union[CorrectionReceiptSignaturesProviderKey, CorrectionReceiptSignaturesProviderKey2, CorrectionReceiptSignaturesProviderKey3]


class CorrectionReceiptSignaturesProvider2(TypedDict):
    """The token is valid still: the proof follows once it has expired."""

    #: The provider’s address, as its tokens name it
    issuer: str
    #: Who signed, as the provider names the person
    subject: str
    #: Where the provider describes itself and names its keys
    discovery: str
    #: The name of the installation at the provider: the token was made for it
    clientId: str
    #: When the token was checked here
    checkedAt: str
    #: Until when the token is valid
    expiresAt: str
    #: What is made after `expiresAt` has it
    proof: Literal["FOLLOWS"]


#: The newest invitation.
CorrectionReceiptSignaturesOriginInvited = TypedDict(
    "CorrectionReceiptSignaturesOriginInvited",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
    },
)


#: A new way in.
CorrectionReceiptSignaturesOriginRenewed = TypedDict(
    "CorrectionReceiptSignaturesOriginRenewed",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
        "how": "Literal[\"LINK\", \"OPERATOR\"]",
        "usedAt": "str",
    },
)


#: Who put the signer into it.
CorrectionReceiptSignaturesOriginCompanyPut = TypedDict(
    "CorrectionReceiptSignaturesOriginCompanyPut",
    {
        "by": "Optional[str]",
        "at": "str",
        "from": "Optional[Literal[\"OPERATOR\", \"COMPANY\", \"WORKSPACE\"]]",
        "role": "Optional[str]",
        "company": "Optional[str]",
    },
)


class CorrectionReceiptSignaturesOriginCompanyConfirmed(TypedDict):
    """The list of its people that the company confirmed."""

    #: E-mail address of its administrator
    by: str
    #: When
    at: str
    #: Of the list
    hash: str
    #: Whether the signer is in it
    isListed: bool


class CorrectionReceiptSignaturesOriginCompany(TypedDict):
    """The company."""

    #: Of the party
    slug: str
    #: Null where it was not recorded
    put: Optional[CorrectionReceiptSignaturesOriginCompanyPut]
    #: Null: it has confirmed none
    confirmed: Optional[CorrectionReceiptSignaturesOriginCompanyConfirmed]


class CorrectionReceiptSignaturesOriginPasskeys(TypedDict):
    """A key of the signer’s account."""

    #: Of the credential
    id: str
    #: When
    registeredAt: str


class CorrectionReceiptSignaturesOriginIdentities(TypedDict):
    """Who the signer is at an identity provider."""

    #: The provider’s address
    issuer: str
    #: As the provider names the person
    subject: str
    #: When the account was linked to it
    linkedAt: str


class _CorrectionReceiptSignaturesOriginAlways(TypedDict):
    #: Of the signer in the workspace
    role: str
    #: The newest invitation.
    invited: CorrectionReceiptSignaturesOriginInvited
    #: Null for somebody in whose name the operator signed
    joinedAt: Optional[str]
    #: The newest link for a new password that was used, or password set by the operator
    renewed: Optional[CorrectionReceiptSignaturesOriginRenewed]
    #: Null for somebody without one
    company: Optional[CorrectionReceiptSignaturesOriginCompany]
    passkeys: List[CorrectionReceiptSignaturesOriginPasskeys]


class CorrectionReceiptSignaturesOrigin(_CorrectionReceiptSignaturesOriginAlways, total=False):
    """Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash."""

    #: Left out where the account is linked to none
    identities: List[CorrectionReceiptSignaturesOriginIdentities]


class CorrectionReceiptSignaturesBatch(TypedDict):
    """The list that was signed by one act, of which this is one entry."""

    #: What makes this entry unguessable, 32 hexadecimal digits
    salt: str
    #: Every entry of the act, ascending
    entries: List[str]


class CorrectionReceiptSignaturesRedacted(TypedDict):
    """The name and address of the signer were redacted."""

    #: When
    at: str
    #: E-mail address, or `operator`
    by: str
    #: Why
    reason: str


class _CorrectionReceiptSignaturesAlways(TypedDict):
    #: For which side
    party: Literal["buyer", "supplier"]
    #: E-mail address
    signedBy: str
    #: As the workspace names the person; empty where it does not
    name: str
    #: When
    signedAt: str
    #: The correction’s hash
    hash: str
    #: How it was known who signs
    means: Literal["PASSKEY", "PROVIDER", "PASSWORD", "OPERATOR"]
    #: Every correction that was signed in the same act, this one included
    together: List[CorrectionReceiptSignaturesTogether]
    #: With PASSKEY: what the authenticator signed, to be checked by anybody
    passkey: Optional[CorrectionReceiptSignaturesPasskey]


class CorrectionReceiptSignatures(_CorrectionReceiptSignaturesAlways, total=False):
    """A party’s signature on exactly this hash."""

    #: What the provider vouches for
    provider: Union[CorrectionReceiptSignaturesProvider, CorrectionReceiptSignaturesProvider2]
    #: Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash.
    origin: CorrectionReceiptSignaturesOrigin
    #: The list that was signed by one act, of which this is one entry.
    batch: CorrectionReceiptSignaturesBatch
    #: The name and address of the signer were redacted.
    redacted: CorrectionReceiptSignaturesRedacted


class CorrectionReceiptSeal(TypedDict):
    """The installation’s signature."""

    #: The kind of signature
    algorithm: Literal["Ed25519"]
    #: The installation’s key, base64url
    publicKey: str
    #: Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url
    value: str


class CorrectionReceipt(TypedDict):
    """A correction with everything it follows from."""

    #: SHA-256 of the canonical JSON of the body
    hash: str
    #: What both parties sign.
    body: Dict[str, Any]
    #: The bodies of the receipts that its periods name, each once
    receipts: List[Dict[str, Any]]
    #: Of the parties
    signatures: List[CorrectionReceiptSignatures]
    #: The installation’s
    seal: Optional[CorrectionReceiptSeal]


class Settled(TypedDict):
    """The number of a period that both parties settled on."""

    #: The slug of the agreement
    agreement: str
    #: Label of the period
    period: str
    #: The day it takes effect
    adjustmentDate: str
    #: Settled, with up to 12 decimals
    factor: Decimal
    #: As it was signed
    signedFactor: Decimal
    #: Settled, of the only item; null where there are several or none
    price: Optional[Decimal]
    #: The same as it was signed
    signedPrice: Optional[Decimal]
    #: Of the prices
    currency: Optional[str]
    #: Of the receipt that the settled number follows from
    receiptHash: str
    #: The last agreed correction of the period; null where there is none
    correction: Optional[str]
    #: When the second party signed it
    agreedAt: str


class SpliceList(TypedDict):
    """Changes of terms, the newest first."""

    data: List[SpliceRow]
    pagination: Pagination


class SpliceRowRefusal(TypedDict):
    """Who refused it, and why."""

    #: The side that refused it
    party: Literal["buyer", "supplier"]
    #: In their words
    reason: str
    #: When
    at: str


class SpliceRow(TypedDict):
    """A change of terms that both parties sign."""

    #: Identifier: `spl_…` of a splice, `amd_…` of an amendment
    id: str
    #: The slug of the agreement
    agreement: str
    #: Another series in the place of one that ends, any other document, or another price list
    kind: Literal["SPLICE", "AMENDMENT", "PRICE_LIST"]
    #: Derived from who signed or refused it, and from what came after; never LAPSED
    state: Literal["PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "AGREED", "SUPERSEDED", "REFUSED", "LAPSED"]
    #: What both parties sign: SHA-256 of the body
    hash: str
    #: Why it is proposed
    ground: Literal["EVENT", "SUSPECT", "BY_HAND"]
    #: The formula version that it changes
    basis: int
    #: The first adjustment date under the new terms
    effectiveFrom: str
    #: Of a splice: the series that ends and the one that takes its place; else empty
    series: List[str]
    #: Those that were offered together have the same; null for one alone
    offer: Optional[str]
    #: The open one whose place it took
    supersedes: Optional[str]
    #: The version whose plan it carries out: then nobody has to sign it
    plannedBy: Optional[int]
    #: Who proposed it
    proposedBy: str
    #: When
    proposedAt: str
    #: In the order they were given
    signatures: List[SpliceSignature]
    #: Null where nobody refused it
    refusal: Optional[SpliceRowRefusal]
    #: The formula version that it made; null where it made none
    version: Optional[int]


class SpliceSignatureList(TypedDict):
    """A list that was signed in one act."""

    #: Of the list
    hash: str
    #: How many changes it lists
    count: int


class SpliceSignature(TypedDict):
    """A party’s signature on exactly this hash."""

    #: For which side
    party: Literal["buyer", "supplier"]
    #: E-mail address
    signedBy: str
    #: As the workspace names the person; empty where it does not
    name: str
    #: When
    signedAt: str
    #: How it was known who signs
    means: Literal["PASSKEY", "PROVIDER", "PASSWORD", "OPERATOR"]
    #: Null where it was signed alone
    list: Optional[SpliceSignatureList]


class SpliceRefusal(TypedDict):
    """Who refused it, and why."""

    #: The side that refused it
    party: Literal["buyer", "supplier"]
    #: In their words
    reason: str
    #: When
    at: str


class Splice(TypedDict):
    """A change of terms with everything that is signed."""

    #: Identifier: `spl_…` of a splice, `amd_…` of an amendment
    id: str
    #: The slug of the agreement
    agreement: str
    #: Another series in the place of one that ends, any other document, or another price list
    kind: Literal["SPLICE", "AMENDMENT", "PRICE_LIST"]
    #: Derived from who signed or refused it, and from what came after; never LAPSED
    state: Literal["PROPOSED", "SIGNED_BY_BUYER", "SIGNED_BY_SUPPLIER", "AGREED", "SUPERSEDED", "REFUSED", "LAPSED"]
    #: What both parties sign: SHA-256 of the body
    hash: str
    #: Why it is proposed
    ground: Literal["EVENT", "SUSPECT", "BY_HAND"]
    #: The formula version that it changes
    basis: int
    #: The first adjustment date under the new terms
    effectiveFrom: str
    #: Of a splice: the series that ends and the one that takes its place; else empty
    series: List[str]
    #: Those that were offered together have the same; null for one alone
    offer: Optional[str]
    #: The open one whose place it took
    supersedes: Optional[str]
    #: The version whose plan it carries out: then nobody has to sign it
    plannedBy: Optional[int]
    #: Who proposed it
    proposedBy: str
    #: When
    proposedAt: str
    #: In the order they were given
    signatures: List[SpliceSignature]
    #: Null where nobody refused it
    refusal: Optional[SpliceRefusal]
    #: The formula version that it made; null where it made none
    version: Optional[int]
    #: What was hashed, by its kind
    body: Dict[str, Any]
