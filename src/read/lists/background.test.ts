import { describe, expect, test } from 'vitest'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Changes } from '../memory/changes.ts'
import { type AgreementQuestion, Background } from './background.ts'

/** Answers with the number of times an agreement was computed; computing waits while the gate is closed. */
class Ground {
  readonly changes = new Changes()
  readonly computed: string[] = []
  gate: Promise<void> = Promise.resolve()
  readonly background = new Background<AgreementQuestion, string>({
    changes: this.changes,
    bytes: 1_000_000,
    kinds: new Set(['party'] as const),
    sizeOf: () => 100,
    prepare: async () => {},
    compute: async (_, { id, terms }) => {
      if (id === 'heavy') throw new TooHeavyHere('much')
      await this.gate
      this.computed.push(id)
      return `${id} ${terms} ${this.computed.length}`
    },
  })

  async ask(ids: readonly string[], terms = 'today', whose = '') {
    const found = await this.background.gather(
      'ws',
      ids.map(id => ({ id, whose, terms })),
    )
    return { ...found, answers: [...found.answers.values()], heavy: [...found.heavy] }
  }

  entered(kind: 'party' | 'agreement', subject: string): void {
    this.changes.entered({ seq: 0, scope: 'ws', kind, subject })
  }
}

const nothingElse = { heavy: [], updating: 0 }

describe('what is known of many agreements', () => {
  test('is computed once, and again only for the agreement that changed, or for all of a workspace', async () => {
    const ground = new Ground()
    const first = { answers: ['a today 1', 'b today 2'], ...nothingElse }
    expect(await ground.ask(['a', 'b'])).toEqual(first)
    expect(await ground.ask(['a', 'b'])).toEqual(first)
    ground.entered('agreement', 'b')
    expect(await ground.ask(['a', 'b'])).toEqual({ answers: ['a today 1', 'b today 3'], ...nothingElse })
    ground.changes.billedUnder('a')
    expect((await ground.ask(['a', 'b'])).answers).toEqual(['a today 4', 'b today 3'])
    ground.entered('party', 'acme')
    expect((await ground.ask(['a', 'b'])).answers).toEqual(['a today 5', 'b today 6'])
  })

  test('is what was last known, and counted as such, until it is computed again; of others nothing is known', async () => {
    const ground = new Ground()
    await ground.ask(['a'])
    const open = Promise.withResolvers<void>()
    ground.gate = open.promise
    ground.entered('agreement', 'a')
    expect(await ground.ask(['a', 'b'])).toEqual({ answers: ['a today 1'], heavy: [], updating: 2 })
    // A last known answer is given only to the side it was computed for.
    expect(await ground.ask(['a'], 'today', 'supplier')).toEqual({ answers: [], heavy: [], updating: 1 })
    open.resolve()
    await ground.ask(['a', 'b'])
    const { answers, updating } = await ground.ask(['a', 'b'])
    expect([updating, answers.length, answers.includes('a today 1')]).toEqual([0, 2, false])
  })

  test('is kept for several questions, and leaves out by name what is too much here', async () => {
    const ground = new Ground()
    await ground.ask(['a'], 'since monday')
    await ground.ask(['a'], 'since friday')
    await ground.ask(['a'], 'since monday')
    expect(ground.computed).toEqual(['a', 'a'])
    expect(await ground.ask(['heavy', 'a'], 'since friday')).toMatchObject({ heavy: ['heavy'], updating: 0 })
  })
})
