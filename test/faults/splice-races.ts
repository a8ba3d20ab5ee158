// F4 for changes of terms: both parties sign, twice each and at the same time, while figures of the window are revised, others
// propose again, one side refuses and an editor applies a document alone. A proposal makes one version or none, never two; the
// version has the document that was shown and signed, and no other coefficient.
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeSplice } from '../../src/agreements/terms/propose.ts'
import { refuseChange } from '../../src/agreements/terms/refuse-change.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import type { SpliceWish } from '../../src/agreements/terms/splice.ts'
import type { RefusalKind } from '../../src/core/refusal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { type Api, buyer, supplier } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Judged, runRace, SigningRace } from './signing-race.ts'

const people = { buyer, supplier } as const

interface Shown {
  readonly id: string
  readonly hash: string
}

/** Each round has an agreement of its own: what is agreed is agreed once. */
class SpliceRace extends SigningRace {
  /** Once one is agreed, there is nothing left to splice. */
  protected override readonly refusals: readonly RefusalKind[] = ['conflict', 'invalid']

  async prepare(): Promise<void> {
    await this.tenant.importUnheard(twoIndices)
    // Whoever signs first is let in.
    await this.tenant.applyUnheard(oldIndexDocument())
    for (const party of ['buyer', 'supplier'] as const)
      await this.tenant.signUnheard('steel-brackets', '2024-Q2', party)
  }

  async round(round: number): Promise<void> {
    const slug = `race-${round}`
    await this.tenant.applyUnheard(oldIndexDocument({ slug }))
    const shown = await this.#propose(slug, 6)
    if (shown === null) throw new Error('nothing could be proposed')
    const acts = [
      ...(['buyer', 'buyer', 'supplier', 'supplier'] as const).map(party => () => this.#sign(party, shown)),
      async () => {
        const counter = await this.#propose(slug, this.chance.int(2, 9))
        if (counter === null) return
        await Promise.all((['buyer', 'supplier'] as const).map(party => this.#sign(party, counter)))
      },
      ...(this.chance.chance(40) ? [() => this.#revise()] : []),
      ...(this.chance.chance(20) ? [() => this.#refuse(shown)] : []),
      ...(this.chance.chance(20) ? [() => this.#applyAlone(slug)] : []),
    ]
    await this.together(acts)
  }

  async #revise(): Promise<void> {
    const { number, at } = this.nextFigure()
    const value = `53.${String(this.chance.int(0, 9))}${number}`
    await this.tenant.importUnheard(`series,period,value,published\nCUSTOM/new,2024-05,${value},${at}\n`)
  }

  async #propose(slug: string, decimals: number): Promise<Shown | null> {
    const wish: SpliceWish = {
      old: 'CUSTOM/old',
      successor: 'CUSTOM/new',
      inputs: null,
      method: 'OVERLAP',
      direction: null,
      window: null,
      ground: { kind: 'BY_HAND', event: null, change: null, sentence: 'It ended.' },
      rounding: { dp: decimals, mode: 'HALF_UP' },
      point: null,
      published: null,
      join: null,
      base: null,
      waitFinal: false,
      candidates: [],
    }
    // Neither side proposes this often in a day.
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId: this.tenant.id, agreement: slug, wish, by }
    const proposed = await this.try(() => proposeSplice(this.tenant.api.sql, request))
    if (proposed !== null) this.shown.set(proposed.id, proposed.hash)
    return proposed
  }

  async #sign(party: 'buyer' | 'supplier', { id, hash }: Shown): Promise<void> {
    const { api, id: workspaceId } = this.tenant
    const signer = { party, email: people[party], proof: { means: 'OPERATOR' as const }, fromAddress: null }
    await this.try(() => signChange(api.sql, this.seal, workspaceId, { id, hash, ...signer }))
  }

  async #refuse({ id, hash }: Shown): Promise<void> {
    await this.try(() =>
      refuseChange(this.tenant.api.sql, {
        workspaceId: this.tenant.id,
        id,
        hash,
        party: 'supplier',
        email: supplier,
        reason: 'not like this',
        means: 'OPERATOR',
        fromAddress: null,
      }),
    )
  }

  async #applyAlone(slug: string): Promise<void> {
    const text = oldIndexDocument({ slug, clause: '{ cap: { periodPct: 90 } }' })
    const request = { workspaceId: this.tenant.id, text, by: 'eva@editor.test', today: parseDay('2026-11-16')! }
    await this.try(() => applyDocument(this.tenant.api.sql, request))
  }

  async check(): Promise<void> {
    const { owner } = this.tenant.api
    const rows = await owner<JudgedSplice[]>`
      select c.id, c.hash, exists (select 1 from terms_change_refusal r where r.change_id = c.id) as refused,
        array(select s.party from terms_change_signature s where s.change_id = c.id order by s.party) as parties,
        array(select f.document_text from formula f where f.proposal = c.id) as versions, c.document
      from terms_change c where c.workspace_id = ${this.tenant.id} order by c.seq`
    for (const row of rows) {
      this.judge(row)
      const { id, parties, versions, document } = row
      if (versions.length !== (parties.length === 2 ? 1 : 0))
        throw new Error(`${id} is signed by ${parties.length} and made ${versions.length} versions`)
      if (versions.some(version => version !== document)) throw new Error(`${id} made another version than was signed`)
    }
  }
}

interface JudgedSplice extends Judged {
  readonly versions: readonly string[]
  readonly document: string
}

export const raceSplices = (api: Api, run: Pick<LongRun, 'rounds' | 'seed'>) => runRace(SpliceRace, api, run)
