// Figures for pages that show much: one series of very many days, and very many series of a few months.
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import type { House } from './house.ts'

export const dailySeries = 'CUSTOM/scrap-daily'

const head = 'series,period,value,published,version,name,unit,frequency,dataType'

const digits = (hundredths: number) => `${Math.floor(hundredths / 100)}.${`${hundredths % 100}`.padStart(2, '0')}`

/** So many days, each with its first print and two revisions. */
export function importDays(house: House, points: number): Promise<string> {
  const last = parseDay('2025-12-31')!
  const rows = Array.from({ length: points }, (_, i) => {
    const day = last + i + 1 - points
    const value = 10_000 + Math.round(i / 2) + ((i * 7_919) % 400)
    const vintages = [
      ['PRELIMINARY', 1, 0],
      ['FINAL', 30, 25],
      ['REVISED', 150, 60],
    ] as const
    return vintages.map(([tag, after, more]) => {
      const words = 'Scrap price fixing,EUR/t,DAILY,PRICE'
      return `${dailySeries},${formatDay(day)},${digits(value + more)},${formatDay(day + after)},${tag},${words}`
    })
  })
  return importRows(house, 'daily.csv', rows.flat())
}

export function importManySeries(house: House, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, i) => {
    const number = `${i}`.padStart(4, '0')
    return [1, 2, 3].map(
      month =>
        `CUSTOM/bulk-${number},2025-0${month},${digits(9_000 + i + month * 13)},2025-0${month + 1}-15,FINAL,` +
        `"Rebar, region ${number}",2020=100,MONTHLY,INDEX`,
    )
  })
  return importRows(house, 'many.csv', rows.flat())
}

async function importRows(house: House, name: string, rows: readonly string[]): Promise<string> {
  // Next to the house's data, and removed together with it.
  const file = join(dirname(house.dataFolder), name)
  await writeFile(file, `${head}\n${rows.join('\n')}\n`)
  return house.command('import', file, '--workspace', 'demo')
}

/** Of the list of series, in pixels. */
export const rowHeight = 52

export const nextFrame = 'new Promise(done => requestAnimationFrame(() => setTimeout(done)))'
