// Descriptions of the routes about changes of terms, with their example answers.
import { type Operation, usual } from '../../api/operation.ts'
import type { ExtWire, SchemaName } from './schemas.ts'

const tag = 'Changes of terms'

export const spliceTags = [
  {
    name: tag,
    description: 'Splices of indices and amendments that both parties sign before they become a formula version.',
  },
] as const

export const splicePathParameters = {
  spliceId: { description: 'The id of a splice or an amendment', example: 'spl_01hmdc0w6k9g2t4n8x1q5z7r3e' },
} as const

export const spliceOperations: Readonly<Record<string, Operation>> = {
  '/splices': {
    operationId: 'listSplices',
    tag,
    description:
      'Changes of terms, the newest first, each in the state it is in: splices, which put another series in the place of one that ends, and amendments. A page may be short where few are in the state that is asked for.',
    views: [usual('SpliceList')],
    isList: true,
    mayMiss: true,
  },
  '/splices/{spliceId}': {
    operationId: 'showSplice',
    tag,
    description:
      'One change of terms with its body: evidence, coefficient, effect and the whole document of a splice; differences, effect and reason of an amendment. Once both have signed it, `version` is the formula version that it made.',
    views: [usual('Splice')],
    mayMiss: true,
  },
}

const row: ExtWire<'SpliceRow'> = {
  id: 'spl_01hmdc0w6k9g2t4n8x1q5z7r3e',
  agreement: 'steel-brackets',
  kind: 'SPLICE',
  state: 'SIGNED_BY_BUYER',
  hash: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
  ground: 'EVENT',
  basis: 1,
  effectiveFrom: '2026-04-01',
  series: ['EUROSTAT/prc_hicp_midx/M.I15.CP00.DE', 'EUROSTAT/prc_hicp_minr/M.I25.TOTAL.DE'],
  offer: null,
  supersedes: null,
  plannedBy: null,
  proposedBy: 'eva@buyer.example',
  proposedAt: '2026-03-02T08:02:11.402117Z',
  signatures: [
    {
      party: 'buyer',
      signedBy: 'ann@buyer.example',
      name: 'Ann',
      signedAt: '2026-03-03T09:12:44.120000Z',
      means: 'PASSKEY',
      list: { hash: '1b0f2c7d94a1e0a7c1e94ad0a2b77f1a6f8d34f0c2a5b9e8d7c6b5a493827160', count: 12 },
    },
  ],
  refusal: null,
  version: null,
}

export const spliceExamples: { readonly [N in SchemaName]?: ExtWire<N> } = {
  SpliceList: { data: [row], pagination: { limit: 100, hasMore: false, nextCursor: null } },
  SpliceRow: row,
  Splice: {
    ...row,
    id: 'amd_01hmdc0w6k9g2t4n8x1q5z7r3e',
    kind: 'AMENDMENT',
    ground: 'BY_HAND',
    series: [],
    body: {
      format: 'assize-amendment/1',
      edition: 2,
      installation: { id: 'ins_01j8z3kq0v6wq2n7x4m9c5t1ab', name: null },
      workspace: { id: 'wsp_01j8z3kq0v6wq2n7x4m9c5t1ab', slug: 'demo', name: 'Demo' },
      pam: 'steel-brackets',
      name: 'Steel brackets',
      parties: { buyer: ['ann@buyer.example'], supplier: ['sam@supplier.example'] },
      basis: 1,
      documentBefore: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
      documentAfter: '1b0f2c7d94a1e0a7c1e94ad0a2b77f1a6f8d34f0c2a5b9e8d7c6b5a493827160',
      differences: [{ path: 'clause.cap', before: null, after: '{ periodPct: 5 }' }],
      effectiveFrom: '2026-04-01',
      effect: [
        {
          date: '2026-04-01',
          period: '2026-Q2',
          before: { adjustmentPct: '6', cumulativePct: '6', price: '106.00', gap: null },
          after: { adjustmentPct: '5', cumulativePct: '5', price: '105.00', gap: null },
        },
      ],
      reason: 'Both sides want a cap.',
      knownAt: '2026-03-02T08:02:11.402117Z',
    },
  },
}
