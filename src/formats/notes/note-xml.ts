// Elements of an XML document as text: what is empty is left out, because no receiver takes empty elements.

import { escapeXml } from '../xml-text.ts'
import type { SchemedId } from './billing-profile.ts'

export type Xml = string

/** An element; the empty text where its content is empty. */
export function element(name: string, content: readonly Xml[], attributes = ''): Xml {
  const inside = content.join('')
  return inside === '' ? '' : `<${name}${attributes}>${inside}</${name}>`
}

export function text(
  name: string,
  value: string | null,
  attributes: Readonly<Record<string, string | null>> = {},
): Xml {
  if (value === null || value.trim() === '') return ''
  const written = Object.entries(attributes).map(([key, said]) => (said === null ? '' : ` ${key}="${escapeXml(said)}"`))
  return `<${name}${written.join('')}>${escapeXml(value)}</${name}>`
}

export function schemed(name: string, of: SchemedId | null): Xml {
  return of === null ? '' : text(name, of.id, { schemeID: of.scheme })
}
