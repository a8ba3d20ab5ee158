// Example answers of /ext/v1, of the same story as those of v1.
import { examples as v1 } from '../../v1/examples.ts'
import { correctionExamples } from './correction-operations.ts'
import type { ExtWire, SchemaName } from './schemas.ts'
import { spliceExamples } from './splice-operations.ts'

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

const price: ExtWire<'PriceRow'> = {
  agreement: 'steel-brackets',
  item: 'BR-100',
  fromQuantity: '0',
  period: '2024-Q2',
  validFrom: '2024-04-01',
  validTo: '2024-06-30',
  inForceUntil: null,
  proposed: { period: '2024-Q3', price: '13.02', status: 'SIGNED_BY_SUPPLIER' },
  price: '12.71',
  per: '1',
  unit: 'piece',
  currency: 'USD',
  factor: '1.025',
  status: 'AGREED',
  receiptHash: row.receiptHash,
  listVersion: 1,
}
const keyedPrice = { ...price, erp_LIFNR: '0000100234', erp_MATNR: 'BR-100' }

const asWritten: ExtWire<'Reading'> = {
  id: 'as-written',
  title: 'As written',
  words: 'The document as it is.',
  notApplicable: null,
  period: '2024-Q2',
  adjustmentPct: '2.5',
  cumulativePct: '2.5',
  price: '12.71',
  points: '0',
  money: '0',
}
const otherReading: ExtWire<'Reading'> = {
  id: 'lag-more',
  title: 'One period more of lag',
  words: 'Every index is read one period earlier.',
  notApplicable: null,
  period: '2024-Q2',
  adjustmentPct: '2.1',
  cumulativePct: '2.1',
  price: '12.66',
  points: '-0.4',
  money: '-0.05',
}

const lineToCheck = {
  invoice: '4711',
  line: '1',
  agreement: 'steel-brackets',
  item: 'BR-100',
  quantity: '100',
  unit: 'piece',
  unitPrice: '12.75',
  per: '1',
  amount: '1275.00',
  currency: 'USD',
  date: '2024-05-10',
} satisfies ExtWire<'LineToCheck'>

const checked: ExtWire<'CheckRow'> = {
  invoice: '4711',
  line: '1',
  outcome: 'OVER',
  agreement: 'steel-brackets',
  item: 'BR-100',
  period: '2024-Q2',
  status: 'AGREED',
  price: '12.71',
  billedPrice: '12.75',
  priceDifference: '0.04',
  amount: '1271.00',
  billedAmount: '1275.00',
  difference: '4.00',
  currency: 'USD',
  reason: {
    code: 'VINTAGE',
    sentence: '12.75 is the price with the preliminary value of 2024-03; the settled price of 2024-Q2 is 12.71.',
  },
  alsoPossible: [],
  message: null,
  contradiction: false,
  candidates: [],
  spans: [],
}

export const csvExample = `invoice,line,agreement,item,quantity,unit_price,date
4711,1,steel-brackets,BR-100,100,12.75,2024-05-10
`

export const xmlExample = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>4711</cbc:ID>
  <cbc:IssueDate>2024-05-10</cbc:IssueDate>
  <cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>
  <cac:ContractDocumentReference><cbc:ID>steel-brackets</cbc:ID></cac:ContractDocumentReference>
  <cac:InvoiceLine>
    <cbc:ID>1</cbc:ID>
    <cbc:InvoicedQuantity unitCode="piece">100</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="USD">1275.00</cbc:LineExtensionAmount>
    <cac:Item><cac:SellersItemIdentification><cbc:ID>BR-100</cbc:ID></cac:SellersItemIdentification></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="USD">12.75</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>
</Invoice>
`

/** Examples by the names of answer schemas. */
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
  ReleaseList: {
    data: [
      {
        provider: 'BLS',
        release: 'PPI',
        title: 'Producer Price Index for July 2024',
        period: '2024-07',
        number: 1,
        at: '2024-08-13T12:30:00.000000Z',
        zone: 'America/New_York',
        status: 'OFFICIAL',
        moves: 0,
        announcedAt: '2024-01-03T04:17:21.500123Z',
        series: ['BLS/WPU101'],
        pams: ['steel-brackets'],
      },
    ],
    pagination: { limit: 500, hasMore: false, nextCursor: null },
  },
  NextDates: {
    id: steel!.id,
    series: 'BLS/WPU101',
    frequency: 'MONTHLY',
    newest: '2024-06',
    data: [
      {
        period: '2024-07',
        expectedAt: '2024-08-13T12:30:00.000000Z',
        latestAt: '2024-08-13T12:30:00.000000Z',
        basis: 'OFFICIAL',
        known: null,
        hitRate: '1.00',
        status: 'OFFICIAL',
        final: { expectedAt: '2024-12-12', latestAt: '2024-12-13', known: 36, hitRate: '0.92' },
      },
      {
        period: '2024-08',
        expectedAt: '2024-09-12',
        latestAt: '2024-09-16',
        basis: 'LEARNED',
        known: 3,
        hitRate: '0.92',
        status: null,
        final: { expectedAt: '2025-01-14', latestAt: '2025-01-17', known: 36, hitRate: '0.92' },
      },
    ],
  },
  IndexEventList: {
    data: [
      {
        id: 'eurostat-hicp-ecoicop-1-ended',
        provider: 'EUROSTAT',
        codes: 'prc_hicp_midx/*',
        kind: 'ENDED',
        day: '2026-01-01',
        sentence: 'The HICP by the first ECOICOP ends with December 2025.',
        successor: null,
        coefficient: null,
        source: 'Eurostat, improvements in the HICP 2026',
        recordedAt: '2026-02-25T10:00:00.500123Z',
        series: ['EUROSTAT/prc_hicp_midx/M.I15.CP00.DE'],
        pams: ['steel-brackets'],
      },
    ],
    pagination: { limit: 500, hasMore: false, nextCursor: null },
  },
  DueList: {
    data: [
      {
        agreement: 'steel-brackets',
        name: 'Steel brackets, supplier A',
        period: '2024-Q4',
        date: '2024-10-01',
        state: 'AT_RISK',
        readyOn: '2024-10-11',
        provisional: false,
        waitsFor: {
          series: 'BLS/WPU101',
          period: '2024-09',
          stage: null,
          expectedAt: '2024-10-11T12:30:00.000000Z',
          basis: 'OFFICIAL',
        },
        newer: null,
        late: [],
        cancelled: [],
        reason: null,
      },
    ],
    pagination: { limit: 200, hasMore: false, nextCursor: null },
  },
  RadarList: {
    data: [
      {
        kind: 'SIGNED_MOVED',
        agreement: 'steel-brackets',
        period: '2024-Q2',
        at: '2024-08-13T12:41:07.318402Z',
        cause: { series: 'BLS/WPU101', period: '2024-03', before: '106.0', after: '103.5', tag: 'FINAL' },
        points: '-2.5',
        priceBefore: '106.00',
        priceAfter: '103.50',
        amount: '-250.00',
        currency: 'EUR',
        policy: 'DUE',
      },
    ],
    pagination: { limit: 200, hasMore: false, nextCursor: null },
  },
  ReadingList: { currency: 'USD', data: [asWritten, otherReading] },
  Reading: otherReading,
  TrueUpLedger: {
    agreement: 'steel-brackets',
    currency: 'EUR',
    balances: {
      entitled: '10350.00',
      provisional: '0.00',
      billed: '10600.00',
      billingDifferences: '0.00',
      agreed: '-250.00',
      waived: '0.00',
    },
    open: { due: '0.00', waitingForFinal: '0.00', underMinimum: '0.00', lapsed: '0.00' },
    entries: [
      {
        at: '2024-08-20T09:12:44.018223Z',
        event: 'CORRECTION_AGREED',
        subject: 'cor_01hmdc0w6k9g2t4n8x1q5z7r3e',
        period: '2024-Q2',
        item: 'steel-brackets',
        legs: { ENTITLED: '250.00', AGREED: '-250.00' },
      },
    ],
    differences: [],
    notes: [],
    duplicates: [],
    otherCurrencies: [],
  },
  SeriesList: { data: [series], pagination: { limit: 200, hasMore: false, nextCursor: null } },
  PriceList: { data: [keyedPrice], pagination: { limit: 1000, hasMore: false, nextCursor: null } },
  LeftOutList: {
    data: [
      {
        agreement: 'copper-wire',
        item: null,
        period: '2024-Q2',
        reason: 'BLOCKED',
        why: 'CUSTOM/copper has no value for 2024-03',
      },
    ],
    pagination: { limit: 1000, hasMore: false, nextCursor: null },
  },
  InvoiceLineList: {
    data: [
      {
        ...lineToCheck,
        supplier: 'ohio-metals',
        contractRef: null,
        serviceFrom: null,
        serviceTo: null,
        orderDate: null,
        kind: 'INVOICE',
        id: 'inl_01hmdc0w6k9g2t4n8x1q5z7r3e',
        period: '2024-Q2',
        importedAt: '2024-06-03T07:15:20.441806Z',
        reverses: null,
        note: null,
        difference: null,
      },
    ],
    pagination: { limit: 500, hasMore: false, nextCursor: null },
  },
  LinesToCheck: { lines: [lineToCheck] },
  CheckAnswer: {
    data: [checked],
    summary: { lines: 1, outcomes: { OVER: 1 }, over: { USD: '4.00' }, under: {} },
  },
  ...correctionExamples,
  ...spliceExamples,
  Error: error,
}
