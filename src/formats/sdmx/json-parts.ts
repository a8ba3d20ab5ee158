// The common parts of SDMX's JSON messages.
import type { Instant } from '../../core/time/instant.ts'
import { agency } from './artefacts.ts'

export function metaOf(id: string, prepared: Instant, schema: string): object {
  return { schema, id, test: false, prepared, contentLanguages: ['en'], sender: { id: agency, name: 'Assize' } }
}
