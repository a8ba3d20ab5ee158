// F4 for corrections: both parties sign, twice each and at the same time, while figures are revised, others propose again and one
// side refuses. Each party has one row for a proposal, no row is under a hash that was not shown, at most one proposal is open,
// and what both signed stays agreed.
import { proposeCorrection, refuseCorrection, signCorrection } from '../../src/agreements/correct.ts'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { type Api, buyer, supplier } from '../support/houses/api.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Judged, runRace, SigningRace } from './signing-race.ts'

const agreement = 'steel-brackets'

class CorrectionRace extends SigningRace {
  async prepare(): Promise<void> {
    await this.tenant.importUnheard(firstPrints)
    await this.tenant.applyUnheard(trueUpDocument({ corrections: '{ when: EACH }' }))
    for (const party of ['buyer', 'supplier'] as const) await this.tenant.signUnheard(agreement, '2024-Q2', party)
  }

  async round(): Promise<void> {
    const shown = await this.#proposeRevised()
    const acts = [
      ...(['buyer', 'buyer', 'supplier', 'supplier'] as const).map(party => () => this.#sign(party, shown)),
      () => this.#propose(),
      () => this.#revise(),
      () => this.#refuse(shown),
    ]
    await this.together(acts)
  }

  /** A figure may give the price that was settled last, so that nothing is due; several in a row do not. */
  async #proposeRevised(): Promise<ShownCorrection> {
    for (let tries = 0; tries < 5; tries++) {
      await this.#revise()
      const shown = await this.#propose()
      if (shown !== null) return shown
    }
    throw new Error('five revised figures left nothing to propose')
  }

  async #revise(): Promise<void> {
    const { number, at } = this.nextFigure()
    await this.tenant.importUnheard(
      `series,period,value,version,published\nCUSTOM/metal,2024-03,${100 + this.chance.int(0, 9)}.${number},REVISED,${at}\n`,
    )
  }

  async #propose(): Promise<ShownCorrection | null> {
    // Neither side proposes this often in a day.
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId: this.tenant.id, agreement, reason: null, by }
    const proposed = await this.try(() => proposeCorrection(this.tenant.api.sql, this.seal, request))
    if (proposed === null) return null
    this.shown.set(proposed.correction.id, proposed.correction.hash)
    return proposed.correction
  }

  async #sign(party: 'buyer' | 'supplier', { id, hash }: ShownCorrection): Promise<void> {
    const email = party === 'buyer' ? buyer : supplier
    const signed = await this.try(() =>
      signCorrection(this.tenant.api.sql, this.seal, {
        workspaceId: this.tenant.id,
        id,
        hash,
        party,
        email,
        proof: { means: 'OPERATOR' },
        fromAddress: null,
      }),
    )
    if (signed !== null && signed.hash !== hash) throw new Error(`${party} saw ${hash} and signed ${signed.hash}`)
  }

  async #refuse({ id, hash }: ShownCorrection): Promise<void> {
    await this.try(() =>
      refuseCorrection(this.tenant.api.sql, this.seal, {
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

  async check(): Promise<void> {
    const { owner } = this.tenant.api
    const rows = await owner<Judged[]>`
      select c.id, c.hash, exists (select 1 from correction_refusal r where r.correction_id = c.id) as refused,
        array(select s.party from correction_signature s where s.correction_id = c.id order by s.party) as parties
      from correction c where c.workspace_id = ${this.tenant.id} order by c.seq`
    for (const row of rows) this.judge(row)
    // Each agreed one begins where the one before it ended.
    const bodies = await owner<{ body: string }[]>`
      select c.body from correction c where c.workspace_id = ${this.tenant.id} and (
        select count(*) from correction_signature s where s.correction_id = c.id) = 2 order by c.seq`
    let settled = '1.06'
    for (const { body } of bodies) {
      const [period] = (JSON.parse(body) as { periods: { factorBefore: string; factorAfter: string }[] }).periods
      if (period!.factorBefore !== settled)
        throw new Error(`a correction begins at ${period!.factorBefore}, not ${settled}`)
      settled = period!.factorAfter
    }
  }
}

export const raceCorrections = (api: Api, run: Pick<LongRun, 'rounds' | 'seed'>) => runRace(CorrectionRace, api, run)
