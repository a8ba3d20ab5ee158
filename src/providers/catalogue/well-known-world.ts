// Well-known series of the world as a whole, Japan and Australia: commodity prices, exchange rates, consumer prices.
import type { Group, WellKnownEntry } from './well-known-group.ts'

const perTon = 'US dollars per metric ton'

/** Primary commodity prices of the IMF: world market, US dollars, by month. */
const commodities: readonly (readonly [id: string, name: string, unit: string])[] = [
  ['PALUM', 'Aluminium', perTon],
  ['PCOPP', 'Copper', perTon],
  ['PNICK', 'Nickel', perTon],
  ['PZINC', 'Zinc', perTon],
  ['PLEAD', 'Lead', perTon],
  ['PTIN', 'Tin', perTon],
  ['PIORECR', 'Iron ore', perTon],
  ['PLITH', 'Lithium', perTon],
  ['PURAN', 'Uranium', 'US dollars per pound'],
  ['POILAPSP', 'Crude oil, average of three spot prices', 'US dollars per barrel'],
  ['POILBRE', 'Crude oil, Brent', 'US dollars per barrel'],
  ['POILWTI', 'Crude oil, WTI', 'US dollars per barrel'],
  ['POILDUB', 'Crude oil, Dubai', 'US dollars per barrel'],
  ['PNGASEU', 'Natural gas, Europe', 'US dollars per million BTU'],
  ['PNGASUS', 'Natural gas, United States', 'US dollars per million BTU'],
  ['PNGASJP', 'Liquefied natural gas, Japan', 'US dollars per million BTU'],
  ['PCOALAU', 'Coal, Australia', perTon],
  ['PWHEAMT', 'Wheat', perTon],
  ['PMAIZMT', 'Maize', perTon],
  ['PRICENPQ', 'Rice', perTon],
  ['PSOYB', 'Soybeans', perTon],
  ['PSUGAISA', 'Sugar', 'US cents per pound'],
  ['PCOFFOTM', 'Coffee, other mild arabicas', 'US cents per pound'],
  ['PCOCO', 'Cocoa', perTon],
  ['PCOTTIND', 'Cotton', 'US cents per pound'],
  ['PRUBB', 'Rubber', 'US cents per pound'],
]

const countries: readonly (readonly [code: string, name: string])[] = [
  ['USA', 'United States'],
  ['CAN', 'Canada'],
  ['GBR', 'United Kingdom'],
  ['DEU', 'Germany'],
  ['FRA', 'France'],
  ['JPN', 'Japan'],
  ['MEX', 'Mexico'],
]

const areas: readonly (readonly [code: string, name: string])[] = [
  ['US', 'United States'],
  ['XM', 'euro area'],
  ['GB', 'United Kingdom'],
  ['JP', 'Japan'],
  ['CN', 'China'],
  ['CH', 'Switzerland'],
]

const cities = ['Sydney', 'Melbourne', 'Brisbane', 'Adelaide', 'Perth', 'Hobart', 'Darwin', 'Canberra']

export const worldSeries: readonly Group[] = [
  {
    provider: 'IMF',
    unit: 'US dollars',
    dataType: 'PRICE',
    entries: commodities.map(
      ([id, name, unit]): WellKnownEntry => ['M', `IMF.RES,PCPS/G001.${id}.USD.M`, `${name}, world market price`, unit],
    ),
  },
  {
    provider: 'WORLD_BANK',
    unit: '2010 = 100',
    dataType: 'INDEX',
    entries: [
      ...countries.map(([code, name]): WellKnownEntry => ['A', `FP.CPI.TOTL/${code}`, `Consumer price index, ${name}`]),
      ['A', 'FP.CPI.TOTL.ZG/USA', 'Inflation, consumer prices, United States', 'annual %', 'RATE'],
      ['A', 'FP.CPI.TOTL.ZG/CAN', 'Inflation, consumer prices, Canada', 'annual %', 'RATE'],
    ],
  },
  {
    provider: 'OECD',
    unit: 'Index',
    dataType: 'INDEX',
    entries: countries.map(([code, name]): WellKnownEntry => {
      return [
        'M',
        `OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/${code}.M.N.CPI.IX._T.N._Z`,
        `Consumer price index, ${name}, all items`,
      ]
    }),
  },
  {
    provider: 'BIS',
    unit: 'Index, 2020 = 100',
    dataType: 'INDEX',
    entries: [
      ...areas.map(
        ([code, name]): WellKnownEntry => [
          'M',
          `WS_EER/M.N.B.${code}`,
          `Effective exchange rate, nominal, broad, ${name}`,
        ],
      ),
      ['M', 'WS_EER/M.N.B.DE', 'Effective exchange rate, nominal, broad, Germany'],
      ['M', 'WS_EER/M.R.B.US', 'Effective exchange rate, real, broad, United States'],
      ['D', 'WS_CBPOL/D.XM', 'Central bank policy rate, euro area', 'Percent per year', 'RATE'],
      ['D', 'WS_CBPOL/D.US', 'Central bank policy rate, United States', 'Percent per year', 'RATE'],
      ['D', 'WS_CBPOL/D.GB', 'Central bank policy rate, United Kingdom', 'Percent per year', 'RATE'],
    ],
  },
  {
    provider: 'BOJ',
    unit: 'CY2020 = 100',
    dataType: 'INDEX',
    entries: [
      ['M', 'PR01/PRCG20_2200000000', 'Producer price index, all commodities, Japan'],
      ['M', 'PR01/PRCG20_2400000000', 'Export price index, all commodities, yen basis, Japan'],
      ['M', 'PR01/PRCG20_2600000000', 'Import price index, all commodities, yen basis, Japan'],
      ['M', 'PR02/PRCS20_5200000000', 'Services producer price index, all items, Japan'],
      ['D', 'FM08/FXERD01', 'US dollar/yen spot rate at 9:00 in Tokyo', 'Yen per US dollar', 'FX'],
    ],
  },
  {
    provider: 'ABS',
    unit: 'Index, 2025 = 100',
    dataType: 'INDEX',
    entries: [
      [
        'Q',
        'CPI,2.0.0/1.10001.10.50.Q',
        'Consumer price index, all groups, weighted average of eight capital cities, Australia',
      ],
      [
        'Q',
        'CPI,1.1.0/1.10001.10.50.Q',
        'Consumer price index, all groups, eight capital cities, Australia, old base',
        'Index, 2011-12 = 100',
      ],
      ...cities.map(
        (city, at): WellKnownEntry => [
          'Q',
          `CPI,2.0.0/1.10001.10.${at + 1}.Q`,
          `Consumer price index, all groups, ${city}`,
        ],
      ),
      ['S', 'AWE,1.0.0/3.1.3.7.TOT.10.AUS.S', 'Average weekly earnings, Australia', 'AUD', 'WAGE'],
    ],
  },
  {
    provider: 'DBNOMICS',
    unit: 'Percent per year',
    dataType: 'RATE',
    entries: [['M', 'BIS/cbpol/M.CA', 'Central bank policy rate, Canada']],
  },
  {
    provider: 'NASDAQ_DATA_LINK',
    unit: 'US dollars',
    dataType: 'PRICE',
    entries: [['D', 'ECONOMIST/BIGMAC_USA/dollar_price', 'Big Mac index, United States, price in dollars']],
  },
]
