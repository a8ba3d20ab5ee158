// A refusal as an SDMX error message: a code of the standard and a sentence, in JSON or XML.

import type { Instant } from '../../core/time/instant.ts'
import { escapeXml } from '../xml-text.ts'
import { metaOf } from './json-parts.ts'
import { namespaces, type XmlEdition, xmlDeclaration } from './xml-parts.ts'

interface StandardError {
  readonly code: number
  readonly title: string
}

/** Errors by HTTP status. Codes from 1000 on are left to services. */
const known: Readonly<Record<number, StandardError>> = {
  400: { code: 140, title: 'Syntax error' },
  401: { code: 110, title: 'Unauthorized' },
  403: { code: 110, title: 'Unauthorized' },
  404: { code: 100, title: 'No results found' },
  413: { code: 130, title: 'Response too large due to client request' },
  422: { code: 150, title: 'Semantic error' },
  500: { code: 500, title: 'Internal server error' },
  501: { code: 501, title: 'Not implemented' },
  503: { code: 503, title: 'Service unavailable' },
}

/** Statuses without a standard code keep their number in it: 429 is 1429. */
function errorOf(status: number): StandardError {
  return known[status] ?? { code: 1000 + status, title: 'Not answered' }
}

export function formatErrorJson(status: number, sentence: string, id: string, now: Instant): string {
  const { code, title } = errorOf(status)
  const schema =
    'https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/data-message/tools/schemas/2.0.0/sdmx-json-data-schema.json'
  return JSON.stringify({ meta: metaOf(id, now, schema), errors: [{ code, title, detail: sentence }] })
}

export function formatErrorXml(status: number, sentence: string, edition: XmlEdition): string {
  const { code, title } = errorOf(status)
  const texts = [title, sentence].map(text => `<com:Text xml:lang="en">${escapeXml(text)}</com:Text>`).join('')
  return `${xmlDeclaration}<mes:Error ${namespaces(edition)}><mes:ErrorMessage code="${code}">${texts}</mes:ErrorMessage></mes:Error>\n`
}
