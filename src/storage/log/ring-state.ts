// State of the key ring in the database: the secret that makes new seals, the other secrets that count, and the keys that a
// rotation does not change. The state is sealed under the current secret, so that access to the database alone puts no earlier
// secret back in its place.
import { Refusal } from '../../core/refusal.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import { KeyRing, type LastingKeys, type RingState, secretNamedBy } from '../keys/key-ring.ts'
import { SealedText } from '../keys/sealed-text.ts'
import { type Queryable, ringIn, schemaName } from '../postgres/database.ts'

interface RingRow {
  readonly current: string
  readonly state: string
  readonly seal: Buffer
  readonly lasting: Buffer
}

const boundTo = 'lasting keys'

/** Reads the state; null before the installation was set up. */
export async function loadRingRow(sql: Queryable): Promise<RingRow | null> {
  const [row] = await sql<RingRow[]>`select current, state, seal, lasting from read_key_ring()`
  return row ?? null
}

/** Brings the ring up to date. Refuses a ring that does not list the current secret, and a state that is not sealed under it. */
export async function loadRing(sql: Queryable, ring: KeyRing): Promise<void> {
  const row = await loadRingRow(sql)
  if (row === null)
    throw new Refusal('conflict', 'the database does not say which secret it was set up with: restore it from a backup')
  applyRow(row, ring)
}

function applyRow({ current, state: text, seal, lasting: sealed }: RingRow, ring: KeyRing): void {
  if (!ring.lists(current)) throw otherSecret(text, current, ring)
  // Only a seal under the current secret counts: the state itself says which others count.
  const isSealed = secretNamedBy(seal) === current && ring.mac('ring', text, current).equals(seal)
  const state = isSealed ? (JSON.parse(text) as RingState) : null
  if (state === null || state.current !== current)
    throw new Refusal(
      'conflict',
      'which secret counts was changed in the database itself: restore it from a backup, or put the row of key_ring back',
    )
  const lasting = openLasting(ring, current, sealed)
  if (lasting === null) throw new Refusal('conflict', 'the lasting keys in the database cannot be opened')
  ring.turn(state, lasting)
}

function otherSecret(text: string, current: string, ring: KeyRing): Refusal {
  const known = Object.keys((JSON.parse(text) as RingState).secrets ?? {})
  if (!ring.ids.some(id => known.includes(id)))
    return new Refusal(
      'conflict',
      'ASSIZE_SECRET is not the one this database was set up with: keys and sign-ins made under it would all be refused',
    )
  return new Refusal(
    'conflict',
    `the database uses the secret ${current} now, and only ${ring.ids.join(', ')} ${ring.ids.length === 1 ? 'is' : 'are'} listed: add it to ASSIZE_SECRET`,
  )
}

function openLasting(ring: KeyRing, current: string, sealed: Buffer): LastingKeys | null {
  // A ring of the current secret alone reads the state, which decides whether others count.
  const own = KeyRing.of([ring.secretOf(current)!])
  const text = new SealedText(own, 'lasting keys').open(boundTo, sealed)
  return text === null ? null : (JSON.parse(text) as LastingKeys)
}

interface WrittenRing {
  readonly current: string
  readonly state: string
  readonly seal: Buffer
  readonly lasting: Buffer
}

/** The row of a state, under its current secret. */
function rowOf(ring: KeyRing, state: RingState, lasting: LastingKeys): WrittenRing {
  const text = canonicalJson(state as unknown as Json)
  const own = KeyRing.of([ring.secretOf(state.current)!])
  return {
    current: state.current,
    state: text,
    seal: own.mac('ring', text),
    lasting: new SealedText(own, 'lasting keys').seal(boundTo, JSON.stringify(lasting)),
  }
}

/** Makes the first state of an installation; false where there is one. For the owner's connection. */
export async function makeRing(sql: Queryable, ring: KeyRing, lasting: LastingKeys, receiptKey: string) {
  const [now] = await sql<{ at: string }[]>`select clock_timestamp() as at`
  const [current] = ring.ids as [string]
  const facts = { since: now!.at, endedAt: null, isLeaked: false, isRemoved: false, receiptKey }
  const row = rowOf(ring, { round: 1, current, turning: null, secrets: { [current]: facts } }, lasting)
  await sql`
    insert into key_ring (current, state, seal, lasting) values (${row.current}, ${row.state}, ${row.seal}, ${row.lasting})
    on conflict do nothing`
}

/**
 * Writes the next state of the ring in the place of the present one; the ring itself follows with `loadRing`. For the owner's
 * connection.
 */
export async function writeRing(sql: Queryable, ring: KeyRing, state: RingState): Promise<void> {
  const row = rowOf(ring, state, ring.lasting)
  const { count } = await sql`
    update key_ring set current = ${row.current}, state = ${row.state}, seal = ${row.seal}, lasting = ${row.lasting}
    where (state::jsonb ->> 'round')::bigint = ${state.round - 1}`
  if (count !== 1) throw new Refusal('conflict', 'the ring of secrets was changed meanwhile; run the command again')
}

export async function hasRing(sql: Queryable): Promise<boolean> {
  const [schema] = await sql<{ isMade: boolean }[]>`
    select to_regclass(${`${schemaName}.key_ring`}) is not null as "isMade"`
  return schema!.isMade
}

/**
 * Begins sealing in a transaction: from now on the ring says which secret seals, and no rotation away from that secret is
 * complete before the transaction ends.
 */
export async function beginSealing(tx: Queryable): Promise<void> {
  const ring = ringIn(tx)
  const [row] = await tx<{ id: string | null }[]>`select begin_sealing() as id`
  const { id } = row!
  if (id !== null && (ring.state === null || ring.state.current !== id)) await loadRing(tx, ring)
}
