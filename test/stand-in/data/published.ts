// Series with published figures, from recorded answers and from consumer prices known to the last digit. Their publication
// days are assumed (a fixed time after the period), except for the vintages of GDP.

import type { ProviderName } from '../../../src/core/series/series.ts'
import { formatDay } from '../../../src/core/time/day.ts'
import type { Frequency } from '../../../src/core/time/period.ts'
import { formatPeriod, lastDayOf, parsePeriod, shift } from '../../../src/core/time/period.ts'
import { type OpenLog, publish, type StandInSeries } from '../model.ts'

interface Recorded {
  readonly provider: ProviderName
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency
  readonly details?: Readonly<Record<string, string>>
  /** The first period; the figures follow in order, `-` if there was none. */
  readonly first: string
  readonly figures: string
  /** Days after the period's end. */
  readonly delay: number
  /** Marked preliminary for this many days, with the same digits. */
  readonly preliminaryDays?: number
}

const recorded: readonly Recorded[] = [
  {
    provider: 'BLS',
    code: 'CUUR0000SA0',
    name: 'CPI-U, US city average, all items',
    unit: '1982-84=100',
    frequency: 'MONTHLY',
    first: '2023-01',
    figures: `299.170 300.840 301.836 303.363 304.127 305.109 305.691 307.026 307.789 307.671 307.051 306.746
      308.417 310.326 312.332 313.548 314.069 314.175 314.540 314.796 315.301 315.664 315.493 315.605
      317.671 319.082 319.799 320.795 321.465 322.561 323.048 323.976 324.800 - 324.122 324.054
      325.252 326.785 330.213 333.020 335.123 333.952 333.918`,
    delay: 13,
  },
  {
    provider: 'BLS',
    code: 'WPUFD4',
    name: 'PPI final demand',
    unit: 'Nov 2009=100',
    frequency: 'MONTHLY',
    first: '2025-07',
    figures: `149.898 149.466 150.100 150.439 150.580 150.773 152.145 153.156 154.675 156.458 157.128 157.083 156.927`,
    delay: 14,
    preliminaryDays: 120,
  },
  {
    provider: 'BLS',
    code: 'CES0500000003',
    name: 'Average hourly earnings, total private',
    unit: 'dollars',
    frequency: 'MONTHLY',
    first: '2025-07',
    figures: '36.47 36.62 36.70 36.85 37.00 37.02 37.15 37.27 37.35 37.41 37.49 37.60 37.62',
    delay: 6,
    preliminaryDays: 60,
  },
  {
    provider: 'EIA',
    code: 'petroleum/pri/spt/RBRTE/M',
    name: 'Europe Brent Spot Price FOB (Dollars per Barrel)',
    unit: '$/BBL',
    frequency: 'MONTHLY',
    first: '2025-01',
    figures: '79.27 75.44 72.73',
    delay: 3,
  },
  {
    provider: 'ECB',
    code: 'ICP/M.U2.N.000000.4.INX',
    name: 'Euro area, HICP, overall index',
    unit: 'PURE_NUMB',
    frequency: 'MONTHLY',
    details: { base: '2015=100' },
    first: '2025-01',
    figures: '126.72 127.26 128.04 128.77 128.7 129.1 129.12 129.31 129.43 129.7 129.33 129.54',
    delay: 18,
  },
  {
    provider: 'ECB',
    code: 'EXR/D.USD.EUR.SP00.A',
    name: 'US dollar/Euro ECB reference exchange rate',
    unit: 'USD',
    frequency: 'DAILY',
    first: '2024-06-03',
    figures: '1.0842 1.0865 1.0872 1.0865 1.0898',
    delay: 0,
  },
  {
    provider: 'WORLD_BANK',
    code: 'EG.ELC.RNEW.ZS/CAN',
    name: 'Renewable electricity output (% of total electricity output)',
    unit: '',
    frequency: 'ANNUAL',
    details: { iso2: 'CA', country: 'Canada' },
    first: '2008',
    figures: `61.3290986200485 62.9637388659713 61.2394556876236 62.4604027184521 63.6371552837649 64.0759575040385
      63.1954620280532 64.1242644713459 64.9753767870051 66.5646304151468 65.9483864114063 65.8791259309204
      67.0564578594512 67.0163805768966`,
    delay: 200,
  },
  {
    provider: 'IMF',
    code: 'IMF.RES,PCPS/G001.PLITH.USD.M',
    name: 'Lithium',
    unit: 'USD',
    frequency: 'MONTHLY',
    first: '2026-07',
    figures: '156809.13 148620.0',
    delay: 5,
  },
  {
    provider: 'EUROSTAT',
    code: 'prc_hicp_minr/M.I25.TOTAL.AT',
    name: 'HICP, Austria, all items',
    unit: 'I25',
    frequency: 'MONTHLY',
    first: '2026-07',
    figures: '102.59 103.15 103.81',
    delay: 2,
    preliminaryDays: 16,
  },
  ...[
    ['A', 'ANNUAL', '2005', '2.1 2.3 2.3 3.6 2.2 3.3 4.5 2.8 2.6 1.5'],
    ['Q', 'QUARTERLY', '2013-Q1', '2.8 2.7 2.7 2.1 1.7 1.7 1.5 0.9 0.1 -0.0'],
    ['M', 'MONTHLY', '2014-05', '1.5 1.9 1.6 1.5 1.2 1.3 1.0 0.5 0.3 0.0 0.0 -0.1 0.1 0.0'],
  ].map(
    ([letter, frequency, first, figures]): Recorded => ({
      provider: 'ONS',
      code: `D7G7/MM23/${letter}`,
      name: 'CPI: Consumer Prices Index (% change)',
      unit: '%',
      frequency: frequency as Frequency,
      first: first!,
      figures: figures!,
      delay: 14,
    }),
  ),
  {
    provider: 'STATCAN',
    code: 'v41690973',
    name: 'Canada, all-items consumer price index',
    unit: '2002=100',
    frequency: 'MONTHLY',
    details: { product: '18100004', coordinate: '2.2.0.0.0.0.0.0.0.0' },
    first: '2025-03',
    figures: '163.5 163.4 164.3 164.4 164.9 164.8 164.9 165.3 165.4 165.0 165.0 165.9 167.4 168.0',
    delay: 18,
  },
  {
    provider: 'ABS',
    code: 'CPI,2.0.0/1.10001.10.3.Q',
    name: 'CPI, all groups',
    unit: 'IN',
    frequency: 'QUARTERLY',
    details: { base: '25' },
    first: '2023-Q1',
    figures: '91.73 92.67 93.35 93.81 94.88 95.78 94.99 95.54 97.37 98.16 99.48 100.38 101.42 102.17',
    delay: 29,
  },
  {
    provider: 'BIS',
    code: 'WS_EER/M.N.B.DE',
    name: 'Germany - Nominal - Broad (64 economies)',
    unit: 'Index, 2020 = 100',
    frequency: 'MONTHLY',
    first: '1994-01',
    figures: `79.97 80.31 81.89 82.25 83.38 84.21 85.49 85.92 86.04 86.82 86.68 86.57
      88.01 89.18 92.72 93 91.85 91.81 92.13 90.74 90.75 92.45 92.41 91.92`,
    delay: 15,
  },
  {
    provider: 'BOJ',
    code: 'CO/TK99F1000601GCQ01000',
    name: 'D.I./Business Conditions/Large Enterprises/Manufacturing/Actual result',
    unit: '% points',
    frequency: 'QUARTERLY',
    first: '2024-Q1',
    figures: '11 13 13 14 12 13 14 15',
    delay: 1,
  },
  {
    provider: 'OECD',
    code: 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.A.N.CPI.PA._T.N.GY',
    name: 'Consumer prices, United Kingdom, growth over a year',
    unit: 'PA',
    frequency: 'ANNUAL',
    first: '2020',
    figures: '1 2.5 7.9 6.8 3.3 3.9',
    delay: 40,
  },
  {
    provider: 'DBNOMICS',
    code: 'BIS/cbpol/M.US',
    name: 'Monthly – United States',
    unit: '',
    frequency: 'MONTHLY',
    first: '2021-03',
    figures: '0.125 0.125 0.125',
    delay: 20,
  },
]

function toSeries({ first, figures, delay, preliminaryDays, details = {}, ...head }: Recorded): StandInSeries {
  const start = parsePeriod(first)!
  const entries = figures.split(/\s+/).flatMap((figure, at): readonly OpenLog[] => {
    const period = shift(start, at)
    const on = (days: number) => `${formatDay(lastDayOf(period) + days)}T12:30:00Z`
    const written = formatPeriod(period)
    if (figure === '-') return [publish(written, null, on(delay))]
    if (preliminaryDays === undefined) return [publish(written, figure, on(delay))]
    return [
      publish(written, figure, on(delay), 'PRELIMINARY'),
      publish(written, figure, on(delay + preliminaryDays), 'FINAL'),
    ]
  })
  return { ...head, details, publications: entries }
}

/** Gross domestic product of the United States with the publication day of each figure. */
const gdpVintages = `
  2023-Q1 26465.865 2023-04-27 26486.287 2023-05-25 26529.774 2023-06-29 26813.601 2023-09-28 27164.359 2024-09-26
  2023-Q2 26834.953 2023-07-27 26798.605 2023-08-30 27063.012 2023-09-28 27453.815 2024-09-26
  2023-Q3 27623.543 2023-10-26 27644.463 2023-11-29 27610.128 2023-12-21 27967.697 2024-09-26
  2023-Q4 27938.831 2024-01-25 27944.627 2024-02-28 27956.998 2024-03-28 28296.967 2024-09-26
  2024-Q1 28284.498 2024-04-25 28255.928 2024-05-30 28269.174 2024-06-27 28624.069 2024-09-26
  2024-Q2 28629.153 2024-07-25 28652.337 2024-08-29 29016.714 2024-09-26
  2024-Q3 29349.924 2024-10-30 29354.321 2024-11-27 29374.914 2024-12-19`

function gdp(): StandInSeries {
  const entries = gdpVintages
    .trim()
    .split('\n')
    .flatMap(line => {
      const [period = '', ...cells] = line.trim().split(' ')
      return cells.flatMap((cell, at) =>
        at % 2 === 0 ? [publish(period, cell, `${cells[at + 1]}T13:30:00Z`, at === 0 ? 'FINAL' : 'REVISED')] : [],
      )
    })
  const head = { name: 'Gross Domestic Product', unit: 'Billions of Dollars', frequency: 'QUARTERLY' } as const
  return { provider: 'FRED', code: 'GDP', ...head, details: {}, publications: entries }
}

/** The price of a Big Mac in the United States: dates that are not calendar periods. */
const bigMac = `2018-01-31 5.28 2018-07-31 5.51 2019-01-31 5.58 2019-07-31 5.74 2020-01-31 5.67 2020-07-31 5.71
  2021-01-31 5.66 2021-07-31 5.65 2022-01-31 5.81 2022-07-31 5.15`

function bigMacSeries(): StandInSeries {
  const cells = bigMac.split(/\s+/)
  const entries = cells.flatMap((cell, at) =>
    at % 2 === 0 ? [publish(cell, cells[at + 1]!, `${formatDay(lastDayOf(parsePeriod(cell)!) + 7)}T00:00:16Z`)] : [],
  )
  return {
    provider: 'NASDAQ_DATA_LINK',
    code: 'ECONOMIST/BIGMAC_USA/dollar_price',
    name: 'Big Mac Index - United States',
    unit: '',
    frequency: 'DAILY',
    details: {},
    publications: entries,
  }
}

export function publishedSeries(): readonly StandInSeries[] {
  return [...recorded.map(toSeries), gdp(), bigMacSeries()]
}
