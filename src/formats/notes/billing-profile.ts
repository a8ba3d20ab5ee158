// What an electronic document says besides the correction: the two companies, the tax and a few codes. Read from
// `billing.yaml`; everything that is missing is named at once.
import { isRawMap, type Raw, type RawMap, readRaw } from '../../core/formula/raw.ts'
import { ofInteger, parseExact, type Ratio, writeExact } from '../../core/numbers/ratio.ts'
import { Refusal } from '../../core/refusal.ts'

export interface ProfileParty {
  readonly name: string
  readonly street: string | null
  readonly city: string | null
  readonly zip: string | null
  /** Two capital letters. */
  readonly country: string
  readonly vat: string | null
  /** Of the register of companies. */
  readonly id: string | null
  /** Its electronic address: the scheme and the identifier in it. */
  readonly endpoint: { readonly scheme: string; readonly id: string } | null
}

export interface BillingProfile {
  readonly supplier: ProfileParty
  readonly buyer: ProfileParty
  readonly tax: {
    /** `S`, `Z`, `E`, `AE`, … */
    readonly category: string
    readonly rate: Ratio
    readonly exemption: string | null
  }
  /** Of an invoice that asks for money. */
  readonly invoiceCode: string
  readonly unitCode: string
  readonly customization: string
  readonly process: string
}

const partyKeys = ['name', 'street', 'city', 'zip', 'country', 'vat', 'id', 'endpoint'] as const
const rootKeys = ['supplier', 'buyer', 'tax', 'invoiceCode', 'unitCode', 'customization', 'process'] as const
const usual = {
  invoiceCode: '380',
  unitCode: 'C62',
  customization: 'urn:cen.eu:en16931:2017',
  process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
} as const

/** The message for people who have none. */
export const whyNoProfile = `a billing profile is missing: name it with --profile. It says who the parties are and which tax counts, for example
supplier: { name: Ohio Forge, country: US }
buyer: { name: Graz Assembly, country: AT, vat: ATU12345678 }
tax: { category: S, rate: 20 }
`

export function readBillingProfile(source: string): BillingProfile {
  const { root, problems } = readRaw(source)
  const found: string[] = problems.map(({ message }) => message)
  if (found.length === 0 && !isRawMap(root)) found.push('it must be a mapping with supplier, buyer and tax')
  const reader = new ProfileReader(isRawMap(root) ? root : new Map(), found)
  const profile = reader.read()
  if (found.length > 0) throw new Refusal('invalid', `the billing profile cannot be used: ${found.join('; ')}`)
  return profile
}

class ProfileReader {
  readonly #root: RawMap
  readonly #problems: string[]

  constructor(root: RawMap, problems: string[]) {
    this.#root = root
    this.#problems = problems
  }

  read(): BillingProfile {
    this.#refuseUnknown(this.#root, '', rootKeys)
    const tax = this.#mapping('tax')
    this.#refuseUnknown(tax, 'tax.', ['category', 'rate', 'exemption'])
    return {
      supplier: this.#party('supplier'),
      buyer: this.#party('buyer'),
      tax: {
        category: this.#matching(
          tax,
          'tax.category',
          'category',
          /^[A-Z]{1,2}$/,
          'one or two capital letters, such as S',
        ),
        rate: this.#rate(tax),
        exemption: this.#optional(tax, 'exemption'),
      },
      invoiceCode: this.#optional(this.#root, 'invoiceCode') ?? usual.invoiceCode,
      unitCode: this.#optional(this.#root, 'unitCode') ?? usual.unitCode,
      customization: this.#optional(this.#root, 'customization') ?? usual.customization,
      process: this.#optional(this.#root, 'process') ?? usual.process,
    }
  }

  #mapping(key: string): RawMap {
    const value = this.#root.get(key)
    if (isRawMap(value)) return value
    this.#problems.push(value === undefined ? `${key} is missing` : `${key} must be a mapping`)
    return new Map()
  }

  #party(side: 'supplier' | 'buyer'): ProfileParty {
    const isThere = isRawMap(this.#root.get(side))
    const party = this.#mapping(side)
    this.#refuseUnknown(party, `${side}.`, partyKeys)
    const needed = (key: string, pattern: RegExp, what: string) =>
      isThere ? this.#matching(party, `${side}.${key}`, key, pattern, what) : ''
    const endpoint = this.#optional(party, 'endpoint')
    const [, scheme, id] = /^([^:]+):(.+)$/.exec(endpoint ?? '') ?? []
    if (endpoint !== null && id === undefined)
      this.#problems.push(`${side}.endpoint must be SCHEME:ID, got "${endpoint}"`)
    return {
      name: needed('name', /\S/, 'the name of the company'),
      street: this.#optional(party, 'street'),
      city: this.#optional(party, 'city'),
      zip: this.#optional(party, 'zip'),
      country: needed('country', /^[A-Z]{2}$/, 'two capital letters, such as AT'),
      vat: this.#optional(party, 'vat'),
      id: this.#optional(party, 'id'),
      endpoint: scheme === undefined || id === undefined ? null : { scheme, id },
    }
  }

  #refuseUnknown(map: RawMap, path: string, known: readonly string[]): void {
    for (const key of map.keys()) if (!known.includes(key)) this.#problems.push(`${path}${key} is not known`)
  }

  #matching(map: RawMap, path: string, key: string, pattern: RegExp, what: string): string {
    const value = map.get(key)
    if (typeof value === 'string' && pattern.test(value)) return value
    this.#problems.push(
      value === undefined ? `${path} is missing: ${what}` : `${path} must be ${what}, got ${tell(value)}`,
    )
    return ''
  }

  #optional(map: RawMap, key: string): string | null {
    const value = map.get(key)
    return typeof value === 'string' && value !== '' ? value : null
  }

  #rate(tax: RawMap): Ratio {
    const written = tax.get('rate')
    const rate = typeof written === 'string' ? parseExact(written) : null
    // A document has it as a decimal: a third of a percent has no place there.
    const isDecimal = rate !== null && !writeExact(rate).includes('/')
    const isUsable = rate !== null && isDecimal && rate.n >= 0n && rate.n <= 100n * rate.d
    if (!isUsable)
      this.#problems.push(
        written === undefined
          ? 'tax.rate is missing: percent, such as 20'
          : `tax.rate must be a decimal number from 0 to 100, got ${tell(written)}`,
      )
    return isUsable ? rate : ofInteger(0)
  }
}

function tell(value: Raw): string {
  return typeof value === 'string' ? `"${value}"` : 'something else'
}
