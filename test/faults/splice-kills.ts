// F1 for changes of terms: the command that gives the second signature, and the database under it, are killed at random moments.
// Signature and formula version are there together or not at all; a rerun completes it.
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeAmendment } from '../../src/agreements/terms/propose.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { runInPeace } from './command-run.ts'
import type { FolderGround } from './grounds.ts'
import { KilledRounds, people, runKills } from './killed-rounds.ts'

const slug = 'steel-brackets'

class SpliceKills extends KilledRounds {
  async prepare(): Promise<void> {
    await this.importing(twoIndices)
    const today = parseDay('2024-11-15')!
    const request = { workspaceId: this.workspace.id, text: oldIndexDocument(), by: 'eva@editor.test', today }
    await applyDocument(this.sql, request)
  }

  async round(round: number): Promise<void> {
    const id = await this.#proposeSigned(round)
    const victim = round % 2 === 0 ? 'command' : 'database'
    const words = ['splice', 'sign', id, '--party', 'supplier', '--as', people.supplier]
    const command = [...words, '--workspace', this.workspace.slug]
    const { acknowledged, err, delayMs } = await this.killDuring(command, victim)
    const told = `round ${round}, ${victim} killed ${delayMs} ms into the second signature`
    const left = await this.#count(id)
    if (left.signatures !== left.versions)
      this.failures.push(`${told}: ${left.signatures} second signatures and ${left.versions} versions`)
    if (acknowledged !== null && left.versions !== 1) this.failures.push(`${told}: acknowledged and not there`)
    if (/\n\s+at /.test(err)) this.failures.push(`${told}: a stack trace: ${err}`)
    if (left.versions === 0) this.undone++
    else this.done++
    this.durationMs = (await runInPeace(this.ground.folder, command)).ms
    const after = await this.#count(id)
    if (after.signatures !== 1 || after.versions !== 1) this.failures.push(`${told}: a rerun did not complete it`)
  }

  /** An amendment that the buyer has signed. */
  async #proposeSigned(round: number): Promise<string> {
    const workspaceId = this.workspace.id
    const text = oldIndexDocument({ clause: `{ cap: { periodPct: ${round + 1} } }` })
    const by = { who: 'operator', fromAddress: null }
    const request = { workspaceId, agreement: slug, text, by, reason: 'Another cap.' }
    const { id } = await this.patiently(() => proposeAmendment(this.sql, request))
    const signer = { party: 'buyer' as const, email: people.buyer, proof: { means: 'OPERATOR' as const } }
    const signing = { id, hash: null, ...signer, fromAddress: null }
    await this.patiently(() => signChange(this.sql, this.seal, workspaceId, signing))
    return id
  }

  #count(id: string): Promise<{ readonly signatures: number; readonly versions: number }> {
    return this.patiently(async () => {
      const [row] = await this.ground.owner<{ signatures: number; versions: number }[]>`
        select (select count(*) from terms_change_signature where change_id = ${id} and party = 'supplier') as signatures,
          (select count(*) from formula where proposal = ${id}) as versions`
      return row!
    })
  }
}

export const killAtSplices = (ground: FolderGround, run: LongRun) =>
  runKills({ name: 'splice', Kills: SpliceKills }, ground, run)
