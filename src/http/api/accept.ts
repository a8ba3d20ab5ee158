// Choice between JSON and CSV by `Accept`: the preferred one, and JSON if neither is named.
import type { AnswerFormat } from './context.ts'

interface Wish {
  readonly quality: number
  /** 2 for the type itself, 1 for its group, 0 for anything. */
  readonly precision: number
}

const names: Readonly<Record<AnswerFormat, readonly string[]>> = {
  csv: ['*/*', 'text/*', 'text/csv'],
  json: ['*/*', 'application/*', 'application/json'],
}

export function acceptedFormat(header: string | undefined): AnswerFormat {
  if (header === undefined || !header.toLowerCase().includes('text/')) return 'json'
  const ranges = header
    .toLowerCase()
    .split(',')
    .map(range => {
      const [name = '', ...parameters] = range.split(';').map(part => part.trim())
      return { name, quality: qualityOf(parameters) }
    })
  const wishFor = (format: AnswerFormat): Wish =>
    ranges.reduce<Wish>(
      (best, { name, quality }) => {
        const precision = names[format].indexOf(name)
        return precision > best.precision ? { quality, precision } : best
      },
      { quality: 0, precision: -1 },
    )
  const [csv, json] = [wishFor('csv'), wishFor('json')]
  if (csv.precision < 1 || csv.quality === 0) return 'json'
  if (csv.quality !== json.quality) return csv.quality > json.quality ? 'csv' : 'json'
  return csv.precision > json.precision ? 'csv' : 'json'
}

/** Quality in thousandths; 1000 if there is none or it cannot be read. */
function qualityOf(parameters: readonly string[]): number {
  const written = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
  if (written === undefined || !/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(written)) return 1000
  const [whole = '0', decimals = ''] = written.split('.')
  return Number.parseInt(`${whole}${decimals.padEnd(3, '0')}`, 10)
}
