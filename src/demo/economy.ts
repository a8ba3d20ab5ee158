// Three well-known figures that no formula of the demo reads: economic output with all its revisions, a wage twice a year, and an
// exchange rate for every working day.
import { consecutive, type DemoSeries, daily, daysLater, histories } from './vintages.ts'

/** Output, every estimate with its day: advance, second, third, and the revision of each September. */
const output: DemoSeries = {
  reference: 'FRED/GDP',
  name: 'Gross Domestic Product',
  unit: 'Billions of Dollars',
  dataType: 'INDEX',
  frequency: 'QUARTERLY',
  description: 'Output of the United States, seasonally adjusted annual rate, with every estimate that was published.',
  vintages: histories(`
    2022-Q1 2022-04-28 24382.683 2022-05-26 24384.289 2022-06-29 24386.734 2022-09-29 24740.48 2023-09-28 25029.116 2024-09-26 25215.491
    2022-Q2 2022-07-28 24851.809 2022-08-25 24882.878 2022-09-29 25248.476 2023-09-28 25544.273 2024-09-26 25805.791
    2022-Q3 2022-10-27 25663.289 2022-11-30 25698.96 2022-12-22 25723.941 2023-09-28 25994.639 2024-09-26 26272.011
    2022-Q4 2023-01-26 26132.458 2023-02-23 26144.956 2023-03-30 26137.992 2023-09-28 26408.405 2024-09-26 26734.277
    2023-Q1 2023-04-27 26465.865 2023-05-25 26486.287 2023-06-29 26529.774 2023-09-28 26813.601 2024-09-26 27164.359
    2023-Q2 2023-07-27 26834.953 2023-08-30 26798.605 2023-09-28 27063.012 2024-09-26 27453.815
    2023-Q3 2023-10-26 27623.543 2023-11-29 27644.463 2023-12-21 27610.128 2024-09-26 27967.697
    2023-Q4 2024-01-25 27938.831 2024-02-28 27944.627 2024-03-28 27956.998 2024-09-26 28296.967
    2024-Q1 2024-04-25 28284.498 2024-05-30 28255.928 2024-06-27 28269.174 2024-09-26 28624.069
    2024-Q2 2024-07-25 28629.153 2024-08-29 28652.337 2024-09-26 29016.714
    2024-Q3 2024-10-30 29349.924 2024-11-27 29354.321 2024-12-19 29374.914`),
}

const australianWages: DemoSeries = {
  reference: 'ABS/AWE,1.0.0/3.1.3.7.TOT.10.AUS.S',
  name: 'Average weekly earnings, full-time adults, ordinary time, Australia',
  unit: 'AUD',
  dataType: 'WAGE',
  frequency: 'SEMIANNUAL',
  description: 'Earnings in May and November, original; days of publication are approximate.',
  vintages: consecutive(
    '2019-H1',
    '1634.8 1658.4 1713.9 1711.6 1737.1 1748.4 1769.8 1807.7 1838.1 1888.8 1923.4 1975.8 2010.0 2051.1 2083.7',
    daysLater(50),
  ),
}

const dollarsPerEuro: DemoSeries = {
  reference: 'ECB/EXR/D.USD.EUR.SP00.A',
  name: 'US dollar/Euro, ECB reference exchange rate',
  unit: 'USD',
  dataType: 'FX',
  frequency: 'DAILY',
  description: 'Dollars for one euro, set on every working day of the euro area.',
  vintages: daily(`
    2026-01-02 1.1721 2026-01-05 1.1664 2026-01-06 1.1707 2026-01-07 1.1684 2026-01-08 1.1675 2026-01-09 1.1642
    2026-01-12 1.1692 2026-01-13 1.1654 2026-01-14 1.1651 2026-01-15 1.1624 2026-01-16 1.1617
    2026-01-19 1.1631 2026-01-20 1.1728 2026-01-21 1.1739 2026-01-22 1.1706 2026-01-23 1.1742
    2026-01-26 1.1836 2026-01-27 1.1929 2026-01-28 1.1974 2026-01-29 1.1968 2026-01-30 1.1919
    2026-02-02 1.184  2026-02-03 1.1801 2026-02-04 1.182  2026-02-05 1.1798 2026-02-06 1.1794
    2026-02-09 1.1886 2026-02-10 1.1894 2026-02-11 1.19   2026-02-12 1.1874 2026-02-13 1.1862
    2026-02-16 1.1855 2026-02-17 1.1826 2026-02-18 1.1845 2026-02-19 1.1753 2026-02-20 1.1767
    2026-02-23 1.1784 2026-02-24 1.1777 2026-02-25 1.1784 2026-02-26 1.1814 2026-02-27 1.1805
    2026-03-02 1.1698 2026-03-03 1.1606 2026-03-04 1.1649 2026-03-05 1.1618`),
}

export const economy: readonly DemoSeries[] = [output, australianWages, dollarsPerEuro]
