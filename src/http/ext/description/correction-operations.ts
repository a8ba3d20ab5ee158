// Descriptions of the routes about corrections and settled numbers, with their example answers.
import { type Operation, usual } from '../../api/operation.ts'
import type { ExtWire, SchemaName } from './schemas.ts'

const tag = 'Corrections'

export const correctionTags = [
  { name: tag, description: 'What revised figures did to signed prices, and what both parties settled on.' },
] as const

export const correctionPathParameters = {
  correctionId: { description: 'The id of a correction', example: 'cor_01hmdc0w6k9g2t4n8x1q5z7r3e' },
} as const

export const correctionOperations: Readonly<Record<string, Operation>> = {
  '/pams/{pamId}/corrections': {
    operationId: 'listCorrections',
    tag,
    description:
      'The corrections of an agreement, the newest first, each in the state it is in. Amounts and hashes are null and lines left out for keys without `money`.',
    views: [usual('CorrectionList')],
    isList: true,
    mayMiss: true,
  },
  '/corrections/{correctionId}': {
    operationId: 'showCorrection',
    tag,
    description:
      'One correction. v1 leads here from a signed period, with a `Link` of `rel="related"`. Amounts and hashes are null and lines left out for keys without `money`.',
    views: [usual('Correction')],
    mayMiss: true,
  },
  '/corrections/{correctionId}/receipt': {
    operationId: 'showCorrectionReceipt',
    tag,
    description:
      'The body that both parties sign, the receipts its periods name, the signatures and the seal: `assize verify` works all of it out again offline.',
    views: [usual('CorrectionReceipt')],
    mayMiss: true,
  },
  '/pams/{pamId}/settled': {
    operationId: 'showSettled',
    tag,
    description:
      'The number of a period that both parties settled on: as signed, or by the last agreed correction. By `period`, by a day in it, or the newest that both have signed; 404 where it is not signed by both.',
    views: [usual('Settled', 'period=2024-Q2')],
    mayMiss: true,
  },
}

const correction: ExtWire<'Correction'> = {
  id: 'cor_01hmdc0w6k9g2t4n8x1q5z7r3e',
  agreement: 'steel-brackets',
  state: 'SIGNED_BY_BUYER',
  hash: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
  level: 'HEAL',
  net: '-250.00',
  currency: 'EUR',
  reason: null,
  causes: [{ series: 'BLS/WPU101', period: '2024-03', before: '106.0', after: '103.5', tag: 'FINAL' }],
  periods: [
    {
      period: '2024-Q2',
      factorBefore: '1.06',
      factorAfter: '1.035',
      priceBefore: '106.00',
      priceAfter: '103.50',
      amount: '-250.00',
    },
  ],
  lines: [{ invoice: '4711', line: '1', item: 'BR-100', quantity: '100', amount: '-250.00' }],
  confirmed: { buyer: '2024-08-20', supplier: null },
  notes: [],
  waived: false,
  settle: 'NOTE',
  parts: ['-250.00'],
  refusal: null,
  proposedAt: '2024-08-14T08:02:11.402117Z',
  proposedBy: 'ann@buyer.example',
}

const figure = { series: 'BLS/WPU101', period: '2024-03', flag: null } as const

const correctionBody: ExtWire<'CorrectionReceipt'>['body'] = {
  format: 'assize-correction/1',
  edition: 2,
  installation: { id: 'ins_01j8z3kq0v6wq2n7x4m9c5t1ab', name: null },
  workspace: { id: 'wsp_01j8z3kq0v6wq2n7x4m9c5t1ab', slug: 'demo', name: 'Demo' },
  pam: 'steel-brackets',
  name: 'Steel brackets',
  parties: { buyer: ['ann@buyer.example'], supplier: ['sam@supplier.example'] },
  level: 'HEAL',
  reason: null,
  waived: false,
  currency: 'EUR',
  net: '-250.00',
  causes: [
    {
      series: 'BLS/WPU101',
      period: '2024-03',
      before: {
        ...figure,
        value: '106.0',
        version: 'PRELIMINARY',
        published: '2024-04-11T12:30:00.000000Z',
        recorded: '2024-04-11T12:41:07.120000Z',
      },
      after: {
        ...figure,
        value: '103.5',
        version: 'FINAL',
        published: '2024-08-13T12:30:00.000000Z',
        recorded: '2024-08-13T12:44:51.730000Z',
      },
    },
  ],
  periods: [
    {
      period: '2024-Q2',
      adjustmentDate: '2024-04-01',
      factorBefore: '1.06',
      factorAfter: '1.035',
      priceBefore: '106.00',
      priceAfter: '103.50',
      amount: '-250.00',
      receiptBefore: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
      receiptAfter: '1b0f2c7d94a1e0a7c1e94ad0a2b77f1a6f8d34f0c2a5b9e8d7c6b5a493827160',
    },
  ],
  prices: [],
  lines: [],
  settle: 'NOTE',
  parts: ['-250.00'],
  carried: null,
}

export const correctionExamples: { readonly [N in SchemaName]?: ExtWire<N> } = {
  CorrectionList: { data: [correction], pagination: { limit: 200, hasMore: false, nextCursor: null } },
  Correction: correction,
  CorrectionReceipt: {
    hash: correction.hash!,
    body: correctionBody,
    receipts: [],
    signatures: [],
    seal: {
      algorithm: 'Ed25519',
      publicKey: 'k3WcO5Yl3iQfJk0cJ2q2vZ7Zr2tq5cJ0xk6m8bqB7uE',
      value: 'p9QxT4n8Qw1cJ6rVb3sYhL0mZkX2fGdN7uIoPaSeRtCvBnMqWxEyUzKjHgFdSaLpOiUyTrEwQaZxSwEdCvFrTg',
    },
  },
  Settled: {
    agreement: 'steel-brackets',
    period: '2024-Q2',
    adjustmentDate: '2024-04-01',
    factor: '1.035',
    signedFactor: '1.06',
    price: '103.50',
    signedPrice: '106.00',
    currency: 'EUR',
    receiptHash: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
    correction: 'cor_01hmdc0w6k9g2t4n8x1q5z7r3e',
    agreedAt: '2024-08-21T07:40:02.118340Z',
  },
}
