// Reads SDMX-ML data messages, generic and structure-specific, versions 2.1 and 3.0. A structure-specific message does not
// say which attributes form the key or in which order, so it is read only for series that were requested by code.
import type { AnswerProblem } from '../provider.ts'
import { kindOfCode } from './failure.ts'
import { excerpt, problem } from './problem.ts'
import type { SdmxCursor, SdmxSink, SdmxValue } from './sdmx.ts'
import { parseFlow, parseFlowUrn, type SdmxCode, type SdmxFlow } from './sdmx-code.ts'
import { walkXml } from './xml.ts'

export function isSdmxMl(root: string): boolean {
  return /^(?:Generic|StructureSpecific)(?:TimeSeries)?Data$/.test(root)
}

interface SdmxMlOptions {
  /** The requested series: they define the key of a structure-specific message. */
  readonly asked: readonly SdmxCode[]
  /** The flow of a message that only names its structure. */
  readonly flowOfStructure: ((structure: SdmxFlow) => SdmxFlow | null) | undefined
}

type Pairs = Map<string, string>

export function readSdmxMl(
  text: string,
  root: string,
  sink: SdmxSink,
  options: SdmxMlOptions,
): readonly AnswerProblem[] {
  const message = new MlMessage(root.startsWith('Generic'), sink, options)
  const problems: AnswerProblem[] = []
  try {
    walkXml(text, message)
  } catch (error) {
    problems.push(problem('unreadable', `not well-formed XML: ${error instanceof Error ? excerpt(error.message) : ''}`))
  }
  return [...message.problems(), ...problems]
}

class MlMessage implements SdmxCursor {
  readonly #isGeneric: boolean
  readonly #sink: SdmxSink
  readonly #options: SdmxMlOptions
  readonly #path: string[] = []
  #flowNamed: SdmxFlow | null = null
  #structureNamed: SdmxFlow | null = null
  #observedId = 'TIME_PERIOD'
  readonly #footers: { readonly code: string; words: string }[] = []
  /** Dimensions and attributes of the series and of the observation, dimensions in key order in generic messages. */
  #series: Pairs = new Map()
  #observation: Pairs = new Map()
  #dimensionIds: string[] = []
  #group: Pairs = new Map()
  readonly #groups: Pairs[] = []
  /** What the groups say about the current series. */
  readonly #foundInGroups = new Map<string, string | undefined>()
  #component = ''
  #unkeyed = 0
  flow: SdmxFlow | null = null
  key = ''
  frequency: string | null = null
  period = ''
  value: string | null = null
  isDeleted = false

  constructor(isGeneric: boolean, sink: SdmxSink, options: SdmxMlOptions) {
    this.#isGeneric = isGeneric
    this.#sink = sink
    this.#options = options
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (this.#path.length === 1) return
    if (this.#path[1] === 'Header') this.#openHeader(name, parent, attributes)
    else if (name === 'DataSet') this.#openDataSet(attributes)
    else if (name === 'Message') this.#footers.push({ code: attributes.code ?? '', words: '' })
    else if (name === 'Comp') this.#component = attributes.id ?? ''
    else this.#openData(name, parent, attributes)
  }

  close(name: string, content: string): void {
    this.#path.pop()
    if (name === 'Text') {
      const footer = this.#footers.at(-1)
      if (footer !== undefined && footer.words === '') footer.words = content
    } else if (name === 'Value' && this.#path.at(-1) === 'Comp') this.#addComponent(content.trim())
    else if (name === 'Obs') this.#emit()
    else if (name === 'Group') this.#groups.push(this.#group)
    else if (this.#path[1] === 'Header') this.#closeHeader(name, content.trim())
  }

  problems(): readonly AnswerProblem[] {
    const problems: AnswerProblem[] = []
    for (const { code, words } of this.#footers) {
      const kind = kindOfCode(Number.parseInt(code, 10))
      if (kind !== null && kind !== 'nothing-found')
        problems.push(problem(kind, excerpt(words) || `footer code ${code}`))
    }
    if (this.#unkeyed > 0) {
      const message =
        'a structure-specific message does not say what forms the key of a series; the requested code is needed'
      problems.push(problem('unreadable', message))
    }
    return problems
  }

  find(id: string): SdmxValue | null {
    const code = this.#observation.get(id) ?? this.#series.get(id) ?? this.#findInGroups(id)
    return code === undefined || code === '' ? null : { code, label: null }
  }

  #openHeader(name: string, parent: string | undefined, attributes: Readonly<Record<string, string>>): void {
    if (name === 'Structure' && parent === 'Header') {
      this.#observedId = attributes.dimensionAtObservation ?? this.#observedId
      this.#flowNamed ??= parseFlowUrn((attributes.namespace ?? '').replace(/:ObsLevelDim:.*$/, ''))
    } else if (name === 'Ref' && attributes.id !== undefined) {
      const { id, agencyID: agency = null, version = null } = attributes
      if (parent === 'StructureUsage') this.#flowNamed = { agency, id, version }
      if (parent === 'Structure') this.#structureNamed = { agency, id, version }
    }
  }

  #closeHeader(name: string, content: string): void {
    if (name === 'StructureUsage' || name === 'URN') this.#flowNamed ??= parseFlowUrn(content)
    const structure = /\.DataStructure=(.+)$/.exec(content)
    if (structure) this.#structureNamed ??= parseFlow(structure[1]!)
  }

  #openDataSet(attributes: Readonly<Record<string, string>>): void {
    const structure = this.#structureNamed
    const { asked, flowOfStructure } = this.#options
    this.flow =
      this.#flowNamed ?? asked[0]?.flow ?? (structure === null ? null : (flowOfStructure?.(structure) ?? null))
    this.isDeleted = Object.entries(attributes).some(([id, value]) => /(?:^|:)action$/.test(id) && value === 'Delete')
  }

  #openData(name: string, parent: string | undefined, attributes: Readonly<Record<string, string>>): void {
    const own = () => (this.#isGeneric ? new Map<string, string>() : new Map(Object.entries(attributes)))
    if (name === 'Series') {
      this.#foundInGroups.clear()
      this.#series = own()
      this.#dimensionIds = []
    } else if (name === 'Group') {
      this.#group = own()
      this.#group.delete('xsi:type')
    } else if (name === 'Obs') {
      this.#observation = own()
      if (parent === 'DataSet') {
        this.#series = new Map()
        this.#dimensionIds = []
      }
    } else if (name === 'ObsDimension') {
      const id = attributes.id ?? this.#observedId
      this.#observation.set(id, attributes.value ?? '')
      if (id !== 'TIME_PERIOD') this.#addDimension(id)
    } else if (name === 'ObsValue') this.#observation.set('OBS_VALUE', attributes.value ?? '')
    else if (name === 'Value' && attributes.id !== undefined) this.#addValue(parent, attributes)
  }

  #addValue(parent: string | undefined, attributes: Readonly<Record<string, string>>): void {
    const id = attributes.id!
    const level = this.#path.includes('Obs')
      ? this.#observation
      : this.#path.includes('Group')
        ? this.#group
        : this.#series
    level.set(id, attributes.value ?? '')
    if ((parent === 'SeriesKey' || parent === 'ObsKey') && id !== 'TIME_PERIOD') this.#addDimension(id)
  }

  #addDimension(id: string): void {
    if (!this.#dimensionIds.includes(id)) this.#dimensionIds.push(id)
  }

  #addComponent(text: string): void {
    const level = this.#path.includes('Obs') ? this.#observation : this.#series
    const before = level.get(this.#component)
    if (text !== '') level.set(this.#component, before === undefined ? text : `${before},${text}`)
  }

  #emit(): void {
    const key = this.#isGeneric ? this.#dimensionIds.map(id => this.#plain(id)).join('.') : this.#keyByAsking()
    if (key === null) this.#unkeyed++
    const period = this.#plain('TIME_PERIOD')
    if (key === null || period === '') return
    this.key = key
    this.period = period
    this.frequency = this.find('FREQ')?.code ?? this.find('FREQUENCY')?.code ?? this.find('freq')?.code ?? null
    this.value = this.#observation.get('OBS_VALUE') ?? ''
    this.#sink(this)
  }

  #plain(id: string): string {
    return this.#observation.get(id) ?? this.#series.get(id) ?? ''
  }

  /** The key of the one requested series whose parts all occur among the attributes. */
  #keyByAsking(): string | null {
    const values = [...this.#series.values(), ...this.#observation.values()]
    const fitting = this.#options.asked.filter(({ key }) => key.every(part => values.includes(part)))
    return fitting.length === 1 ? fitting[0]!.key.join('.') : null
  }

  /** A group applies to the series that match it in all the dimensions it names. */
  #findInGroups(id: string): string | undefined {
    if (this.#groups.length === 0) return undefined
    if (!this.#foundInGroups.has(id)) {
      const group = this.#groups.find(candidate => candidate.has(id) && this.#isOfGroup(candidate))
      this.#foundInGroups.set(id, group?.get(id))
    }
    return this.#foundInGroups.get(id)
  }

  #isOfGroup(group: Pairs): boolean {
    const shared = [...group].filter(([name]) => this.#series.has(name))
    return shared.length > 0 && shared.every(([name, value]) => this.#series.get(name) === value)
  }
}
