// The common parts of SDMX's XML messages, in the two editions that are served.
import type { Instant } from '../../core/time/instant.ts'
import { escapeXml } from '../xml-text.ts'
import { agency } from './artefacts.ts'

/** SDMX-ML 3.0, and 2.1 for the readers that know no newer one. */
export type XmlEdition = '3.0' | '2.1'

export function namespaces(edition: XmlEdition): string {
  const base = `http://www.sdmx.org/resources/sdmxml/schemas/v${edition.replace('.', '_')}`
  return `xmlns:mes="${base}/message" xmlns:com="${base}/common" xmlns:str="${base}/structure"`
}

/** The namespace of structure-specific data. */
export function dataNamespace(edition: XmlEdition): string {
  return `http://www.sdmx.org/resources/sdmxml/schemas/v${edition.replace('.', '_')}/data/structurespecific`
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function headerXml(id: string, prepared: Instant, rest = ''): string {
  return `<mes:Header><mes:ID>${id}</mes:ID><mes:Test>false</mes:Test><mes:Prepared>${prepared}</mes:Prepared><mes:Sender id="${agency}"/>${rest}</mes:Header>`
}

/** The attributes of an element; those without a value are left out. */
export function attributesXml(pairs: Iterable<readonly [string, string | null]>): string {
  let text = ''
  for (const [name, value] of pairs) if (value !== null) text += ` ${name}="${attributeText(value)}"`
  return text
}

const plain = /^[\w .:,;()+/%@$*=-]*$/

/** Line ends and tabs in an attribute would be read as blanks. */
export function attributeText(text: string): string {
  if (plain.test(text)) return text
  return escapeXml(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;').replaceAll('\r', '&#13;')
}

export function nameXml(name: string): string {
  return `<com:Name xml:lang="en">${escapeXml(name)}</com:Name>`
}
