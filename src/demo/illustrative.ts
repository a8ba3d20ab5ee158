// Invented figures where published ones are missing: they behave like such series, and their names say that they are invented.
import { lastDayOf, shift } from '../core/time/period.ts'
import { consecutive, type DemoSeries, daysLater, histories } from './vintages.ts'

/** Labour: preliminary, settled a quarter later, sometimes revised after that; the newest was withdrawn. */
const labour: DemoSeries = {
  reference: 'CUSTOM/labour-metal',
  name: 'Labour cost index, metal industry (illustrative)',
  unit: '2020=100',
  dataType: 'WAGE',
  frequency: 'QUARTERLY',
  description: 'Invented figures with a preliminary stage, later revisions and a withdrawal.',
  vintages: histories(`
    2024-Q1 2024-06-17 114.9p 2024-09-16 115.2
    2024-Q2 2024-09-16 116.0p 2024-12-16 116.1
    2024-Q3 2024-12-16 116.7p 2025-03-17 116.8
    2024-Q4 2025-03-17 117.8p 2025-06-16 117.9
    2025-Q1 2025-06-16 118.4p 2025-09-15 118.6 2026-03-16 118.7
    2025-Q2 2025-09-15 119.6p 2025-12-15 119.7 2026-09-14 119.9
    2025-Q3 2025-12-15 120.5p 2026-03-16 120.4
    2025-Q4 2026-03-16 121.6p 2026-06-15 121.5
    2026-Q1 2026-06-15 122.4p 2026-09-14 122.6
    2026-Q2 2026-09-14 124.9p 2026-10-02 -`),
}

/** Engineering: published at the end of the second month after its own. */
const engineering: DemoSeries = {
  reference: 'CUSTOM/ing',
  name: 'Index ING, ingénierie (illustrative)',
  unit: '2010=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Invented figures in the manner of the index ING for French engineering contracts.',
  vintages: [
    ...consecutive(
      '2023-01',
      `127.9 128.3 128.8 129.4 129.7 129.9 130.2 130.5 130.9 131.1 131.4 131.6
      131.9 132.2 132.4 132.7 132.9 133.0 133.1 133.4 133.6 133.7 133.9 134.0
      134.2 134.5 134.7 134.9 135.1 135.2 135.4 135.7 135.9 136.1 136.2p 136.6
      136.9 137.2 137.4 137.8 138.0 138.3`,
      month => lastDayOf(shift(month, 2)),
    ),
    ...histories('2025-11 2026-02-27 136.3 2026-06-30 136.4'),
  ],
}

/** Successor of the index that ended: the same figures over those of 2025, and invented ones from 2026 on. */
const harmonised: DemoSeries = {
  reference: 'CUSTOM/hicp-2025',
  name: 'Euro area, HICP, overall index, 2025=100 (illustrative)',
  unit: '2025=100',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: 'Invented figures from 2026 on; those of 2025 are the earlier index divided by its mean.',
  vintages: consecutive(
    '2025-01',
    `98.42 98.84 99.45 100.01 99.96 100.27 100.29 100.43 100.53 100.74 100.45 100.61
    100.36 100.82 101.51 102.06 102.11 102.37 102.41 102.58`,
    daysLater(18),
  ),
}

export const illustrative: readonly DemoSeries[] = [labour, engineering, harmonised]
