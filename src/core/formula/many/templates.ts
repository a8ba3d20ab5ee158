// Documents to start from. Each is complete and valid as it is; its dates are chosen so that there is a history to look at,
// and a series that the workspace does not have yet is picked in the form.
import { slugOf } from '../../text/slug.ts'

export interface Template {
  readonly id: string
  readonly title: string
  readonly words: string
  readonly formula: string
  /** `year` is the current year. */
  readonly write: (year: number) => string
}

const head = (name: string, description: string) => `slug: ${slugOf(name)}
name: ${name}
description: ${description}
status: DRAFT
parties:
  # Who signs for the supplier: the slug of a party, or a list of e-mail addresses. Until it is named, no supplier sees this.
  supplier: []
`

const consumerPrices: Template = {
  id: 'cpi-cap',
  title: 'One price index with a cap',
  words: 'A rent or fee that follows consumer prices every year, never down and never by more than a cap.',
  formula: 'P = P₀ × CPI ÷ CPI₀,  0 % … +5 % a year',
  write:
    year => `${head('Yearly fee by consumer prices', 'Every January by the change of consumer prices from November to November.')}
contract:
  start: ${year - 2}-01-01
  frequency: ANNUAL
  price: { amount: 1000.00, currency: USD, unit: month, round: { dp: 2 } }

inputs:
  cpi:
    series: BLS/CUUR0000SA0
    weight: 1
    base: ${year - 3}-11
    lag: 2 months

clause:
  basis: CHAINED
  cap: { periodPct: 5 }
  floor: { periodPct: 0 }
  rounding: { percent: { dp: 2 } }
`,
}

const yearlyCap: Template = {
  id: 'yearly-cap',
  title: 'Every quarter, with a cap for the year',
  words:
    'A service fee that follows labour cost every quarter, but by no more than a cap from anniversary to anniversary.',
  formula: 'P = P₀ × (0.20 + 0.80 L ÷ L₀),  at most +4 % per contract year',
  write:
    year => `${head('Service by labour cost', 'Every quarter by the cost of labour; at most 4 % in a year of the contract.')}
contract:
  start: ${year - 2}-01-01
  frequency: QUARTERLY
  price: { amount: 25000, currency: USD, unit: quarter, round: { dp: 2 } }

inputs:
  labour:
    series: BLS/CIU2020000000000I
    weight: 0.80
    base: ${year - 3}-Q3
    lag: 2 quarters

clause:
  fixed: 0.20
  # From one anniversary of the start to the next, whatever the number of adjustments.
  cap: { yearPct: 4, year: CONTRACT }
  rounding: { total: { dp: 2 } }
`,
}

const materials: Template = {
  id: 'materials-labour',
  title: 'Materials, labour and a fixed share',
  words: 'A supply price whose material, energy and labour shares follow an index each, while the rest stays.',
  formula: 'P = P₀ × (0.20 + 0.40 M ÷ M₀ + 0.15 E ÷ E₀ + 0.25 L ÷ L₀)',
  write: year => `${head('Parts by steel, power and labour', 'Quarterly, from the base at the start of the contract.')}
contract:
  start: ${year - 1}-01-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: USD, unit: piece, round: { dp: 2 } }

inputs:
  steel:
    series: BLS/WPU101
    weight: 0.40
    base: ${year - 2}-11
    lag: 2 months
  power:
    series: BLS/WPU0543
    weight: 0.15
    base: ${year - 2}-11
    lag: 2 months
  labour:
    series: BLS/CIU2020000000000I
    weight: 0.25
    base: ${year - 2}-Q3
    lag: 2 quarters

clause:
  fixed: 0.20
  threshold: { pct: 2, test: EXCEEDS, pays: ALL }
  cap: { periodPct: 5 }
  floor: { periodPct: -5 }
  rounding: { total: { dp: 2 } }
`,
}

const french: Template = {
  id: 'french',
  title: 'French revision, 0.15 + 0.85',
  words: 'A French public contract: 15 % never moves, the coefficient is rounded up to the thousandth.',
  formula: 'P = P₀ × (0.15 + 0.85 × I ÷ I₀)',
  write: year => `${head('Fee with a French revision', 'Every year by one index, three months before the anniversary.')}
contract:
  start: ${year - 2}-07-01
  frequency: ANNUAL
  price: { amount: 100000, currency: EUR, unit: year, round: { dp: 2 } }

inputs:
  ing:
    # The index of engineering, uploaded from its publisher; pick the one your contract names.
    series: CUSTOM/ing
    weight: 0.85
    base: ${year - 2}-04
    lag: 3 months

clause:
  fixed: 0.15
  rounding: { factor: { dp: 3, mode: CEILING } }
`,
}

const fidic: Template = {
  id: 'fidic',
  title: 'FIDIC, adjustment for changes in cost',
  words: 'Each month’s certificate by labour, equipment and materials, with the figures known 49 days before its end.',
  formula: 'Pₙ = a + b Lₙ ÷ L₀ + c Eₙ ÷ E₀ + d Mₙ ÷ M₀',
  write: year => `${head('Works by the FIDIC formula', 'The multiplier of each monthly certificate.')}
contract:
  start: ${year - 1}-01-31
  frequency: MONTHLY
  price: { amount: 250000, currency: USD, unit: certificate, round: { dp: 2 } }

inputs:
  labour:
    series: BLS/CIU2020000000000I
    weight: 0.25
    base: ${year - 2}-Q3
    lag: 49 days
    pick: LATEST_PUBLISHED
  equipment:
    series: BLS/WPU112
    weight: 0.15
    base: ${year - 2}-12
    lag: 49 days
    pick: LATEST_PUBLISHED
  materials:
    series: BLS/WPU101
    weight: 0.45
    base: ${year - 2}-12
    lag: 49 days
    pick: LATEST_PUBLISHED

clause:
  # The part that is not adjusted, "a" in the formula.
  fixed: 0.15
  rounding: { factor: { dp: 4 } }
`,
}

const nec: Template = {
  id: 'nec-x1',
  title: 'NEC option X1, price adjustment for inflation',
  words: 'A price adjustment factor summed from the change of each index since the base date, written as steps.',
  formula: 'PAF = 0.40 (L − B) ÷ B + 0.35 (L − B) ÷ B',
  write: year => `${head('Works by NEC option X1', 'The price adjustment factor at each assessment date.')}
contract:
  start: ${year - 1}-04-01
  frequency: QUARTERLY
  price: { amount: 100000, currency: GBP, unit: assessment, round: { dp: 2 } }

inputs:
  # The indices named in the contract data, uploaded from their publisher.
  labour: { series: CUSTOM/works-labour, base: ${year - 1}-01, lag: 2 months }
  steel: { series: CUSTOM/works-steel, base: ${year - 1}-01, lag: 2 months }

steps:
  - { name: labour_part, expr: 0.40 * (labour - labour.base) / labour.base, round: { dp: 4 } }
  - { name: steel_part, expr: 0.35 * (steel - steel.base) / steel.base, round: { dp: 4 } }
  - { name: paf, expr: "sum(labour_part, steel_part)", note: the price adjustment factor }
  - { name: factor, expr: 1 + paf }
result: { kind: FACTOR, step: factor }

# An index that changes after it was used is calculated again, and the next assessment carries the difference.
corrections: { when: EACH, settle: NEXT_INVOICE }
`,
}

const deadband: Template = {
  id: 'fuel-deadband',
  title: 'Fuel with a deadband',
  words: 'Fuel may move by 5 % either way at the carrier’s risk; 30 % of what goes beyond changes the rate.',
  formula: 'Δ = 0.30 × (|ΔF| − 5 %),  inside the band 0',
  write:
    year => `${head('Haulage with a fuel deadband', 'Every month by the average diesel price of the month before.')}
contract:
  start: ${year - 1}-02-01
  frequency: MONTHLY
  price: { amount: 2.150, currency: USD, unit: mile, round: { dp: 3 } }

inputs:
  diesel:
    series: EIA/petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W
    weight: 1
    base: ${year - 1}-01
    lag: 1 month
    window: 1 month

clause:
  threshold: { pct: 5, test: EXCEEDS, pays: EXCESS }
  # Fuel is 30 % of the rate.
  passThrough: 0.30
  rounding: { total: { dp: 2 } }
`,
}

const surcharge: Template = {
  id: 'surcharge-table',
  title: 'Surcharge from a table',
  words: 'The surcharge in percent is in a table beside the fuel price; the rate is looked up each month.',
  formula: 'P = P₀ + P₀ × table(fuel) ÷ 100',
  write:
    year => `${head('Haulage with a fuel table', 'The rate with its surcharge, by the diesel price of two weeks before.')}
contract:
  start: ${year - 1}-02-01
  frequency: MONTHLY
  price: { amount: 2.150, currency: USD, unit: mile, round: { dp: 3 } }

inputs:
  diesel:
    series: EIA/petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W
    lag: 2 weeks

tables:
  percent_by_diesel:
    - { below: 3.25, value: 19 }
    - { below: 3.50, value: 20.5 }
    - { below: 3.75, value: 22 }
    - { below: 4.00, value: 23.5 }
    - { below: 4.50, value: 26 }
    - { below: 5.00, value: 29 }
    - { value: 32 }

steps:
  - { name: surcharge, expr: "lookup(percent_by_diesel, diesel)", note: percent of the rate without fuel }
  - { name: extra, expr: price * surcharge / 100, round: { dp: 3 } }
result: { kind: SURCHARGE, step: extra }
`,
}

const bond: Template = {
  id: 'bond-index',
  title: 'Lagged index of a linked bond',
  words: 'The index three months before, interpolated to the day, as inflation-linked bonds compute their ratio.',
  formula: 'IR = Ref(t) ÷ Ref(t₀),  Ref = Iₘ + (d − 1) ÷ D × (Iₘ₊₁ − Iₘ)',
  write:
    year => `${head('Index ratio of a linked bond', 'The ratio at each coupon date, cut at six decimals and rounded to five.')}
contract:
  start: ${year - 2}-04-15
  frequency: SEMIANNUAL
  price: { amount: 100, currency: USD, unit: bond, round: { dp: 5 } }

inputs:
  cpi:
    series: BLS/CUUR0000SA0
    lag: 3 months
    interpolate: DAILY
    base: ${year - 2}-04-15

steps:
  - { name: reference, expr: "round(trunc(cpi, 6), 5)" }
  - { name: reference_base, expr: "round(trunc(cpi.base, 6), 5)" }
  - { name: index_ratio, expr: "round(trunc(reference / reference_base, 6), 5)" }
result: { kind: FACTOR, step: index_ratio }
`,
}

const blank: Template = {
  id: 'blank',
  title: 'Blank',
  words: 'One index that carries all of the price. Add inputs, a fixed share and limits as your contract has them.',
  formula: 'P = P₀ × I ÷ I₀',
  write: year => `${head('New agreement', '""')}
contract:
  start: ${year - 1}-01-01
  frequency: QUARTERLY

inputs:
  index:
    series: CUSTOM/index
    weight: 1
    base: ${year - 2}-12
    lag: 2 months

clause:
  rounding: { total: { dp: 2 } }
`,
}

export const templates: readonly Template[] = [
  consumerPrices,
  yearlyCap,
  materials,
  french,
  fidic,
  nec,
  deadband,
  surcharge,
  bond,
  blank,
]

export function templateOf(id: string | undefined): Template | null {
  return templates.find(template => template.id === id) ?? null
}
