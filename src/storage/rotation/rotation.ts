// Makes another secret the current one while everything keeps running: verifies everything, changes the ring, waits until no transaction seals
// under the secret before, seals again what that one sealed, verifies again, and then no seal of the secret before counts any more. It
// can be stopped anywhere and is resumed where it was. It gives no seal to what the log does not bear out: it stops and names that.
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { noteAct } from '../audit/audit-acts.ts'
import type { KeyRing, RingState } from '../keys/key-ring.ts'
import { receiptKeyOf } from '../keys/receipt-key.ts'
import { accountsScope, changingAccess } from '../log/access-log.ts'
import { loadRing, writeRing } from '../log/ring-state.ts'
import { publicScope, type Sql } from '../postgres/database.ts'
import type { PublicLog } from '../proof/public-log.ts'
import { type Hanging, loadHanging, loadLeft } from './dependents.ts'
import { reencryptStored } from './reencrypt.ts'
import { NotBorneOut, resealDeliveries, resealScope, resealSessions } from './reseal.ts'

interface RotationContext {
  readonly owner: Sql
  readonly ring: KeyRing
  /** Its key changes with the secret, and a leaf announces that. */
  readonly publicLog: Pick<PublicLog, 'announceKey'>
  /** Problems that `verify --chain` finds, and a public log that did not grow out of the checkpoint kept outside; in words. */
  readonly verify: () => Promise<readonly string[]>
  readonly who: string
  /** Others may know the former secret. */
  readonly isLeaked: boolean
  readonly report: (progress: RotationProgress) => void
}

export interface RotationProgress {
  readonly what: string
  readonly done: number
  /** 0 where it is not known. */
  readonly of: number
}

interface Rotation {
  readonly from: string
  readonly to: string
  readonly isResumed: boolean
  /** Number of rows that were sealed again. */
  readonly sealed: number
  /** With --leaked. */
  readonly ended: { readonly sessions: number; readonly links: number }
  /** Dependents of the former secret that change at their next use. */
  readonly hanging: Hanging
}

export async function rotateSecret(ground: RotationContext): Promise<Rotation> {
  const { owner, ring, report, isLeaked } = ground
  await loadRing(owner, ring)
  const { from, to, isResumed } = plan(ring)
  await refuseUnaware(owner, to)
  await refuseBroken(ground, 'verifying')
  const state = ring.state!
  if (!isResumed) await begin(ground, from, to)
  else if (isLeaked && !state.secrets[from]!.isLeaked) await change(ground, markLeaked(state, from))
  await waitForWriters(owner, from, report)
  const isLeakedNow = ring.state!.secrets[from]!.isLeaked
  const ended = isLeakedNow ? await endUnborne(owner, from) : { sessions: 0, links: 0 }
  const sealed = await resealAll(ground, from, isLeakedNow).catch(error => {
    if (!(error instanceof NotBorneOut)) throw error
    throw new Refusal(
      'conflict',
      `${error.message}: it gets no new seal. Restore it, then run assize secret rotate again; until then both secrets count`,
    )
  })
  await refuseBroken(ground, 'verifying again')
  await change(ground, { ...ring.state!, turning: null })
  return { from, to, isResumed, sealed, ended, hanging: await loadHanging(owner, from) }
}

/** Former and next secret: those of a rotation under way, else the current one and the last one listed. */
function plan(ring: KeyRing): Pick<Rotation, 'from' | 'to' | 'isResumed'> {
  const { current, turning, secrets } = ring.state!
  if (turning !== null) {
    if (!ring.lists(turning))
      throw new Refusal('conflict', `the rotation away from ${turning} goes on only while it is listed`)
    return { from: turning, to: current, isResumed: true }
  }
  const to = ring.ids.findLast(id => secrets[id] === undefined)
  if (to === undefined) throw new Refusal('conflict', 'there is no secret to change to: run assize secret add first')
  return { from: current, to, isResumed: false }
}

/** A process that does not list the new secret could do nothing any more. It reads its file within seconds. */
async function refuseUnaware(owner: Sql, id: string): Promise<void> {
  const { holderWaitMs, ringBeatMs, ringHolderSeconds } = limits
  const deadline = performance.now() + holderWaitMs
  for (;;) {
    const rows = await owner<{ name: string }[]>`
      select name from key_holder where not secrets @> array[${id}]
        and beat_at > clock_timestamp() - make_interval(secs => ${ringHolderSeconds}) order by name`
    if (rows.length === 0) return
    if (performance.now() > deadline)
      throw new Refusal(
        'conflict',
        `the secret ${id} is not listed by ${rows.map(({ name }) => name).join('; ')}: add it there, restart the process, and rotate again`,
      )
    await sleep(ringBeatMs)
  }
}

async function refuseBroken({ verify, report }: RotationContext, what: string): Promise<void> {
  report({ what, done: 0, of: 0 })
  const problems = await verify()
  if (problems.length > 0)
    throw new Refusal('conflict', `nothing is sealed again while the log does not hold: ${problems.join('; ')}`)
}

async function change({ owner, ring }: RotationContext, state: RingState): Promise<void> {
  await writeRing(owner, ring, { ...state, round: ring.state!.round + 1 })
  await loadRing(owner, ring)
}

function markLeaked(state: RingState, id: string): RingState {
  return { ...state, secrets: { ...state.secrets, [id]: { ...state.secrets[id]!, isLeaked: true } } }
}

async function begin({ owner, ring, isLeaked, who }: RotationContext, from: string, to: string): Promise<void> {
  const state = ring.state!
  await owner.begin(async tx => {
    const [now] = await tx<{ at: string }[]>`select clock_timestamp() as at`
    const fresh = {
      since: now!.at,
      endedAt: null,
      isLeaked: false,
      isRemoved: false,
      receiptKey: receiptKeyOf(ring, to),
    }
    const ended = { ...state.secrets[from]!, endedAt: now!.at, isLeaked }
    await writeRing(tx, ring, {
      round: state.round + 1,
      current: to,
      turning: from,
      secrets: { ...state.secrets, [from]: ended, [to]: fresh },
    })
    const said = isLeaked
      ? 'another secret of the server, because the one before leaked'
      : 'another secret of the server'
    await noteAct(tx, { act: 'secret.rotate', who, fromAddress: null, said, subject: `${from} to ${to}` })
  })
  await loadRing(owner, ring)
}

const lockNotAvailable = '55P03'

/** Transactions that began to seal under the secret before are brought to their end; see `begin_sealing`. */
async function waitForWriters(owner: Sql, old: string, report: RotationContext['report']): Promise<void> {
  const deadline = performance.now() + limits.rotationWaitMs
  for (;;) {
    const isFree = await owner
      .begin(async tx => {
        await tx`select set_config('lock_timeout', '500', true)`
        await tx`select pg_advisory_xact_lock(hashtextextended(${`assize secret ${old}`}, 0))`
        return true
      })
      .catch(error => {
        if (error.code === lockNotAvailable) return false
        throw error
      })
    if (isFree) return
    if (performance.now() > deadline)
      throw new Refusal(
        'unavailable',
        `something that began under the secret ${old} goes on for long; run assize secret rotate again when it is done`,
      )
    report({ what: 'waiting for what began under the secret before', done: 0, of: 0 })
    await sleep(limits.ringBeatMs)
  }
}

/** Sessions and one-time links that were made under the secret before: nothing but itself says that we made them. */
async function endUnborne(owner: Sql, old: string): Promise<Rotation['ended']> {
  return changingAccess(owner, async tx => {
    const sessions = await tx`
      update session set ended_at = clock_timestamp() where ended_at is null
        and (seal is null or substring(seal from 1 for 4) = decode(${old}, 'hex')
          or substring(token_hash from 1 for 4) = decode(${old}, 'hex'))`
    const links = await tx`
      update set_up_link l set expires_at = clock_timestamp()
      where l.used_at is null and l.expires_at > clock_timestamp() and (l.joins is null or exists (
        select 1 from access_entry e where e.scope = l.joins and e.kind = 'link'
          and e.subject = encode(l.token_hash, 'hex') collate "C" and substring(e.seal from 1 for 4) = decode(${old}, 'hex')))`
    return { sessions: sessions.count, links: links.count }
  })
}

/** Seals piece by piece until nothing is left; returns the number of rows. */
async function resealAll(
  { owner, publicLog, report }: RotationContext,
  old: string,
  isLeaked: boolean,
): Promise<number> {
  const all = await loadLeft(owner, old)
  let sealed = 0
  const done = (count: number) => {
    sealed += count
    report({
      what: `${Math.max(0, all - sealed)} left to be sealed again`,
      done: Math.min(sealed, all),
      of: Math.max(all, 1),
    })
  }
  done(0)
  const piece = { owner, old, done }
  await owner`delete from kept_digest where substring(seal from 1 for 4) = decode(${old}, 'hex')`
  const scopes = await owner<{ scope: string }[]>`
    select id as scope from workspace union select ${publicScope} union select ${accountsScope} order by scope`
  for (const { scope } of scopes) await resealScope(piece, scope)
  // A leak ended the doubtful sessions before.
  if (!isLeaked) await resealSessions(piece)
  await publicLog.announceKey()
  done(1)
  await resealDeliveries(piece)
  await reencryptStored(owner, old, done)
  const left = await loadLeft(owner, old)
  if (left > 0) throw new NotBorneOut(`${left} seals of the secret ${old} are left and do not hold`)
  return sealed
}

/** Nothing that was made under it counts any more. */
export async function removeSecret(
  { owner, ring, who }: Pick<RotationContext, 'owner' | 'ring' | 'who'>,
  id: string,
): Promise<void> {
  const state = ring.state!
  const facts = state.secrets[id]!
  await owner.begin(async tx => {
    await writeRing(tx, ring, {
      ...state,
      round: state.round + 1,
      secrets: { ...state.secrets, [id]: { ...facts, isRemoved: true } },
    })
    await noteAct(tx, {
      act: 'secret.remove',
      who,
      fromAddress: null,
      said: 'a secret of the server is no longer valid',
      subject: id,
    })
  })
  await loadRing(owner, ring)
}
