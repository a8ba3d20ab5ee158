// The artefacts of a structure message: those that match a query, and those that they refer to or that refer to them.

import { type AnyArtefact, type ArtefactType, childrenOf, nameOf } from './artefacts.ts'

export interface ShownArtefact {
  readonly artefact: AnyArtefact
  /** Whether its name alone is shown. */
  readonly isStub: boolean
}

export const referenceChoices = [
  'none',
  'parents',
  'parentsandsiblings',
  'ancestors',
  'children',
  'descendants',
  'all',
  'dataflow',
  'datastructure',
  'conceptscheme',
  'codelist',
] as const
type References = (typeof referenceChoices)[number]

export const detailChoices = [
  'full',
  'allstubs',
  'referencestubs',
  'allcompletestubs',
  'referencecompletestubs',
  'referencepartial',
  'raw',
] as const
type Detail = (typeof detailChoices)[number]

/** Artefacts in the order of `all`. */
export function showArtefacts(
  all: readonly AnyArtefact[],
  matching: readonly AnyArtefact[],
  references: References,
  detail: Detail,
): readonly ShownArtefact[] {
  const wanted = new Map(matching.map(each => [nameOf(each.type, each.id), each]))
  const referred = new Graph(all).reach([...wanted.keys()], references)
  return all.flatMap(each => {
    const name = nameOf(each.type, each.id)
    const matched = wanted.get(name)
    // An artefact that was requested by some of its items is shown with those.
    if (matched !== undefined) return [{ artefact: matched, isStub: detail.startsWith('all') }]
    return referred.has(name) ? [{ artefact: each, isStub: detail.includes('stubs') }] : []
  })
}

class Graph {
  readonly #children: ReadonlyMap<string, readonly string[]>
  readonly #types: ReadonlyMap<string, ArtefactType>

  constructor(all: readonly AnyArtefact[]) {
    this.#children = new Map(all.map(each => [nameOf(each.type, each.id), childrenOf(each)]))
    this.#types = new Map(all.map(each => [nameOf(each.type, each.id), each.type]))
  }

  reach(from: readonly string[], references: References): ReadonlySet<string> {
    const children = (names: Iterable<string>) => [...names].flatMap(name => this.#children.get(name) ?? [])
    const parents = (names: Iterable<string>) => {
      const wanted = new Set(names)
      return [...this.#children].flatMap(([name, those]) => (those.some(each => wanted.has(each)) ? [name] : []))
    }
    switch (references) {
      case 'none':
        return new Set()
      case 'parents':
        return new Set(parents(from))
      case 'ancestors':
        return closure(from, parents)
      case 'children':
        return new Set(children(from))
      case 'descendants':
        return closure(from, children)
      case 'parentsandsiblings':
        return new Set([...parents(from), ...children(parents(from))])
      case 'all':
        return new Set([...parents(from), ...children(parents(from)), ...closure(from, children)])
      default: {
        // `references` is a type: artefacts of it among everything above and below.
        const reached = [...closure(from, parents), ...closure(from, children)]
        return new Set(reached.filter(name => this.#types.get(name) === references))
      }
    }
  }
}

function closure(from: readonly string[], next: (names: Iterable<string>) => readonly string[]): Set<string> {
  const reached = new Set<string>()
  let edge = next(from)
  while (edge.length > 0) {
    const fresh = edge.filter(name => !reached.has(name))
    for (const name of fresh) reached.add(name)
    edge = fresh.length === 0 ? [] : next(fresh)
  }
  return reached
}
