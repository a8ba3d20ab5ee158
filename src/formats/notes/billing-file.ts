// `billing.yaml`: the details of a note besides the correction. They replace the parties' stored details, field by field;
// everything that cannot be read is named at once, and the rules of the note find what is missing.
import type { BillingSaid } from '../../core/billing/note-details.ts'
import { detailProblems, type PartyTexts, type Side, trimDetails } from '../../core/billing/party-fields.ts'
import { isRawMap, type Raw, type RawMap, readRaw } from '../../core/formula/raw.ts'
import { Refusal } from '../../core/refusal.ts'

/** Keys at the top of the file that are details of a side. */
const aliases: Readonly<Record<string, readonly [side: Side, key: string]>> = {
  tax: ['supplier', 'tax'],
  payment: ['supplier', 'payment'],
  buyerReference: ['buyer', 'reference'],
  orderReference: ['buyer', 'order'],
  language: ['buyer', 'language'],
  profile: ['buyer', 'profile'],
}
const documentKeys = ['invoiceCode', 'unitCode', 'customization', 'process'] as const

export function readBillingFile(source: string): BillingSaid {
  const { root, problems } = readRaw(source)
  const found: string[] = problems.map(({ message }) => message)
  if (found.length === 0 && !isRawMap(root)) found.push('it must be a mapping with supplier, buyer and tax')
  const said = readSaid(isRawMap(root) ? root : new Map(), found)
  if (found.length > 0) throw new Refusal('invalid', `the billing file cannot be used: ${found.join('; ')}`)
  return said
}

/** The details of one party, as under `supplier` or `buyer`. */
export function readDetailsFile(source: string): PartyTexts {
  const { root, problems } = readRaw(source)
  const found: string[] = problems.map(({ message }) => message)
  const details: Record<string, string> = {}
  if (isRawMap(root)) flatten(root, '', details, problem => found.push(problem))
  else if (found.length === 0) found.push('it must be a mapping of fields')
  found.push(...detailProblems(details, null))
  if (found.length > 0) throw new Refusal('invalid', `the file cannot be used: ${found.join('; ')}`)
  return trimDetails(details)
}

function readSaid(root: RawMap, problems: string[]): BillingSaid {
  const said: Record<keyof BillingSaid, Record<string, string>> = { supplier: {}, buyer: {}, document: {} }
  for (const [key, value] of root) {
    if (key === 'supplier' || key === 'buyer') {
      if (isRawMap(value)) flatten(value, '', said[key], problem => problems.push(`${key}.${problem}`))
      else problems.push(`${key} must be a mapping`)
    } else if (aliases[key] !== undefined) {
      const [side, own] = aliases[key]
      flatten(new Map([[own, value]]), '', said[side], problem => problems.push(problem.replace(own, key)))
    } else if (documentKeys.some(each => each === key)) {
      flatten(new Map([[key, value]]), '', said.document, problem => problems.push(problem))
    } else problems.push(`${key} is not known`)
  }
  for (const side of ['supplier', 'buyer'] as const)
    for (const problem of detailProblems(said[side], side, `${side}.`))
      problems.push(problem.replace(/^supplier\.(?=tax\.|payment\.)/, ''))
  return {
    supplier: trimDetails(said.supplier),
    buyer: trimDetails(said.buyer),
    document: trimDetails(said.document),
  }
}

/** `contact: { name: X }` → `contact.name`. */
function flatten(map: RawMap, path: string, into: Record<string, string>, refuse: (problem: string) => void): void {
  for (const [key, value] of map) {
    const name = `${path}${key}`
    if (isRawMap(value)) flatten(value, `${name}.`, into, refuse)
    else if (typeof value === 'string') into[name] = value
    else if (!isNothing(value)) refuse(`${name} must be one value`)
  }
}

function isNothing(value: Raw): boolean {
  return value === null
}
