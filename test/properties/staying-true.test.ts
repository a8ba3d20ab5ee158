// What is kept in memory never shows an older truth than one that was shown before or acknowledged, however entries, loads, reads
// and notifications interleave. Turns are given out by the test, not by time.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TicketedCache } from '../../src/read/memory/cache.ts'
import { Changes } from '../../src/read/memory/changes.ts'
import { SizedValue } from '../../src/read/memory/memory.ts'
import type { EntryNotice, Marks, Notice } from '../../src/storage/log/append.ts'
import type { EntryKind } from '../../src/storage/log/entry-kinds.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'

const histories = 10_000
const workspace = 'ws'
const scopeOf = { a: workspace, b: workspace, formula: workspace, p: publicScope } as const
type Subject = keyof typeof scopeOf
const subjects = Object.keys(scopeOf) as Subject[]
/** What the formula reads. */
const series = ['a', 'b', 'p'] as const

/** How often something was entered about each subject. */
type Versions = Readonly<Record<Subject, number>>
/** What a read showed: versions of subjects, or how many entries of a scope. */
type Shown = Readonly<Record<string, number>>

type Step =
  /** One transaction about these subjects of one scope. */
  | {
      readonly do: 'enter'
      readonly of: readonly Subject[]
      readonly isBulk: boolean
      readonly isAcknowledged: boolean
    }
  | { readonly do: 'repair the clock'; readonly scope: string }
  | {
      readonly do: 'read'
      readonly what: 'a' | 'b' | 'p' | 'heads' | 'numbers' | 'moment'
      readonly asksFirst: boolean
    }
  | { readonly do: 'notify' }
  | { readonly do: 'lose a notification' }
  /** One of those who wait goes on. */
  | { readonly do: 'turn'; readonly pick: number }

/** Whoever waits goes on when it is their turn. */
class Turns {
  readonly #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  get isOver(): boolean {
    return this.#waiting.length === 0
  }

  /** Returns when nobody goes on without another turn. */
  async give(pick: number): Promise<void> {
    const [resolve] = this.#waiting.splice(pick % Math.max(this.#waiting.length, 1), 1)
    resolve?.()
    await setImmediate()
  }
}

/** The log in the database, and what is read of it in one moment. */
class Log {
  readonly entries: EntryNotice[] = []
  readonly notices: Notice[] = []
  versions: Versions = { a: 0, b: 0, formula: 0, p: 0 }
  /** All there were. */
  readonly states: Versions[] = [this.versions]

  get marks(): Marks {
    return new Map([workspace, publicScope].map(scope => [scope, this.#seq(scope)]))
  }

  #seq(scope: string): number {
    return this.entries.filter(each => each.scope === scope).length
  }

  enter(scope: string, about: readonly (readonly [kind: EntryKind, subject: string])[], isBulk: boolean): void {
    const added = about.map(([kind, subject], i) => ({ seq: this.#seq(scope) + 1 + i, scope, kind, subject }))
    this.entries.push(...added)
    this.notices.push(...(isBulk ? [{ seq: this.#seq(scope), scope, kind: 'all' as const }] : added))
    const counted = about.map(([, subject]) => [subject, (this.versions[subject as Subject] ?? 0) + 1] as const)
    this.versions = { ...this.versions, ...Object.fromEntries(counted.filter(([subject]) => subject in scopeOf)) }
    this.states.push(this.versions)
  }
}

/** A process that answers from memory. */
class Reader {
  readonly #log: Log
  readonly #turns: Turns
  readonly #changes: Changes
  readonly #series: TicketedCache<SizedValue<Versions>>
  readonly #heads: TicketedCache<SizedValue<Versions>>
  readonly #numbers: TicketedCache<SizedValue<Shown>>
  readonly #moments: TicketedCache<SizedValue<Shown>>

  constructor(log: Log, turns: Turns, changes: Changes) {
    this.#log = log
    this.#turns = turns
    this.#changes = changes
    const bytes = 10_000
    this.#series = new TicketedCache(changes, bytes, {})
    this.#heads = new TicketedCache(changes, bytes, {})
    this.#numbers = new TicketedCache(changes, bytes, { figures: true })
    this.#moments = new TicketedCache(changes, bytes, { sight: (_, { scope }) => scope !== 'of others' })
  }

  read(what: Extract<Step, { do: 'read' }>['what']): Promise<Shown> {
    if (what === 'heads') return this.#readHeads()
    if (what === 'numbers') return this.#readNumbers()
    return what === 'moment' ? this.#readMoment() : this.#readSeries(what)
  }

  async #load(): Promise<{ readonly versions: Versions; readonly marks: Marks }> {
    await this.#turns.wait()
    const { versions, marks } = this.#log
    await this.#turns.wait()
    await this.#changes.catchUpTo(marks)
    return { versions, marks }
  }

  async #readSeries(id: Subject): Promise<Shown> {
    const load = async () => new SizedValue((await this.#load()).versions, 1, scopeOf[id])
    return { [id]: (await this.#series.load(id, scopeOf[id], load)).value[id] }
  }

  async #readHeads(): Promise<Shown> {
    const shown: Record<string, number> = {}
    const missing = series.filter(id => {
      const kept = this.#heads.get(id)
      if (kept !== undefined) shown[id] = kept.value[id]
      return kept === undefined
    })
    return this.#heads.loadMany(missing, workspace, async keep => {
      const { versions } = await this.#load()
      for (const id of missing) {
        shown[id] = versions[id]
        keep(id, new SizedValue(versions, 1, scopeOf[id]))
      }
      return shown
    })
  }

  /** From the formula and all of its series. */
  async #readNumbers(): Promise<Shown> {
    const load = async () => {
      const { versions } = await this.#load()
      const data = await this.#changes.gatherFor(
        'formula',
        () => [...series, `everything ${workspace}`, `everything ${publicScope}`],
        () => this.#gather(),
        async () => (await this.#load()).versions,
      )
      await this.#turns.wait()
      const { a, b, p } = data
      return new SizedValue<Shown>({ formula: versions.formula, a: a!, b: b!, p: p! }, 1, workspace)
    }
    return (await this.#numbers.load('formula', workspace, load)).value
  }

  async #gather(): Promise<Shown> {
    const data: Record<string, number> = {}
    for (const id of series) {
      this.#changes.computedFrom(id, 'formula')
      Object.assign(data, await this.#readSeries(id))
    }
    return data
  }

  async #readMoment(): Promise<Shown> {
    const load = async () => new SizedValue<Shown>(Object.fromEntries((await this.#load()).marks), 1, workspace)
    return (await this.#moments.load(workspace, workspace, load)).value
  }
}

/** What was shown too late: older than what somebody had seen before they asked, or of no moment at all. */
async function playOut(steps: readonly Step[], changes: Changes): Promise<readonly string[]> {
  const [log, turns] = [new Log(), new Turns()]
  const reader = new Reader(log, turns, changes)
  const wrong: string[] = []
  const least: Record<string, number> = {}
  const know = (shown: Shown) => {
    for (const [of, version] of Object.entries(shown)) least[of] = Math.max(least[of] ?? 0, version)
  }
  changes.keepUpWith({
    async newest() {
      await turns.wait()
      return log.marks
    },
    async since(marks) {
      await turns.wait()
      const entries = log.entries.filter(({ scope, seq }) => seq > (marks.get(scope) ?? Number.POSITIVE_INFINITY))
      return entries.length > 4 ? null : entries
    },
  })
  const acknowledge = async () => {
    const { versions, marks } = log
    await changes.catchUp()
    know({ ...versions, ...Object.fromEntries(marks) })
  }
  const show = async ({ what, asksFirst }: Extract<Step, { do: 'read' }>) => {
    const known = { ...least }
    if (asksFirst) await changes.catchUp([workspace, publicScope])
    const shown = await reader.read(what)
    for (const [of, version] of Object.entries(shown))
      if (version < (known[of] ?? 0)) wrong.push(`${what}: ${of} ${version} after ${known[of]}`)
    if (what === 'numbers' && !log.states.some(state => series.every(id => state[id] === shown[id])))
      wrong.push(`numbers of no moment: ${JSON.stringify(shown)}`)
    know(shown)
  }
  for (const step of steps) {
    if (step.do === 'enter') {
      const kindOf = (subject: Subject) => (subject === 'formula' ? 'agreement' : 'observations')
      const about = step.of.map(subject => [kindOf(subject), subject] as const)
      log.enter(scopeOf[step.of[0]!], about, step.isBulk)
      if (step.isAcknowledged) void acknowledge()
    } else if (step.do === 'repair the clock') log.enter(step.scope, [['clock', step.scope]], false)
    else if (step.do === 'read') void show(step)
    else if (step.do === 'turn') await turns.give(step.pick)
    else {
      const notice = log.notices.shift()
      if (step.do === 'notify' && notice !== undefined) changes.notified(notice)
    }
  }
  while (!turns.isOver) await turns.give(0)
  return wrong
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('turn' as const), pick: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      what: fc.constantFrom('a', 'b', 'p', 'heads', 'numbers', 'moment'),
      asksFirst: fc.nat(3).map(n => n === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('enter' as const),
      of: fc.constantFrom<readonly Subject[]>(...subjects.map(each => [each]), ['a', 'b'], ['b', 'formula']),
      isBulk: fc.nat(5).map(n => n === 0),
      isAcknowledged: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'notify' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'lose a notification' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('repair the clock' as const),
      scope: fc.constantFrom<string>(workspace, publicScope),
    }),
  },
)

/** Never older than before, over many histories. */
const staysTrue = (makeChanges: () => Changes) =>
  fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async steps => {
    const wrong = await playOut(steps, makeChanges())
    if (wrong.length > 0) throw new Error(wrong.join('; '))
  })

/** The first that goes wrong, if any. */
async function findWrong(makeChanges: () => Changes): Promise<string | null> {
  const { failed, errorInstance } = await fc.check(staysTrue(makeChanges), { numRuns: histories, endOnFailure: true })
  return failed ? (errorInstance as Error).message : null
}

describe('what is kept in memory', () => {
  test('never shows an older truth than one shown before or acknowledged', { timeout: 300_000 }, async () => {
    await fc.assert(
      staysTrue(() => new Changes()),
      { numRuns: histories },
    )
  })

  test('is found to go back in time where a load ignores its ticket', async () => {
    class Careless extends Changes {
      override ticket() {
        return Object.assign(super.ticket(), { holds: () => true })
      }
    }
    expect(await findWrong(() => new Careless())).toMatch(/after|no moment/)
  })

  test('is found to go back in time where nobody catches up with what a load has seen', async () => {
    class Deaf extends Changes {
      override async catchUpTo() {}
    }
    expect(await findWrong(() => new Deaf())).toMatch(/after|no moment/)
  })

  test('is found to go back in time where a lost notification goes unnoticed', async () => {
    class Trusting extends Changes {
      override notified(notice: Notice) {
        if (notice.kind === 'all') this.enteredMany(notice.scope, notice.seq)
        else this.entered(notice)
      }
    }
    expect(await findWrong(() => new Trusting())).toMatch(/after|no moment/)
  })
})
