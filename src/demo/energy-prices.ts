// Prices of diesel and crude oil as the US Energy Information Administration published them.
import { firstDayOf } from '../core/time/period.ts'
import { consecutive, type DemoSeries, daysLater } from './vintages.ts'

/** Diesel, surveyed on Monday, published by Tuesday. */
const diesel: DemoSeries = {
  reference: 'EIA/petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W',
  name: 'U.S. No 2 Diesel Retail Prices (Dollars per Gallon)',
  unit: '$/GAL',
  dataType: 'PRICE',
  frequency: 'WEEKLY',
  description: 'On-highway diesel in the United States, every week.',
  vintages: consecutive(
    '2025-W01',
    `3.503 3.561 3.602 3.715 3.659 3.660 3.665 3.677 3.697 3.635 3.582 3.549 3.567
    3.592 3.639 3.579 3.534 3.514 3.497 3.476 3.536 3.487 3.451 3.471 3.571 3.775
    3.727 3.739 3.758 3.812 3.805 3.800 3.754 3.713 3.708 3.734 3.766 3.739 3.749
    3.754 3.711 3.665 3.620 3.718 3.753 3.837 3.868 3.831 3.758 3.665 3.607 3.544
    3.500 3.477 3.459 3.530 3.624 3.681 3.688 3.711 3.809 3.897 4.859 5.071 5.375
    5.401 5.643 5.608 5.403 5.351 5.640 5.639 5.596 5.523 5.350 5.210 5.059 4.832
    4.668 4.578 4.796 5.134 5.313 5.348 5.257 5.454 5.652 5.599 5.967 6.285 6.529
    6.382 6.199`,
    week => firstDayOf(week) + 1,
  ),
}

const brent: DemoSeries = {
  reference: 'EIA/petroleum/pri/spt/RBRTE/M',
  name: 'Europe Brent Spot Price FOB (Dollars per Barrel)',
  unit: '$/BBL',
  dataType: 'PRICE',
  frequency: 'MONTHLY',
  description: 'Crude oil of the North Sea, average of the month; days of publication are approximate.',
  vintages: consecutive(
    '2023-01',
    `82.5 82.59 78.43 84.64 75.47 74.84 80.11 86.15 93.72 90.6 82.94 77.63
    80.12 83.48 85.41 89.94 81.75 82.25 85.15 80.36 74.02 75.63 74.35 73.86
    79.27 75.44 72.73 68.13 64.45 71.44 71.04 67.87 67.99 64.54 63.8`,
    daysLater(4),
  ),
}

export const energyPrices: readonly DemoSeries[] = [diesel, brent]
