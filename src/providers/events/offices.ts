// Index events of national offices that no provider here has, and whose indices workspaces bring in as series of their own:
// enough to name a published coefficient with its source.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

const office = (event: Omit<IndexEvent, 'provider' | 'codes' | 'successor' | 'kind'>): IndexEvent => ({
  provider: null,
  codes: null,
  successor: null,
  kind: 'REBASED',
  ...event,
})

export const officeEvents: readonly IndexEvent[] = [
  office({
    id: 'istat-foi-2015',
    day: '2016-01-01',
    sentence: 'ISTAT: the FOI index without tobacco moved from 2010 = 100 to 2015 = 100.',
    coefficient: { direction: 'NEW_TO_OLD', digits: '1.071' },
    source: 'ISTAT, Indice dei prezzi per le rivalutazioni monetarie',
  }),
  office({
    id: 'statistik-austria-vpi-2020',
    day: '2021-01-01',
    sentence: 'Statistics Austria: the VPI moved from 2015 = 100 to 2020 = 100; VPI 2015 is continued by a factor.',
    coefficient: { direction: 'NEW_TO_OLD', digits: '1.082' },
    source: 'Statistik Austria, published values of VPI 2015 and VPI 2020, which this factor connects',
  }),
  office({
    id: 'insee-bt01-2010',
    day: '2014-10-01',
    sentence: 'INSEE: the construction index BT01 on 2010 = 100 takes the place of the one on January 1974 = 100.',
    coefficient: { direction: 'NEW_TO_OLD', digits: '8.3802' },
    source: 'INSEE, coefficients de raccordement des index du bâtiment',
  }),
  office({
    id: 'abs-cpi-2011-12',
    day: '2012-07-01',
    sentence:
      'ABS: the consumer price index moved from 1989-90 = 100 to 2011-12 = 100; values were converted and rounded to one decimal.',
    coefficient: { direction: 'OLD_TO_NEW', digits: '0.5565' },
    source: 'ABS 6401.0, Re-referencing the Consumer Price Index',
  }),
  office({
    id: 'cbs-cpi-2025',
    day: '2026-01-01',
    sentence: 'Statistics Netherlands: the consumer price index left 2015 = 100.',
    coefficient: null,
    source: 'CBS, Consumentenprijzen',
  }),
]
