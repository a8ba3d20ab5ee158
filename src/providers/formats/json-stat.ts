// Reads JSON-stat 2.0: one cube of cells, sparse or as a list, with a status next to each cell. A cell with neither value
// nor status does not exist and is skipped.
import type { AnswerProblem } from '../provider.ts'
import { countOf, firstMember, isRecord, itemsOf, type JsonObject, member, textOf } from './lossless.ts'
import { problem } from './problem.ts'
import type { SdmxCursor, SdmxSink, SdmxValue } from './sdmx.ts'
import type { SdmxFlow } from './sdmx-code.ts'

export function isJsonStat(value: unknown): value is JsonObject {
  return isRecord(value) && Array.isArray(value.id) && Array.isArray(value.size) && isRecord(value.dimension)
}

interface Dimension {
  readonly id: string
  readonly size: number
  /** The distance between neighbouring categories in the cell index. */
  readonly stride: number
  readonly codes: readonly (string | undefined)[]
  readonly labels: unknown
}

export function readJsonStat(cube: JsonObject, sink: SdmxSink): readonly AnswerProblem[] {
  const dimensions = readDimensions(cube)
  if (dimensions === null) return [problem('unreadable', 'the sizes of the JSON-stat cube do not fit its dimensions')]
  const time = findTime(cube, dimensions)
  if (time === undefined) return [problem('unreadable', 'the JSON-stat cube has no time dimension')]
  const cursor = new CubeCursor(cube, dimensions, time)
  const cells = dimensions.reduce((product, dimension) => product * dimension.size, 1)
  let outside = 0
  for (const index of filledCells(cube)) {
    if (index < cells && cursor.move(index)) sink(cursor)
    else outside++
  }
  return outside === 0 ? [] : [problem('unreadable', `${outside} cells lie outside the JSON-stat cube`)]
}

function readDimensions(cube: JsonObject): readonly Dimension[] | null {
  const ids = itemsOf(cube.id).map(textOf)
  const sizes = itemsOf(cube.size).map(countOf)
  if (ids.length !== sizes.length || ids.includes(null) || sizes.includes(null)) return null
  let stride = 1
  const strides = sizes.map(() => 0)
  for (let at = sizes.length - 1; at >= 0; at--) {
    strides[at] = stride
    stride *= sizes[at]!
  }
  return ids.map((id, at) => {
    const category = member(member(cube.dimension, id!), 'category')
    const labels = member(category, 'label')
    return { id: id!, size: sizes[at]!, stride: strides[at]!, codes: orderedCodes(category), labels }
  })
}

/** `category.index` is a list, or an unordered map to positions; a single category may have none. */
function orderedCodes(category: unknown): readonly (string | undefined)[] {
  const index = member(category, 'index')
  if (Array.isArray(index)) return index.map(code => textOf(code) ?? undefined)
  if (!isRecord(index)) return Object.keys(Object(member(category, 'label'))).slice(0, 1)
  const codes: (string | undefined)[] = []
  for (const [code, position] of Object.entries(index)) {
    const at = countOf(position)
    if (at !== null) codes[at] = code
  }
  return codes
}

function findTime(cube: JsonObject, dimensions: readonly Dimension[]): Dimension | undefined {
  const named = textOf(itemsOf(member(cube.role, 'time'))[0])
  return dimensions.find(({ id }) => (named === null ? /^(?:time|time_period)$/i.test(id) : id === named))
}

/** The indexes of the cells that have a value or a status, ascending. */
function filledCells(cube: JsonObject): readonly number[] {
  const filled = new Set<number>()
  for (const cells of [cube.value, cube.status]) {
    if (Array.isArray(cells)) {
      cells.forEach((cell, index) => {
        if (cell !== null) filled.add(index)
      })
    } else if (isRecord(cells)) {
      for (const [key, cell] of Object.entries(cells)) {
        const index = countOf(key)
        if (index !== null && cell !== null) filled.add(index)
      }
    }
  }
  return [...filled].sort((a, b) => a - b)
}

function cellAt(cells: unknown, index: number): unknown {
  return Array.isArray(cells) ? cells[index] : member(cells, index.toString())
}

class CubeCursor implements SdmxCursor {
  readonly #cube: JsonObject
  readonly #time: Dimension
  readonly #keyed: readonly Dimension[]
  readonly #frequency: Dimension | undefined
  #index = 0
  readonly flow: SdmxFlow | null
  key = ''
  frequency: string | null = null
  period = ''
  value: string | null = null
  readonly isDeleted = false

  constructor(cube: JsonObject, dimensions: readonly Dimension[], time: Dimension) {
    this.#cube = cube
    this.#time = time
    this.#keyed = dimensions.filter(dimension => dimension !== time)
    this.#frequency = this.#keyed.find(({ id }) => /^(?:freq|frequency)$/i.test(id))
    this.flow = flowOf(cube)
  }

  /** Whether every dimension has a category at this cell. */
  move(index: number): boolean {
    this.#index = index
    const parts = this.#keyed.map(dimension => codeAt(dimension, index))
    const period = codeAt(this.#time, index)
    if (period === undefined || parts.includes(undefined)) return false
    this.key = parts.join('.')
    this.period = period
    this.frequency = this.#frequency === undefined ? null : (codeAt(this.#frequency, index) ?? null)
    this.value = textOf(cellAt(this.#cube.value, index))
    return true
  }

  /** The status is found as OBS_FLAG, as in Eurostat's tables, and the label of the cube as a title. */
  find(id: string): SdmxValue | null {
    if (id === 'OBS_FLAG') return this.#status()
    if (id === 'TITLE') return coded(textOf(this.#cube.label))
    const dimension = this.#keyed.find(candidate => candidate.id === id)
    const code = dimension === undefined ? undefined : codeAt(dimension, this.#index)
    return code === undefined ? null : { code, label: textOf(member(dimension!.labels, code)) }
  }

  #status(): SdmxValue | null {
    const status = this.#cube.status
    const code = typeof status === 'string' ? status : textOf(cellAt(status, this.#index))
    if (code === null || code === '') return null
    const words = textOf(member(member(member(this.#cube.extension, 'status'), 'label'), code))
    const label = words
      ?.split('|')
      .filter(part => part !== '')
      .join(', ')
    return { code, label: label || null }
  }
}

function coded(code: string | null): SdmxValue | null {
  return code === null || code === '' ? null : { code, label: null }
}

function codeAt({ size, stride, codes }: Dimension, index: number): string | undefined {
  return codes[Math.floor(index / stride) % size]
}

function flowOf(cube: JsonObject): SdmxFlow | null {
  const extension = cube.extension
  const id = textOf(firstMember(extension, ['id', 'datasetId']))
  if (id === null) return null
  return { agency: textOf(member(extension, 'agencyId')), id, version: textOf(member(extension, 'version')) }
}
