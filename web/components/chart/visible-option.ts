// Labels that a chart draws onto its canvas, and no element of a page: names are written with every sign in them, as elsewhere on
// pages.
import { visibleLines } from '../../../src/core/text/foreign-text.ts'

/** Points, of which there may be a hundred thousand, are left as they are. */
export function visibleOption<T>(option: T): T {
  return visibleIn(option) as T
}

function visibleIn(part: unknown): unknown {
  if (typeof part === 'string') return visibleLines(part)
  if (Array.isArray(part)) return isOfTexts(part) ? part.map(visibleIn) : part
  if (typeof part !== 'object' || part === null || Object.getPrototypeOf(part) !== Object.prototype) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === 'formatter' && typeof value === 'function' ? writing(value as Formatter) : visibleIn(value),
    ]),
  )
}

type Formatter = (...given: unknown[]) => unknown

/** A formatter that makes elements writes into them by itself. */
function writing(formatter: Formatter): Formatter {
  return (...given) => {
    const written = formatter(...given)
    return typeof written === 'string' ? visibleLines(written) : written
  }
}

function isOfTexts([first]: readonly unknown[]): boolean {
  return typeof first === 'string' || (typeof first === 'object' && first !== null && !Array.isArray(first))
}
