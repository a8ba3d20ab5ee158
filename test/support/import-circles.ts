// The graph of imports between our files, `import type` included: circles in it, and names that are exported for nobody.
// It reads text only, so that a sample can be as small as the mistake it shows.
import { posix } from 'node:path'
import type { SourceFile } from './source-text.ts'

interface ImportStatement {
  /** From the project's root. */
  readonly to: string
  readonly isType: boolean
  /** As the other file exports them; null: all of them. */
  readonly names: readonly string[] | null
}

// `import { type A } from` keeps loading the file: only `import type` is an import by type alone.
const statement = /^(import|export)\s+(type\s+)?([^'"`;()]*?)\s*from\s+'(\.[^']+)'/gm
const bare = /^import\s+'(\.[^']+)'/gm
const dynamic = /(?:const\s+\{([^}]*)\}\s*=\s*await\s+)?\bimport\(\s*'(\.[^']+)',?\s*\)(?:\.(\w+))?/g

function importedBy({ path, text }: SourceFile): ImportStatement[] {
  const at = (target: string) => posix.join(posix.dirname(path), target)
  const named = [...text.matchAll(statement)].map(([, , type, what, target]) => ({
    to: at(target!),
    isType: type !== undefined,
    names: what!.includes('*') ? null : namesIn(what!),
  }))
  const loaded = [...text.matchAll(bare)].map(([, target]) => ({ to: at(target!), isType: false, names: [] }))
  // A file that is loaded while the program runs makes no circle: both are there by then.
  const later = [...text.matchAll(dynamic)].map(([, listed, target, one]) => ({
    to: at(target!),
    isType: true,
    names: listed !== undefined ? namesIn(listed) : one !== undefined && one !== 'then' ? [one] : null,
    isLater: true,
  }))
  return [...named, ...loaded, ...later]
}

/** `{ a, type B, c as d }` names a, B and c; `x` before braces is the default. */
function namesIn(what: string): string[] {
  return what
    .replace(/[{}]/g, ',')
    .split(',')
    .map(each => each.trim().replace(/^type\s+/, ''))
    .filter(each => each !== '')
    .map(each => each.split(/\s+as\s+|\s*:\s*/)[0]!)
}

/** Groups of files that import each other in a circle, directly or through others; each group by name. */
export function circles(files: readonly SourceFile[], kind: 'value' | 'type'): string[][] {
  const known = new Set(files.map(({ path }) => path))
  const edges = new Map(
    files.map(file => [
      file.path,
      importedBy(file)
        .filter(each => !('isLater' in each) && known.has(each.to) && (kind === 'type' || !each.isType))
        .map(({ to }) => to),
    ]),
  )
  return stronglyConnected(edges).filter(group => group.length > 1 || edges.get(group[0]!)!.includes(group[0]!))
}

/** Tarjan's algorithm, with a stack of its own: imports may be nested deeply. */
function stronglyConnected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const groups: string[][] = []
  const visit = (node: string) => {
    order.set(node, order.size)
    low.set(node, order.get(node)!)
    open.push(node)
    isOpen.add(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (isOpen.has(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== order.get(node)) return
    const group = open.splice(open.indexOf(node))
    for (const each of group) isOpen.delete(each)
    groups.push(group.sort())
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return groups.sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
}

const declared =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(?:\{([^}]*)\}|(\w+))/gm
const listed = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

function exportedBy({ text }: SourceFile): string[] {
  const own = [...text.matchAll(declared)].flatMap(([, several, one]) =>
    one === undefined ? namesIn(several!) : [one],
  )
  const passedOn = [...text.matchAll(listed)].flatMap(([, several]) =>
    several!
      .split(',')
      .map(each => each.trim().replace(/^type\s+/, ''))
      .filter(each => each !== '')
      .map(each => each.split(/\s+as\s+/).at(-1)!),
  )
  return [...new Set([...own, ...passedOn])]
}

/** `path: name` for each name that no other file imports, among those that may use it. */
export function deadExports(files: readonly SourceFile[], users: readonly SourceFile[]): string[] {
  const used = new Map<string, Set<string> | null>()
  for (const { to, names } of users.flatMap(importedBy)) {
    if (names === null) used.set(to, null)
    const known = used.get(to)
    if (known === null) continue
    used.set(to, new Set([...(known ?? []), ...(names ?? [])]))
  }
  return files.flatMap(file => {
    const names = used.get(file.path)
    if (names === null) return []
    return exportedBy(file)
      .filter(name => names?.has(name) !== true)
      .map(name => `${file.path}: ${name}`)
  })
}
