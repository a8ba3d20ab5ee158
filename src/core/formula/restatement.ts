// A formula document with its descriptions as they stand now. Name, description, status and parties may change without a
// new document being kept; who goes on from the kept text must not bring the old ones back.
import { isMap, parseDocument } from 'yaml'
import { checkDocument } from './check.ts'
import type { Formula } from './formula.ts'

export type Descriptions = Pick<Formula, 'name' | 'description' | 'status' | 'parties'>

/** The same text where nothing differs; else written anew from its tree, comments and digits included. */
export function restate(text: string, now: Descriptions): string {
  const { formula } = checkDocument(text)
  if (formula === null) return text
  const document = parseDocument(text, { schema: 'failsafe' })
  if (!isMap(document.contents)) return text
  let isChanged = false
  const put = (key: string, value: unknown) => {
    isChanged = true
    if (value === null) document.delete(key)
    else document.set(key, document.createNode(value))
  }
  if (formula.name !== now.name) put('name', now.name)
  if (formula.description !== now.description) put('description', now.description === '' ? null : now.description)
  if (formula.status !== now.status) put('status', now.status)
  if (!isSameSide(formula, now, 'buyer') || !isSameSide(formula, now, 'supplier')) put('parties', partiesOf(now))
  return isChanged ? document.toString({ lineWidth: 0, flowCollectionPadding: true }) : text
}

function isSameSide(a: Descriptions, b: Descriptions, side: 'buyer' | 'supplier'): boolean {
  return JSON.stringify(a.parties[side]) === JSON.stringify(b.parties[side])
}

function partiesOf({ parties: { buyer, supplier } }: Descriptions): object | null {
  if (buyer === null && supplier === null) return null
  return { ...(buyer === null ? {} : { buyer }), ...(supplier === null ? {} : { supplier }) }
}
