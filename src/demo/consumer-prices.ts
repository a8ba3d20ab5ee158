// Consumer prices as they were published: United States, euro area, United Kingdom, Canada, and French rents.
import { calendar, consecutive, type DemoSeries, daysLater } from './vintages.ts'

/**
 * US consumer prices with the days of BLS's calendar, those of 2026 as planned. October 2025 was never published: the offices
 * were closed.
 */
const unitedStates: DemoSeries = {
  reference: 'BLS/CUUR0000SA0',
  name: 'CPI-U, US city average, all items, not seasonally adjusted',
  unit: '1982-84=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Consumer prices in the United States. There is no figure for October 2025.',
  vintages: consecutive(
    '2019-01',
    `251.712 252.776 254.202 255.548 256.092 256.143 256.571 256.558 256.759 257.346 257.208 256.974
    257.971 258.678 258.115 256.389 256.394 257.797 259.101 259.918 260.280 260.388 260.229 260.474
    261.582 263.014 264.877 267.054 269.195 271.696 273.003 273.567 274.310 276.589 277.948 278.802
    281.148 283.716 287.504 289.109 292.296 296.311 296.276 296.171 296.808 298.012 297.711 296.797
    299.170 300.840 301.836 303.363 304.127 305.109 305.691 307.026 307.789 307.671 307.051 306.746
    308.417 310.326 312.332 313.548 314.069 314.175 314.540 314.796 315.301 315.664 315.493 315.605
    317.671 319.082 319.799 320.795 321.465 322.561 323.048 323.976 324.800 .       324.122 324.054
    325.252 326.785 330.213 333.020 335.123 333.952 333.918`,
    calendar(`2019-02-13 2019-03-12 2019-04-10 2019-05-10 2019-06-12 2019-07-11
    2019-08-13 2019-09-12 2019-10-10 2019-11-13 2019-12-11 2020-01-14
    2020-02-13 2020-03-11 2020-04-10 2020-05-12 2020-06-10 2020-07-14
    2020-08-12 2020-09-11 2020-10-13 2020-11-12 2020-12-10 2021-01-13
    2021-02-10 2021-03-10 2021-04-13 2021-05-12 2021-06-10 2021-07-13
    2021-08-11 2021-09-14 2021-10-13 2021-11-10 2021-12-10 2022-01-12
    2022-02-10 2022-03-10 2022-04-12 2022-05-11 2022-06-10 2022-07-13
    2022-08-10 2022-09-13 2022-10-13 2022-11-10 2022-12-13 2023-01-12
    2023-02-14 2023-03-14 2023-04-12 2023-05-10 2023-06-13 2023-07-12
    2023-08-10 2023-09-13 2023-10-12 2023-11-14 2023-12-12 2024-01-11
    2024-02-13 2024-03-12 2024-04-10 2024-05-15 2024-06-12 2024-07-11
    2024-08-14 2024-09-11 2024-10-10 2024-11-13 2024-12-11 2025-01-15
    2025-02-12 2025-03-12 2025-04-10 2025-05-13 2025-06-11 2025-07-15
    2025-08-12 2025-09-11 2025-10-24 .          2025-12-18 2026-01-13
    2026-02-13 2026-03-11 2026-04-10 2026-05-12 2026-06-10 2026-07-14
    2026-08-12`),
  ),
}

/** The flow ended with December 2025, when the reference year became 2025. */
const euroArea: DemoSeries = {
  reference: 'ECB/ICP/M.U2.N.000000.4.INX',
  name: 'Euro area, HICP, overall index',
  unit: '2015=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Harmonised consumer prices of the euro area; days of publication are approximate.',
  vintages: consecutive(
    '2024-05',
    `126.31 126.58 126.54 126.72 126.6 127.03 126.62 127.07
    126.72 127.26 128.04 128.77 128.7 129.1 129.12 129.31 129.43 129.7 129.33 129.54`,
    daysLater(18),
  ),
}

const unitedKingdom: DemoSeries = {
  reference: 'ONS/CHAW/MM23/M',
  name: 'RPI All Items Index: Jan 1987=100',
  unit: 'Jan 1987=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Retail prices in the United Kingdom, which are never revised; days of publication are approximate.',
  vintages: consecutive(
    '2023-01',
    `360.3 364.5 367.2 372.8 375.3 376.4 374.2 376.6 378.4 377.8 377.3 379.0
    378.0 381.0 383.0 385.0 386.4 387.3 387.5 389.9 388.6 390.7 390.9 392.1
    391.7 394.0 395.3 402.2 402.9 404.5 406.2 407.7`,
    daysLater(18),
  ),
}

const canada: DemoSeries = {
  reference: 'STATCAN/v41690973',
  name: 'Canada, all-items consumer price index, not seasonally adjusted',
  unit: '2002=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Consumer prices in Canada, with the days on which Statistics Canada released them.',
  vintages: consecutive(
    '2024-05',
    `161.5 161.4 162.1 161.8 161.1 161.8 161.8 161.2
    161.3 163.0 163.5 163.4 164.3 164.4 164.9 164.8 164.9 165.3 165.4 165.0
    165.0 165.9 167.4 168.0`,
    calendar(`2024-06-25 2024-07-16 2024-08-20 2024-09-17 2024-10-15 2024-11-19 2024-12-17 2025-01-21
    2025-02-18 2025-03-18 2025-04-15 2025-05-20 2025-06-24 2025-07-15
    2025-08-19 2025-09-16 2025-10-21 2025-11-17 2025-12-15 2026-01-19
    2026-02-17 2026-03-16 2026-04-20 2026-05-19`),
  ),
}

const frenchRents: DemoSeries = {
  reference: 'CUSTOM/insee-irl',
  name: 'IRL, indice de référence des loyers, France',
  unit: '1998-Q4=100',
  dataType: 'INDEX',
  frequency: 'QUARTERLY',
  description: 'Rents in France, published by INSEE; days of publication are approximate.',
  vintages: consecutive(
    '2019-Q1',
    `129.38 129.72 129.99 130.26 130.57 130.57 130.59 130.52 130.69 131.12 131.67 132.62
    133.93 135.84 136.27 137.26 138.61 140.59 141.03 142.06 143.46 145.17 144.51 144.64
    145.47 146.68 145.77 145.78`,
    daysLater(15),
  ),
}

export const consumerPrices: readonly DemoSeries[] = [unitedStates, euroArea, unitedKingdom, canada, frenchRents]
