// The words for numbers and rules, for terminals and pages alike. Only text: nothing is computed here.
import { formatCarried, type Rounding } from '../numbers/ratio.ts'

/** `+2.35`, `−0.40`: changes always carry a sign. */
export function signed(decimal: string): string {
  if (/^-?0(?:\.0*)?$/.test(decimal)) return '0'
  return decimal.startsWith('-') ? `−${decimal.slice(1)}` : `+${decimal}`
}

/** `4 dp DOWN`, `to 0.05`, `to 1000`. */
export function formatRounding(rounding: Rounding): string {
  const how = rounding.mode === 'HALF_UP' ? '' : ` ${rounding.mode}`
  if ('dp' in rounding && rounding.dp < 0) return `to ${10 ** -rounding.dp}${how}`
  if ('dp' in rounding) return `${rounding.dp} dp${how}`
  return `to ${formatCarried(rounding.multiple)}${how}`
}

interface ShownRounding {
  readonly round: Rounding | null
  readonly show: Rounding | null
}

/** `rounded 4 dp, shown 2 dp`; empty for a step that does neither. */
export function formatStepRounding({ round, show }: ShownRounding): string {
  return [
    round === null ? '' : `rounded ${formatRounding(round)}`,
    show === null ? '' : `shown ${formatRounding(show)}`,
  ]
    .filter(text => text !== '')
    .join(', ')
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2024-04-01` or an instant → `1 Apr 2024`, in UTC. */
export function formatDate(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-')
  return `${Number.parseInt(day!, 10)} ${months[Number.parseInt(month!, 10) - 1]} ${year}`
}

/** `1 new value`, `2 new values`. */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** The problem of a row that has fewer or more cells than the header. */
export function wrongCells(found: number, width: number): string {
  return `${countOf(found, 'cell')} where the header has ${width}`
}

/** `a, b and c`. */
export function andList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** A number with at most `most` significant decimals; a cut is marked with `…`. */
export function cutDecimals(carried: string, most: number): string {
  const isCut = carried.endsWith('…')
  const [whole, part = ''] = carried.replace('…', '').split('.') as [string, string?]
  const leading = /^-?0$/.test(whole) ? part.length - part.replace(/^0+/, '').length : 0
  const kept = part.slice(0, leading + most)
  const mark = isCut || kept.length < part.length ? '…' : ''
  return kept === '' ? `${whole}${mark}` : `${whole}.${kept}${mark}`
}

/** `1,000,000`, wherever the program runs. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
