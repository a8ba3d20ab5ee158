// Index events of Eurostat.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

const source = 'Eurostat, questions and answers on the improvements in the HICP, 2026'

const ended = (id: string, set: string, what: string): IndexEvent => ({
  id: `eurostat-hicp-${id}-ended`,
  provider: 'EUROSTAT',
  codes: `${set}/*`,
  kind: 'ENDED',
  day: '2026-01-01',
  sentence: `${what} by the first ECOICOP end with December 2025. The tables are frozen; those by ECOICOP version 2, on 2025 = 100, go on from there.`,
  successor: null,
  coefficient: null,
  source,
})

export const eurostatEvents: readonly IndexEvent[] = [
  ended('monthly', 'prc_hicp_midx', 'The monthly harmonised consumer price indices'),
  ended('rates', 'prc_hicp_manr', 'The annual rates of the harmonised consumer prices'),
  ended('changes', 'prc_hicp_mmor', 'The monthly rates of the harmonised consumer prices'),
  ended('yearly', 'prc_hicp_aind', 'The yearly harmonised consumer price indices'),
]
