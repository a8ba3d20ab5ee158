// Producer prices of the United States as seen on three days: on 25 November 2025, on 14 April and on 11 June 2026. The
// newest four months are preliminary each time, and settle at the fourth release after their own. Earlier preliminary
// figures are not known here; those months have their settled figure from their first release on. Days after January 2026
// are those of BLS's planned calendar.
import { calendar, consecutive, type DemoSeries, histories } from './vintages.ts'

const releases = calendar(`2024-02-16 2024-03-14 2024-04-11 2024-05-14 2024-06-13 2024-07-12
  2024-08-13 2024-09-12 2024-10-11 2024-11-14 2024-12-12 2025-01-14
  2025-02-13 2025-03-13 2025-04-11 2025-05-15 2025-06-12 2025-07-16
  2025-08-14 2025-09-10 2025-11-25 2026-01-14 2026-01-14 2026-01-30
  2026-02-27 2026-03-18 2026-04-14 2026-05-13 2026-06-11`)

const steel: DemoSeries = {
  reference: 'BLS/WPU101',
  name: 'PPI, iron and steel, not seasonally adjusted',
  unit: '1982=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Producer prices of iron and steel in the United States, preliminary for four months.',
  vintages: [
    ...consecutive(
      '2024-01',
      `338.362 344.739 321.137 314.128 314.168 308.611 301.282 295.464 291.516 294.235 297.911 288.188
      286.655 296.547 312.996 320.642 333.703 320.600P 318.270P 321.090P 317.789P 313.812 307.944 323.953P
      330.503P 341.515P 346.918P 352.299P 357.108P`,
      releases,
    ),
    ...histories(`
      2025-06 2026-01-14 320.657
      2025-07 2026-01-14 318.105
      2025-08 2026-01-30 320.719
      2025-09 2026-02-27 317.520
      2025-12 2026-05-13 323.978
      2026-01 2026-06-11 329.774
      2026-02 2026-06-11 340.513P
      2026-03 2026-06-11 346.649P`),
  ],
}

const electricity: DemoSeries = {
  reference: 'BLS/WPU0543',
  name: 'PPI, industrial electric power, not seasonally adjusted',
  unit: '1982=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Producer prices of electricity for industry in the United States, preliminary for four months.',
  vintages: consecutive(
    '2024-01',
    `297.248 305.893 300.250 297.514 293.251 317.819 320.093 320.024 320.188 303.443 293.721 295.102
    297.295 301.406 302.735 303.129 296.787 318.893 337.884 342.491 330.906 318.881 310.080 312.138
    309.963 311.747P 307.758P 306.324P 303.998P`,
    releases,
  ),
}

export const producerPrices: readonly DemoSeries[] = [steel, electricity]
