// F20: the database is rewritten by SQL alone, without the server's secret, in every way we could think of: rows edited
// with and without the plain hashes and the tree over them, ends cut off, clocks moved, other people's rows copied in. `verify --chain`
// must detect each of them.

import { appendLeaf, emptyFrontier } from '../../src/core/proof/frontier.ts'
import { leafHash } from '../../src/core/proof/merkle-hash.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { publicScope, type Sql, type Transaction } from '../../src/storage/postgres/database.ts'
import { endOf } from '../../src/storage/trees/tree-growth.ts'
import { type Api, follow } from '../support/houses/api.ts'
import { fillSample } from '../support/houses/sample.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { firstProblem } from '../support/proof/first-problem.ts'
import { foldInstants } from '../support/proof/scope-instants.ts'

/** Every table of the history, and the table that records where it ends. */
const tables = [
  'publication',
  'scope_clock',
  'clock_repair',
  'series',
  'series_metadata',
  'vintage',
  'follow',
  'agreement',
  'agreement_state',
  'formula',
  'signed_receipt',
  'sign_off',
  'upload',
  'workspace_name',
  'party',
  'party_name',
  'party_member',
] as const

/** Stands in a statement for trees that are made again. */
const treeAgain = '-- trees'

/** `$w` is the workspace, `$o` another one, `$h` what needs no key, made again: content hashes, and with `$t` the trees over them. */
const ways: Readonly<Record<string, string>> = {
  'a value': `update vintage set value = '7' where owner = $w`,
  'a value, and its content hash': `update vintage set value = '7' where owner = $w; $c`,
  'a value, and every plain hash over it': `update vintage set value = '7' where owner = $w; $h`,
  'a value, every plain hash, and a head that is one': `update vintage set value = '7' where owner = $w; $h; $p`,
  'a tag': `update vintage set tag = 'FINAL' where owner = $w; $h`,
  'a flag': `update vintage set flag = 'x' where owner = $w; $h`,
  'a period': `update vintage set period = period + 12 where owner = $w; $h`,
  'a publication date': `update vintage set published_at = published_at - interval '1 day' where owner = $w; $h`,
  'the instants of everything': `update vintage set recorded_at = recorded_at - interval '1 day' where owner = $w;
    update publication set recorded_at = recorded_at - interval '1 day' where scope = $w`,
  'the instants of everything, and the digest over them': `update vintage set recorded_at = recorded_at - interval '1 day'
    where owner = $w; update publication set recorded_at = recorded_at - interval '1 day' where scope = $w; $t`,
  'the digest of the instants': `update scope_clock set instants = sha256(instants) where scope = $w`,
  'a vintage taken away': `delete from vintage where ctid = (select min(ctid) from vintage where owner = $w); $h`,
  'a vintage added': `insert into vintage select owner, series_id, period + 1, seq, value, tag, flag, published_at, recorded_at
    from vintage where owner = $w limit 1; $h`,
  'a vintage without its publication': `insert into vintage select owner, series_id, period, seq + 1000, value, tag, flag,
    published_at, recorded_at from vintage where owner = $w limit 1`,
  'a public figure': `update vintage set value = '7' where owner = 'public'; $h`,
  'a publication in the middle taken away, with its rows': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq = $first; $h`,
  'all that was published together in the middle taken away': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq between $togetherFirst and $togetherLast;
    delete from series_metadata where owner = $w and seq between $togetherFirst and $togetherLast;
    delete from series s where owner = $w and not exists (select 1 from series_metadata m where m.series_id = s.id)`,
  'the same, with the tree over the rest': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq between $togetherFirst and $togetherLast;
    delete from series_metadata where owner = $w and seq between $togetherFirst and $togetherLast;
    delete from series s where owner = $w and not exists (select 1 from series_metadata m where m.series_id = s.id); $t`,
  'the end cut off': `$cut`,
  'the end cut off, and the clock set to the new end': `$cut; $back`,
  'the end cut off, and the head made a plain hash': `$cut; $back;
    update scope_clock set head = (select decode(current, 'hex') from key_ring) || sha256(tree_edge) where scope = $w`,
  'the end cut off, and the head of another': `$cut; $back;
    update scope_clock c set head = o.head from scope_clock o where c.scope = $w and o.scope = $o`,
  'the end cut off, and the clock and the tree set to the new end': `$cut; $back; $t`,
  'the end cut off, and a hash of the tree for a head': `$cut; $back;
    update scope_clock set head = (select decode(current, 'hex') from key_ring) || substring(tree_edge for 32) where scope = $w`,
  'all of a history': `$empty`,
  'all of a history, with its clock': `$empty; delete from scope_clock where scope = $w`,
  'all of a history, and its clock set to nothing': `$empty; update scope_clock set seq = 0, covered_seq = 0, tree_size = 0,
    tree_edge = '', instants = decode(repeat('00', 32), 'hex') where scope = $w`,
  'all of a history, and the clock of a workspace without one': `$empty; update scope_clock c set seq = o.seq,
    covered_seq = o.covered_seq, tree_size = o.tree_size, tree_edge = o.tree_edge, instants = o.instants, head = o.head
    from scope_clock o where c.scope = $w and o.scope = $o`,
  'the tree taken away': `update scope_clock set tree_size = 0, tree_edge = '' where scope = $w`,
  'the clock taken away': `delete from scope_clock where scope = $w`,
  'the head made a plain hash': `$p`,
  'the last publication repeated': `$repeated`,
  'the last publication repeated, and the tree grown by it': `$repeated; $t`,
  'a publication added outside the tree': `insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
    select scope, seq + 1, recorded_at, kind, subject, content_hash from publication where scope = $w
    order by seq desc limit 1; $c`,
  'a revision added, and the tree grown by it': `$added; $h`,
  'a revision added, and the tree grown by it under a plain head': `$added; $h; $p`,
  'the figures of two publications exchanged': `update vintage set value = case value when '110.00' then '115.00' else '110.00' end
    where owner = $w and value in ('110.00', '115.00'); $h`,
  'the kind of a publication': `update publication set kind = 'follow' where scope = $w and kind = 'metadata'; $h`,
  'the subject of a publication': `update publication set subject = (select id from series where owner = $w order by id desc limit 1)
    where scope = $w and kind = 'observations'; $h`,
  'the parties': `update agreement_state set parties = '{"buyer": ["eve@evil.test"], "supplier": null}' where workspace_id = $w; $d`,
  'the status': `update agreement_state set status = 'DRAFT' where workspace_id = $w; $d`,
  'how invoices name an agreement': `update agreement_state set billing = billing || '{"references": ["FA-99"]}' where workspace_id = $w; $d`,
  'the billing terms taken away': `update agreement_state set billing = '{"references": [], "priceDate": null, "prorate": null}'
    where workspace_id = $w; $d`,
  'the name of an agreement': `update agreement_state set name = 'other' where workspace_id = $w; $d`,
  'the slug of an agreement': `update agreement set slug = 'other' where workspace_id = $w; $d`,
  'when an agreement was made': `update agreement set created_at = created_at - interval '1 day' where workspace_id = $w`,
  'an agreement added': `insert into agreement select workspace_id, 'pam_00000000000000000000000000', 'added', created_at from agreement
    where workspace_id = $w`,
  'a state added': `insert into agreement_state select workspace_id, agreement_id, seq - 1, name, description, 'EXPIRED', parties, recorded_at,
    billing from agreement_state where workspace_id = $w`,
  'a document': `update formula set document = document || '{"clause": {"fixed": "0.9"}}' where workspace_id = $w; $d`,
  'the text of a document': `update formula set document_text = document_text || ' ' where workspace_id = $w; $d`,
  'when a formula governs': `update formula set effective_from = effective_from - 30 where workspace_id = $w; $d`,
  'who wrote a formula': `update formula set created_by = 'eve@evil.test' where workspace_id = $w; $d`,
  'a version added': `insert into formula select workspace_id, agreement_id, version + 1, seq, document, document_text, words, words_file,
    effective_from, created_by, recorded_at from formula where workspace_id = $w`,
  'a version taken away': `delete from formula where workspace_id = $w; $d`,
  'a signed receipt': `update signed_receipt set receipt = replace(receipt, '7.50', '9.50') where workspace_id = $w; $d`,
  'the seal of a signed receipt': `update signed_receipt set receipt = (receipt::jsonb || '{"signature": null}')::text
    where workspace_id = $w; $d`,
  'the hash of a signed receipt': `update signed_receipt set receipt_hash = repeat('0', 64) where workspace_id = $w;
    update sign_off set receipt_hash = repeat('0', 64) where workspace_id = $w; $d`,
  'what a signed receipt carries on': `update signed_receipt set carried = carried || '{"factor": "2"}' where workspace_id = $w; $d`,
  'the period of a signed receipt': `update signed_receipt set period = '2024-Q3' where workspace_id = $w;
    update sign_off set period = '2024-Q3' where workspace_id = $w; $d`,
  'a signed receipt taken away': `delete from sign_off where workspace_id = $w; delete from signed_receipt where workspace_id = $w`,
  'who signed': `update sign_off set signed_by = 'eve@evil.test' where workspace_id = $w and party = 'buyer'; $d`,
  'the people of two sign-offs exchanged': `update sign_off set signed_by = 'nobody' where workspace_id = $w and party = 'buyer';
    update sign_off set signed_by = 'ann@buyer.test' where workspace_id = $w and party = 'supplier';
    update sign_off set signed_by = 'sam@supplier.test' where workspace_id = $w and party = 'buyer'; $d`,
  'when somebody signed': `update sign_off set signed_at = signed_at - interval '1 day' where workspace_id = $w; $d`,
  'a sign-off taken away': `delete from sign_off where workspace_id = $w and party = 'supplier'; $d`,
  'a sign-off added': `insert into sign_off (workspace_id, agreement_id, period, receipt_hash, party, adjustment_date, signed_by,
    signed_at, seq, seal, signing_id) select workspace_id, agreement_id, period, repeat('1', 64), party, adjustment_date, signed_by, signed_at,
    seq, seal, signing_id from sign_off where workspace_id = $w`,
  'the name of a series': `update series_metadata set name = 'other' where owner = $w; $d`,
  'the unit of a series': `update series_metadata set unit = 'other' where owner = $w; $d`,
  'the code of a series': `update series set code = code || '-2' where owner = $w; $d`,
  'when a series was made': `update series set created_at = created_at - interval '1 day' where owner = $w`,
  'a series added': `insert into series select owner, 'ser_00000000000000000000000000', provider, 'added', created_at from series
    where owner = $w limit 1`,
  'a description added': `insert into series_metadata select owner, series_id, seq + 1000, name, unit, data_type, frequency,
    description, recorded_at from series_metadata where owner = $w limit 1`,
  'a series no longer followed': `delete from follow where workspace_id = $w`,
  'another series followed': `update follow set series_id = (select id from series where owner = 'public' order by id desc limit 1)
    where workspace_id = $w; $d`,
  'the name of a party': `update party_name set name = 'other' where workspace_id = $w; $d`,
  'the slug of a party': `update party set slug = 'other' where workspace_id = $w and slug = 'ohio-forge'; $d`,
  'a party added': `insert into party select workspace_id, 'pty_00000000000000000000000000', 'added', created_at from party
    where workspace_id = $w limit 1`,
  'whose company somebody is of': `update party_member set party_id = (select id from party where workspace_id = $w
    and slug = 'peach-haulage') where workspace_id = $w; $d`,
  'somebody else put into a company': `update party_member set email = 'eve@evil.test' where workspace_id = $w; $d`,
  'somebody in a company who had left it': `update party_member set belongs = not belongs where workspace_id = $w; $d`,
  'somebody slipped into a company': `insert into party_member select workspace_id, seq + 1000, 'eve@evil.test', party_id, true,
    recorded_at from party_member where workspace_id = $w`,
  'the clock set back': `update scope_clock set settled_at = settled_at - interval '1 day' where scope = $w`,
  'the clock set ahead': `update scope_clock set settled_at = settled_at + interval '50 days' where scope = $w`,
  'the clock’s number': `update scope_clock set seq = seq + 1, covered_seq = covered_seq + 1 where scope = $w`,
  'the head': `update scope_clock set head = (select decode(current, 'hex') from key_ring) || sha256('x') where scope = $w`,
  'a repair of the clock that nobody made': `insert into clock_repair select scope, seq, 1, seq, recorded_at - interval '1 day',
    recorded_at from publication where scope = $w order by seq desc limit 1`,
  'the history of another workspace copied in': `$empty; delete from scope_clock where scope = $w;
    insert into publication select $w, seq, recorded_at, kind, subject, content_hash from publication where scope = $o;
    insert into scope_clock (scope, seq, covered_seq, settled_at, head, tree_size, tree_edge, instants)
    select $w, seq, covered_seq, settled_at, head, tree_size, tree_edge, instants from scope_clock where scope = $o`,
}

/** What needs no key: content hashes of observations, the trees over entries, heads as plain hashes. */
const pieces: Readonly<Record<string, string>> = {
  $c: `update publication p set content_hash = v.hash from (
      select owner, seq, sha256(convert_to(string_agg(
        observation_line(period, nullif(published_at, recorded_at), value, tag, flag), chr(10)
        order by period, published_at), 'UTF8')) as hash
      from vintage group by owner, seq) v
    where p.scope = v.owner and p.seq = v.seq and p.kind = 'observations'`,
  // A forger could compute the real content hash, but that is not needed here: any other hash
  // in its place must be detected.
  $d: `update publication set content_hash = sha256(content_hash) where scope = $w and kind <> 'observations'; $t`,
  $h: `$c; $t`,
  $p: `update scope_clock set head = (select decode(current, 'hex') from key_ring) || sha256(tree_edge) where scope = $w`,
  // Made by the test itself, after the statement.
  $t: treeAgain,
  $cut: `delete from sign_off where workspace_id = $w and seq >= $lastFirst;
    delete from publication where scope = $w and seq >= $lastFirst`,
  $back: `update scope_clock c set seq = p.seq, covered_seq = p.seq
    from (select max(seq) as seq from publication where scope = $w) p where c.scope = $w`,
  $repeated: `insert into publication (scope, seq, recorded_at, kind, subject, content_hash, salt)
    select scope, seq + 1, recorded_at, kind, subject, content_hash, salt from publication where scope = $w order by seq desc limit 1`,
  $empty: `delete from sign_off where workspace_id = $w; delete from signed_receipt where workspace_id = $w;
    delete from formula where workspace_id = $w; delete from agreement_state where workspace_id = $w;
    delete from agreement where workspace_id = $w; delete from follow where workspace_id = $w;
    delete from vintage where owner = $w; delete from series_metadata where owner = $w; delete from series where owner = $w;
    delete from publication where scope = $w`,
  $added: `insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
      select $w, c.seq + 1, clock_timestamp(), 'observations', v.series_id, sha256('') from scope_clock c,
        (select series_id from vintage where owner = $w limit 1) v where c.scope = $w;
    insert into vintage select $w, p.subject, 24300, p.seq, '7', 'REVISED', null, p.recorded_at, p.recorded_at
      from publication p where p.scope = $w order by p.seq desc limit 1`,
}

interface Found {
  readonly failures: readonly string[]
  readonly ways: number
}

export async function rewriteDatabase(api: Api): Promise<Found> {
  const { owner } = api
  const [tenant, other] = [await api.tenant(), await api.tenant()]
  const followed = await makeSeries(api.sql, publicScope, `followed ${tenant.id}`)
  for (const code of ['a', 'b']) await makeSeries(api.sql, publicScope, `${code} ${tenant.id}`)
  await publishRows(api.sql, publicScope, followed, [
    { period: 1, value: '1', publishedAt: '2024-01-05T00:00:00.000000Z' },
  ])
  await follow(api.sql, tenant.id, followed)
  await fillParties(api, tenant.id)
  await fillSample(tenant)
  const failures: string[] = []
  const untouched = await firstProblem(owner)
  if (untouched !== null) failures.push(`untouched: ${untouched}`)
  const write = await statements(owner, tenant.id, other.id)
  await keep(owner)
  try {
    for (const [name, way] of Object.entries(ways)) {
      const changed = await rewrite(owner, write(way), [tenant.id, publicScope])
      if (changed === 0) failures.push(`${name}: the rewriting changed nothing`)
      if ((await firstProblem(owner)) === null) failures.push(`${name}: not found`)
      await putBack(owner)
    }
  } finally {
    await owner`drop schema kept cascade`
  }
  const left = await firstProblem(owner)
  if (left !== null) failures.push(`put back: ${left}`)
  return { failures, ways: Object.keys(ways).length }
}

async function fillParties({ sql }: Api, workspaceId: string): Promise<void> {
  const by = { who: 'operator', fromAddress: null }
  await createCompany(sql, workspaceId, { slug: 'ohio-forge', name: 'Ohio Forge Inc.' }, by)
  await createCompany(sql, workspaceId, { slug: 'peach-haulage', name: 'Peach Haulage LLC' }, by)
  await createMember(sql, workspaceId, { email: 'fay@forge.test', role: 'supplier', company: 'ohio-forge' })
}

/** Turns a way into SQL about these workspaces. */
async function statements(owner: Sql, workspace: string, other: string): Promise<(way: string) => string> {
  const [facts] = await owner<Record<string, number>[]>`
    select p.seq as first, t.first as "togetherFirst", t.last as "togetherLast", (
        select min(seq) from publication where scope = ${workspace} group by recorded_at order by recorded_at desc limit 1) as "lastFirst"
    from publication p cross join lateral (
      select min(seq) as first, max(seq) as last from publication o where o.scope = p.scope and o.recorded_at = p.recorded_at) t
    where p.scope = ${workspace} and p.kind = 'observations' order by p.seq limit 1`
  const names: Record<string, string> = { ...pieces, $w: `'${workspace}'`, $o: `'${other}'` }
  for (const [name, value] of Object.entries(facts!)) names[`$${name}`] = String(value)
  const expand = (way: string): string =>
    way.replaceAll(/\$[a-zA-Z]+/g, name => {
      const piece = names[name]
      if (piece === undefined) throw new Error(`${name} is no piece`)
      return piece === name ? name : expand(piece)
    })
  return expand
}

/** With triggers and keys switched off, as only the owner can. Returns how many rows the first statement changed. */
function rewrite(owner: Sql, statement: string, scopes: readonly string[]): Promise<number> {
  return owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    // What follows a tree goes by it.
    const [first = '', ...rest] = statement.split(treeAgain)
    const results = (await tx.unsafe(first)) as unknown as { count?: number } & { count: number }[]
    for (const next of rest) {
      for (const scope of scopes) await growAgain(tx, scope)
      if (/\w/.test(next)) await tx.unsafe(next)
    }
    return results.count ?? results[0]!.count
  }) as Promise<number>
}

/** The tree and the digest of the instants as they follow from the entries now; the head needs the key. */
async function growAgain(tx: Transaction, scope: string): Promise<void> {
  const lines = await tx<{ seq: number; line: string }[]>`
    select seq, seq || '|' || kind || '|' || subject || '|' || encode(content_hash, 'hex') as line
    from publication where scope = ${scope} order by seq`
  const { size, edge } = endOf(lines.map(({ line }) => leafHash(Buffer.from(line))).reduce(appendLeaf, emptyFrontier))
  const last = lines.at(-1)?.seq ?? 0
  await tx`
    update scope_clock set seq = ${last}, covered_seq = ${last}, tree_size = ${size}, tree_edge = ${edge},
      instants = ${await foldInstants(tx, scope)} where scope = ${scope}`
}

async function keep(owner: Sql): Promise<void> {
  await owner`create schema kept`
  for (const table of tables) await owner`create table kept.${owner(table)} as table ${owner(table)}`
}

function putBack(owner: Sql): Promise<unknown> {
  return owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    for (const table of tables) {
      await tx`delete from ${tx(table)}`
      await tx`insert into ${tx(table)} select * from kept.${tx(table)}`
    }
  })
}
