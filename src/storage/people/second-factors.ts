// Second factors of a sign-in: one-time codes, recovery codes, a passkey. The secret of the codes is kept encrypted, recovery
// codes as digests; a code for one use is used up by the statement that finds it. A requirement in the access log stays, also
// where the rows are gone.
import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { accountsScope, changingAccess, loadSaid } from '../log/access-log.ts'
import type { Queryable, Sql } from '../postgres/database.ts'
import { listPasskeys } from './passkeys.ts'
import { findTheAccount } from './people.ts'

export interface SecondFactors {
  /** Secret of the codes, encrypted; also one that was shown and not begun with yet. */
  readonly codeSecret: Buffer | null
  /** Instant since which codes are required; `null` where they are not. */
  readonly codesSince: Instant | null
  /** A password, with or without a code, opens no session. */
  readonly wantsPasskey: boolean
  readonly passkeys: number
  /** Number of recovery codes not used yet. */
  readonly recoveryCodes: number
}

export async function loadSecondFactors(sql: Queryable, personId: string): Promise<SecondFactors> {
  const [row] = await sql<Pick<SecondFactors, 'codeSecret' | 'codesSince'>[]>`
    select code_secret as "codeSecret", codes_since as "codesSince" from factors_of(${personId})`
  const said = await loadSaid(sql, 'factors', accountsScope, personId)
  const recovery = await loadSaid(sql, 'recovery', accountsScope, personId)
  const codesSince = said?.since === undefined ? null : parseInstant(said.since)
  const { codeSecret, codesSince: inRow } = row!
  // A secret that was shown and not begun with is not recorded yet.
  const isTheirs = codesSince === null ? inRow === null : codeSecret !== null && hashOf(codeSecret) === said?.secret
  return {
    codeSecret: isTheirs ? codeSecret : null,
    codesSince,
    wantsPasskey: said?.wantsPasskey === true,
    passkeys: (await listPasskeys(sql, personId)).length,
    recoveryCodes: recovery?.codes.length ?? 0,
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

interface Done {
  readonly done: boolean | null
}

async function isDone(asked: PromiseLike<readonly Done[]>): Promise<boolean> {
  return (await asked)[0]?.done === true
}

/** Runs a change of somebody's sign-in, and records it. */
function isChanged(sql: Queryable, ask: (tx: Queryable) => PromiseLike<readonly Done[]>): Promise<boolean> {
  return changingAccess(sql, tx => isDone(ask(tx)))
}

/** Proposes a secret to begin with; one that was shown before and not begun with no longer counts. */
export async function proposeCodeSecret(sql: Queryable, personId: string, secret: Buffer): Promise<void> {
  const isProposed = await isChanged(sql, tx => tx<Done[]>`select propose_code_secret(${personId}, ${secret}) as done`)
  if (!isProposed)
    throw new Refusal('conflict', 'one-time codes are on already; turn them off to begin with another app')
}

/** `step` is that of the code which showed that the app has the secret. */
export function beginCodes(sql: Queryable, personId: string, secret: Buffer, step: number): Promise<boolean> {
  return isChanged(sql, tx => tx<Done[]>`select begin_codes(${personId}, ${secret}, ${step}) as done`)
}

export function endCodes(sql: Queryable, personId: string): Promise<boolean> {
  return isChanged(sql, tx => tx<Done[]>`select end_codes(${personId}) as done`)
}

/** Takes a try before a code is looked at; false where too many were wrong of late. */
export function takeCodeTry(sql: Queryable, personId: string): Promise<boolean> {
  const { most, seconds } = limits.failedCodes
  return isDone(sql<Done[]>`select take_code_try(${personId}, ${most}, ${seconds}) as done`)
}

/** Uses up the step of a right code; false where that step, or a later one, has opened before. */
export function spendCodeStep(sql: Queryable, personId: string, step: number): Promise<boolean> {
  return isDone(sql<Done[]>`select use_code_step(${personId}, ${step}) as done`)
}

/** Uses up a recovery code; one that the log does not know as unused opens nothing. */
export function spendRecoveryCode(sql: Queryable, personId: string, digests: readonly Buffer[]): Promise<boolean> {
  return changingAccess(sql, async tx => {
    const said = await loadSaid(tx, 'recovery', accountsScope, personId)
    const digest = digests.find(each => said?.codes.includes(each.toString('hex')) === true)
    if (digest === undefined) return false
    return isDone(tx<Done[]>`select use_recovery_code(${personId}, ${digest}) as done`)
  })
}

export async function replaceRecoveryCodes(
  sql: Queryable,
  personId: string,
  digests: readonly Buffer[],
): Promise<void> {
  const hex = digests.map(digest => digest.toString('hex'))
  await changingAccess(
    sql,
    tx => tx`
      select replace_recovery_codes(${personId}, array(select decode(h, 'hex') from unnest(${hex}::text[]) as t (h)))`,
  )
}

export async function wantPasskey(sql: Queryable, personId: string, isWanted: boolean): Promise<void> {
  const isSet = await isChanged(sql, tx => tx<Done[]>`select want_passkey(${personId}, ${isWanted}) as done`)
  if (!isSet) throw new Refusal('conflict', 'register a passkey before you make it the only way in')
}

/** Notes an answered challenge; false where it was answered before. */
export function answerChallenge(sql: Queryable, digest: Buffer, until: Instant): Promise<boolean> {
  return isDone(sql<Done[]>`select answer_challenge(${digest}, ${until}::timestamptz) as done`)
}

/**
 * Lets somebody back in who lost their second factors. Passkeys, codes and sessions go, the password stays. Returns the
 * workspaces they are in, for the note. Of an address with several accounts it is the one in the workspace: the others may belong
 * to somebody else.
 */
export async function resetSecondFactors(
  owner: Sql,
  email: string,
  workspaceId: string | null,
): Promise<readonly string[]> {
  const { id } = await findTheAccount(owner, email, workspaceId)
  return changingAccess(owner, async tx => {
    await tx`select 1 from person where id = ${id} for update`
    await tx`delete from passkey where person_id = ${id}`
    await tx`delete from second_factor where person_id = ${id}`
    await tx`delete from recovery_code where person_id = ${id}`
    await tx`update session set ended_at = clock_timestamp() where person_id = ${id} and ended_at is null`
    const rows = await tx<{ id: string }[]>`select workspace_id as id from member where person_id = ${id}`
    return rows.map(row => row.id)
  })
}
