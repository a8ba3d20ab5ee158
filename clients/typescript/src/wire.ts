// What travels between client and server, written by build/wire.ts from the descriptions of the API. Do not edit it.
import type { Day, Decimal, Instant } from './decimal.ts'

/** A page of series. */
export interface SeriesList {
  readonly data: readonly Series[]
  readonly pagination: Pagination
}

/** A series of index values. */
export interface Series {
  /** Identifier of the series */
  readonly id: string
  /** The provider’s code */
  readonly seriesCode: string
  /** Name of the series */
  readonly name: string
  readonly provider: Provider
  readonly dataType: DataType
  /** Unit and base period, in words; may be empty */
  readonly unit: string
  readonly frequency: Frequency
  /** When the series was first stored here */
  readonly createdAt: Instant
}

/** Observations of a series, one per period, ascending. */
export interface Values {
  readonly series: SeriesHeader
  readonly data: readonly Observation[]
  /** How many match, on this page or not */
  readonly total: number
}

/** Observations with `view=summary`. */
export interface SummaryValues {
  readonly series: SeriesHeader
  readonly data: readonly SummaryObservation[]
  /** How many match, on this page or not */
  readonly total: number
}

/** The series the values belong to. */
export interface SeriesHeader {
  /** Identifier of the series */
  readonly id: string
  /** The provider’s code */
  readonly seriesCode: string
  /** Name of the series */
  readonly name: string
  /** Unit and base period, in words; may be empty */
  readonly unit: string
  readonly frequency: Frequency
}

/** The value of one period. */
export interface Observation {
  /** First instant of the period the value describes */
  readonly asOfDate: Instant
  /** The digits as they were published, as text */
  readonly value: Decimal
  readonly versionTag: VersionTag
}

/** The value of one period, in the short form of `view=summary`. */
export interface SummaryObservation {
  /** The period in its own notation: 2024-03, 2024-Q1, 2024-H1, 2024, 2024-W05, 2024-03-15 */
  readonly period: string
  /** The digits as they were published, as text */
  readonly value: Decimal
  readonly version: VersionTag
  /** The day at the end of which this was the value: the requested cut, or today in UTC */
  readonly asOf: Day
}

/** Every vintage of every period, by period, newest last. */
export interface Vintages {
  readonly series: SeriesHeader
  readonly data: readonly Vintage[]
}

/** One value of one period as it was published once. */
export interface Vintage {
  /** First instant of the period the value describes */
  readonly asOfDate: Instant
  /** The digits as they were published; null for a withdrawal */
  readonly value: Decimal | null
  /** null for a withdrawal */
  readonly versionTag: VersionTag | null
  /** The provider’s own mark, as it came */
  readonly flag: string | null
  /** When the provider published it; the first instant of the day where only that is known */
  readonly publishedAt: Instant
  /** When this service stored it; as `knownAt` it includes this vintage */
  readonly recordedAt: Instant
}

/** A page of agreements. */
export interface AgreementList {
  readonly data: readonly AgreementSummary[]
  readonly pagination: Pagination
}

/** An agreement. */
export interface AgreementSummary {
  /** Identifier; the slug works in its place in every path */
  readonly id: string
  /** Name of the agreement */
  readonly name: string
  /** What it is about; may be empty */
  readonly description: string
  readonly status: AgreementStatus
  /** When it was first applied */
  readonly createdAt: Instant
  /** When its formula, name or status last changed */
  readonly updatedAt: Instant
}

/** One agreement. */
export interface Agreement {
  readonly data: AgreementDetail
}

/** An agreement with its contract’s calendar. */
export interface AgreementDetail {
  /** Identifier; the slug works in its place in every path */
  readonly id: string
  /** Name of the agreement */
  readonly name: string
  /** What it is about; may be empty */
  readonly description: string
  readonly status: AgreementStatus
  /** When it was first applied */
  readonly createdAt: Instant
  /** When its formula, name or status last changed */
  readonly updatedAt: Instant
  /** First day of the contract */
  readonly contractStartDate: Instant
  /** Last day of the contract; null while it is open-ended */
  readonly contractEndDate: Instant | null
  /** How often the price is adjusted */
  readonly adjustmentFrequency: string
}

/** Every computed adjustment in the range, ascending. */
export interface AgreementValues {
  readonly data: readonly AgreementValue[]
}

/** One computed adjustment. */
export interface AgreementValue {
  /** The day it takes effect */
  readonly adjustmentDate: Instant
  /** Adjustment of this period, percent; null for the one period after a price of 0 */
  readonly adjustmentPct: Decimal | null
  /** Adjustment since the start of the contract, percent, compounded */
  readonly cumulativePct: Decimal
}

/** The adjustment of one period. */
export interface Adjustment {
  /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
  readonly period: string
  /** Adjustment of this period, percent; null for the one period after a price of 0 */
  readonly adjustmentPct: Decimal | null
  /** Adjustment since the start of the contract, percent */
  readonly cumulativeAdjustmentPct: Decimal
  /** The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL */
  readonly dataVersion: 'PRELIMINARY' | 'FINAL' | 'REVISED'
  /** Version of the formula used */
  readonly formulaVersion: number
  readonly confirmed: Confirmed
  /** One for each weighted series */
  readonly components: readonly Component[]
}

/** What one series did. */
export interface Component {
  /** Name of the series */
  readonly series: string
  /** Its share of the price, as a fraction of 1, as the formula writes it */
  readonly weight: Decimal
  /** Percent change of its reading against the base, before weighting */
  readonly change: Decimal
}

/** Who has signed exactly this number; null for a party that has not. */
export interface Confirmed {
  /** The day the buyer signed */
  readonly buyer: Day | null
  /** The day the supplier signed */
  readonly supplier: Day | null
}

/** The answer of `view=calculation`, the shape of `assize adjustment --json`. */
export interface Calculation {
  /** The slug */
  readonly pam: string
  /** The newest version of the formula */
  readonly formulaVersion: number
  readonly adjustments: readonly CalculationEntry[]
  readonly blocked: ReadonlyArray<{
    /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
    readonly period: string
    /** What it lacks */
    readonly reason: string
  }>
}

/** An adjustment with its whole calculation. Decimals are text. */
export interface CalculationEntry {
  /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
  readonly period: string
  /** The day it takes effect */
  readonly adjustmentDate: Day
  /** Adjustment of this period, percent; null for the one period after a price of 0 */
  readonly adjustmentPct: Decimal | null
  /** Adjustment since the start of the contract, percent */
  readonly cumulativePct: Decimal
  /** Version of the formula used */
  readonly formulaVersion: number
  /** The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL */
  readonly dataVersion: 'PRELIMINARY' | 'FINAL' | 'REVISED'
  /** The price, where the contract names one */
  readonly price?: string
  /** The amount on top of the contract’s price, where the formula gives one */
  readonly surcharge?: string
  readonly components: ReadonlyArray<{
    /** The input’s name in the formula */
    readonly input: string
    /** The series, as `PROVIDER/code` */
    readonly series: string
    /** As the formula writes it */
    readonly weight: Decimal
    /** Percent change against the base */
    readonly change: Decimal
    /** Percentage points it gave */
    readonly contribution: Decimal
    /** Its identifier; null for one your workspace does not see any more */
    readonly seriesId: string | null
  }>
  /** With the components they add up to the adjustment */
  readonly controls: ReadonlyArray<{
    /** Which one */
    readonly control: 'adder' | 'threshold' | 'passThrough' | 'cumulativeCap' | 'cumulativeFloor' | 'yearCap' | 'yearFloor' | 'periodCap' | 'periodFloor' | 'carryForward' | 'rounding'
    /** Percentage points it took or gave */
    readonly points: Decimal
  }>
  /** Of the price, where there is one */
  readonly currency?: string
  /** What the price is for, such as `piece` or `kg`; may be empty */
  readonly unit?: string
  /** How many of the unit: `100` for a price per 100 kg */
  readonly per?: Decimal
  readonly confirmed: Confirmed
  readonly steps: ReadonlyArray<{
    /** Its name */
    readonly name: string
    /** The carried value; cut with … if it has more than 30 digits */
    readonly value: string
    /** As the contract prints it */
    readonly shown?: string
  }>
  readonly observations: ReadonlyArray<{
    /** The input’s name in the formula */
    readonly input: string
    /** The series, as `PROVIDER/code` */
    readonly series: string
    /** Its identifier; null for one your workspace does not see any more */
    readonly seriesId: string | null
    /** The period it describes */
    readonly period: string
    /** The digits as published */
    readonly value: Decimal
    readonly version: VersionTag
    /** When it was published: a day, or an instant */
    readonly published: string
    /** When this service stored it */
    readonly recorded?: Instant
  }>
}

/** A receipt: recompute it offline with `assize verify`. */
export interface Receipt {
  /** SHA-256 of the body in canonical JSON */
  readonly hash: string
  readonly body: ReceiptBody
  readonly signatures: ReadonlyArray<{
    /** For which side */
    readonly party: 'buyer' | 'supplier'
    /** E-mail address */
    readonly signedBy: string
    /** As the workspace names the person; empty where it does not */
    readonly name: string
    /** When */
    readonly signedAt: Instant
    /** The receipt’s hash */
    readonly hash: string
    /** How it was known who signs */
    readonly means: 'PASSKEY' | 'PROVIDER' | 'PASSWORD' | 'OPERATOR'
    /** Every period that was signed in the same act, this one included, by adjustment date */
    readonly together: ReadonlyArray<{
      /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
      readonly period: string
      /** Of its receipt */
      readonly hash: string
    }>
    /** With PASSKEY: what the authenticator signed, to be checked by anybody */
    readonly passkey: {
      /** Of the credential */
      readonly credentialId: string
      /** The credential’s public key, SubjectPublicKeyInfo */
      readonly publicKey: string
      /** Of the key */
      readonly algorithm: 'ES256' | 'EdDSA' | 'RS256'
      /** The site it was made for */
      readonly rpId: string
      /** As the authenticator wrote it */
      readonly authenticatorData: string
      /** As the browser wrote it; its challenge is the hash of what was signed (or of `batch`) and of `origin` */
      readonly clientDataJSON: string
      /** Over both */
      readonly signature: string
    } | null
    /** What the provider vouches for */
    readonly provider?: {
      /** The provider’s address, as its tokens name it */
      readonly issuer: string
      /** Who signed, as the provider names the person */
      readonly subject: string
      /** Where the provider describes itself and names its keys */
      readonly discovery: string
      /** The name of the installation at the provider: the token was made for it */
      readonly clientId: string
      /** When the token was checked here */
      readonly checkedAt: Instant
      /** Until when the token is valid */
      readonly expiresAt: Instant
      /** The ID token; its nonce is, in base64url, SHA-256("assize sign-off/1\n" ‖ `random` ‖ "\n" ‖ the hash that was signed, as 64 hexadecimal digits) */
      readonly token: string
      /** 32 random bytes, base64url */
      readonly random: string
      /** The provider’s public key as a JWK (RFC 7517), as it was published when the token was checked */
      readonly key: {
        /** Its kind */
        readonly kty: 'RSA'
        /** The modulus, base64url */
        readonly n: string
        /** The exponent, base64url */
        readonly e: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      } | {
        /** Its kind */
        readonly kty: 'EC'
        /** The curve */
        readonly crv: 'P-256'
        /** base64url */
        readonly x: string
        /** base64url */
        readonly y: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      } | {
        /** Its kind */
        readonly kty: 'OKP'
        /** The curve */
        readonly crv: 'Ed25519'
        /** base64url */
        readonly x: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      }
    } | {
      /** The provider’s address, as its tokens name it */
      readonly issuer: string
      /** Who signed, as the provider names the person */
      readonly subject: string
      /** Where the provider describes itself and names its keys */
      readonly discovery: string
      /** The name of the installation at the provider: the token was made for it */
      readonly clientId: string
      /** When the token was checked here */
      readonly checkedAt: Instant
      /** Until when the token is valid */
      readonly expiresAt: Instant
      /** What is made after `expiresAt` has it */
      readonly proof: 'FOLLOWS'
    }
    /** Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash. */
    readonly origin?: {
      /** Of the signer in the workspace */
      readonly role: string
      /** The newest invitation. */
      readonly invited: {
        /** E-mail address, or `operator`; null where it was not recorded */
        readonly by: string | null
        /** When */
        readonly at: Instant
        /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
        readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
        /** Of who did it, in the workspace then */
        readonly role: string | null
        /** Of who did it then */
        readonly company: string | null
      }
      /** Null for somebody in whose name the operator signed */
      readonly joinedAt: Instant | null
      /** The newest link for a new password that was used, or password set by the operator */
      readonly renewed: {
        /** E-mail address, or `operator`; null where it was not recorded */
        readonly by: string | null
        /** When */
        readonly at: Instant
        /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
        readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
        /** Of who did it, in the workspace then */
        readonly role: string | null
        /** Of who did it then */
        readonly company: string | null
        /** LINK: a link for a new password; OPERATOR: a password set by command */
        readonly how: 'LINK' | 'OPERATOR'
        /** When it was used */
        readonly usedAt: Instant
      } | null
      /** Null for somebody without one */
      readonly company: {
        /** Of the party */
        readonly slug: string
        /** Null where it was not recorded */
        readonly put: {
          /** E-mail address, or `operator`; null where it was not recorded */
          readonly by: string | null
          /** When */
          readonly at: Instant
          /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
          readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
          /** Of who did it, in the workspace then */
          readonly role: string | null
          /** Of who did it then */
          readonly company: string | null
        } | null
        /** Null: it has confirmed none */
        readonly confirmed: {
          /** E-mail address of its administrator */
          readonly by: string
          /** When */
          readonly at: Instant
          /** Of the list */
          readonly hash: string
          /** Whether the signer is in it */
          readonly isListed: boolean
        } | null
      } | null
      readonly passkeys: ReadonlyArray<{
        /** Of the credential */
        readonly id: string
        /** When */
        readonly registeredAt: Instant
      }>
      /** Left out where the account is linked to none */
      readonly identities?: ReadonlyArray<{
        /** The provider’s address */
        readonly issuer: string
        /** As the provider names the person */
        readonly subject: string
        /** When the account was linked to it */
        readonly linkedAt: Instant
      }>
    }
    /** The list that was signed by one act, of which this is one entry. */
    readonly batch?: {
      /** What makes this entry unguessable, 32 hexadecimal digits */
      readonly salt: string
      /** Every entry of the act, ascending */
      readonly entries: readonly string[]
    }
    /** The name and address of the signer were redacted. */
    readonly redacted?: {
      /** When */
      readonly at: Instant
      /** E-mail address, or `operator` */
      readonly by: string
      /** Why */
      readonly reason: string
    }
  }>
  /** Left out where nobody objected to a number of this period */
  readonly objections?: ReadonlyArray<{
    /** Its id */
    readonly id: string
    /** For which side */
    readonly party: 'buyer' | 'supplier'
    /** E-mail address */
    readonly by: string
    /** As the workspace named the person then; empty where it did not */
    readonly name: string
    /** When */
    readonly at: Instant
    /** OPERATOR: written by command, in the person’s name */
    readonly means: 'SESSION' | 'OPERATOR'
    /** Of the receipt it is about; another number may be proposed since */
    readonly hash: string
    /** What it is pinned to */
    readonly about: {
      /** What it is */
      readonly kind: 'number'
    } | {
      /** What it is */
      readonly kind: 'line'
      /** Its name */
      readonly line: string
    } | {
      /** What it is */
      readonly kind: 'figure'
      /** The input that reads it */
      readonly input: string
      /** PROVIDER/code */
      readonly series: string
      /** Of the figure */
      readonly period: string
    }
    /** In the party’s words */
    readonly reason: string
    /** How the party reads the clause instead */
    readonly reading: {
      /** Which one */
      readonly id: string
      /** In a few words */
      readonly title: string
      /** In a sentence */
      readonly words: string
      /** What it gives for the period */
      readonly adjustmentPct: string | null
      /** Since the start */
      readonly cumulativePct: string
      /** The price */
      readonly price: string | null
    } | null
    readonly answers: ReadonlyArray<{
      /** For which side */
      readonly party: 'buyer' | 'supplier'
      /** E-mail address */
      readonly by: string
      /** As the workspace named the person then; empty where it did not */
      readonly name: string
      /** When */
      readonly at: Instant
      /** OPERATOR: written by command, in the person’s name */
      readonly means: 'SESSION' | 'OPERATOR'
      /** Which of the two */
      readonly kind: 'ANSWER' | 'WITHDRAWAL'
      /** What was said; empty only for a withdrawal */
      readonly words: string
    }>
  }>
  /** Shows which installation issued it; its keys are at /.well-known/assize-keys.json */
  readonly seal: {
    /** The kind of signature */
    readonly algorithm: 'Ed25519'
    /** The installation’s key, base64url */
    readonly publicKey: string
    /** Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url */
    readonly value: string
  } | null
}

/** The part that the hash covers: everything needed to compute the number again. */
export interface ReceiptBody {
  /** The form of this receipt */
  readonly format: 'assize-receipt/2'
  /** The edition of the rules it was computed by */
  readonly edition: number
  /** Who issued it; null for what was computed from files alone */
  readonly installation: {
    /** Its id */
    readonly id: string
    /** Its name */
    readonly name: string | null
  } | null
  /** The workspace; null for what was computed from files alone */
  readonly workspace: {
    /** Its id */
    readonly id: string
    /** In addresses */
    readonly slug: string
    /** Its name */
    readonly name: string
  } | null
  /** The slug */
  readonly pam: string
  /** The contract’s name */
  readonly name: string
  /** Who signs. */
  readonly parties: {
    /** The buyer as written; null where nobody is named */
    readonly buyer: readonly string[] | string | null
    /** The supplier as written; null where nobody is named */
    readonly supplier: readonly string[] | string | null
    /** The ways in which both may sign, the strictest first; left out: any */
    readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
  }
  /** What the parties that are named by their slugs are called, by slug; left out where none is */
  readonly companies?: Readonly<Record<string, string>>
  /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
  readonly period: string
  /** The day it takes effect */
  readonly adjustmentDate: Day
  /** Version of the formula used */
  readonly formulaVersion: number
  /** The formula documents, by version number */
  readonly documents: Readonly<Record<string, string>>
  /** With `version`: that tag, else null */
  readonly dataVersionAsked: VersionTag | null
  /** The contract’s own words, as the governing version has them; left out where it has none. */
  readonly words?: {
    /** SHA-256 of their sentences and links in canonical JSON */
    readonly sha256: string
  }
  /** What the period continues from. */
  readonly carriedIn: {
    /** Its adjustment date; null at the first period */
    readonly date: Day | null
    /** The formula version that computed it */
    readonly version: number | null
    /** The carried lines */
    readonly steps: Readonly<Record<string, string>>
    /** The readings, by input */
    readonly readings: Readonly<Record<string, {
      /** Exact */
      readonly value: string
      /** Whether a missing value was estimated or replaced */
      readonly substituted: boolean
      readonly used: ReadonlyArray<{
        /** The series, as `PROVIDER/code` */
        readonly series: string
        /** The period it describes */
        readonly period: string
        /** The digits as published */
        readonly value: Decimal
        readonly version: VersionTag
        /** The provider’s own mark */
        readonly flag: string | null
        /** When it was published */
        readonly published: Instant
        /** When it was stored; null where it came from a file */
        readonly recorded: Instant | null
        /** Where the figure comes from */
        readonly origin: {
          /** The provider */
          readonly provider: string
        } | {
          /** Who brought the file: an e-mail address, or `operator` */
          readonly uploadedBy: string | null
          /** The name of the file */
          readonly file: string | null
          /** SHA-256 of the file’s bytes */
          readonly sha256: string | null
          /** When it was imported */
          readonly recorded: Instant | null
        }
      }>
    }>>
    /** Price then ÷ price at the start, exact */
    readonly factor: string
    /** The same, at the last date on which an adjustment was applied. */
    readonly last: {
      /** Its adjustment date; null at the first period */
      readonly date: Day | null
      /** The formula version that computed it */
      readonly version: number | null
      /** The carried lines */
      readonly steps: Readonly<Record<string, string>>
      /** The readings, by input */
      readonly readings: Readonly<Record<string, {
        /** Exact */
        readonly value: string
        /** Whether a missing value was estimated or replaced */
        readonly substituted: boolean
        readonly used: ReadonlyArray<{
          /** The series, as `PROVIDER/code` */
          readonly series: string
          /** The period it describes */
          readonly period: string
          /** The digits as published */
          readonly value: Decimal
          readonly version: VersionTag
          /** The provider’s own mark */
          readonly flag: string | null
          /** When it was published */
          readonly published: Instant
          /** When it was stored; null where it came from a file */
          readonly recorded: Instant | null
          /** Where the figure comes from */
          readonly origin: {
            /** The provider */
            readonly provider: string
          } | {
            /** Who brought the file: an e-mail address, or `operator` */
            readonly uploadedBy: string | null
            /** The name of the file */
            readonly file: string | null
            /** SHA-256 of the file’s bytes */
            readonly sha256: string | null
            /** When it was imported */
            readonly recorded: Instant | null
          }
        }>
      }>>
    }
    /** The day from which the price counts, where it was renegotiated */
    readonly origin?: Day
    /** Factors of the past year, where a limit of a year needs them */
    readonly factors?: ReadonlyArray<{
      /** The date */
      readonly date: Day
      /** Exact */
      readonly factor: string
    }>
  }
  readonly series: ReadonlyArray<{
    /** The series, as `PROVIDER/code` */
    readonly series: string
    /** Its name */
    readonly name: string
    readonly frequency: Frequency
  }>
  readonly observations: ReadonlyArray<{
    /** The input’s name in the formula */
    readonly input: string
    /** The series, as `PROVIDER/code` */
    readonly series: string
    /** The period it describes */
    readonly period: string
    /** The digits as published */
    readonly value: Decimal
    readonly version: VersionTag
    /** The provider’s own mark */
    readonly flag: string | null
    /** When it was published */
    readonly published: Instant
    /** When it was stored; null where it came from a file */
    readonly recorded: Instant | null
    /** Where the figure comes from */
    readonly origin: {
      /** The provider */
      readonly provider: string
    } | {
      /** Who brought the file: an e-mail address, or `operator` */
      readonly uploadedBy: string | null
      /** The name of the file */
      readonly file: string | null
      /** SHA-256 of the file’s bytes */
      readonly sha256: string | null
      /** When it was imported */
      readonly recorded: Instant | null
    }
  }>
  /** How the lines become the answer. */
  readonly rules: {
    /** What the result is */
    readonly kind: 'FACTOR' | 'CHANGE_PCT' | 'PRICE' | 'SURCHARGE'
    /** The line that is the result */
    readonly step: string
    /** A rounding */
    readonly show: {
      /** How many */
      readonly dp: number
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | {
      /** Of what */
      readonly multiple: string
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    }
    /** How the price is rounded */
    readonly priceRound: {
      /** How many */
      readonly dp: number
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | {
      /** Of what */
      readonly multiple: string
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | null
    /** Whether components and controls add up to the adjustment */
    readonly addsUp: boolean
  }
  readonly steps: ReadonlyArray<{
    /** Its name */
    readonly name: string
    /** How it is computed */
    readonly expr: string
    /** Exact */
    readonly value: string
    /** As the contract prints it */
    readonly shown: string | null
    /** How what is carried is rounded */
    readonly round: {
      /** How many */
      readonly dp: number
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | {
      /** Of what */
      readonly multiple: string
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | null
    /** How it is printed */
    readonly show: {
      /** How many */
      readonly dp: number
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | {
      /** Of what */
      readonly multiple: string
      /** How halves and rests are rounded */
      readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
    } | null
  }>
  /** The result. */
  readonly result: {
    /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
    readonly period: string
    /** The day it takes effect */
    readonly adjustmentDate: Day
    /** Adjustment of this period, percent; null for the one period after a price of 0 */
    readonly adjustmentPct: Decimal | null
    /** Adjustment since the start of the contract, percent */
    readonly cumulativePct: Decimal
    /** Version of the formula used */
    readonly formulaVersion: number
    /** The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL */
    readonly dataVersion: 'PRELIMINARY' | 'FINAL' | 'REVISED'
    /** The price, where the contract names one */
    readonly price?: string
    /** The amount on top of the contract’s price, where the formula gives one */
    readonly surcharge?: string
    readonly components: ReadonlyArray<{
      /** The input’s name in the formula */
      readonly input: string
      /** The series, as `PROVIDER/code` */
      readonly series: string
      /** As the formula writes it */
      readonly weight: Decimal
      /** Percent change against the base */
      readonly change: Decimal
      /** Percentage points it gave */
      readonly contribution: Decimal
    }>
    /** With the components they add up to the adjustment */
    readonly controls: ReadonlyArray<{
      /** Which one */
      readonly control: 'adder' | 'threshold' | 'passThrough' | 'cumulativeCap' | 'cumulativeFloor' | 'yearCap' | 'yearFloor' | 'periodCap' | 'periodFloor' | 'carryForward' | 'rounding'
      /** Percentage points it took or gave */
      readonly points: Decimal
    }>
    /** Price of the period ÷ price at the start, exact */
    readonly factor: string
  }
}

/** The position of a page in its list. */
export interface Pagination {
  /** Items per page, as asked for or by default */
  readonly limit: number
  /** Whether there is a further page */
  readonly hasMore: boolean
  /** Give it back as `cursor` for the next page; null on the last one */
  readonly nextCursor: string | null
}

/** PRELIMINARY: the provider marks the value so. FINAL: the first value without such a mark. REVISED: a value that changed after that. */
export type VersionTag = 'PRELIMINARY' | 'FINAL' | 'REVISED'

/** How long one period of the series is */
export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL'

/** Who publishes the series; `CUSTOM` for a workspace’s own */
export type Provider = 'BLS' | 'FRED' | 'EIA' | 'ECB' | 'WORLD_BANK' | 'IMF' | 'EUROSTAT' | 'ONS' | 'STATCAN' | 'ABS' | 'BIS' | 'BOJ' | 'OECD' | 'DBNOMICS' | 'NASDAQ_DATA_LINK' | 'CUSTOM'

/** What the figures are */
export type DataType = 'INDEX' | 'PRICE' | 'RATE' | 'FX' | 'WAGE'

/** Only what is ACTIVE can be signed */
export type AgreementStatus = 'DRAFT' | 'ACTIVE' | 'SUSPENDED' | 'EXPIRED' | 'ARCHIVED'

/** That the service runs. */
export interface Health {
  /** Always `ok` */
  readonly status: 'ok'
  /** The version of the API */
  readonly version: 'v1'
  /** The server’s clock */
  readonly timestamp: Instant
}

/** What went wrong, in one sentence for people. */
export interface ErrorBody {
  /** Names the thing, the rule and what was sent */
  readonly error: string
}

/** A series, with the name formulas use and when it last changed. */
export interface ExtSeries {
  /** Identifier of the series */
  readonly id: string
  /** The provider’s code */
  readonly seriesCode: string
  /** Name of the series */
  readonly name: string
  readonly provider: Provider
  readonly dataType: DataType
  /** Unit and base period, in words; may be empty */
  readonly unit: string
  readonly frequency: Frequency
  /** When the series was first stored here */
  readonly createdAt: Instant
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** When its newest vintage or its name was recorded */
  readonly updatedAt: Instant
}

/** The newest values of many series, in the order asked. */
export interface ValuesList {
  readonly data: readonly SeriesValues[]
}

/** A series with its newest values. */
export interface SeriesValues {
  /** Identifier of the series */
  readonly id: string
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** Name of the series */
  readonly name: string
  /** Unit and base period, in words; may be empty */
  readonly unit: string
  readonly frequency: Frequency
  /** Ascending by period */
  readonly values: readonly Value[]
}

/** The value of one period. */
export interface Value {
  /** The period it describes */
  readonly period: string
  /** The digits as published */
  readonly value: Decimal
  readonly versionTag: VersionTag
  /** When it was published */
  readonly publishedAt: Instant
}

/** A page of agreements, by slug. */
export interface AdjustmentList {
  readonly data: readonly AdjustmentRow[]
  readonly pagination: Pagination
}

/** The number of one agreement in one period, or why it has none. */
export interface AdjustmentRow {
  /** Identifier of the agreement */
  readonly id: string
  /** In addresses and documents */
  readonly slug: string
  /** Name of the agreement */
  readonly name: string
  /** Label of the period; `start` before the first adjustment */
  readonly period: string
  /** The day it takes effect; of `start` the first day of the contract */
  readonly adjustmentDate: Day
  /** Adjustment of the period; null where blocked, and where the price before was 0 */
  readonly adjustmentPct: Decimal | null
  /** Adjustment since the start of the contract; null where blocked */
  readonly cumulativePct: Decimal | null
  /** Settled price ÷ price at the start, with up to 12 decimals; null where blocked */
  readonly factor: Decimal | null
  /** The settled price of the contract; null where it has none */
  readonly price: Decimal | null
  /** Of the price */
  readonly currency: string | null
  /** How many of the unit the price is for */
  readonly per: Decimal | null
  /** What the price is for; may be empty */
  readonly unit: string | null
  /** The lowest data version used; null where nothing was read */
  readonly dataVersion: VersionTag | null
  /** The formula version that gives it */
  readonly formulaVersion: number
  /** Who has signed this number; BLOCKED where there is none */
  readonly status: 'AGREED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'OPEN' | 'BLOCKED'
  readonly confirmed: Confirmed
  /** The hash that the parties sign; null for `start` and where blocked */
  readonly receiptHash: string | null
  /** The next adjustment date of the calendar; null where there is none */
  readonly nextDate: Day | null
  /** When the newest fact was recorded that the row rests on */
  readonly updatedAt: Instant
  /** Why there is no number; null where there is one */
  readonly reason: string | null
}

/** New vintages, in the order they were recorded. */
export interface VintageList {
  readonly data: readonly NewVintage[]
  readonly pagination: FeedPagination
}

/** A value as it was published once. */
export interface NewVintage {
  /** Identifier of the series */
  readonly seriesId: string
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** The period it describes */
  readonly period: string
  /** The digits as published; null where the provider withdrew the period */
  readonly value: Decimal | null
  /** Null with a withdrawal */
  readonly versionTag: VersionTag | null
  /** The provider’s own mark */
  readonly flag: string | null
  /** When it was published */
  readonly publishedAt: Instant
  /** When it was recorded here */
  readonly recordedAt: Instant
}

/** What happened, in order. */
export interface ChangeList {
  readonly data: readonly Change[]
  readonly pagination: FeedPagination
}

/** Something that happened. */
export interface Change {
  /** Of this change, for this workspace */
  readonly id: string
  /** When it was recorded */
  readonly at: Instant
  /** What happened */
  readonly kind: 'observations' | 'metadata' | 'calendar' | 'index-event' | 'follow' | 'formula' | 'status' | 'signoff' | 'agreed' | 'objection' | 'price-list' | 'invoice' | 'quantity' | 'correction' | 'note' | 'waiver' | 'splice' | 'amendment'
  /** What it happened to: the id of a series, an agreement or a correction, of an invoice `supplier/number`; for names in receipts, the id of who has the name */
  readonly subject: string
  /** The labels of the periods touched; null for all of them, or more than 100 */
  readonly periods: readonly string[] | null
  /** The slugs of every agreement whose numbers or terms it can move */
  readonly pams: readonly string[]
}

/** What publications did, the largest amounts first; for keys without `money` the largest moves. */
export interface RadarList {
  readonly data: readonly RadarRow[]
  readonly pagination: Pagination
}

/** What publications did to one period of an agreement. */
export interface RadarRow {
  /** What happened to it */
  readonly kind: 'SIGNED_MOVED' | 'OPEN_MOVED' | 'NOW_COMPUTABLE' | 'NOW_BLOCKED' | 'NOW_FINAL' | 'NO_EFFECT'
  /** The slug of the agreement */
  readonly agreement: string
  /** Label of the period */
  readonly period: string
  /** When the newest figure behind it was recorded */
  readonly at: Instant
  /** The newest figure behind it */
  readonly cause: RadarCause | null
  /** All of them, where there are several */
  readonly causes?: readonly RadarCause[]
  /** Of the factor, in percentage points; null where one of the two cannot be computed */
  readonly points: Decimal | null
  /** Of the only item; null where there are several, or none */
  readonly priceBefore: Decimal | null
  /** The same, after */
  readonly priceAfter: Decimal | null
  /** How much more kept lines and quantities cost, with what both have signed of it as their corrections say; null where there are none, and for keys without `money` */
  readonly amount: Decimal | null
  /** Of the amount */
  readonly currency: string | null
  /** What the contract says about it; null for keys without `money` where that follows from what was billed */
  readonly policy: 'DUE' | 'WAITING_FOR_FINAL' | 'UNDER_MINIMUM' | 'LAPSED' | 'NONE' | 'NO_POLICY' | null
}

/** A figure that was published. */
export interface RadarCause {
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** The period it describes */
  readonly period: string
  /** As known before; null where there was none */
  readonly before: Decimal | null
  /** As known after; null where it was withdrawn */
  readonly after: Decimal | null
  /** Of the figure after; null with a withdrawal */
  readonly tag: VersionTag | null
}

/** The ledger of an agreement. */
export interface TrueUpLedger {
  /** The slug of the agreement */
  readonly agreement: string
  /** Of balances, open amounts and entries */
  readonly currency: string
  /** entitled + provisional = billed + billingDifferences + agreed + waived */
  readonly balances: {
    /** Owed at settled prices */
    readonly entitled: Decimal
    /** Billed in periods that are not agreed yet */
    readonly provisional: Decimal
    /** Billed */
    readonly billed: Decimal
    /** Owed and not billed */
    readonly billingDifferences: Decimal
    /** Agreed corrections that are not billed yet */
    readonly agreed: Decimal
    /** Waived by both parties */
    readonly waived: Decimal
  }
  /** Owed at restated prices beyond what is posted. */
  readonly open: {
    /** By the policy, now */
    readonly due: Decimal
    /** Until figures are final */
    readonly waitingForFinal: Decimal
    /** Below the smallest correction */
    readonly underMinimum: Decimal
    /** Too old to be corrected */
    readonly lapsed: Decimal
  }
  /** In the order they happened */
  readonly entries: readonly LedgerEntry[]
  /** They come to the billing differences, in every currency */
  readonly differences: readonly LedgerDifference[]
  /** Every note that was issued */
  readonly notes: readonly LedgerNote[]
  /** Lines that were kept twice before lines had one form */
  readonly duplicates: readonly LedgerDuplicate[]
  /** Accounts in other currencies */
  readonly otherCurrencies: ReadonlyArray<{
    /** Of all amounts in here */
    readonly currency: string
    /** entitled + provisional = billed + billingDifferences + agreed + waived */
    readonly balances: {
      /** Owed at settled prices */
      readonly entitled: Decimal
      /** Billed in periods that are not agreed yet */
      readonly provisional: Decimal
      /** Billed */
      readonly billed: Decimal
      /** Owed and not billed */
      readonly billingDifferences: Decimal
      /** Agreed corrections that are not billed yet */
      readonly agreed: Decimal
      /** Waived by both parties */
      readonly waived: Decimal
    }
    /** In the order they happened */
    readonly entries: readonly LedgerEntry[]
  }>
}

/** A posting. */
export interface LedgerEntry {
  /** When it happened */
  readonly at: Instant
  /** What happened */
  readonly event: 'INVOICE_LINE' | 'PERIOD_AGREED' | 'CORRECTION_AGREED' | 'CORRECTION_WAIVED' | 'BILLING_AGREED' | 'BILLING_WAIVED' | 'NOTE_ISSUED' | 'NOTE_MATCHED' | 'NOTE_UNMATCHED'
  /** The fact it follows from: the id of a line, a correction or a note */
  readonly subject: string
  /** Label of the period; null where it has none yet */
  readonly period: string | null
  /** The item */
  readonly item: string | null
  /** They sum to 0; those that are 0 are left out */
  readonly legs: {
    /** Amount */
    readonly ENTITLED?: Decimal
    /** Amount */
    readonly PROVISIONAL?: Decimal
    /** Amount */
    readonly BILLED?: Decimal
    /** Amount */
    readonly BILLING_DIFF?: Decimal
    /** Amount */
    readonly AGREED?: Decimal
    /** Amount */
    readonly WAIVED?: Decimal
  }
}

/** A billing difference with its reason. */
export interface LedgerDifference {
  /** The reason */
  readonly code: 'PRICE' | 'UNDONE' | 'NO_NOTE' | 'OTHER_SUPPLIER' | 'OTHER_CURRENCY' | 'OTHER_AMOUNT' | 'BILLED_TWICE' | 'SETTLED'
  /** The id of the line, or of the settlement */
  readonly subject: string
  /** Number of the invoice */
  readonly invoice: string | null
  /** Number of the line */
  readonly line: string | null
  /** The supplier that the line is of */
  readonly supplier: string | null
  /** The id of the note that has its number */
  readonly note: string | null
  /** Label of the period */
  readonly period: string | null
  /** The item */
  readonly item: string | null
  /** Owed less billed */
  readonly amount: Decimal
  /** Of the amount */
  readonly currency: string
  /** The reason as a sentence */
  readonly message: string
}

/** A note, and what it was billed by. */
export interface LedgerNote {
  /** The id of the correction, and the part */
  readonly id: string
  /** Number of the document */
  readonly number: string
  /** Whose document it is */
  readonly supplier: string
  /** What it bills */
  readonly amount: Decimal
  /** Of the amount */
  readonly currency: string
  /** The ids of its lines; empty where no document of it is kept */
  readonly lines: readonly string[]
}

/** A line that is kept twice; both count until one is reversed. */
export interface LedgerDuplicate {
  /** The id of the line */
  readonly subject: string
  /** The id of the earlier line */
  readonly sameAs: string
  /** Number of the invoice */
  readonly invoice: string
  /** Number of the line */
  readonly line: string
  /** The supplier that the line is of */
  readonly supplier: string
  /** What it bills */
  readonly amount: Decimal
  /** Of the amount */
  readonly currency: string
}

/** Releases by date. */
export interface ReleaseList {
  readonly data: readonly Release[]
  readonly pagination: Pagination
}

/** A date on which a provider announced to publish something. */
export interface Release {
  readonly provider: Provider
  /** What the provider calls the release: `CPI` */
  readonly release: string
  /** In the words of the provider */
  readonly title: string
  /** The period that is published; null where the provider names none */
  readonly period: string | null
  /** 1 for the publication of the period, 2 and more for revisions of it; null where that cannot be said, and for what is cancelled */
  readonly number: number | null
  /** An RFC 3339 instant, or a day where the provider gives no time of day */
  readonly at: string
  /** The time zone in which the provider writes its dates */
  readonly zone: string
  /** OFFICIAL: with a time of day. DATE_ONLY: a day. CANCELLED: it will not come. POSTPONED: its date is open again, and `at` is the last that was announced */
  readonly status: 'OFFICIAL' | 'DATE_ONLY' | 'CANCELLED' | 'POSTPONED'
  /** How often its date or status has changed */
  readonly moves: number
  /** When this was recorded */
  readonly announcedAt: Instant
  /** The series of your workspace that come with it, as formulas name them */
  readonly series: readonly string[]
  /** The agreements that read one of them, by slug */
  readonly pams: readonly string[]
}

/** When the next figures of a series are expected. */
export interface NextDates {
  /** Identifier of the series */
  readonly id: string
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  readonly frequency: Frequency
  /** The newest period with a value; null where there is none */
  readonly newest: string | null
  /** The periods after it, ascending */
  readonly data: readonly NextDate[]
}

/** A period without a value, and when its figure is expected. */
export interface NextDate {
  /** The period */
  readonly period: string
  /** When it is expected; null where no date can be said, or none will come */
  readonly expectedAt: string | null
  /** The last day or instant that would be usual; null without a date */
  readonly latestAt: string | null
  /** What the date rests on; null without a date */
  readonly basis: 'OFFICIAL' | 'DATE_ONLY' | 'LEARNED' | 'USUAL' | null
  /** How many publications a learned date rests on; null for the others */
  readonly known: number | null
  /** The share of the last twelve periods for which the same rule, with what was known then, was right; null where none can be checked */
  readonly hitRate: Decimal | null
  /** What the calendar of the provider says of the period; null where it says nothing */
  readonly status: 'OFFICIAL' | 'DATE_ONLY' | 'CANCELLED' | 'POSTPONED' | null
  /** For a series whose first figures are preliminary; null where that is not known, or where figures are final when they come */
  readonly final: {
    /** An RFC 3339 instant, or a day */
    readonly expectedAt: string
    /** An RFC 3339 instant, or a day: the last on which it would be usual */
    readonly latestAt: string
    /** How many publications a learned date rests on; null for the others */
    readonly known: number | null
    /** The share of the last twelve periods for which the same rule, with what was known then, was right; null where none can be checked */
    readonly hitRate: Decimal | null
  } | null
}

/** What is due, the nearest date first. */
export interface DueList {
  readonly data: readonly DueRow[]
  readonly pagination: Pagination
}

/** An adjustment date that is not done with. */
export interface DueRow {
  /** The slug of the agreement */
  readonly agreement: string
  /** Its name */
  readonly name: string
  /** Label of the period */
  readonly period: string
  /** The adjustment date */
  readonly date: Day
  /** How far it is */
  readonly state: 'LATE' | 'BLOCKED' | 'AT_RISK' | 'WAITING' | 'READY' | 'FINAL_PENDING' | 'SCHEDULED'
  /** The first day on which it can be proposed; null where no day can be said */
  readonly readyOn: Day | null
  /** Whether its number stands on what the clause puts in place of missing figures */
  readonly provisional: boolean
  /** The latest of what it waits for; of a provisional number, the real value */
  readonly waitsFor: DueFigure | null
  /** It takes the newest figure there is, and this one is expected in time */
  readonly newer: DueFigure | null
  readonly late: ReadonlyArray<{
    /** As formulas name it: `PROVIDER/code` */
    readonly series: string
    /** The period it describes */
    readonly period: string
  }>
  readonly cancelled: ReadonlyArray<{
    /** As formulas name it: `PROVIDER/code` */
    readonly series: string
    /** The period it describes */
    readonly period: string
    /** What the clause does without it */
    readonly rule: 'BLOCK' | 'LAST_KNOWN' | 'YOY_ESTIMATE' | 'FALLBACK' | 'AGREED' | 'TREND'
    /** What is read by that rule; null where it gives nothing */
    readonly instead: Decimal | null
  }>
  /** Why it has no number although no figure is missing */
  readonly reason: string | null
}

/** A figure that an adjustment waits for. */
export interface DueFigure {
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** The period it describes */
  readonly period: string
  /** FINAL where only the final figure counts; null where any does */
  readonly stage: 'FINAL' | null
  /** An instant, or a day where no time of day is known; null where no date can be said */
  readonly expectedAt: string | null
  /** What the date rests on */
  readonly basis: 'OFFICIAL' | 'DATE_ONLY' | 'LEARNED' | 'USUAL' | null
}

/** Events, the newest day first. */
export interface IndexEventList {
  readonly data: readonly IndexEvent[]
  readonly pagination: Pagination
}

/** Something that is known about an index. */
export interface IndexEvent {
  /** Its id; a correction has the same */
  readonly id: string
  /** Null for an index that none of the providers has */
  readonly provider: Provider | null
  /** The code it is about, or a pattern in which `*` stands for any characters */
  readonly codes: string | null
  /** ENDED: no more values. REBASED: another reference year. SUPERSEDED: another series takes its place. CANCELLED: a period will not be published. METHOD: computed differently */
  readonly kind: 'ENDED' | 'REBASED' | 'SUPERSEDED' | 'CANCELLED' | 'METHOD'
  /** From which it holds; of a cancelled release, the first day of the period */
  readonly day: string
  /** In a sentence */
  readonly sentence: string
  /** The code of the series that takes its place; null where none is named */
  readonly successor: string | null
  /** Null where none was published */
  readonly coefficient: {
    /** OLD_TO_NEW: a value of the old index times it is on the level of the new one */
    readonly direction: 'OLD_TO_NEW' | 'NEW_TO_OLD'
    /** The digits as printed: `1.0820` */
    readonly digits: Decimal
  } | null
  /** Where it was published */
  readonly source: string
  /** When this was recorded */
  readonly recordedAt: Instant
  /** The series of your workspace that it is about, as formulas name them */
  readonly series: readonly string[]
  /** The agreements that read one of them, by slug */
  readonly pams: readonly string[]
}

/** The document as written, then each other reading. */
export interface ReadingList {
  /** Of prices; null where the contract has none */
  readonly currency: string | null
  readonly data: readonly Reading[]
}

/** The document of an agreement, as it is or read differently in one respect. */
export interface Reading {
  /** `as-written`, `basis`, `preliminary`, `final`, `first`, `latest`, `lag-more` …  */
  readonly id: string
  /** Its name */
  readonly title: string
  /** What is read differently */
  readonly words: string
  /** Why the document cannot be read so; then there are no numbers */
  readonly notApplicable: string | null
  /** The period that is compared; null where this reading gives it no number */
  readonly period: string | null
  /** Adjustment of the period; null also where the price before was 0 */
  readonly adjustmentPct: Decimal | null
  /** Adjustment since the start of the contract */
  readonly cumulativePct: Decimal | null
  /** By this reading; null where the contract has none */
  readonly price: Decimal | null
  /** Cumulative, beside the document as written, in percentage points */
  readonly points: Decimal | null
  /** Price less that of the document as written */
  readonly money: Decimal | null
}

/** The position of a page in its feed. */
export interface FeedPagination {
  /** Items per page, as asked for or by default */
  readonly limit: number
  /** Whether there is a further page */
  readonly hasMore: boolean
  /** The cursor of the next request, now or later; always present */
  readonly nextCursor: string
}

/** A page of prices, by agreement, item, step and validity. */
export interface PriceList {
  readonly data: readonly PriceRow[]
  readonly pagination: Pagination
}

/** The price of an item from a quantity on, in one period; and the keys that the item has in other systems, as `erp_…`. */
export interface PriceRow {
  /** The slug of the agreement */
  readonly agreement: string
  /** The key of the item; the slug where the contract’s own price is the only one */
  readonly item: string
  /** The quantity from which on it is the price */
  readonly fromQuantity: Decimal
  /** Label of the period; `start` before the first adjustment */
  readonly period: string
  /** The first day of the price */
  readonly validFrom: Day
  /** The last day of its own period; null where no later date has come */
  readonly validTo: Day | null
  /** The last day on which it is in force: before the next date that both signed, or with the item or the contract; null where none of them is known, and where not both signed it */
  readonly inForceUntil: Day | null
  /** On the row in force on the day asked for (today without one): the newest later price that not both have signed; null everywhere else */
  readonly proposed: ProposedPrice | null
  /** The price, rounded as the contract says */
  readonly price: Decimal
  /** How many of the unit the price is for */
  readonly per: Decimal
  /** The unit; may be empty */
  readonly unit: string
  /** The currency */
  readonly currency: string
  /** The settled factor of the period, with up to 12 decimals; prices come from the exact one */
  readonly factor: Decimal
  /** Who has signed the number shown: the weaker of period and base */
  readonly status: 'AGREED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'OPEN'
  /** The hash that the parties sign; null for `start` */
  readonly receiptHash: string | null
  /** Version of the price list; null for the contract’s own price */
  readonly listVersion: number | null
  /** A key of the item in another system */
  readonly [key: `erp_${string}`]: string | undefined
}

/** A price that not both have signed, beside the one in force. */
export interface ProposedPrice {
  /** Label of its period */
  readonly period: string
  /** The price, for the `per` of the row */
  readonly price: Decimal
  /** Who has signed it */
  readonly status: 'AGREED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'OPEN'
}

/** A page of what is left out, by agreement. */
export interface LeftOutList {
  readonly data: readonly LeftOutRow[]
  readonly pagination: Pagination
}

/** What is not among the prices, and why. */
export interface LeftOutRow {
  /** The slug of the agreement */
  readonly agreement: string
  /** The key of the item; null for all of them */
  readonly item: string | null
  /** Label of the period; null for all of them, or where its date has not come */
  readonly period: string | null
  /** BLOCKED: there is no number or no list; UNFIT: the file cannot have it; NOT_AGREED: not signed by those who must */
  readonly reason: 'BLOCKED' | 'UNFIT' | 'NOT_AGREED'
  /** A sentence for people */
  readonly why: string
}

/** A page of kept lines, by date, supplier, invoice and line. */
export interface InvoiceLineList {
  readonly data: readonly InvoiceLine[]
  readonly pagination: Pagination
}

/** A kept line of an invoice. */
export interface InvoiceLine {
  /** Number of the invoice */
  readonly invoice: string
  /** Number of the line */
  readonly line: string
  /** Whose invoice numbers these are */
  readonly supplier: string
  /** The slug of the agreement */
  readonly agreement: string
  /** A reference of the contract */
  readonly contractRef: string | null
  /** Key of the item */
  readonly item: string | null
  /** How many; negative in a credit note */
  readonly quantity: Decimal | null
  /** The unit */
  readonly unit: string | null
  /** The unit price */
  readonly unitPrice: Decimal | null
  /** How many of the unit the unit price is for */
  readonly per: Decimal | null
  /** The amount */
  readonly amount: Decimal | null
  /** The currency */
  readonly currency: string | null
  /** Day of the invoice */
  readonly date: Day | null
  /** First day of the service */
  readonly serviceFrom: Day | null
  /** Last day of the service */
  readonly serviceTo: Day | null
  /** Day of the order */
  readonly orderDate: Day | null
  /** What kind of line it is */
  readonly kind: 'INVOICE' | 'CREDIT_NOTE' | 'DEBIT_NOTE' | 'CORRECTION' | null
  /** Identifier of the line */
  readonly id: string
  /** Label of the period of its day; null outside the contract */
  readonly period: string | null
  /** When it was imported */
  readonly importedAt: Instant
  /** The line that this one reverses */
  readonly reverses: string | null
  /** Of a correction: the id of the note that it bills */
  readonly note: string | null
  /** Of a correction that bills no note; null for other lines, whose prices the check judges */
  readonly difference: {
    /** The reason */
    readonly code: 'PRICE' | 'UNDONE' | 'NO_NOTE' | 'OTHER_SUPPLIER' | 'OTHER_CURRENCY' | 'OTHER_AMOUNT' | 'BILLED_TWICE' | 'SETTLED'
    /** As it counts in the ledger: owed less billed */
    readonly amount: Decimal
    /** The reason as a sentence */
    readonly message: string
  } | null
}

/** One outcome for each line, in their order. Nothing was stored. */
export interface CheckAnswer {
  readonly data: readonly CheckRow[]
  readonly summary: CheckSummary
}

/** What the check says about one line. Every field is there, null where nothing is known. */
export interface CheckRow {
  /** Number of the invoice */
  readonly invoice: string | null
  /** Number of the line */
  readonly line: string | null
  /** The outcome */
  readonly outcome: 'OK' | 'OK_WITHIN' | 'OVER' | 'UNDER' | 'PROVISIONAL' | 'SPANS' | 'OUTSIDE' | 'UNKNOWN' | 'BLOCKED' | 'SKIPPED'
  /** The slug of the agreement */
  readonly agreement: string | null
  /** Key of the item */
  readonly item: string | null
  /** Label of the period that is in force on its day */
  readonly period: string | null
  /** Who has signed the number behind the price */
  readonly status: 'AGREED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'OPEN' | null
  /** The price it should have; null where the service spans several */
  readonly price: Decimal | null
  /** The billed price for the item’s own `per` and unit; null where none is written */
  readonly billedPrice: Decimal | null
  /** Billed less ours */
  readonly priceDifference: Decimal | null
  /** The amount it should have */
  readonly amount: Decimal | null
  /** The billed amount */
  readonly billedAmount: Decimal | null
  /** Billed less ours */
  readonly difference: Decimal | null
  /** The currency */
  readonly currency: string | null
  /** The first mistake that explains the billed price */
  readonly reason: Reason | null
  /** Other mistakes that explain it */
  readonly alsoPossible: readonly Reason[]
  /** A sentence for UNKNOWN, OUTSIDE, BLOCKED, SPANS, contradictions, and wherever a period is not signed by both */
  readonly message: string | null
  /** Whether unit price and amount contradict each other */
  readonly contradiction: boolean
  /** Slugs, where the agreement is not clear */
  readonly candidates: readonly string[]
  /** The prices of a service that crosses an adjustment */
  readonly spans: readonly Span[]
}

/** The check as a whole. */
export interface CheckSummary {
  /** How many lines */
  readonly lines: number
  /** How many lines have each outcome */
  readonly outcomes: Readonly<Record<string, number>>
  /** By currency: the differences of OVER lines */
  readonly over: Readonly<Record<string, Decimal>>
  /** By currency: the differences of UNDER lines, without their sign */
  readonly under: Readonly<Record<string, Decimal>>
}

/** A mistake that gives exactly the billed price. */
export interface Reason {
  /** Which mistake */
  readonly code: 'PERIOD_BEFORE' | 'PERIOD_AFTER' | 'BEFORE_CORRECTION' | 'NO_ADJUSTMENT' | 'STEP_ONLY' | 'TWICE' | 'ROUNDING' | 'VINTAGE' | 'CONTROL_LEFT_OUT' | 'LAG' | 'BASIS' | 'PER' | 'UNIT' | 'QUANTITY_STEP' | 'OTHER_ITEM' | 'CURRENCY' | 'VERSION_BEFORE'
  /** The same in words */
  readonly sentence: string
}

/** Days of service under one price. */
export interface Span {
  /** Label of the period */
  readonly period: string
  /** How many days */
  readonly days: number
  /** The price */
  readonly price: Decimal
}

/** Lines of invoices. */
export interface LinesToCheck {
  readonly lines: readonly LineToCheck[]
}

/** A line of an invoice as it was billed. Numbers are decimals as text. */
export interface LineToCheck {
  /** Number of the invoice */
  readonly invoice: string
  /** Number of the line */
  readonly line: string
  /** Whose invoice numbers these are; left out: the party that the agreement names */
  readonly supplier?: string | null
  /** Slug or id; left out: found by `contractRef` or `item` */
  readonly agreement?: string | null
  /** A reference of the contract, its slug or its id */
  readonly contractRef?: string | null
  /** Key of the item; left out: the only one there is */
  readonly item?: string | null
  /** A decimal; negative in a credit note */
  readonly quantity?: string | null
  /** The unit; left out: that of the item */
  readonly unit?: string | null
  /** A decimal; unit price or amount is needed */
  readonly unitPrice?: string | null
  /** How many of the unit the unit price is for; left out: 1 */
  readonly per?: string | null
  /** A decimal; left out: quantity × unit price ÷ per */
  readonly amount?: string | null
  /** Three capital letters; left out: that of the contract */
  readonly currency?: string | null
  /** Day of the invoice */
  readonly date?: string | null
  /** First day of the service */
  readonly serviceFrom?: string | null
  /** Last day of the service */
  readonly serviceTo?: string | null
  /** Day of the order */
  readonly orderDate?: string | null
  /** One of INVOICE, CREDIT_NOTE, DEBIT_NOTE, CORRECTION; INVOICE unless written. CORRECTION is not checked */
  readonly kind?: string | null
}

/** The corrections of an agreement, the newest first. */
export interface CorrectionList {
  readonly data: readonly Correction[]
  readonly pagination: Pagination
}

/** A correction of signed prices. */
export interface Correction {
  /** Identifier of the correction */
  readonly id: string
  /** The slug of the agreement */
  readonly agreement: string
  /** Derived from who signed or refused it, and from what came after; for keys without `money` never LAPSED by a time that counts from invoices */
  readonly state: 'PROPOSED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'AGREED' | 'SUPERSEDED' | 'REFUSED' | 'LAPSED'
  /** What both parties sign; null for keys without `money` */
  readonly hash: string | null
  /** Which periods are put right */
  readonly level: 'HEAL' | 'REBASE'
  /** The net amount; null where none is known, and for keys without `money` */
  readonly net: Decimal | null
  /** Of the amounts; for keys without `money` the newest of the agreement */
  readonly currency: string | null
  /** Why it was proposed by hand; null where the policy says so */
  readonly reason: string | null
  /** The newest publication first */
  readonly causes: readonly CorrectionCause[]
  /** By date */
  readonly periods: readonly CorrectionPeriod[]
  /** Empty for keys without `money` */
  readonly lines: readonly CorrectionLine[]
  readonly confirmed: Confirmed
  /** By part */
  readonly notes: readonly CorrectionNote[]
  /** Whether it waives the amount; null for keys without `money` */
  readonly waived: boolean | null
  /** How it is billed */
  readonly settle: 'NOTE' | 'NEXT_INVOICE' | 'SPREAD'
  /** The amounts it is billed in; empty for keys without `money` */
  readonly parts: readonly Decimal[]
  /** Null where nobody refused it */
  readonly refusal: {
    /** The side that refused it */
    readonly party: 'buyer' | 'supplier'
    /** In their words */
    readonly reason: string
    /** When */
    readonly at: Instant
  } | null
  /** When it was proposed */
  readonly proposedAt: Instant
  /** Who proposed it */
  readonly proposedBy: string
}

/** A figure that was revised. */
export interface CorrectionCause {
  /** As formulas name it: `PROVIDER/code` */
  readonly series: string
  /** The period it describes */
  readonly period: string
  /** As the receipt read it; null where it read none */
  readonly before: Decimal | null
  /** As it counts now */
  readonly after: Decimal
  readonly tag: VersionTag
}

/** A period whose price is corrected. */
export interface CorrectionPeriod {
  /** Label of the period */
  readonly period: string
  /** The settled factor, with up to 12 decimals */
  readonly factorBefore: Decimal
  /** The factor that takes its place */
  readonly factorAfter: Decimal
  /** Of the only item; null where there are several or none */
  readonly priceBefore: Decimal | null
  /** Of the only item, corrected */
  readonly priceAfter: Decimal | null
  /** The sum of its lines; null where none is known, and for keys without `money` */
  readonly amount: Decimal | null
}

/** An invoice line, or a declared quantity, and its difference. */
export interface CorrectionLine {
  /** The number of the invoice; null for a declared quantity */
  readonly invoice: string | null
  /** The line; null for a declared quantity */
  readonly line: string | null
  /** Key of the item */
  readonly item: string
  /** Exact */
  readonly quantity: string
  /** What it costs at the corrected price less what it costs now */
  readonly amount: Decimal | null
}

/** A document by which a part of it was billed. */
export interface CorrectionNote {
  /** From 1 */
  readonly part: number
  /** The number of the document */
  readonly number: string
  /** Its day */
  readonly date: Day
  /** The part; null where none is known, and for keys without `money` */
  readonly amount: Decimal | null
  /** SHA-256 of the file that was written; null for keys without `money` */
  readonly fileHash: string | null
}

/** A correction with everything it follows from. */
export interface CorrectionReceipt {
  /** SHA-256 of the canonical JSON of the body */
  readonly hash: string
  /** What both parties sign. */
  readonly body: {
    /** The form of this correction */
    readonly format: 'assize-correction/1'
    /** The edition of the rules it was computed by */
    readonly edition: number
    /** Who issued it; null for what was computed from files alone */
    readonly installation: {
      /** Its id */
      readonly id: string
      /** Its name */
      readonly name: string | null
    } | null
    /** The workspace; null for what was computed from files alone */
    readonly workspace: {
      /** Its id */
      readonly id: string
      /** In addresses */
      readonly slug: string
      /** Its name */
      readonly name: string
    } | null
    /** The slug */
    readonly pam: string
    /** The contract’s name */
    readonly name: string
    /** Who signs. */
    readonly parties: {
      /** The buyer as written; null where nobody is named */
      readonly buyer: readonly string[] | string | null
      /** The supplier as written; null where nobody is named */
      readonly supplier: readonly string[] | string | null
      /** The ways in which both may sign, the strictest first; left out: any */
      readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
    }
    /** What the parties that are named by their slugs are called, by slug; left out where none is */
    readonly companies?: Readonly<Record<string, string>>
    /** Which periods are put right */
    readonly level: 'HEAL' | 'REBASE'
    /** Why it is proposed outside the policy; null where the policy calls for it */
    readonly reason: string | null
    /** Whether both sides waive the money */
    readonly waived: boolean
    /** Of the amounts; null where none is known */
    readonly currency: string | null
    /** The net amount; null where none is known */
    readonly net: string | null
    /** The newest publication first */
    readonly causes: ReadonlyArray<{
      /** As formulas name it: `PROVIDER/code` */
      readonly series: string
      /** The period it describes */
      readonly period: string
      /** As the receipt read it; null where it read none */
      readonly before: {
        /** The series, as `PROVIDER/code` */
        readonly series: string
        /** The period it describes */
        readonly period: string
        /** The digits as published */
        readonly value: Decimal
        readonly version: VersionTag
        /** The provider’s own mark */
        readonly flag: string | null
        /** When it was published */
        readonly published: Instant
        /** When it was stored; null where it came from a file */
        readonly recorded: Instant | null
      } | null
      /** A figure as it was published. */
      readonly after: {
        /** The series, as `PROVIDER/code` */
        readonly series: string
        /** The period it describes */
        readonly period: string
        /** The digits as published */
        readonly value: Decimal
        readonly version: VersionTag
        /** The provider’s own mark */
        readonly flag: string | null
        /** When it was published */
        readonly published: Instant
        /** When it was stored; null where it came from a file */
        readonly recorded: Instant | null
      }
    }>
    /** By date */
    readonly periods: ReadonlyArray<{
      /** Label of the period */
      readonly period: string
      /** The day it takes effect */
      readonly adjustmentDate: Day
      /** The settled factor, exact */
      readonly factorBefore: string
      /** The factor that takes its place, exact */
      readonly factorAfter: string
      /** Of the only item, as it is settled; null where there are several or none */
      readonly priceBefore: string | null
      /** Of the only item, corrected; null where there are several or none */
      readonly priceAfter: string | null
      /** The sum of its lines; null where there are none */
      readonly amount: string | null
      /** Of the settled receipt; null where only the base of a price moved */
      readonly receiptBefore: string | null
      /** Of the restated receipt; null where only the base of a price moved */
      readonly receiptAfter: string | null
    }>
    readonly prices: ReadonlyArray<{
      /** Label of the period */
      readonly period: string
      /** Key of the item */
      readonly item: string
      /** The quantity from which it counts */
      readonly fromQuantity: string
      /** The base price, as the list says */
      readonly price: string
      /** How many of the unit it is for */
      readonly per: string
      /** The share of it that moves */
      readonly share: string
      /** The period its base price is of */
      readonly base: string
      /** A rounding */
      readonly rounding: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      }
      /** F(period) ÷ F(base) as it is settled, exact */
      readonly movementBefore: string
      /** The same, corrected */
      readonly movementAfter: string
      /** The settled price */
      readonly before: string
      /** The corrected price */
      readonly after: string
    }>
    readonly lines: ReadonlyArray<{
      /** Whose invoice it is; null for a declared quantity */
      readonly supplier: string | null
      /** The number of the invoice; null for a declared quantity */
      readonly invoice: string | null
      /** The line; null for a declared quantity */
      readonly line: string | null
      /** Key of the item */
      readonly item: string
      /** Label of the period */
      readonly period: string
      /** In the unit of the item, exact */
      readonly quantity: string
      /** Several if the days of the line are divided among prices */
      readonly shares: ReadonlyArray<{
        /** Label of the period */
        readonly period: string
        /** How many */
        readonly days: number
        /** How many of the unit the prices are for */
        readonly per: string
        /** The settled price */
        readonly priceBefore: string
        /** The corrected price */
        readonly priceAfter: string
      }>
      /** What it costs at the settled price */
      readonly amountBefore: string
      /** What it costs at the corrected price */
      readonly amountAfter: string
      /** The difference */
      readonly amount: string
    }>
    /** How it is billed */
    readonly settle: 'NOTE' | 'NEXT_INVOICE' | 'SPREAD'
    /** The payments that settle it; empty where it is waived or no amount is known */
    readonly parts: readonly string[]
    /** With REBASE: the state that unsigned periods continue from */
    readonly carried: {
      /** Its adjustment date; null at the first period */
      readonly date: Day | null
      /** The formula version that computed it */
      readonly version: number | null
      /** The carried lines */
      readonly steps: Readonly<Record<string, string>>
      /** The readings, by input */
      readonly readings: Readonly<Record<string, {
        /** Exact */
        readonly value: string
        /** Whether a missing value was estimated or replaced */
        readonly substituted: boolean
        readonly used: ReadonlyArray<{
          /** The series, as `PROVIDER/code` */
          readonly series: string
          /** The period it describes */
          readonly period: string
          /** The digits as published */
          readonly value: Decimal
          readonly version: VersionTag
          /** The provider’s own mark */
          readonly flag: string | null
          /** When it was published */
          readonly published: Instant
          /** When it was stored; null where it came from a file */
          readonly recorded: Instant | null
          /** Where the figure comes from */
          readonly origin: {
            /** The provider */
            readonly provider: string
          } | {
            /** Who brought the file: an e-mail address, or `operator` */
            readonly uploadedBy: string | null
            /** The name of the file */
            readonly file: string | null
            /** SHA-256 of the file’s bytes */
            readonly sha256: string | null
            /** When it was imported */
            readonly recorded: Instant | null
          }
        }>
      }>>
      /** Price then ÷ price at the start, exact */
      readonly factor: string
      /** The same, at the last date on which an adjustment was applied. */
      readonly last: {
        /** Its adjustment date; null at the first period */
        readonly date: Day | null
        /** The formula version that computed it */
        readonly version: number | null
        /** The carried lines */
        readonly steps: Readonly<Record<string, string>>
        /** The readings, by input */
        readonly readings: Readonly<Record<string, {
          /** Exact */
          readonly value: string
          /** Whether a missing value was estimated or replaced */
          readonly substituted: boolean
          readonly used: ReadonlyArray<{
            /** The series, as `PROVIDER/code` */
            readonly series: string
            /** The period it describes */
            readonly period: string
            /** The digits as published */
            readonly value: Decimal
            readonly version: VersionTag
            /** The provider’s own mark */
            readonly flag: string | null
            /** When it was published */
            readonly published: Instant
            /** When it was stored; null where it came from a file */
            readonly recorded: Instant | null
            /** Where the figure comes from */
            readonly origin: {
              /** The provider */
              readonly provider: string
            } | {
              /** Who brought the file: an e-mail address, or `operator` */
              readonly uploadedBy: string | null
              /** The name of the file */
              readonly file: string | null
              /** SHA-256 of the file’s bytes */
              readonly sha256: string | null
              /** When it was imported */
              readonly recorded: Instant | null
            }
          }>
        }>>
      }
      /** The day from which the price counts, where it was renegotiated */
      readonly origin?: Day
      /** Factors of the past year, where a limit of a year needs them */
      readonly factors?: ReadonlyArray<{
        /** The date */
        readonly date: Day
        /** Exact */
        readonly factor: string
      }>
    } | null
  }
  /** The bodies of the receipts that its periods name, each once */
  readonly receipts: ReadonlyArray<{
    /** The form of this receipt */
    readonly format: 'assize-receipt/2'
    /** The edition of the rules it was computed by */
    readonly edition: number
    /** Who issued it; null for what was computed from files alone */
    readonly installation: {
      /** Its id */
      readonly id: string
      /** Its name */
      readonly name: string | null
    } | null
    /** The workspace; null for what was computed from files alone */
    readonly workspace: {
      /** Its id */
      readonly id: string
      /** In addresses */
      readonly slug: string
      /** Its name */
      readonly name: string
    } | null
    /** The slug */
    readonly pam: string
    /** The contract’s name */
    readonly name: string
    /** Who signs. */
    readonly parties: {
      /** The buyer as written; null where nobody is named */
      readonly buyer: readonly string[] | string | null
      /** The supplier as written; null where nobody is named */
      readonly supplier: readonly string[] | string | null
      /** The ways in which both may sign, the strictest first; left out: any */
      readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
    }
    /** What the parties that are named by their slugs are called, by slug; left out where none is */
    readonly companies?: Readonly<Record<string, string>>
    /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
    readonly period: string
    /** The day it takes effect */
    readonly adjustmentDate: Day
    /** Version of the formula used */
    readonly formulaVersion: number
    /** The formula documents, by version number */
    readonly documents: Readonly<Record<string, string>>
    /** With `version`: that tag, else null */
    readonly dataVersionAsked: VersionTag | null
    /** The contract’s own words, as the governing version has them; left out where it has none. */
    readonly words?: {
      /** SHA-256 of their sentences and links in canonical JSON */
      readonly sha256: string
    }
    /** What the period continues from. */
    readonly carriedIn: {
      /** Its adjustment date; null at the first period */
      readonly date: Day | null
      /** The formula version that computed it */
      readonly version: number | null
      /** The carried lines */
      readonly steps: Readonly<Record<string, string>>
      /** The readings, by input */
      readonly readings: Readonly<Record<string, {
        /** Exact */
        readonly value: string
        /** Whether a missing value was estimated or replaced */
        readonly substituted: boolean
        readonly used: ReadonlyArray<{
          /** The series, as `PROVIDER/code` */
          readonly series: string
          /** The period it describes */
          readonly period: string
          /** The digits as published */
          readonly value: Decimal
          readonly version: VersionTag
          /** The provider’s own mark */
          readonly flag: string | null
          /** When it was published */
          readonly published: Instant
          /** When it was stored; null where it came from a file */
          readonly recorded: Instant | null
          /** Where the figure comes from */
          readonly origin: {
            /** The provider */
            readonly provider: string
          } | {
            /** Who brought the file: an e-mail address, or `operator` */
            readonly uploadedBy: string | null
            /** The name of the file */
            readonly file: string | null
            /** SHA-256 of the file’s bytes */
            readonly sha256: string | null
            /** When it was imported */
            readonly recorded: Instant | null
          }
        }>
      }>>
      /** Price then ÷ price at the start, exact */
      readonly factor: string
      /** The same, at the last date on which an adjustment was applied. */
      readonly last: {
        /** Its adjustment date; null at the first period */
        readonly date: Day | null
        /** The formula version that computed it */
        readonly version: number | null
        /** The carried lines */
        readonly steps: Readonly<Record<string, string>>
        /** The readings, by input */
        readonly readings: Readonly<Record<string, {
          /** Exact */
          readonly value: string
          /** Whether a missing value was estimated or replaced */
          readonly substituted: boolean
          readonly used: ReadonlyArray<{
            /** The series, as `PROVIDER/code` */
            readonly series: string
            /** The period it describes */
            readonly period: string
            /** The digits as published */
            readonly value: Decimal
            readonly version: VersionTag
            /** The provider’s own mark */
            readonly flag: string | null
            /** When it was published */
            readonly published: Instant
            /** When it was stored; null where it came from a file */
            readonly recorded: Instant | null
            /** Where the figure comes from */
            readonly origin: {
              /** The provider */
              readonly provider: string
            } | {
              /** Who brought the file: an e-mail address, or `operator` */
              readonly uploadedBy: string | null
              /** The name of the file */
              readonly file: string | null
              /** SHA-256 of the file’s bytes */
              readonly sha256: string | null
              /** When it was imported */
              readonly recorded: Instant | null
            }
          }>
        }>>
      }
      /** The day from which the price counts, where it was renegotiated */
      readonly origin?: Day
      /** Factors of the past year, where a limit of a year needs them */
      readonly factors?: ReadonlyArray<{
        /** The date */
        readonly date: Day
        /** Exact */
        readonly factor: string
      }>
    }
    readonly series: ReadonlyArray<{
      /** The series, as `PROVIDER/code` */
      readonly series: string
      /** Its name */
      readonly name: string
      readonly frequency: Frequency
    }>
    readonly observations: ReadonlyArray<{
      /** The input’s name in the formula */
      readonly input: string
      /** The series, as `PROVIDER/code` */
      readonly series: string
      /** The period it describes */
      readonly period: string
      /** The digits as published */
      readonly value: Decimal
      readonly version: VersionTag
      /** The provider’s own mark */
      readonly flag: string | null
      /** When it was published */
      readonly published: Instant
      /** When it was stored; null where it came from a file */
      readonly recorded: Instant | null
      /** Where the figure comes from */
      readonly origin: {
        /** The provider */
        readonly provider: string
      } | {
        /** Who brought the file: an e-mail address, or `operator` */
        readonly uploadedBy: string | null
        /** The name of the file */
        readonly file: string | null
        /** SHA-256 of the file’s bytes */
        readonly sha256: string | null
        /** When it was imported */
        readonly recorded: Instant | null
      }
    }>
    /** How the lines become the answer. */
    readonly rules: {
      /** What the result is */
      readonly kind: 'FACTOR' | 'CHANGE_PCT' | 'PRICE' | 'SURCHARGE'
      /** The line that is the result */
      readonly step: string
      /** A rounding */
      readonly show: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      }
      /** How the price is rounded */
      readonly priceRound: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | null
      /** Whether components and controls add up to the adjustment */
      readonly addsUp: boolean
    }
    readonly steps: ReadonlyArray<{
      /** Its name */
      readonly name: string
      /** How it is computed */
      readonly expr: string
      /** Exact */
      readonly value: string
      /** As the contract prints it */
      readonly shown: string | null
      /** How what is carried is rounded */
      readonly round: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | null
      /** How it is printed */
      readonly show: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | null
    }>
    /** The result. */
    readonly result: {
      /** Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3 */
      readonly period: string
      /** The day it takes effect */
      readonly adjustmentDate: Day
      /** Adjustment of this period, percent; null for the one period after a price of 0 */
      readonly adjustmentPct: Decimal | null
      /** Adjustment since the start of the contract, percent */
      readonly cumulativePct: Decimal
      /** Version of the formula used */
      readonly formulaVersion: number
      /** The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL */
      readonly dataVersion: 'PRELIMINARY' | 'FINAL' | 'REVISED'
      /** The price, where the contract names one */
      readonly price?: string
      /** The amount on top of the contract’s price, where the formula gives one */
      readonly surcharge?: string
      readonly components: ReadonlyArray<{
        /** The input’s name in the formula */
        readonly input: string
        /** The series, as `PROVIDER/code` */
        readonly series: string
        /** As the formula writes it */
        readonly weight: Decimal
        /** Percent change against the base */
        readonly change: Decimal
        /** Percentage points it gave */
        readonly contribution: Decimal
      }>
      /** With the components they add up to the adjustment */
      readonly controls: ReadonlyArray<{
        /** Which one */
        readonly control: 'adder' | 'threshold' | 'passThrough' | 'cumulativeCap' | 'cumulativeFloor' | 'yearCap' | 'yearFloor' | 'periodCap' | 'periodFloor' | 'carryForward' | 'rounding'
        /** Percentage points it took or gave */
        readonly points: Decimal
      }>
      /** Price of the period ÷ price at the start, exact */
      readonly factor: string
    }
  }>
  /** Of the parties */
  readonly signatures: ReadonlyArray<{
    /** For which side */
    readonly party: 'buyer' | 'supplier'
    /** E-mail address */
    readonly signedBy: string
    /** As the workspace names the person; empty where it does not */
    readonly name: string
    /** When */
    readonly signedAt: Instant
    /** The correction’s hash */
    readonly hash: string
    /** How it was known who signs */
    readonly means: 'PASSKEY' | 'PROVIDER' | 'PASSWORD' | 'OPERATOR'
    /** Every correction that was signed in the same act, this one included */
    readonly together: ReadonlyArray<{
      /** The id of the correction */
      readonly period: string
      /** Of the correction */
      readonly hash: string
    }>
    /** With PASSKEY: what the authenticator signed, to be checked by anybody */
    readonly passkey: {
      /** Of the credential */
      readonly credentialId: string
      /** The credential’s public key, SubjectPublicKeyInfo */
      readonly publicKey: string
      /** Of the key */
      readonly algorithm: 'ES256' | 'EdDSA' | 'RS256'
      /** The site it was made for */
      readonly rpId: string
      /** As the authenticator wrote it */
      readonly authenticatorData: string
      /** As the browser wrote it; its challenge is the hash of what was signed (or of `batch`) and of `origin` */
      readonly clientDataJSON: string
      /** Over both */
      readonly signature: string
    } | null
    /** What the provider vouches for */
    readonly provider?: {
      /** The provider’s address, as its tokens name it */
      readonly issuer: string
      /** Who signed, as the provider names the person */
      readonly subject: string
      /** Where the provider describes itself and names its keys */
      readonly discovery: string
      /** The name of the installation at the provider: the token was made for it */
      readonly clientId: string
      /** When the token was checked here */
      readonly checkedAt: Instant
      /** Until when the token is valid */
      readonly expiresAt: Instant
      /** The ID token; its nonce is, in base64url, SHA-256("assize sign-off/1\n" ‖ `random` ‖ "\n" ‖ the hash that was signed, as 64 hexadecimal digits) */
      readonly token: string
      /** 32 random bytes, base64url */
      readonly random: string
      /** The provider’s public key as a JWK (RFC 7517), as it was published when the token was checked */
      readonly key: {
        /** Its kind */
        readonly kty: 'RSA'
        /** The modulus, base64url */
        readonly n: string
        /** The exponent, base64url */
        readonly e: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      } | {
        /** Its kind */
        readonly kty: 'EC'
        /** The curve */
        readonly crv: 'P-256'
        /** base64url */
        readonly x: string
        /** base64url */
        readonly y: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      } | {
        /** Its kind */
        readonly kty: 'OKP'
        /** The curve */
        readonly crv: 'Ed25519'
        /** base64url */
        readonly x: string
        /** Its name at the provider */
        readonly kid?: string
        /** What it signs with; left out where the provider does not say */
        readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
      }
    } | {
      /** The provider’s address, as its tokens name it */
      readonly issuer: string
      /** Who signed, as the provider names the person */
      readonly subject: string
      /** Where the provider describes itself and names its keys */
      readonly discovery: string
      /** The name of the installation at the provider: the token was made for it */
      readonly clientId: string
      /** When the token was checked here */
      readonly checkedAt: Instant
      /** Until when the token is valid */
      readonly expiresAt: Instant
      /** What is made after `expiresAt` has it */
      readonly proof: 'FOLLOWS'
    }
    /** Where the signer comes from, as it was recorded. A passkey or a provider signs it together with the hash. */
    readonly origin?: {
      /** Of the signer in the workspace */
      readonly role: string
      /** The newest invitation. */
      readonly invited: {
        /** E-mail address, or `operator`; null where it was not recorded */
        readonly by: string | null
        /** When */
        readonly at: Instant
        /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
        readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
        /** Of who did it, in the workspace then */
        readonly role: string | null
        /** Of who did it then */
        readonly company: string | null
      }
      /** Null for somebody in whose name the operator signed */
      readonly joinedAt: Instant | null
      /** The newest link for a new password that was used, or password set by the operator */
      readonly renewed: {
        /** E-mail address, or `operator`; null where it was not recorded */
        readonly by: string | null
        /** When */
        readonly at: Instant
        /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
        readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
        /** Of who did it, in the workspace then */
        readonly role: string | null
        /** Of who did it then */
        readonly company: string | null
        /** LINK: a link for a new password; OPERATOR: a password set by command */
        readonly how: 'LINK' | 'OPERATOR'
        /** When it was used */
        readonly usedAt: Instant
      } | null
      /** Null for somebody without one */
      readonly company: {
        /** Of the party */
        readonly slug: string
        /** Null where it was not recorded */
        readonly put: {
          /** E-mail address, or `operator`; null where it was not recorded */
          readonly by: string | null
          /** When */
          readonly at: Instant
          /** OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace */
          readonly from: 'OPERATOR' | 'COMPANY' | 'WORKSPACE' | null
          /** Of who did it, in the workspace then */
          readonly role: string | null
          /** Of who did it then */
          readonly company: string | null
        } | null
        /** Null: it has confirmed none */
        readonly confirmed: {
          /** E-mail address of its administrator */
          readonly by: string
          /** When */
          readonly at: Instant
          /** Of the list */
          readonly hash: string
          /** Whether the signer is in it */
          readonly isListed: boolean
        } | null
      } | null
      readonly passkeys: ReadonlyArray<{
        /** Of the credential */
        readonly id: string
        /** When */
        readonly registeredAt: Instant
      }>
      /** Left out where the account is linked to none */
      readonly identities?: ReadonlyArray<{
        /** The provider’s address */
        readonly issuer: string
        /** As the provider names the person */
        readonly subject: string
        /** When the account was linked to it */
        readonly linkedAt: Instant
      }>
    }
    /** The list that was signed by one act, of which this is one entry. */
    readonly batch?: {
      /** What makes this entry unguessable, 32 hexadecimal digits */
      readonly salt: string
      /** Every entry of the act, ascending */
      readonly entries: readonly string[]
    }
    /** The name and address of the signer were redacted. */
    readonly redacted?: {
      /** When */
      readonly at: Instant
      /** E-mail address, or `operator` */
      readonly by: string
      /** Why */
      readonly reason: string
    }
  }>
  /** The installation’s */
  readonly seal: {
    /** The kind of signature */
    readonly algorithm: 'Ed25519'
    /** The installation’s key, base64url */
    readonly publicKey: string
    /** Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url */
    readonly value: string
  } | null
}

/** The number of a period that both parties settled on. */
export interface Settled {
  /** The slug of the agreement */
  readonly agreement: string
  /** Label of the period */
  readonly period: string
  /** The day it takes effect */
  readonly adjustmentDate: Day
  /** Settled, with up to 12 decimals */
  readonly factor: Decimal
  /** As it was signed */
  readonly signedFactor: Decimal
  /** Settled, of the only item; null where there are several or none */
  readonly price: Decimal | null
  /** The same as it was signed */
  readonly signedPrice: Decimal | null
  /** Of the prices */
  readonly currency: string | null
  /** Of the receipt that the settled number follows from */
  readonly receiptHash: string
  /** The last agreed correction of the period; null where there is none */
  readonly correction: string | null
  /** When the second party signed it */
  readonly agreedAt: Instant
}

/** Changes of terms, the newest first. */
export interface SpliceList {
  readonly data: readonly SpliceRow[]
  readonly pagination: Pagination
}

/** A change of terms that both parties sign. */
export interface SpliceRow {
  /** Identifier: `spl_…` of a splice, `amd_…` of an amendment */
  readonly id: string
  /** The slug of the agreement */
  readonly agreement: string
  /** Another series in the place of one that ends, any other document, or another price list */
  readonly kind: 'SPLICE' | 'AMENDMENT' | 'PRICE_LIST'
  /** Derived from who signed or refused it, and from what came after; never LAPSED */
  readonly state: 'PROPOSED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'AGREED' | 'SUPERSEDED' | 'REFUSED' | 'LAPSED'
  /** What both parties sign: SHA-256 of the body */
  readonly hash: string
  /** Why it is proposed */
  readonly ground: 'EVENT' | 'SUSPECT' | 'BY_HAND'
  /** The formula version that it changes */
  readonly basis: number
  /** The first adjustment date under the new terms */
  readonly effectiveFrom: Day
  /** Of a splice: the series that ends and the one that takes its place; else empty */
  readonly series: readonly string[]
  /** Those that were offered together have the same; null for one alone */
  readonly offer: string | null
  /** The open one whose place it took */
  readonly supersedes: string | null
  /** The version whose plan it carries out: then nobody has to sign it */
  readonly plannedBy: number | null
  /** Who proposed it */
  readonly proposedBy: string
  /** When */
  readonly proposedAt: Instant
  /** In the order they were given */
  readonly signatures: readonly SpliceSignature[]
  /** Null where nobody refused it */
  readonly refusal: {
    /** The side that refused it */
    readonly party: 'buyer' | 'supplier'
    /** In their words */
    readonly reason: string
    /** When */
    readonly at: Instant
  } | null
  /** The formula version that it made; null where it made none */
  readonly version: number | null
}

/** A party’s signature on exactly this hash. */
export interface SpliceSignature {
  /** For which side */
  readonly party: 'buyer' | 'supplier'
  /** E-mail address */
  readonly signedBy: string
  /** As the workspace names the person; empty where it does not */
  readonly name: string
  /** When */
  readonly signedAt: Instant
  /** How it was known who signs */
  readonly means: 'PASSKEY' | 'PROVIDER' | 'PASSWORD' | 'OPERATOR'
  /** Null where it was signed alone */
  readonly list: {
    /** Of the list */
    readonly hash: string
    /** How many changes it lists */
    readonly count: number
  } | null
}

/** A change of terms with everything that is signed. */
export interface Splice {
  /** Identifier: `spl_…` of a splice, `amd_…` of an amendment */
  readonly id: string
  /** The slug of the agreement */
  readonly agreement: string
  /** Another series in the place of one that ends, any other document, or another price list */
  readonly kind: 'SPLICE' | 'AMENDMENT' | 'PRICE_LIST'
  /** Derived from who signed or refused it, and from what came after; never LAPSED */
  readonly state: 'PROPOSED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'AGREED' | 'SUPERSEDED' | 'REFUSED' | 'LAPSED'
  /** What both parties sign: SHA-256 of the body */
  readonly hash: string
  /** Why it is proposed */
  readonly ground: 'EVENT' | 'SUSPECT' | 'BY_HAND'
  /** The formula version that it changes */
  readonly basis: number
  /** The first adjustment date under the new terms */
  readonly effectiveFrom: Day
  /** Of a splice: the series that ends and the one that takes its place; else empty */
  readonly series: readonly string[]
  /** Those that were offered together have the same; null for one alone */
  readonly offer: string | null
  /** The open one whose place it took */
  readonly supersedes: string | null
  /** The version whose plan it carries out: then nobody has to sign it */
  readonly plannedBy: number | null
  /** Who proposed it */
  readonly proposedBy: string
  /** When */
  readonly proposedAt: Instant
  /** In the order they were given */
  readonly signatures: readonly SpliceSignature[]
  /** Null where nobody refused it */
  readonly refusal: {
    /** The side that refused it */
    readonly party: 'buyer' | 'supplier'
    /** In their words */
    readonly reason: string
    /** When */
    readonly at: Instant
  } | null
  /** The formula version that it made; null where it made none */
  readonly version: number | null
  /** What was hashed, by its kind */
  readonly body: {
    /** The form of this proposal */
    readonly format: 'assize-splice/1'
    /** The edition of the rules it was computed by */
    readonly edition: number
    /** Who issued it; null for what was computed from files alone */
    readonly installation: {
      /** Its id */
      readonly id: string
      /** Its name */
      readonly name: string | null
    } | null
    /** The workspace; null for what was computed from files alone */
    readonly workspace: {
      /** Its id */
      readonly id: string
      /** In addresses */
      readonly slug: string
      /** Its name */
      readonly name: string
    } | null
    /** The slug */
    readonly pam: string
    /** The contract’s name */
    readonly name: string
    /** Who signs. */
    readonly parties: {
      /** The buyer as written; null where nobody is named */
      readonly buyer: readonly string[] | string | null
      /** The supplier as written; null where nobody is named */
      readonly supplier: readonly string[] | string | null
      /** The ways in which both may sign, the strictest first; left out: any */
      readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
    }
    /** What the parties that are named by their slugs are called, by slug; left out where none is */
    readonly companies?: Readonly<Record<string, string>>
    /** The formula version that it changes */
    readonly version: number
    /** The first adjustment date that is not signed by both */
    readonly effectiveFrom: Day
    /** The inputs that read the new series from then on */
    readonly inputs: readonly string[]
    /** The old series. */
    readonly old: {
      /** As formulas name it: `PROVIDER/code` */
      readonly series: string
      /** Its name */
      readonly name: string
      /** Its unit */
      readonly unit: string
      /** How often it has a value */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL'
    }
    /** The new series. */
    readonly new: {
      /** As formulas name it: `PROVIDER/code` */
      readonly series: string
      /** Its name */
      readonly name: string
      /** Its unit */
      readonly unit: string
      /** How often it has a value */
      readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL'
    }
    /** Why it is proposed. */
    readonly ground: {
      /** A published fact, what our figures show, or somebody’s own reason */
      readonly kind: 'EVENT' | 'SUSPECT' | 'BY_HAND'
      /** The id of the event; null for the others */
      readonly event: string | null
      /** Null where it is only a reason */
      readonly change: 'ENDED' | 'REBASED' | 'SUPERSEDED' | 'CANCELLED' | 'METHOD' | null
      /** In a sentence */
      readonly sentence: string
    }
    /** How the levels are connected */
    readonly method: 'OVERLAP' | 'POINT' | 'PUBLISHED' | 'SAME_LEVEL' | 'RELEVEL'
    /** Null where no periods are common */
    readonly window: {
      /** The first period */
      readonly from: string
      /** The last period */
      readonly until: string
      /** The finer series, averaged to the other’s periods; null: neither */
      readonly averaged: 'OLD' | 'NEW' | null
      /** Inside the window, by time */
      readonly leftOut: ReadonlyArray<{
        /** The period */
        readonly period: string
        /** Why */
        readonly why: string
      }>
    } | null
    /** Null where a new base is read in the new series */
    readonly coefficient: {
      /** OLD_TO_NEW: an old value times it is on the new level */
      readonly direction: 'OLD_TO_NEW' | 'NEW_TO_OLD'
      /** Exact */
      readonly exact: string
      /** As it is written in the document */
      readonly written: Decimal
      /** How it was rounded; null: not at all */
      readonly rounding: {
        /** How many */
        readonly dp: number
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | {
        /** Of what */
        readonly multiple: string
        /** How halves and rests are rounded */
        readonly mode: 'HALF_UP' | 'HALF_EVEN' | 'HALF_DOWN' | 'UP' | 'DOWN' | 'CEILING' | 'FLOOR'
      } | null
      /** Who published it; null where it was computed */
      readonly source: string | null
    } | null
    /** With RELEVEL; else empty */
    readonly bases: ReadonlyArray<{
      /** Name of the input */
      readonly input: string
      /** As it was written */
      readonly before: string
      /** What it read, exact */
      readonly beforeReading: string
      /** As it is written now */
      readonly after: string
      /** What it reads, exact */
      readonly afterReading: string
    }>
    /** The last period read from the old series */
    readonly join: string
    /** Whether it was asked that all values of the window be final */
    readonly waitedForFinal: boolean
    /** What it does to the agreement. */
    readonly effect: {
      /** By date */
      readonly signed: ReadonlyArray<{
        /** Label of the period */
        readonly period: string
        /** The day it takes effect */
        readonly adjustmentDate: Day
        /** Exact */
        readonly factor: string
        /** Hash of its receipt */
        readonly receipt: string
      }>
      /** The next four at most, by date */
      readonly next: ReadonlyArray<{
        /** Label of the period */
        readonly period: string
        /** The day it takes effect */
        readonly adjustmentDate: Day
        /** With the old series. */
        readonly old: {
          /** Price ÷ price at the start; null where there is a gap */
          readonly factor: string | null
          /** Null where the contract has none, or there is a gap */
          readonly price: string | null
          /** Why there is no number; null where there is one */
          readonly gap: string | null
        }
        /** With the new series. */
        readonly new: {
          /** Price ÷ price at the start; null where there is a gap */
          readonly factor: string | null
          /** Null where the contract has none, or there is a gap */
          readonly price: string | null
          /** Why there is no number; null where there is one */
          readonly gap: string | null
        }
        /** In the order of `windows` */
        readonly others: ReadonlyArray<{
          /** Price ÷ price at the start; null where there is a gap */
          readonly factor: string | null
          /** Null where the contract has none, or there is a gap */
          readonly price: string | null
          /** Why there is no number; null where there is one */
          readonly gap: string | null
        }>
      }>
      /** Neighbouring ones: half as long and twice as long; with POINT, other periods */
      readonly windows: ReadonlyArray<{
        /** The first period */
        readonly from: string
        /** The last period */
        readonly until: string
        /** As it would be written */
        readonly coefficient: Decimal
      }>
    }
    /** What both series say about the same periods. */
    readonly evidence: {
      /** The periods of the window, by time; empty where there are none */
      readonly overlap: ReadonlyArray<{
        /** The period */
        readonly period: string
        /** Of the old series; several where it is averaged */
        readonly old: ReadonlyArray<{
          /** The series, as `PROVIDER/code` */
          readonly series: string
          /** The period it describes */
          readonly period: string
          /** The digits as published */
          readonly value: Decimal
          readonly version: VersionTag
          /** The provider’s own mark */
          readonly flag: string | null
          /** When it was published */
          readonly published: Instant
          /** When it was stored; null where it came from a file */
          readonly recorded: Instant | null
        }>
        /** Of the new series; several where it is averaged */
        readonly new: ReadonlyArray<{
          /** The series, as `PROVIDER/code` */
          readonly series: string
          /** The period it describes */
          readonly period: string
          /** The digits as published */
          readonly value: Decimal
          readonly version: VersionTag
          /** The provider’s own mark */
          readonly flag: string | null
          /** When it was published */
          readonly published: Instant
          /** When it was stored; null where it came from a file */
          readonly recorded: Instant | null
        }>
        /** The new value divided by the old one, exact */
        readonly ratio: string
      }>
      /** The period whose ratio is furthest from the coefficient; null where there is none */
      readonly worst: string | null
      /** Spread of the ratios; null where too few periods are common */
      readonly spreadPct: Decimal | null
      /** Of the changes from period to period; null where too few periods are common */
      readonly correlation: Decimal | null
      /** Once they are on one level; null where too few periods are common */
      readonly differencePct: Decimal | null
      /** SHA-256 of the canonical JSON of `overlap` */
      readonly hash: string
    }
    readonly alternatives: ReadonlyArray<{
      /** As formulas name it */
      readonly series: string
      /** Its name */
      readonly name: string
      /** Why it is a candidate */
      readonly why: string
      /** The common periods that are compared; null where there are none */
      readonly common: string | null
      /** Spread of the ratios; null where too few periods are common */
      readonly spreadPct: Decimal | null
      /** Of the changes from period to period; null where too few periods are common */
      readonly correlation: Decimal | null
      /** Once they are on one level; null where too few periods are common */
      readonly differencePct: Decimal | null
    }>
    /** The whole new formula document */
    readonly document: string
  } | {
    /** Of the body */
    readonly format: 'assize-amendment/1'
    /** The edition of the rules it was computed by */
    readonly edition: number
    /** Who issued it; null for what was computed from files alone */
    readonly installation: {
      /** Its id */
      readonly id: string
      /** Its name */
      readonly name: string | null
    } | null
    /** The workspace; null for what was computed from files alone */
    readonly workspace: {
      /** Its id */
      readonly id: string
      /** In addresses */
      readonly slug: string
      /** Its name */
      readonly name: string
    } | null
    /** The slug */
    readonly pam: string
    /** The contract’s name */
    readonly name: string
    /** Who signs. */
    readonly parties: {
      /** The buyer as written; null where nobody is named */
      readonly buyer: readonly string[] | string | null
      /** The supplier as written; null where nobody is named */
      readonly supplier: readonly string[] | string | null
      /** The ways in which both may sign, the strictest first; left out: any */
      readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
    }
    /** What the parties that are named by their slugs are called, by slug; left out where none is */
    readonly companies?: Readonly<Record<string, string>>
    /** The formula version that it changes */
    readonly basis: number
    /** SHA-256 of the text of the document that governs */
    readonly documentBefore: string
    /** SHA-256 of the text of the document that takes its place */
    readonly documentAfter: string
    /** What differs, key by key */
    readonly differences: ReadonlyArray<{
      /** Such as `clause.cap.periodPct` */
      readonly path: string
      /** Null where the key was absent */
      readonly before: string | null
      /** Null where the key is absent */
      readonly after: string | null
    }>
    /** The contract’s own words; left out where they stay. */
    readonly words?: {
      /** Null where that has none */
      readonly before: string | null
      /** The words that take their place; null where there are none from then on */
      readonly after: {
        /** In their order; the first one is number 1 */
        readonly sentences: readonly string[]
        /** By sentence, then path */
        readonly links: ReadonlyArray<{
          /** Number of the sentence */
          readonly sentence: number
          /** Such as `inputs.steel.lag`; null where the sentence has nothing to compute */
          readonly path: string | null
        }>
        /** The file that they were read from; null where they were pasted */
        readonly file: {
          /** Its name */
          readonly name: string
          /** Of its bytes */
          readonly sha256: string
        } | null
      } | null
    }
    /** The first adjustment date under the new terms; what both have signed before stays */
    readonly effectiveFrom: Day
    /** The next adjustment dates under both terms, as known when it was proposed */
    readonly effect: ReadonlyArray<{
      /** The day it takes effect */
      readonly date: Day
      /** Label of the period */
      readonly period: string
      /** Under the terms that govern now; null where they have no such date */
      readonly before: {
        /** Null where there is no number, or the price before was 0 */
        readonly adjustmentPct: string | null
        /** Since the start; null where there is no number */
        readonly cumulativePct: string | null
        /** Null where there is no number, or the contract has no price */
        readonly price: string | null
        /** Why there is no number; null where there is one */
        readonly gap: string | null
      } | null
      /** Under the proposed terms; null where they have no such date */
      readonly after: {
        /** Null where there is no number, or the price before was 0 */
        readonly adjustmentPct: string | null
        /** Since the start; null where there is no number */
        readonly cumulativePct: string | null
        /** Null where there is no number, or the contract has no price */
        readonly price: string | null
        /** Why there is no number; null where there is one */
        readonly gap: string | null
      } | null
    }>
    /** Why, in words */
    readonly reason: string
    /** When it was proposed; figures are as known then */
    readonly knownAt: Instant
  } | {
    /** Of the body */
    readonly format: 'assize-price-list/1'
    /** The edition of the rules it was computed by */
    readonly edition: number
    /** Who issued it; null for what was computed from files alone */
    readonly installation: {
      /** Its id */
      readonly id: string
      /** Its name */
      readonly name: string | null
    } | null
    /** The workspace; null for what was computed from files alone */
    readonly workspace: {
      /** Its id */
      readonly id: string
      /** In addresses */
      readonly slug: string
      /** Its name */
      readonly name: string
    } | null
    /** The slug */
    readonly pam: string
    /** The contract’s name */
    readonly name: string
    /** Who signs. */
    readonly parties: {
      /** The buyer as written; null where nobody is named */
      readonly buyer: readonly string[] | string | null
      /** The supplier as written; null where nobody is named */
      readonly supplier: readonly string[] | string | null
      /** The ways in which both may sign, the strictest first; left out: any */
      readonly signWith?: ReadonlyArray<'passkey' | 'provider' | 'password'>
    }
    /** What the parties that are named by their slugs are called, by slug; left out where none is */
    readonly companies?: Readonly<Record<string, string>>
    /** The formula version that governs */
    readonly basis: number
    /** Null where it is the first */
    readonly listBefore: number | null
    /** SHA-256 of the rows of the list, as JSON */
    readonly listAfter: string
    /** The period from which it governs: `start` or a label */
    readonly from: string
    /** The first day of that period */
    readonly effectiveFrom: Day
    /** Of a first list that reaches back: until then the contract’s own price stays an item; null where it does not */
    readonly ownPriceUntil: Day | null
    /** What becomes of prices, as known when it was proposed. */
    readonly effect: {
      /** The newest period with a number: both lists are priced by its factor */
      readonly period: string
      /** Null where nothing has a price */
      readonly currency: string | null
      /** How many prices stay as they are */
      readonly unchanged: number
      /** By item and quantity */
      readonly changes: ReadonlyArray<{
        /** The key of the item */
        readonly item: string
        /** The quantity from which it counts, `0` for all */
        readonly fromQuantity: string
        /** Null where the item is new */
        readonly before: string | null
        /** Null where the item is left out */
        readonly after: string | null
        /** Null where there is none */
        readonly priceBefore: string | null
        /** Null where there is none */
        readonly priceAfter: string | null
      }>
    }
    /** Why, in words */
    readonly reason: string
    /** When it was proposed; figures are as known then */
    readonly knownAt: Instant
  }
}

/** What each route takes and answers, by its name in the descriptions. */
export interface Operations {
  /** Series visible to the workspace */
  readonly listSeries: {
    readonly ids: []
    readonly query: {
      /** Only series of this provider */
      readonly provider?: 'BLS' | 'FRED' | 'EIA' | 'ECB' | 'WORLD_BANK' | 'IMF' | 'EUROSTAT' | 'ONS' | 'STATCAN' | 'ABS' | 'BIS' | 'BOJ' | 'OECD' | 'DBNOMICS' | 'NASDAQ_DATA_LINK' | 'CUSTOM' | undefined
      /** At most this many, 50 by default */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesList
    readonly item: Series
  }
  /** Observations of one series, ascending */
  readonly listValues: {
    readonly ids: [seriesId: string]
    readonly query: {
      /** Start date, inclusive */
      readonly from?: string | undefined
      /** End date, inclusive */
      readonly to?: string | undefined
      /** At most this many, 500 by default; not together with last */
      readonly limit?: number | undefined
      /** The newest N, still ascending; not together with limit */
      readonly last?: number | undefined
      /** Only values with this data version */
      readonly version?: 'PRELIMINARY' | 'FINAL' | 'REVISED' | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
      /** summary: each observation as period, value, version and asOf */
      readonly view?: 'summary' | undefined
    }
    readonly answer: Values | SummaryValues
    readonly item: Observation
  }
  /** Every vintage of every period */
  readonly listVintages: {
    readonly ids: [seriesId: string]
    readonly query: {
      /** Start date, inclusive */
      readonly from?: string | undefined
      /** End date, inclusive */
      readonly to?: string | undefined
      /** At most this many, 500 by default */
      readonly limit?: number | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: Vintages
    readonly item: Vintage
  }
  /** Agreements of the workspace */
  readonly listAgreements: {
    readonly ids: []
    readonly query: {
      /** At most this many, 50 by default */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: AgreementList
    readonly item: AgreementSummary
  }
  /** One agreement, by id or slug */
  readonly getAgreement: {
    readonly ids: [pamId: string]
    readonly query: Readonly<Record<never, never>>
    readonly answer: Agreement
  }
  /** Computed adjustments of a model */
  readonly listAgreementValues: {
    readonly ids: [pamId: string]
    readonly query: {
      /** Start date, inclusive */
      readonly from?: string | undefined
      /** End date, inclusive */
      readonly to?: string | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: AgreementValues
    readonly item: AgreementValue
  }
  /** The adjustment of one period */
  readonly getAdjustment: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date */
      readonly period?: string | undefined
      /** The period in force on this day; not together with period */
      readonly date?: string | undefined
      /** Only values with this data version */
      readonly version?: 'PRELIMINARY' | 'FINAL' | 'REVISED' | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
      /** calculation: price, steps, observations and controls as well */
      readonly view?: 'calculation' | undefined
    }
    readonly answer: Adjustment | Calculation
  }
  /** The adjustment of one period with its whole calculation */
  readonly getCalculation: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date */
      readonly period?: string | undefined
      /** The period in force on this day; not together with period */
      readonly date?: string | undefined
      /** Only values with this data version */
      readonly version?: 'PRELIMINARY' | 'FINAL' | 'REVISED' | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: Calculation
  }
  /** Everything needed to recompute an adjustment */
  readonly getReceipt: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date */
      readonly period?: string | undefined
      /** The period in force on this day; not together with period */
      readonly date?: string | undefined
      /** Only values with this data version */
      readonly version?: 'PRELIMINARY' | 'FINAL' | 'REVISED' | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: Receipt
  }
  /** Whether the service runs */
  readonly getHealth: {
    readonly ids: []
    readonly query: Readonly<Record<never, never>>
    readonly answer: Health
  }
  /** What happened, in order */
  readonly listChanges: {
    readonly ids: []
    readonly query: {
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** start: from the beginning; not together with cursor. Without either the feed begins now */
      readonly from?: 'start' | undefined
      /** Only these, with commas between them: observations, metadata, calendar, index-event, follow, formula, status, signoff, agreed, objection, price-list, invoice, quantity, correction, note, waiver, splice, amendment; a cursor belongs to them */
      readonly kinds?: string | readonly string[] | undefined
      /** Seconds for which the answer is held where there is nothing new, at most 25 */
      readonly wait?: number | undefined
      /** At most this many, 500 unless said otherwise */
      readonly limit?: number | undefined
    }
    readonly answer: ChangeList
    readonly item: Change
  }
  /** Every new vintage of all series */
  readonly listNewVintages: {
    readonly ids: []
    readonly query: {
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** start: from the beginning; not together with cursor. Without either the feed begins now */
      readonly from?: 'start' | undefined
      /** At most this many, 2000 unless said otherwise */
      readonly limit?: number | undefined
    }
    readonly answer: VintageList
    readonly item: NewVintage
  }
  /** The number of every agreement in one period */
  readonly listAdjustments: {
    readonly ids: []
    readonly query: {
      /** The period in force on this day; not together with period */
      readonly date?: string | undefined
      /** The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date */
      readonly period?: string | undefined
      /** The newest period whose date has come and that has a number, as in v1; what is answered unless date or period is given */
      readonly latest?: true | undefined
      /** Only rows that both parties have signed, that are open, or that have no number */
      readonly status?: 'SIGNED' | 'OPEN' | 'BLOCKED' | undefined
      /** Only these agreements: at most 200 ids or slugs with commas between them; 404 where one does not exist */
      readonly ids?: string | readonly string[] | undefined
      /** At most this many, 200 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: AdjustmentList
    readonly item: AdjustmentRow
  }
  /** The newest values of many series */
  readonly listNewestValues: {
    readonly ids: []
    readonly query: {
      /** At most 50 ids, or names as formulas use them, with commas between them; 404 where one is not there */
      readonly series: string | readonly string[]
      /** The newest N periods of each, ascending; 1 unless said otherwise, at most 60 */
      readonly last?: number | undefined
      /** The values as they had been published by this day (to its end, UTC) or instant */
      readonly asOf?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: ValuesList
    readonly item: SeriesValues
  }
  /** The prices of all agreements on a day */
  readonly listPrices: {
    readonly ids: []
    readonly query: {
      /** The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with from and to */
      readonly period?: string | undefined
      /** The prices in force on this day; what no settled period prices is there as proposed; not together with period, from or to */
      readonly date?: string | undefined
      /** Only prices that are in force on this day or later */
      readonly from?: string | undefined
      /** Only prices that are in force on this day or earlier */
      readonly to?: string | undefined
      /** Only this item, by its key or by one that it replaces */
      readonly item?: string | undefined
      /** Only these agreements: at most 200 ids or slugs with commas between them; 404 where one does not exist */
      readonly ids?: string | readonly string[] | undefined
      /** Only agreements whose prices something may have changed after this: an entry, or an adjustment date that came: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without kinds */
      readonly changedSince?: string | undefined
      /** agreed: signed by both; signed: by at least one; all. With the last two, what is proposed beside a price in force is a row of its own. Files have agreed prices unless said otherwise */
      readonly only?: 'agreed' | 'signed' | 'all' | undefined
      /** At most this many, 1000 unless said otherwise; not with files */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
      /** For files: texts for columns that items have no `erp_` key for, as `NAME=VALUE` with commas between them; of an IDoc also those of its control record */
      readonly set?: string | undefined
      /** For files: how many decimals a price may have in the other system, 0 to 15 */
      readonly decimals?: number | undefined
    }
    readonly answer: PriceList
    readonly item: PriceRow
  }
  /** One agreement under other readings of its contract */
  readonly compareReadings: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The label of the period that is compared: 2026-Q1, 2026-03; the newest with a number unless given */
      readonly period?: string | undefined
    }
    readonly answer: ReadingList
    readonly item: Reading
  }
  /** What is not among the prices, and why */
  readonly listLeftOut: {
    readonly ids: []
    readonly query: {
      /** The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with from and to */
      readonly period?: string | undefined
      /** The prices in force on this day; what no settled period prices is there as proposed; not together with period, from or to */
      readonly date?: string | undefined
      /** Only prices that are in force on this day or later */
      readonly from?: string | undefined
      /** Only prices that are in force on this day or earlier */
      readonly to?: string | undefined
      /** Only this item, by its key or by one that it replaces */
      readonly item?: string | undefined
      /** Only these agreements: at most 200 ids or slugs with commas between them; 404 where one does not exist */
      readonly ids?: string | readonly string[] | undefined
      /** Only agreements whose prices something may have changed after this: an entry, or an adjustment date that came: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without kinds */
      readonly changedSince?: string | undefined
      /** The format of the file: what does not fit it is left out as well; json unless given */
      readonly for?: 'csv' | 'json' | 'sap-csv' | 'sap-idoc' | 'd365-purchase' | 'd365-sales' | 'bc' | undefined
      /** agreed: signed by both; signed: by at least one; all. With the last two, what is proposed beside a price in force is a row of its own. Files have agreed prices unless said otherwise */
      readonly only?: 'agreed' | 'signed' | 'all' | undefined
      /** For files: texts for columns that items have no `erp_` key for, as `NAME=VALUE` with commas between them; of an IDoc also those of its control record */
      readonly set?: string | undefined
      /** For files: how many decimals a price may have in the other system, 0 to 15 */
      readonly decimals?: number | undefined
      /** At most this many, 1000 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: LeftOutList
    readonly item: LeftOutRow
  }
  /** The prices of one agreement */
  readonly listPricesOfAgreement: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The prices of one period: start, or the label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date nor with from and to */
      readonly period?: string | undefined
      /** The prices in force on this day; what no settled period prices is there as proposed; not together with period, from or to */
      readonly date?: string | undefined
      /** Only prices that are in force on this day or later */
      readonly from?: string | undefined
      /** Only prices that are in force on this day or earlier */
      readonly to?: string | undefined
      /** Only this item, by its key or by one that it replaces */
      readonly item?: string | undefined
      /** At most this many, 1000 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: PriceList
    readonly item: PriceRow
  }
  /** Kept invoice lines */
  readonly listInvoiceLines: {
    readonly ids: []
    readonly query: {
      /** Only lines of this agreement, by id or slug; 404 where there is none */
      readonly pam?: string | undefined
      /** Only lines of invoices of this day or later */
      readonly from?: string | undefined
      /** Only lines of invoices of this day or earlier */
      readonly to?: string | undefined
      /** At most this many, 500 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: InvoiceLineList
    readonly item: InvoiceLine
  }
  /** The kept lines of one invoice */
  readonly listLinesOfInvoice: {
    readonly ids: [supplierKey: string, number: string]
    readonly query: {
      /** At most this many, 500 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: InvoiceLineList
    readonly item: InvoiceLine
  }
  /** Checks invoice lines against settled prices */
  readonly checkInvoiceLines: {
    readonly ids: []
    readonly query: {
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: CheckAnswer
    readonly item: CheckRow
  }
  /** The corrections of an agreement */
  readonly listCorrections: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
      /** At most this many, 200 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: CorrectionList
    readonly item: Correction
  }
  /** One correction */
  readonly showCorrection: {
    readonly ids: [correctionId: string]
    readonly query: {
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: Correction
  }
  /** Everything needed to check a correction offline */
  readonly showCorrectionReceipt: {
    readonly ids: [correctionId: string]
    readonly query: {
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: CorrectionReceipt
  }
  /** The number both parties settled on */
  readonly showSettled: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The label of a period: 2026-Q1, 2026-03, 2026-H1, 2026, 2026-W05 or 2026-03-15, with a number where several dates share it (2026-Q3.2); not together with date */
      readonly period?: string | undefined
      /** The period in force on this day; not together with period */
      readonly date?: string | undefined
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: Settled
  }
  /** What is due, and what it waits for */
  readonly listDue: {
    readonly ids: []
    readonly query: {
      /** How far ahead: a number of days, weeks or months, 1 to 400 days, such as 30d, 6w or 3m; 30d unless given */
      readonly within?: string | undefined
      /** Only dates in this state */
      readonly state?: 'LATE' | 'BLOCKED' | 'AT_RISK' | 'WAITING' | 'READY' | 'FINAL_PENDING' | 'SCHEDULED' | undefined
      /** At most this many, 200 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: DueList
    readonly item: DueRow
  }
  /** When the next figures of a series are expected */
  readonly listNextDates: {
    readonly ids: [seriesId: string]
    readonly query: {
      /** What was known by this day (to its end, UTC) or instant */
      readonly knownAt?: string | undefined
    }
    readonly answer: NextDates
    readonly item: NextDate
  }
  /** Changes of terms that both sign */
  readonly listSplices: {
    readonly ids: []
    readonly query: {
      /** Only this agreement, by id or slug; 404 where it does not exist */
      readonly pam?: string | undefined
      /** Only those in this state */
      readonly state?: 'PROPOSED' | 'SIGNED_BY_BUYER' | 'SIGNED_BY_SUPPLIER' | 'AGREED' | 'SUPERSEDED' | 'REFUSED' | 'LAPSED' | undefined
      /** Only those that replace this series or put it in the place of another: `PROVIDER/code` */
      readonly series?: string | readonly string[] | undefined
      /** At most this many, 100 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: SpliceList
    readonly item: SpliceRow
  }
  /** One change of terms */
  readonly showSplice: {
    readonly ids: [spliceId: string]
    readonly query: Readonly<Record<never, never>>
    readonly answer: Splice
  }
  /** Finds series by what formulas call them */
  readonly findSeries: {
    readonly ids: []
    readonly query: {
      /** The series by the name that formulas use: `PROVIDER/code` */
      readonly code?: string | undefined
      /** Only series whose name or code contains this text, in any case */
      readonly q?: string | undefined
      /** Only series of this frequency */
      readonly frequency?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL' | undefined
      /** Only series with something recorded after this RFC 3339 instant */
      readonly updatedSince?: string | undefined
      /** At most this many, 200 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesList
    readonly item: ExtSeries
  }
  /** What providers announce to publish */
  readonly listReleases: {
    readonly ids: []
    readonly query: {
      /** Only releases of this day (UTC) or later; today unless said otherwise */
      readonly from?: string | undefined
      /** Only releases of this day (UTC) or earlier, at most 366 days after from; 90 days after it unless said otherwise */
      readonly to?: string | undefined
      /** Only series of this provider */
      readonly provider?: 'BLS' | 'FRED' | 'EIA' | 'ECB' | 'WORLD_BANK' | 'IMF' | 'EUROSTAT' | 'ONS' | 'STATCAN' | 'ABS' | 'BIS' | 'BOJ' | 'OECD' | 'DBNOMICS' | 'NASDAQ_DATA_LINK' | 'CUSTOM' | undefined
      /** Only what these come with: at most 50 ids, or names as formulas use them, with commas between them; 404 where one is not there */
      readonly series?: string | readonly string[] | undefined
      /** What had been announced by this day (to its end, UTC) or instant */
      readonly knownAt?: string | undefined
      /** At most this many, 500 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: ReleaseList
    readonly item: Release
  }
  /** What is known about indices */
  readonly listIndexEvents: {
    readonly ids: []
    readonly query: {
      /** Only series of this provider */
      readonly provider?: 'BLS' | 'FRED' | 'EIA' | 'ECB' | 'WORLD_BANK' | 'IMF' | 'EUROSTAT' | 'ONS' | 'STATCAN' | 'ABS' | 'BIS' | 'BOJ' | 'OECD' | 'DBNOMICS' | 'NASDAQ_DATA_LINK' | 'CUSTOM' | undefined
      /** Only what is about these: at most 50 ids, or names as formulas use them, with commas between them; 404 where one is not there */
      readonly series?: string | readonly string[] | undefined
      /** What was known here by this day (to its end, UTC) or instant */
      readonly knownAt?: string | undefined
      /** At most this many, 500 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: IndexEventList
    readonly item: IndexEvent
  }
  /** What publications did to agreements */
  readonly listRadar: {
    readonly ids: []
    readonly query: {
      /** Only what was published after this: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without kinds */
      readonly since?: string | undefined
      /** Only what was published by then; everything unless given: YYYY-MM-DD (to its end, UTC), an RFC 3339 instant, or a cursor of /changes without kinds */
      readonly until?: string | undefined
      /** Only this agreement, by id or slug; 404 where it does not exist */
      readonly pam?: string | undefined
      /** At most this many, 200 unless said otherwise */
      readonly limit?: number | undefined
      /** nextCursor of an earlier answer to the same request */
      readonly cursor?: string | undefined
    }
    readonly answer: RadarList
    readonly item: RadarRow
  }
  /** Every cent between contract and invoices */
  readonly readTrueUpLedger: {
    readonly ids: [pamId: string]
    readonly query: {
      /** The values as stored here at this day (to its end, UTC) or instant; repeatable forever */
      readonly knownAt?: string | undefined
    }
    readonly answer: TrueUpLedger
  }
}

/** Where each route is. `numbers` are fields that travel as JSON numbers and are read as decimals. */
export const routes = {
  listSeries: { path: '/v1/series' },
  listValues: { path: '/v1/series/{seriesId}/values' },
  listVintages: { path: '/v1/series/{seriesId}/vintages' },
  listAgreements: { path: '/v1/pams' },
  getAgreement: { path: '/v1/pams/{pamId}' },
  listAgreementValues: { path: '/v1/pams/{pamId}/values' },
  getAdjustment: { path: '/v1/pams/{pamId}/adjustment', numbers: ['adjustmentPct', 'cumulativeAdjustmentPct', 'weight', 'change'] },
  getCalculation: { path: '/v1/pams/{pamId}/adjustment/calculation' },
  getReceipt: { path: '/v1/pams/{pamId}/adjustment/receipt' },
  getHealth: { path: '/v1/health' },
  listChanges: { path: '/ext/v1/changes' },
  listNewVintages: { path: '/ext/v1/vintages' },
  listAdjustments: { path: '/ext/v1/adjustments' },
  listNewestValues: { path: '/ext/v1/values' },
  listPrices: { path: '/ext/v1/prices' },
  compareReadings: { path: '/ext/v1/pams/{pamId}/readings' },
  listLeftOut: { path: '/ext/v1/left-out' },
  listPricesOfAgreement: { path: '/ext/v1/pams/{pamId}/prices' },
  listInvoiceLines: { path: '/ext/v1/invoices' },
  listLinesOfInvoice: { path: '/ext/v1/invoices/{supplierKey}/{number}' },
  checkInvoiceLines: { path: '/ext/v1/check', takesBody: true },
  listCorrections: { path: '/ext/v1/pams/{pamId}/corrections' },
  showCorrection: { path: '/ext/v1/corrections/{correctionId}' },
  showCorrectionReceipt: { path: '/ext/v1/corrections/{correctionId}/receipt' },
  showSettled: { path: '/ext/v1/pams/{pamId}/settled' },
  listDue: { path: '/ext/v1/due' },
  listNextDates: { path: '/ext/v1/series/{seriesId}/next' },
  listSplices: { path: '/ext/v1/splices' },
  showSplice: { path: '/ext/v1/splices/{spliceId}' },
  findSeries: { path: '/ext/v1/series' },
  listReleases: { path: '/ext/v1/releases' },
  listIndexEvents: { path: '/ext/v1/index-events' },
  listRadar: { path: '/ext/v1/radar' },
  readTrueUpLedger: { path: '/ext/v1/pams/{pamId}/ledger' },
} as const
