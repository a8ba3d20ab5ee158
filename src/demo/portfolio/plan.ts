// Plans of the agreements of a large demo: which product of which supplier at which plant, on which indices, and how far each of
// them is signed. The same number always gives the same agreement.
import { demoParties, portfolioParties } from '../people.ts'

interface Family {
  readonly slug: string
  readonly product: string
  readonly sizes: readonly string[]
  readonly supplier: string
  readonly frequency: 'MONTHLY' | 'QUARTERLY'
  /** Price in hundredths of the currency. */
  readonly cents: number
  readonly currency: 'EUR' | 'USD'
  readonly unit: string
  /** Inputs by name: the series, and how many hundredths of the price follow it. */
  readonly inputs: Readonly<Record<string, readonly [series: string, hundredths: number]>>
  /** Months back that each date reads; two by default, so that the figures are out in time. */
  readonly lagMonths?: number
  /** Further lines of the clause. */
  readonly clause?: string
  /** Rule for a signed price whose figures are revised; by default the agreement has none. */
  readonly corrections?: string
  /** Quantity billed in a month, in whole units. */
  readonly monthly: number
}

const [forge, haulage] = demoParties.map(({ slug }) => slug) as [string, string]
const [wire, plastics, castings] = portfolioParties.map(({ slug }) => slug) as [string, string, string]

const families: readonly Family[] = [
  {
    slug: 'tube',
    product: 'Welded tube',
    sizes: [
      '26.9 × 2.6',
      '33.7 × 2.6',
      '42.4 × 3.2',
      '48.3 × 3.2',
      '60.3 × 3.6',
      '76.1 × 4.0',
      '88.9 × 4.0',
      '114.3 × 4.5',
    ],
    supplier: forge,
    frequency: 'QUARTERLY',
    cents: 1840,
    currency: 'EUR',
    unit: 'metre',
    inputs: { steel: ['CUSTOM/hot-rolled-coil', 70], wages: ['CUSTOM/wages-industry', 15] },
    corrections: '{ when: FINAL, within: { months: 24, of: PUBLICATION } }',
    monthly: 900,
  },
  {
    slug: 'sheet',
    product: 'Cut steel sheet',
    sizes: ['1.0 mm', '1.5 mm', '2.0 mm', '3.0 mm', '4.0 mm', '6.0 mm'],
    supplier: forge,
    frequency: 'MONTHLY',
    cents: 82_500,
    currency: 'EUR',
    unit: 't',
    inputs: { steel: ['CUSTOM/hot-rolled-coil', 80] },
    clause: 'threshold: { pct: 1, test: EXCEEDS, pays: ALL }',
    corrections: '{ when: EACH, settle: NEXT_INVOICE }',
    monthly: 12,
  },
  {
    slug: 'wire',
    product: 'Drawn wire',
    sizes: ['1.2 mm', '1.8 mm', '2.5 mm', '3.1 mm', '4.2 mm'],
    supplier: wire,
    frequency: 'QUARTERLY',
    cents: 118_000,
    currency: 'EUR',
    unit: 't',
    inputs: { rod: ['CUSTOM/wire-rod', 65], electricity: ['CUSTOM/electricity-industry', 10] },
    clause: 'cap: { periodPct: 6 }',
    corrections: '{ when: FINAL, min: { amount: 50.00, below: KEEP } }',
    monthly: 9,
  },
  {
    slug: 'spring',
    product: 'Compression spring',
    sizes: ['D12', 'D16', 'D20', 'D25', 'D32', 'D40', 'D50'],
    supplier: wire,
    frequency: 'QUARTERLY',
    cents: 164,
    currency: 'EUR',
    unit: 'piece',
    inputs: { rod: ['CUSTOM/wire-rod', 45], wages: ['CUSTOM/wages-industry', 30] },
    lagMonths: 1,
    monthly: 5200,
  },
  {
    slug: 'film',
    product: 'Packaging film',
    sizes: ['20 µm', '25 µm', '30 µm', '40 µm', '50 µm'],
    supplier: plastics,
    frequency: 'MONTHLY',
    cents: 231,
    currency: 'EUR',
    unit: 'kg',
    inputs: { resin: ['CUSTOM/polypropylene', 60], electricity: ['CUSTOM/electricity-industry', 8] },
    corrections: '{ when: FINAL, settle: NEXT_INVOICE }',
    monthly: 4100,
  },
  {
    slug: 'crate',
    product: 'Folding crate',
    sizes: ['300 × 200', '400 × 300', '600 × 400', '800 × 600'],
    supplier: plastics,
    frequency: 'QUARTERLY',
    cents: 1295,
    currency: 'EUR',
    unit: 'piece',
    inputs: { resin: ['CUSTOM/polypropylene', 55], wages: ['CUSTOM/wages-industry', 20] },
    clause: 'floor: { periodPct: -4 }',
    corrections: '{ when: FINAL }',
    monthly: 640,
  },
  {
    slug: 'housing',
    product: 'Pump housing, grey iron',
    sizes: ['DN 25', 'DN 32', 'DN 40', 'DN 50', 'DN 65', 'DN 80'],
    supplier: castings,
    frequency: 'QUARTERLY',
    cents: 8640,
    currency: 'EUR',
    unit: 'piece',
    inputs: {
      iron: ['CUSTOM/grey-iron', 50],
      electricity: ['CUSTOM/electricity-industry', 15],
      wages: ['CUSTOM/wages-industry', 20],
    },
    lagMonths: 1,
    corrections: '{ when: FINAL, within: { months: 12, of: PERIOD } }',
    monthly: 180,
  },
  {
    slug: 'profile',
    product: 'Extruded aluminium profile',
    sizes: ['20 × 20', '30 × 30', '40 × 40', '40 × 80', '45 × 90'],
    supplier: castings,
    frequency: 'MONTHLY',
    cents: 486,
    currency: 'EUR',
    unit: 'kg',
    inputs: { aluminium: ['CUSTOM/aluminium-billet', 75] },
    corrections: '{ when: EACH }',
    monthly: 2300,
  },
  {
    slug: 'lane',
    product: 'Truck lane',
    sizes: ['Savannah – Atlanta', 'Savannah – Macon', 'Brunswick – Columbus', 'Augusta – Atlanta'],
    supplier: haulage,
    frequency: 'QUARTERLY',
    cents: 71_500,
    currency: 'USD',
    unit: 'trip',
    inputs: { freight: ['CUSTOM/road-freight', 80] },
    corrections: '{ when: FINAL }',
    monthly: 22,
  },
]

const plants = ['Graz', 'Linz', 'Györ', 'Brno', 'Cleveland', 'Dayton', 'Poznań']

/** Addition that makes some names as long as real ones. */
const longName = ', inner seam removed, annealed, cut to length and packed in hexagonal bundles for the automatic saw'

export interface PlannedAgreement {
  readonly slug: string
  readonly name: string
  readonly document: string
  readonly supplier: string
  readonly frequency: Family['frequency']
  readonly isDraft: boolean
  /** Signatures before the last figures come: the last period signed by both, then by one party alone. */
  readonly signedByBoth: string | null
  readonly signedByOne: { readonly party: 'buyer' | 'supplier'; readonly period: string } | null
  readonly monthly: number
  readonly hasCorrections: boolean
  /** Place in the portfolio: everything else that happens to the agreement follows from it. */
  readonly place: number
}

/** The newest period whose figure was out when the last signatures were given, the one before it, and one half a year before. */
const labels: Readonly<Record<Family['frequency'], readonly [newest: string, before: string, old: string]>> = {
  MONTHLY: ['2026-07', '2026-06', '2026-02'],
  QUARTERLY: ['2026-Q3', '2026-Q2', '2025-Q4'],
}

export function planAgreement(place: number): PlannedAgreement {
  const family = families[place % families.length]!
  const turn = Math.floor(place / families.length)
  const { slug, product, sizes, supplier, frequency, monthly } = family
  const size = sizes[turn % sizes.length]!
  const plant = plants[Math.floor(turn / sizes.length) % plants.length]!
  const isDraft = place % 50 === 33
  const [newest, before, old] = labels[frequency]
  const standing = place % 8
  // Of eight agreements, three are signed up to date, one each waits for buyer or supplier, two are behind, and one has no
  // signature.
  const byBoth = [newest, newest, newest, before, before, old, old, null][standing]!
  const oneParty = standing === 3 ? 'supplier' : standing === 4 ? 'buyer' : null
  const named = {
    slug: `${slug}-${String(turn + 1).padStart(3, '0')}`,
    name: `${product} ${size}, ${plant}${place % 60 === 0 ? longName : ''}`,
  }
  return {
    ...named,
    document: formatDocument(family, { ...named, turn, status: isDraft ? 'DRAFT' : 'ACTIVE' }),
    supplier,
    frequency,
    isDraft,
    signedByBoth: isDraft ? null : byBoth,
    signedByOne: isDraft || oneParty === null ? null : { party: oneParty, period: newest },
    monthly: monthly + (place % 11) * Math.ceil(monthly / 40),
    hasCorrections: family.corrections !== undefined,
    place,
  }
}

interface NamedContract {
  readonly slug: string
  readonly name: string
  readonly turn: number
  readonly status: string
}

function formatDocument(family: Family, { slug, name, turn, status }: NamedContract): string {
  const { inputs, frequency, cents, currency, unit, clause, corrections, supplier, lagMonths = 2 } = family
  const moving = Object.values(inputs).reduce((sum, [, hundredths]) => sum + hundredths, 0)
  const amount = hundredths(cents + (turn % 17) * Math.ceil(cents / 60))
  return `slug: ${slug}
name: ${JSON.stringify(name)}
description: ${JSON.stringify(`${moving} % of the price of a ${unit} follows published indices.`)}
status: ${status}
contract:
  start: 2025-01-01
  frequency: ${frequency}
  price: { amount: ${amount}, currency: ${currency}, unit: ${unit}, round: { dp: 2 } }
parties:
  buyer: [ann@buyer.test]
  supplier: ${supplier}
inputs:
${Object.entries(inputs)
  .map(
    ([key, [series, share]]) =>
      `  ${key}: { series: ${series}, weight: ${hundredths(share)}, base: 2024-11, lag: ${lagMonths === 1 ? '1 month' : `${lagMonths} months`} }`,
  )
  .join('\n')}
clause:
  fixed: ${hundredths(100 - moving)}
  rounding: { total: { dp: 2 } }
${clause === undefined ? '' : `  ${clause}\n`}result: { show: { dp: 2 } }
${corrections === undefined ? '' : `corrections: ${corrections}\n`}`
}

function hundredths(value: number): string {
  return `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, '0')}`
}
