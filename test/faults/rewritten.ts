// F20: the database is rewritten by SQL alone, without the server's secret, in every way we could think of: rows edited
// with and without the plain hashes over them, ends cut off, clocks moved, other people's rows copied in. `verify --chain`
// must detect each of them.

import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { publicScope, type Sql } from '../../src/storage/postgres/database.ts'
import { type Api, follow } from '../support/houses/api.ts'
import { fillSample } from '../support/houses/sample.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { firstProblem } from '../support/proof/first-problem.ts'

/** Every table of the history, and the table that records where it ends. */
const tables = [
  'publication',
  'publication_link',
  'scope_clock',
  'clock_repair',
  'series',
  'series_metadata',
  'vintage',
  'follow',
  'pam',
  'pam_state',
  'formula',
  'signed_receipt',
  'sign_off',
  'upload',
  'workspace_name',
  'party',
  'party_name',
  'party_member',
] as const

/** `$w` is the workspace, `$o` another one, `$h` what covers plain hashes that need no key, made again. */
const ways: Readonly<Record<string, string>> = {
  'a value': `update vintage set value = '7' where owner = $w`,
  'a value, and its content hash': `update vintage set value = '7' where owner = $w; $c`,
  'a value, and every plain hash over it': `update vintage set value = '7' where owner = $w; $h`,
  'a value, every plain hash, and links that are plain hashes': `update vintage set value = '7' where owner = $w; $h; $l`,
  'a tag': `update vintage set tag = 'FINAL' where owner = $w; $h`,
  'a flag': `update vintage set flag = 'x' where owner = $w; $h`,
  'a period': `update vintage set period = period + 12 where owner = $w; $h`,
  'a publication date': `update vintage set published_at = published_at - interval '1 day' where owner = $w; $h`,
  'the instants of everything': `update vintage set recorded_at = recorded_at - interval '1 day' where owner = $w;
    update publication set recorded_at = recorded_at - interval '1 day' where scope = $w;
    update publication_link set recorded_at = recorded_at - interval '1 day' where scope = $w`,
  'a vintage taken away': `delete from vintage where ctid = (select min(ctid) from vintage where owner = $w); $h`,
  'a vintage added': `insert into vintage select owner, series_id, period + 1, seq, value, tag, flag, published_at, recorded_at
    from vintage where owner = $w limit 1; $h`,
  'a vintage without its publication': `insert into vintage select owner, series_id, period, seq + 1000, value, tag, flag,
    published_at, recorded_at from vintage where owner = $w limit 1`,
  'a public figure': `update vintage set value = '7' where owner = 'public'; $h`,
  'a publication in the middle taken away, with its rows': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq = $first; $h`,
  'a publication in the middle taken away, with its link': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq between $linkFirst and $linkLast;
    delete from series_metadata where owner = $w and seq between $linkFirst and $linkLast;
    delete from series s where owner = $w and not exists (select 1 from series_metadata m where m.series_id = s.id);
    delete from publication_link where scope = $w and number = $link`,
  'the same, with the later links renumbered': `delete from vintage where owner = $w and seq = $first;
    delete from publication where scope = $w and seq between $linkFirst and $linkLast;
    delete from series_metadata where owner = $w and seq between $linkFirst and $linkLast;
    delete from series s where owner = $w and not exists (select 1 from series_metadata m where m.series_id = s.id);
    delete from publication_link where scope = $w and number = $link;
    update publication_link set number = number + 1000000 where scope = $w and number > $link;
    update publication_link set number = number - 1000001 where scope = $w and number > $link;
    update scope_clock set links = links - 1 where scope = $w`,
  'the end cut off': `$cut`,
  'the end cut off, and the clock set to the new end': `$cut; $back`,
  'the end cut off, and the head made a plain hash': `$cut; $back;
    update scope_clock set head = sha256(link) where scope = $w`,
  'the end cut off, and the head of another': `$cut; $back;
    update scope_clock c set head = o.head from scope_clock o where c.scope = $w and o.scope = $o`,
  'the end cut off, and a link for a head': `$cut; $back; update scope_clock set head = link where scope = $w`,
  'all of a history': `$empty`,
  'all of a history, with its clock': `$empty; delete from scope_clock where scope = $w`,
  'all of a history, and its clock set to nothing': `$empty; update scope_clock set seq = 0, linked_seq = 0, links = 0
    where scope = $w`,
  'all of a history, and the clock of a workspace without one': `$empty; update scope_clock c set seq = 0, linked_seq = 0,
    links = 0, link = o.link, head = o.head from scope_clock o where c.scope = $w and o.scope = $o`,
  'links taken away': `delete from publication_link where scope = $w`,
  'links and clock taken away': `delete from publication_link where scope = $w; delete from scope_clock where scope = $w`,
  'links that say they are the old chain': `update publication_link set covers = 'chain' where scope = $w`,
  'links made plain hashes': `$l`,
  'the last link repeated': `insert into publication_link select scope, number + 1, covers, first_seq, last_seq, publications,
    recorded_at, digest, link from publication_link where scope = $w order by number desc limit 1`,
  'a publication added without a link': `insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
    select scope, seq + 1, recorded_at, kind, subject, content_hash from publication where scope = $w
    order by seq desc limit 1; $h`,
  'a revision added with a plain link': `$added; $h; $l; update scope_clock c set seq = l.last_seq, linked_seq = l.last_seq,
    links = l.number, link = l.link from publication_link l where c.scope = $w and l.scope = $w
    and l.number = (select max(number) from publication_link where scope = $w)`,
  'the figures of two publications exchanged': `update vintage set value = case value when '110.00' then '115.00' else '110.00' end
    where owner = $w and value in ('110.00', '115.00'); $h`,
  'the kind of a publication': `update publication set kind = 'follow' where scope = $w and kind = 'metadata'; $h`,
  'the subject of a publication': `update publication set subject = (select id from series where owner = $w order by id desc limit 1)
    where scope = $w and kind = 'observations'; $h`,
  'the parties': `update pam_state set parties = '{"buyer": ["eve@evil.test"], "supplier": null}' where workspace_id = $w; $d`,
  'the status': `update pam_state set status = 'DRAFT' where workspace_id = $w; $d`,
  'how invoices name an agreement': `update pam_state set billing = billing || '{"references": ["FA-99"]}' where workspace_id = $w; $d`,
  'the billing terms taken away': `update pam_state set billing = null where workspace_id = $w; $d`,
  'the name of an agreement': `update pam_state set name = 'other' where workspace_id = $w; $d`,
  'the slug of an agreement': `update pam set slug = 'other' where workspace_id = $w; $d`,
  'when an agreement was made': `update pam set created_at = created_at - interval '1 day' where workspace_id = $w`,
  'an agreement added': `insert into pam select workspace_id, 'pam_00000000000000000000000000', 'added', created_at from pam
    where workspace_id = $w`,
  'a state added': `insert into pam_state select workspace_id, pam_id, seq - 1, name, description, 'EXPIRED', parties, recorded_at
    from pam_state where workspace_id = $w`,
  'a document': `update formula set document = document || '{"clause": {"fixed": "0.9"}}' where workspace_id = $w; $d`,
  'the text of a document': `update formula set document_text = document_text || ' ' where workspace_id = $w; $d`,
  'when a formula governs': `update formula set effective_from = effective_from - 30 where workspace_id = $w; $d`,
  'who wrote a formula': `update formula set created_by = 'eve@evil.test' where workspace_id = $w; $d`,
  'a version added': `insert into formula select workspace_id, pam_id, version + 1, seq, document, document_text, effective_from,
    created_by, recorded_at from formula where workspace_id = $w`,
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
  'a sign-off added': `insert into sign_off (workspace_id, pam_id, period, receipt_hash, party, adjustment_date, signed_by,
    signed_at, seq) select workspace_id, pam_id, period, repeat('1', 64), party, adjustment_date, signed_by, signed_at, seq
    from sign_off where workspace_id = $w`,
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
  'the clock’s number': `update scope_clock set seq = seq + 1, linked_seq = linked_seq + 1 where scope = $w`,
  'the head': `update scope_clock set head = sha256('x') where scope = $w`,
  'a repair of the clock that nobody made': `insert into clock_repair select scope, seq, 1, seq, recorded_at - interval '1 day',
    recorded_at from publication where scope = $w order by seq desc limit 1`,
  'the history of another workspace copied in': `$empty; delete from scope_clock where scope = $w;
    insert into publication select $w, seq, recorded_at, kind, subject, content_hash from publication where scope = $o;
    insert into publication_link select $w, number, covers, first_seq, last_seq, publications, recorded_at, digest, link
      from publication_link where scope = $o;
    insert into scope_clock select $w, seq, linked_seq, links, settled_at, link, head from scope_clock where scope = $o`,
}

/** What needs no key: content hashes of observations, digests of links, links as plain hashes. */
const pieces: Readonly<Record<string, string>> = {
  $c: `update publication p set content_hash = v.hash from (
      select owner, seq, sha256(convert_to(string_agg(
        observation_line(period, nullif(published_at, recorded_at), value, tag, flag), chr(10)
        order by period, published_at), 'UTF8')) as hash
      from vintage group by owner, seq) v
    where p.scope = v.owner and p.seq = v.seq and p.kind = 'observations'`,
  // A forger could compute the real content hash, but that is not needed here: any other hash
  // in its place must be detected.
  $d: `update publication set content_hash = sha256(content_hash) where scope = $w and kind <> 'observations'; $digests`,
  $digests: `update publication_link l set digest = p.digest, publications = p.count from publication_link k cross join lateral (
      select count(*) as count, sha256(convert_to(string_agg(
        p.seq || '|' || p.kind || '|' || p.subject || '|' || encode(p.content_hash, 'hex'), chr(10) order by p.seq), 'UTF8'))
        as digest
      from publication p where p.scope = k.scope and p.seq between k.first_seq and k.last_seq) p
    where l.scope = k.scope and l.number = k.number and p.digest is not null`,
  $h: `$c; $digests`,
  $l: `update publication_link set link = sha256(digest) where scope = $w;
    update scope_clock c set link = l.link, head = sha256(l.link) from publication_link l
    where c.scope = $w and l.scope = $w and l.number = c.links`,
  $cut: `delete from sign_off where workspace_id = $w and seq >= $lastFirst;
    delete from publication where scope = $w and seq >= $lastFirst;
    delete from publication_link where scope = $w and number = (select max(number) from publication_link where scope = $w)`,
  $back: `update scope_clock c set seq = l.last_seq, linked_seq = l.last_seq, links = l.number, link = l.link
    from publication_link l where c.scope = $w and l.scope = $w
    and l.number = (select max(number) from publication_link where scope = $w)`,
  $empty: `delete from sign_off where workspace_id = $w; delete from signed_receipt where workspace_id = $w;
    delete from formula where workspace_id = $w; delete from pam_state where workspace_id = $w;
    delete from pam where workspace_id = $w; delete from follow where workspace_id = $w;
    delete from vintage where owner = $w; delete from series_metadata where owner = $w; delete from series where owner = $w;
    delete from publication where scope = $w; delete from publication_link where scope = $w`,
  $added: `insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
      select $w, c.seq + 1, clock_timestamp(), 'observations', v.series_id, sha256('') from scope_clock c,
        (select series_id from vintage where owner = $w limit 1) v where c.scope = $w;
    insert into vintage select $w, p.subject, 24300, p.seq, '7', 'REVISED', null, p.recorded_at, p.recorded_at
      from publication p where p.scope = $w order by p.seq desc limit 1;
    insert into publication_link select $w, c.links + 1, 'publications', c.seq + 1, c.seq + 1, 1, p.recorded_at, sha256(''),
      sha256('') from scope_clock c, (select recorded_at from publication where scope = $w order by seq desc limit 1) p
      where c.scope = $w`,
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
      const changed = await rewrite(owner, write(way))
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
    select l.number as link, l.first_seq as "linkFirst", l.last_seq as "linkLast", p.seq as first,
      (select first_seq from publication_link where scope = ${workspace} order by number desc limit 1) as "lastFirst"
    from publication p join publication_link l on l.scope = p.scope and p.seq between l.first_seq and l.last_seq
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
function rewrite(owner: Sql, statement: string): Promise<number> {
  return owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const results = (await tx.unsafe(statement)) as unknown as { count?: number } & { count: number }[]
    return results.count ?? results[0]!.count
  }) as Promise<number>
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
