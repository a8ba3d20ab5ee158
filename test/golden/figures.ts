// Invented figures for the golden receipts: the same forever, because receipts that were made from them are kept.

const months = Array.from(
  { length: 36 },
  (_, i) => `${2022 + Math.floor(i / 12)}-${`${(i % 12) + 1}`.padStart(2, '0')}`,
)
const quarters = Array.from({ length: 12 }, (_, i) => `${2022 + Math.floor(i / 4)}-Q${(i % 4) + 1}`)

/** A walk that goes up, down and up again, in tenths. */
function wave(i: number, start: number, rise: number): string {
  const tenths = start * 10 + rise * i + ((i * 7) % 11) * 3 - ((i * 5) % 7) * 4
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

function dayAfter(month: string): string {
  const [year, number] = month.split('-').map(part => Number.parseInt(part, 10)) as [number, number]
  return number === 12 ? `${year + 1}-01-15` : `${year}-${`${number + 1}`.padStart(2, '0')}-15`
}

const rows: string[] = []
const add = (series: string, period: string, value: string, version = 'FINAL', published = '', flag = '') =>
  rows.push([series, period, value, version, published, flag, `Golden ${series.slice(7)}`].join(','))

months.forEach((month, i) => {
  add('CUSTOM/steel', month, wave(i, 100, 6), 'PRELIMINARY', dayAfter(month), 'p')
  add('CUSTOM/steel', month, wave(i + 1, 100, 6), 'FINAL', dayAfter(dayAfter(month).slice(0, 7)))
  if (i !== 29) add('CUSTOM/energy', month, wave(i, 80, 9), 'FINAL', dayAfter(month))
  add('CUSTOM/gas', month, wave(i, 60, 4), 'FINAL', dayAfter(month))
  add('CUSTOM/euro', month, `1.0${(i * 3) % 10}${(i * 7) % 10}`, 'FINAL', dayAfter(month))
  add('CUSTOM/rate', month, `0.${(i % 5) + 1}`, 'FINAL', dayAfter(month))
})
quarters.forEach((quarter, i) => {
  add('CUSTOM/labour', quarter, wave(i, 100, 14))
})
months.slice(0, 14).forEach((month, i) => {
  add('CUSTOM/old-steel', month, wave(i, 160, 8))
})
for (let day = 1; day <= 31; day++)
  if (day % 7 < 5) add('CUSTOM/daily', `2024-03-${`${day}`.padStart(2, '0')}`, wave(day, 70, 2))
add('CUSTOM/daily', '2024-04-02', '71.3')
add('CUSTOM/daily', '2023-12-29', '70.0')

export const goldenTable = `series,period,value,version,published,flag,name\n${rows.join('\n')}\n`
