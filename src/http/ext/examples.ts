// Example answers of /ext/v1, of the same story as those of v1.
import { examples as v1 } from '../v1/examples.ts'
import type { ExtWire, SchemaName } from './schemas.ts'

const error = v1.Error!
const [steel] = v1.SeriesList!.data

const series = { ...steel!, series: 'BLS/WPU101', updatedAt: '2024-08-13T12:41:07.318402Z' }

const nextCursor = 'kQ1v7fYt3nB0cXz5hD2pWjEgIDE4NDIgc2VyXzAxaG1kYnozcjhlNWN2cTl0Mms3bTR4Nndu'

const row: ExtWire<'AdjustmentRow'> = {
  id: 'pam_01hmdc0w6k9g2t4n8x1q5z7r3e',
  slug: 'steel-brackets',
  name: 'Steel brackets, supplier A',
  period: '2024-Q2',
  adjustmentDate: '2024-04-01',
  adjustmentPct: '2.5',
  cumulativePct: '2.5',
  factor: '1.025',
  price: '12.71',
  currency: 'USD',
  per: '1',
  unit: 'piece',
  dataVersion: 'FINAL',
  formulaVersion: 1,
  status: 'SIGNED_BY_BUYER',
  confirmed: { buyer: '2024-08-20', supplier: null },
  receiptHash: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
  nextDate: '2024-10-01',
  updatedAt: '2024-08-20T09:12:44.018223Z',
  reason: null,
}

/** By the names of the schemas that are answers. */
export const examples: { readonly [N in SchemaName]?: ExtWire<N> } = {
  AdjustmentList: { data: [row], pagination: { limit: 200, hasMore: false, nextCursor: null } },
  ChangeList: {
    data: [
      {
        id: 'chg_01hmdc0w6k9g2t4n8x1q5z7r3e',
        at: '2024-08-13T12:41:07.318402Z',
        kind: 'observations',
        subject: steel!.id,
        periods: ['2024-07'],
        pams: ['steel-brackets'],
      },
    ],
    pagination: { limit: 500, hasMore: false, nextCursor },
  },
  VintageList: {
    data: [
      {
        seriesId: steel!.id,
        series: 'BLS/WPU101',
        period: '2024-07',
        value: '339.874',
        versionTag: 'PRELIMINARY',
        flag: 'P',
        publishedAt: '2024-08-13T12:30:00.000000Z',
        recordedAt: '2024-08-13T12:41:07.318402Z',
      },
    ],
    pagination: { limit: 2000, hasMore: false, nextCursor },
  },
  ValuesList: {
    data: [
      {
        id: steel!.id,
        series: 'BLS/WPU101',
        name: steel!.name,
        unit: steel!.unit,
        frequency: 'MONTHLY',
        values: [
          {
            period: '2024-06',
            value: '340.260',
            versionTag: 'PRELIMINARY',
            publishedAt: '2024-07-12T12:30:00.000000Z',
          },
        ],
      },
    ],
  },
  SeriesList: { data: [series], pagination: { limit: 200, hasMore: false, nextCursor: null } },
  Error: error,
}
