// The series a document names, read from its plain tree: also from a document that is refused for another reason, so that
// unknown series are reported together with everything else.
import { parseReference } from '../series/series.ts'
import { isRawList, isRawMap, joinPath, type Raw, readRaw } from './raw.ts'

interface NamedSeries {
  readonly path: string
  /** `PROVIDER/code`. */
  readonly series: string
}

const keysOfSeries = new Set(['series', 'fx', 'fallback'])

/** Reads only valid references; the checks of the document report the others. */
export function namedSeriesIn(text: string): readonly NamedSeries[] {
  const { root } = readRaw(text)
  const inputs = isRawMap(root) ? root.get('inputs') : undefined
  return isRawMap(inputs) ? gather(inputs, 'inputs') : []
}

function gather(raw: Raw, path: string): NamedSeries[] {
  if (isRawList(raw)) return raw.flatMap((each, i) => gather(each, joinPath(path, i)))
  if (!isRawMap(raw)) return []
  return [...raw].flatMap(([key, value]) => {
    const place = joinPath(path, key)
    if (typeof value !== 'string') return gather(value, place)
    return keysOfSeries.has(key) && parseReference(value) !== null ? [{ path: place, series: value }] : []
  })
}
