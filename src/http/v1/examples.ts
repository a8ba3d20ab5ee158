// Example answers for the description, all of one story: a bracket whose price follows steel and labour. The figures are
// invented; the arithmetic is real, and the receipt is one that `assize verify` recomputes.
import type { SchemaName, Wire } from './schemas.ts'

const steelId = 'ser_01hmdbz3r8e5cvq9t2k7m4x6wn'
const labourId = 'ser_01hmdbz4a1f0s8h3j6p9r5y7vb'
const pamId = 'pam_01hmdc0w6k9g2t4n8x1q5z7r3e'
const cursor = 'kQ1v7fYt3nB0cXz5hD2pWjEgIDE4NDIgc2VyXzAxaG1kYnozcjhlNWN2cTl0Mms3bTR4Nndu'

const steelName = 'PPI iron and steel'
const steelUnit = 'Index 1982=100, not seasonally adjusted'

const steelHeader = {
  id: steelId,
  seriesCode: 'WPU101',
  name: steelName,
  unit: steelUnit,
  frequency: 'MONTHLY',
} as const

const pamSummary = {
  id: pamId,
  name: 'Steel brackets, supplier A',
  description: 'Quarterly adjustment of the bracket price',
  status: 'ACTIVE',
  createdAt: '2024-01-08T09:30:00.000Z',
  updatedAt: '2024-01-08T09:30:00.000Z',
} as const

const components = [
  { input: 'steel', series: 'BLS/WPU101', weight: '0.35', change: '6.4912', contribution: '2.2719' },
  { input: 'labour', series: 'BLS/CES3000000008', weight: '0.25', change: '1.1606', contribution: '0.2902' },
]
const controls: Wire<'CalculationEntry'>['controls'] = [{ control: 'periodCap', points: '-0.0621' }]
const result = {
  period: '2024-Q2',
  adjustmentDate: '2024-04-01',
  adjustmentPct: '2.5',
  cumulativePct: '2.5',
  formulaVersion: 1,
  dataVersion: 'FINAL',
  price: '12.71',
} as const

const calculation: Wire<'Calculation'> = {
  pam: 'steel-brackets',
  formulaVersion: 1,
  adjustments: [
    {
      ...result,
      currency: 'EUR',
      unit: 'piece',
      per: '1',
      confirmed: { buyer: '2024-08-20', supplier: null },
      components: [
        { ...components[0]!, seriesId: steelId },
        { ...components[1]!, seriesId: labourId },
      ],
      controls,
      steps: [
        { name: 'ratio_steel', value: '1.06491162656623542645155832395…' },
        { name: 'ratio_labour', value: '1.01160614002246349681767128416…' },
        { name: 'factor', value: '1.02562060430379827346246323442…' },
        { name: 'movement', value: '0.0256206043037982734624632344266…' },
        { name: 'payable', value: '0.0256206043037982734624632344266…' },
        { name: 'shared', value: '0.0256206043037982734624632344266…' },
        { name: 'target', value: '1.02562060430379827346246323442…' },
        { name: 'step', value: '0.0256206043037982734624632344266…' },
        { name: 'pct_held', value: '2.5' },
        { name: 'pct', value: '2.5' },
        { name: 'applied', value: '1.025' },
      ],
      observations: [
        {
          input: 'steel',
          series: 'BLS/WPU101',
          seriesId: steelId,
          period: '2023-12',
          value: '319.157',
          version: 'FINAL',
          published: '2024-05-14T12:30:00Z',
          recorded: '2024-05-14T12:41:07.318402Z',
        },
        {
          input: 'steel',
          series: 'BLS/WPU101',
          seriesId: steelId,
          period: '2024-03',
          value: '339.874',
          version: 'FINAL',
          published: '2024-08-13T12:30:00Z',
          recorded: '2024-08-13T12:41:07.318402Z',
        },
        {
          input: 'labour',
          series: 'BLS/CES3000000008',
          seriesId: labourId,
          period: '2023-12',
          value: '26.71',
          version: 'FINAL',
          published: '2024-02-02T13:30:00Z',
          recorded: '2024-02-02T13:41:08.905117Z',
        },
        {
          input: 'labour',
          series: 'BLS/CES3000000008',
          seriesId: labourId,
          period: '2024-03',
          value: '27.02',
          version: 'FINAL',
          published: '2024-05-03T12:30:00Z',
          recorded: '2024-05-03T12:41:08.905117Z',
        },
      ],
    },
  ],
  blocked: [],
}

const body: Wire<'ReceiptBody'> = {
  format: 'assize-receipt/2',
  edition: 2,
  installation: { id: 'ins_01hsk5m0e5f3t8xw2q9v7b4n6c', name: 'Prices of Example Inc.' },
  workspace: { id: 'wsp_01hsk5m7c2j8d4r6t9w1x3z5yb', slug: 'example', name: 'Example Inc.' },
  pam: 'steel-brackets',
  name: 'Steel brackets, supplier A',
  parties: { buyer: ['ann@buyer.example'], supplier: ['sam@supplier.example'] },
  period: '2024-Q2',
  adjustmentDate: '2024-04-01',
  formulaVersion: 1,
  documents: {
    '1': '{"slug":"steel-brackets","contract":{"start":"2024-01-01","end":"2026-12-31","frequency":"QUARTERLY","price":{"amount":"12.40","currency":"USD","unit":"piece","round":{"dp":"2"}}},"inputs":{"steel":{"series":"BLS/WPU101","weight":"0.35","base":"2023-12","lag":"1 month"},"labour":{"series":"BLS/CES3000000008","weight":"0.25","base":"2023-12","lag":"1 month"}},"clause":{"fixed":"0.40","cap":{"periodPct":"2.5"},"rounding":{"percent":{"dp":"2"}}}}',
  },
  dataVersionAsked: null,
  carriedIn: {
    date: null,
    version: null,
    factor: '1',
    steps: {},
    readings: {},
    last: { date: null, version: null, steps: {}, readings: {} },
  },
  series: [
    { series: 'BLS/WPU101', name: steelName, frequency: 'MONTHLY' },
    { series: 'BLS/CES3000000008', name: 'Average hourly earnings, manufacturing', frequency: 'MONTHLY' },
  ],
  observations: [
    {
      input: 'steel',
      series: 'BLS/WPU101',
      period: '2023-12',
      value: '319.157',
      version: 'FINAL',
      flag: null,
      published: '2024-05-14T12:30:00.000000Z',
      recorded: '2024-05-14T12:41:07.318402Z',
      origin: { provider: 'BLS' },
    },
    {
      input: 'steel',
      series: 'BLS/WPU101',
      period: '2024-03',
      value: '339.874',
      version: 'FINAL',
      flag: null,
      published: '2024-08-13T12:30:00.000000Z',
      recorded: '2024-08-13T12:41:07.318402Z',
      origin: { provider: 'BLS' },
    },
    {
      input: 'labour',
      series: 'BLS/CES3000000008',
      period: '2023-12',
      value: '26.71',
      version: 'FINAL',
      flag: null,
      published: '2024-02-02T13:30:00.000000Z',
      recorded: '2024-02-02T13:41:08.905117Z',
      origin: { provider: 'BLS' },
    },
    {
      input: 'labour',
      series: 'BLS/CES3000000008',
      period: '2024-03',
      value: '27.02',
      version: 'FINAL',
      flag: null,
      published: '2024-05-03T12:30:00.000000Z',
      recorded: '2024-05-03T12:41:08.905117Z',
      origin: { provider: 'BLS' },
    },
  ],
  rules: {
    kind: 'FACTOR',
    step: 'applied',
    show: { dp: 4, mode: 'HALF_UP' },
    priceRound: { dp: 2, mode: 'HALF_UP' },
    addsUp: true,
  },
  result: { ...result, components, controls, factor: '1.025' },
  steps: [
    { name: 'ratio_steel', expr: 'steel / steel.base', round: null, show: null, value: '339874/319157', shown: null },
    { name: 'ratio_labour', expr: 'labour / labour.base', round: null, show: null, value: '2702/2671', shown: null },
    {
      name: 'factor',
      expr: '0.40 + 0.35 * ratio_steel + 0.25 * ratio_labour',
      round: null,
      show: null,
      value: '4371545506/4262341735',
      shown: null,
    },
    { name: 'movement', expr: 'factor - 1', round: null, show: null, value: '109203771/4262341735', shown: null },
    { name: 'payable', expr: 'movement', round: null, show: null, value: '109203771/4262341735', shown: null },
    { name: 'shared', expr: 'payable', round: null, show: null, value: '109203771/4262341735', shown: null },
    { name: 'target', expr: '1 + shared', round: null, show: null, value: '4371545506/4262341735', shown: null },
    {
      name: 'step',
      expr: 'target / prev(applied, 1) - 1',
      round: null,
      show: null,
      value: '109203771/4262341735',
      shown: null,
    },
    { name: 'pct_held', expr: 'min(step, 0.025) * 100', round: null, show: null, value: '2.5', shown: null },
    { name: 'pct', expr: 'pct_held', round: { dp: 2, mode: 'HALF_UP' }, show: null, value: '2.5', shown: null },
    {
      name: 'applied',
      expr: 'prev(applied, 1) * (1 + pct / 100)',
      round: null,
      show: null,
      value: '1.025',
      shown: null,
    },
  ],
}

/** One example of each answer. */
export const examples: { readonly [N in SchemaName]?: Wire<N> } = {
  Health: { status: 'ok', version: 'v1', timestamp: '2024-08-20T09:14:02.511Z' },
  Error: { error: 'limit must be a whole number from 1 to 200, got "abc"' },
  SeriesList: {
    data: [
      {
        id: steelId,
        seriesCode: 'WPU101',
        name: steelName,
        provider: 'BLS',
        dataType: 'INDEX',
        unit: steelUnit,
        frequency: 'MONTHLY',
        createdAt: '2024-01-08T09:12:44.120Z',
      },
      {
        id: labourId,
        seriesCode: 'CES3000000008',
        name: 'Average hourly earnings, manufacturing',
        provider: 'BLS',
        dataType: 'WAGE',
        unit: 'US dollars per hour',
        frequency: 'MONTHLY',
        createdAt: '2024-01-08T09:12:45.018Z',
      },
    ],
    pagination: { limit: 2, hasMore: true, nextCursor: cursor },
  },
  Values: {
    series: steelHeader,
    data: [
      { asOfDate: '2024-03-01T00:00:00.000Z', value: '339.874', versionTag: 'FINAL' },
      { asOfDate: '2024-04-01T00:00:00.000Z', value: '338.102', versionTag: 'FINAL' },
      { asOfDate: '2024-05-01T00:00:00.000Z', value: '341.560', versionTag: 'FINAL' },
      { asOfDate: '2024-06-01T00:00:00.000Z', value: '344.015', versionTag: 'PRELIMINARY' },
    ],
    total: 4,
  },
  SummaryValues: {
    series: steelHeader,
    data: [{ period: '2024-03', value: '340.260', version: 'PRELIMINARY', asOf: '2024-04-30' }],
    total: 1,
  },
  Vintages: {
    series: steelHeader,
    data: [
      {
        asOfDate: '2024-03-01T00:00:00.000Z',
        value: '340.260',
        versionTag: 'PRELIMINARY',
        flag: 'P',
        publishedAt: '2024-04-11T12:30:00.000000Z',
        recordedAt: '2024-04-11T12:41:07.318402Z',
      },
      {
        asOfDate: '2024-03-01T00:00:00.000Z',
        value: '339.874',
        versionTag: 'FINAL',
        flag: null,
        publishedAt: '2024-08-13T12:30:00.000000Z',
        recordedAt: '2024-08-13T12:41:07.318402Z',
      },
    ],
  },
  PamList: { data: [pamSummary], pagination: { limit: 50, hasMore: false, nextCursor: null } },
  Pam: {
    data: {
      ...pamSummary,
      contractStartDate: '2024-01-01T00:00:00.000Z',
      contractEndDate: '2026-12-31T00:00:00.000Z',
      adjustmentFrequency: 'QUARTERLY',
    },
  },
  PamValues: {
    data: [
      { adjustmentDate: '2024-04-01T00:00:00.000Z', adjustmentPct: '2.5', cumulativePct: '2.5' },
      { adjustmentDate: '2024-07-01T00:00:00.000Z', adjustmentPct: '0.77', cumulativePct: '3.2893' },
    ],
  },
  Adjustment: {
    period: '2024-Q2',
    adjustmentPct: 2.5,
    cumulativeAdjustmentPct: 2.5,
    dataVersion: 'FINAL',
    formulaVersion: 1,
    confirmed: { buyer: '2024-08-20', supplier: null },
    components: [
      { series: steelName, weight: 0.35, change: 6.4912 },
      { series: 'Average hourly earnings, manufacturing', weight: 0.25, change: 1.1606 },
    ],
  },
  Calculation: calculation,
  Receipt: {
    hash: '6d9ca91ac126bb8d65ffbaebb573eed11028114d1cb2e759d972074a7fa8796c',
    body,
    signatures: [],
    seal: {
      algorithm: 'Ed25519',
      publicKey: 'FOmABbA25uWelZlMZ72VOrJsi0YjHxtzqyOygtrlppk',
      value: 'qbQLhpVoxVAWU8OYcerLQjSLCkyVNCFeLc2JPmVR8Xo-SasQ3p2mlzLNWzAnCDdddlHfWX07aU1A6tv7ASYPBw',
    },
  },
}
