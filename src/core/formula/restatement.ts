// A formula document with its current descriptions. Name, description, status, parties and billing terms may change
// without a new document being stored; editing the stored text must not bring the old ones back.

import { isMap, parseDocument, visit } from 'yaml'
import { parties } from '../parties.ts'
import { checkDocument } from './check/check.ts'
import { priceDateKey, prorateKey } from './check/document-keys.ts'
import type { Billing, Formula } from './formula.ts'

export type Descriptions = Pick<Formula, 'name' | 'description' | 'status' | 'parties' | 'billing'>

/** The text itself if nothing differs; otherwise it is written again from its tree, comments and digits included. */
export function restate(text: string, now: Descriptions): string {
  const { formula } = checkDocument(text)
  if (formula === null) return text
  const document = parseDocument(text, { schema: 'failsafe' })
  if (!isMap(document.contents)) return text
  let isChanged = false
  const put = (path: readonly string[], value: unknown) => {
    isChanged = true
    if (value === null) document.deleteIn(path)
    else document.setIn(path, document.createNode(value, { flow: path.length > 1 }))
  }
  if (formula.name !== now.name) put(['name'], now.name)
  if (formula.description !== now.description) put(['description'], now.description === '' ? null : now.description)
  if (formula.status !== now.status) put(['status'], now.status)
  if (partyParts.some(part => !isSamePart(formula, now, part))) put(['parties'], partiesOf(now))
  for (const [key, value] of billingDifferences(formula.billing, now.billing)) put(['contract', key], value)
  return isChanged ? document.toString({ lineWidth: 0, flowCollectionPadding: true }) : text
}

/**
 * A document that was written for somebody else: its rule under other descriptions, without its comments. Billing terms are
 * left as they are where none are given.
 */
export function retell(
  text: string,
  now: Omit<Descriptions, 'billing'> & { readonly billing: Billing | null },
): string {
  const { formula } = checkDocument(text)
  if (formula === null) return text
  const document = parseDocument(restate(text, { ...now, billing: now.billing ?? formula.billing }), {
    schema: 'failsafe',
  })
  document.comment = null
  document.commentBefore = null
  visit(document, {
    Node(_key, node) {
      node.comment = null
      node.commentBefore = null
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

const partyParts = [...parties, 'signWith'] as const

function isSamePart(a: Descriptions, b: Descriptions, part: (typeof partyParts)[number]): boolean {
  return JSON.stringify(a.parties[part]) === JSON.stringify(b.parties[part])
}

function partiesOf({ parties: { buyer, supplier, signWith } }: Descriptions): object | null {
  const named = Object.entries({ buyer, supplier, signWith }).filter(([, value]) => value != null)
  return named.length === 0 ? null : Object.fromEntries(named)
}

/** The keys that differ, each as it is written now; null where it is left out. */
function billingDifferences(
  then: Billing,
  now: Billing,
): readonly (readonly [key: keyof Billing, value: WrittenField])[] {
  const differences: [keyof Billing, WrittenField][] = []
  if (JSON.stringify(then.references) !== JSON.stringify(now.references))
    differences.push(['references', now.references.length === 0 ? null : now.references])
  if (then.priceDate !== now.priceDate)
    differences.push(['priceDate', now.priceDate === priceDateKey.otherwise ? null : now.priceDate])
  if (then.prorate !== now.prorate)
    differences.push(['prorate', now.prorate === prorateKey.otherwise ? null : now.prorate])
  return differences
}

type WrittenField = string | readonly string[] | null
