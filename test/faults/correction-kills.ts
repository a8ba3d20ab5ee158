// F1 for corrections: the command that proposes or signs one, and the database under it, are killed at random moments. A proposal
// or a signature is there once or not at all; what was acknowledged is there; a rerun completes it.
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { signPeriod } from '../../src/agreements/sign.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Ending, runInPeace } from './command-run.ts'
import type { FolderGround } from './grounds.ts'
import { KilledRounds, people, runKills, type Victim } from './killed-rounds.ts'

const works = ['propose', 'buyer', 'supplier'] as const
type Work = (typeof works)[number]
const victims: readonly Victim[] = ['command', 'database']

/** So many rounds have every work once, and either victim. */
export const correctionKillKinds = works.length

class CorrectionKills extends KilledRounds {
  async prepare(): Promise<void> {
    await this.importing(firstPrints)
    const text = trueUpDocument({ corrections: '{ when: EACH }' })
    const [workspaceId, today] = [this.workspace.id, parseDay('2024-11-15')!]
    await applyDocument(this.sql, { workspaceId, text, by: 'eva@editor.test', today })
    for (const party of ['buyer', 'supplier'] as const)
      await signPeriod(this.sql, this.seal, {
        workspaceId,
        agreement: 'steel-brackets',
        period: '2024-Q2',
        shown: null,
        through: false,
        party,
        email: people[party],
        proof: { means: 'OPERATOR' as const },
        fromAddress: null,
      })
  }

  #words(work: Work, id: string): string[] {
    const words =
      work === 'propose'
        ? ['correction', 'propose', 'steel-brackets']
        : ['correction', 'sign', id, '--party', work, '--as', people[work]]
    return [...words, '--workspace', this.workspace.slug]
  }

  async round(round: number): Promise<void> {
    const work = works[round % works.length]!
    const victim = victims[Math.floor(round / works.length) % victims.length]!
    await this.#revise(round)
    const id = work === 'propose' ? '' : await this.#proposeInPeace(work)
    const before = await this.#count(work, id)
    const words = this.#words(work, id)
    const ending = await this.killDuring(words, victim)
    const told = `round ${round}, ${victim} killed ${ending.delayMs} ms into ${work}`
    const left = (await this.#count(work, id)) - before
    for (const problem of judge(ending, left)) this.failures.push(`${told}: ${problem}`)
    if (left === 0) this.undone++
    else this.done++
    this.durationMs = (await runInPeace(this.ground.folder, words)).ms
    const after = (await this.#count(work, id)) - before
    if (after !== 1) this.failures.push(`${told}: after a rerun there are ${after}`)
    await this.#agree()
  }

  /** Another figure, so that something is due. */
  async #revise(round: number): Promise<void> {
    const at = `2025-01-01T00:00:00.${String(round).padStart(6, '0')}Z`
    const table = `series,period,value,version,published\nCUSTOM/metal,2024-03,${100 + (round % 7)}.${round},REVISED,${at}\n`
    await this.importing(table)
  }

  async #proposeInPeace(work: 'buyer' | 'supplier'): Promise<string> {
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId: this.workspace.id, agreement: 'steel-brackets', reason: null, by }
    const { correction } = await this.patiently(() => proposeCorrection(this.sql, this.seal, request))
    if (work === 'supplier') await this.#signInPeace(correction.id, 'buyer')
    return correction.id
  }

  async #signInPeace(id: string, party: 'buyer' | 'supplier'): Promise<void> {
    const request = { workspaceId: this.workspace.id, id, party, email: people[party], hash: null, fromAddress: null }
    await this.patiently(() => signCorrection(this.sql, this.seal, { ...request, proof: { means: 'OPERATOR' } }))
  }

  /** Both sign what is open, so that the next round begins with nothing due. */
  async #agree(): Promise<void> {
    const rows = await this.patiently(
      () => this.ground.owner<{ id: string }[]>`
        select id from correction where workspace_id = ${this.workspace.id} order by seq desc limit 1`,
    )
    for (const party of ['buyer', 'supplier'] as const) await this.#signInPeace(rows[0]!.id, party)
  }

  #count(work: Work, id: string): Promise<number> {
    return this.patiently(async () => {
      const { owner } = this.ground
      const [row] =
        work === 'propose'
          ? await owner<{ count: number }[]>`
              select count(*) from correction where workspace_id = ${this.workspace.id}`
          : await owner<{ count: number }[]>`
              select count(*) from correction_signature where correction_id = ${id} and party = ${work}`
      return row!.count
    })
  }
}

function judge({ status, acknowledged, err }: Ending, left: number): string[] {
  return [
    ...(left === 0 || left === 1 ? [] : [`${left} are there`]),
    ...(acknowledged !== null && left !== 1 ? ['it was acknowledged and is not there'] : []),
    ...(status !== 0 && status !== null && status !== 1 ? [`it ended with ${status}: ${err}`] : []),
    ...(/\n\s+at /.test(err) ? [`a stack trace: ${err}`] : []),
  ]
}

export const killAtCorrections = (ground: FolderGround, run: LongRun) =>
  runKills({ name: 'correction', Kills: CorrectionKills }, ground, run)
