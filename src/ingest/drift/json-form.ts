// The fields of a JSON document. Members whose names are data, such as codes and positions, count as one.
import { driftLimits } from './drift-limits.ts'
import type { FieldKind, Tally } from './field-tally.ts'

export function tallyJson(document: unknown, tally: Tally): void {
  walk(document, '$', null, 0, tally)
}

function walk(value: unknown, path: string, parent: string | null, depth: number, tally: Tally): void {
  if (depth > driftLimits.depth) return
  tally.count(path, kindOf(value), parent)
  if (Array.isArray(value)) walkList(value, path, depth, tally)
  else if (typeof value === 'object' && value !== null) walkMembers(value, path, depth, tally)
}

function walkList(list: readonly unknown[], path: string, depth: number, tally: Tally): void {
  // A list inside a list, or under a name that is data, is a row whose cells are known by their places.
  const isRow = /(?:\[\]|\*)$/.test(path) && list.length <= driftLimits.members
  if (isRow) {
    list.forEach((each, at) => {
      walk(each, `${path}[${at}]`, null, depth + 1, tally)
    })
    return
  }
  const looked = ends(list)
  for (const each of looked) walk(each, `${path}[]`, null, depth + 1, tally)
  const rows = looked.filter(each => typeof each === 'object' && each !== null && Object.keys(each).length > 1)
  tally.noteRows(
    `${path}[]`,
    rows.map(row => JSON.stringify(row)),
  )
}

function ends<T>(list: readonly T[]): readonly T[] {
  const { itemsLooked } = driftLimits
  return list.length <= 2 * itemsLooked ? list : [...list.slice(0, itemsLooked), ...list.slice(-itemsLooked)]
}

function walkMembers(object: object, path: string, depth: number, tally: Tally): void {
  const members = Object.entries(object)
  const isOpen = hasDataForNames(members)
  for (const [name, value] of ends(members)) {
    const isData = isOpen || !/^[A-Za-z_@$][\w@$-]{0,60}$/.test(name)
    const own = `${path}.${isData ? '*' : name}`
    walk(value, own, isData ? null : path, depth + 1, tally)
    if (!isData && (typeof value === 'string' || typeof value === 'number')) tally.describe(own, name, `${value}`)
  }
}

/** Whether names are data: very many members, or codes with a word behind each. */
function hasDataForNames(members: readonly (readonly [string, unknown])[]): boolean {
  if (members.length > driftLimits.members) return true
  return members.length > 0 && members.every(([name, value]) => /^[A-Z0-9_]+$/.test(name) && isScalar(value))
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

function kindOf(value: unknown): FieldKind {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'object'
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text'
}
