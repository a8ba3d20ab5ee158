// The identity of invoice lines: one normal form of numbers and names, and suppliers as known parties. Two texts that a person
// reads alike have one form. Shown texts keep their spelling.

/** Joins the parts of a key; no normal form has it. */
const between = '\n'

/** Invisible characters: joiners, marks of direction, soft hyphens, fillers, selectors, and spaces thinner than a letter. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2006\u2008-\u200A\u202F\u205F\u2800]/gu
const dashes = /[\p{Pd}\u02D7\u2043\u2212]/gu
const slashes = /[\u2044\u2215\u29F8]/gu
const plain = /^[\x20-\x7E]*$/

/** Letters of other alphabets that look like Latin ones, small or capital; in lower case. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    'аa',
    'вb',
    'еe',
    'кk',
    'мm',
    'нh',
    'оo',
    'рp',
    'сc',
    'тt',
    'уy',
    'хx',
    'ѕs',
    'іi',
    'јj',
    'ԛq',
    'ԝw',
    'һh',
    'ӏl',
    'αa',
    'βb',
    'εe',
    'ζz',
    'ηh',
    'ιi',
    'κk',
    'μm',
    'νn',
    'οo',
    'ρp',
    'τt',
    'υy',
    'χx',
  ].map(([one, other]) => [one!, other!]),
)

/**
 * The form by which numbers and names are compared: compatible characters are one, case, invisible characters and
 * leading zeros do not count, white space only between two digits. Punctuation inside counts: A-1 is not A1.
 */
export function normalForm(text: string): string {
  const simple = plain.test(text) ? text.toLowerCase() : foldedForm(text)
  return simple
    .replace(/\s+/gu, ' ')
    .replace(/(?<!\d) | (?!\d)/g, '')
    .replace(/^[.,;:'"]+|[.,;:'"]+$/g, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}

/** Goes through upper case, which makes one of ß and ss, of ſ and s. */
function foldedForm(text: string): string {
  const folded = visibleForm(text).toUpperCase().toLowerCase()
  return visibleForm(folded).replace(/[^\x20-\x7E]/gu, char => lookalikes.get(char) ?? char)
}

/** The visible part of a key in which case and zeros count: compatible characters, dashes and digits are one. */
export function visibleForm(text: string): string {
  if (plain.test(text)) return text.replace(/ +/g, ' ').trim()
  return (
    text
      // Runs before thin spaces become ordinary ones, and again on the result of the compatible form.
      .replace(invisible, '')
      .normalize('NFKC')
      .replace(invisible, '')
      .replace(dashes, '-')
      .replace(slashes, '/')
      .replace(/\p{Nd}/gu, writtenDigit)
      .replace(/\s+/gu, ' ')
      .trim()
  )
}

const decimalDigit = /^\p{Nd}$/u

/** Digits of every script stand in rows of ten, from zero on. */
function writtenDigit(char: string): string {
  const code = char.codePointAt(0)!
  let before = 0
  while (decimalDigit.test(String.fromCodePoint(code - before - 1))) before++
  return `${before % 10}`
}

/** A company that may be a supplier, with every name it has had. */
export interface KnownSupplier {
  readonly slug: string
  /** The newest first. */
  readonly names: readonly string[]
}

/** Companies by their names on lines: the slug first, then the newest name, then earlier ones. */
export class SupplierNames {
  /** Slugs by name; null for a name of several companies. */
  readonly #slugs = new Map<string, string | null>()

  constructor(known: readonly KnownSupplier[]) {
    const rounds = [
      known.map(({ slug }) => ({ slug, form: normalForm(slug) })),
      known.map(({ slug, names }) => ({ slug, form: normalForm(names[0] ?? '') })),
      known.flatMap(({ slug, names }) => names.slice(1).map(name => ({ slug, form: normalForm(name) }))),
    ]
    for (const round of rounds) this.#enter(round)
  }

  #enter(round: readonly { readonly slug: string; readonly form: string }[]): void {
    const found = new Map<string, string | null>()
    for (const { slug, form } of round) {
      if (form === '' || this.#slugs.has(form)) continue
      found.set(form, (found.get(form) ?? slug) === slug && found.get(form) !== null ? slug : null)
    }
    for (const [form, slug] of found) this.#slugs.set(form, slug)
  }

  /** The slug of the company that a text names; null for no company, and for a name of several. */
  find(text: string): string | null {
    return this.#slugs.get(normalForm(text)) ?? null
  }
}

/** The supplier whose number a line has. */
export interface NamedSupplier {
  /** The company, by its slug; null for a supplier that is no known party of the agreement. */
  readonly company: string | null
  /** The supplier as written. */
  readonly supplier: string
}

/** The key by which suppliers are compared: the company, else the text in its normal form. */
export function supplierKeyOf({ company, supplier }: NamedSupplier): string {
  return company ?? normalForm(supplier)
}

/** The fields that tell lines apart. */
export interface NamedLine {
  readonly supplierKey: string
  /** Whether the supplier is a known party of the agreement. */
  readonly isParty: boolean
  readonly number: string
  readonly line: string
  readonly agreementId: string
}

/**
 * Lines by identity. Under one number, lines of two agreements are one line if they have one supplier; lines of one agreement
 * are told apart by their suppliers only if both are known parties.
 */
export class LineIdentities<T extends NamedLine> {
  readonly #bySupplier = new Map<string, T[]>()
  readonly #byAgreement = new Map<string, T[]>()

  add(line: T): void {
    const { supplierKey, agreementKey } = keysOf(line)
    push(this.#bySupplier, supplierKey, line)
    push(this.#byAgreement, agreementKey, line)
  }

  /** Added lines that are this line, in the order they were added. */
  find(line: NamedLine): readonly T[] {
    const { supplierKey, agreementKey } = keysOf(line)
    const found = this.#bySupplier.get(supplierKey) ?? []
    const others = (this.#byAgreement.get(agreementKey) ?? []).filter(
      each => !found.includes(each) && !(line.isParty && each.isParty),
    )
    return [...found, ...others]
  }
}

function keysOf({ supplierKey, number, line, agreementId }: NamedLine) {
  const rest = [normalForm(number), normalForm(line)]
  return { supplierKey: [supplierKey, ...rest].join(between), agreementKey: [agreementId, ...rest].join(between) }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
