// The ways of F23: what is written into the database by SQL alone, and what is then tried with it. `$w` and the like are the
// names of planted-ground.ts.

/** What is written, and what is then tried. */
type Way = readonly [statement: string, attempt: string]

const session = (columns: string, values: string) =>
  `insert into session (id, token_hash, person_id, expires_at, latest_end${columns}) select 'ses_00000000000000000000000000',
    $cookie, $supplier, now() + interval '1 day', now() + interval '9 days'${values}`
const ofEve = `(select max(id) from session where person_id = $eve and ended_at is null)`

/** The newest entry about a subject, made to say something else, as far as that needs no secret. */
const said = (kind: string, subject: string, content: string) =>
  `update access_entry set content = ${content} where kind = '${kind}' and subject = ${subject}`
/** An earlier entry repeated at the end of its log, with the log's end moved behind it. */
const again = (kind: string, subject: string, isFirst = true) =>
  `insert into access_entry select e.scope, h.number + 1, e.kind, e.subject, e.at, e.content, h.seal, e.seal
    from access_entry e join access_head h on h.scope = e.scope
    where e.kind = '${kind}' and e.subject = ${subject} and e.content is not null
    order by e.number ${isFirst ? 'asc' : 'desc'} limit 1;
  update access_head h set number = e.number, seal = e.seal from access_entry e
    where e.scope = h.scope and e.number = h.number + 1`
/** As if it were made under the current secret: each seal and digest begins with its id. */
export const named = (bytes: string) => `(select decode(current, 'hex') from key_ring) || ${bytes}`
/** An entry of one's own. */
const added = (scope: string, kind: string, subject: string, content: string) =>
  `insert into access_entry select h.scope, h.number + 1, '${kind}', ${subject}, now(), ${content}, h.seal, ${named('sha256(h.seal)')}
    from access_head h where h.scope = ${scope};
  update access_head h set number = e.number, seal = e.seal, head = ${named('sha256(e.seal)')} from access_entry e
    where e.scope = h.scope and e.number = h.number + 1`
const stateOf = (kind: string, subject: string) =>
  `(select facts from access_state where kind = '${kind}' and subject = ${subject} limit 1)`
const passkeyAs = (credential: string, person: string) =>
  `insert into passkey select ${credential}, ${person}, name, public_key, algorithm, rp_id, verifies_user, counter, transports,
    created_at, last_used_at from passkey where credential_id = $evesKey`

export const ways: Readonly<Record<string, Way>> = {
  'a session of the supplier': [session('', ''), 'the planted cookie'],
  'a session of the supplier, with the seal of one’s own': [
    session(', seal', `, seal from session where id = ${ofEve}`),
    'the planted cookie',
  ],
  'a session of the supplier, sealed with a plain hash': [
    session(', seal', `, ${named("sha256('seal')")}`),
    'the planted cookie',
  ],
  'one’s session moved to the supplier': [
    `update session set person_id = $supplier where person_id = $eve`,
    'eve is somebody else',
  ],
  'one’s session moved to the owner': [
    `update session set person_id = $owner where person_id = $eve`,
    'eve is somebody else',
  ],
  'the session of the owner found by one’s token': [
    `create temp table taken on commit drop as select * from session where id = ${ofEve};
     delete from session where id = ${ofEve};
     update session s set token_hash = t.token_hash, seal = t.seal from taken t where s.person_id = $owner`,
    'eve is somebody else',
  ],
  'the address of the supplier': [
    `update person set email = 'sam@supplier.test' where id = $eve`,
    'eve is somebody else',
  ],
  'addresses exchanged': [
    `update person set email = case id when $eve then 'sam@supplier.test' else 'eve@evil.test' end
     where id in ($eve, $supplier)`,
    'eve is somebody else',
  ],
  'accounts exchanged by their ids': [
    `update member set person_id = 'usr_00000000000000000000000000' where person_id = $eve and workspace_id = $w;
     update member set person_id = $eve where person_id = $supplier and workspace_id = $w;
     update member set person_id = $supplier where person_id = 'usr_00000000000000000000000000'`,
    'eve is in',
  ],
  'a session that was ended, open again': [
    `update session set ended_at = null where person_id = $eve and ended_at is not null`,
    'the ended session',
  ],
  'a session that was ended, taken out and put in again': [
    `create temp table taken on commit drop as select * from session where person_id = $eve and ended_at is not null;
     delete from session where person_id = $eve and ended_at is not null;
     update taken set ended_at = null; insert into session select * from taken`,
    'the ended session',
  ],
  'a session that lasts longer': [
    `update session set latest_end = latest_end + interval '1 year', expires_at = now() + interval '1 year'
     where person_id = $eve and ended_at is null`,
    'eve is in',
  ],
  'a password that was given a moment ago': [
    `update session set password_at = now() where person_id = $buyer`,
    'the buyer’s open laptop',
  ],
  'a password that was given, with the seal of another’s': [
    `update session s set password_at = e.password_at, passkey_at = e.passkey_at, confirmed_seal = e.confirmed_seal
     from session e where s.person_id = $buyer and e.id = ${ofEve}`,
    'the buyer’s open laptop',
  ],
  'one’s key as a passkey of the supplier': [passkeyAs('$free', '$supplier'), 'the passkey nobody registered'],
  'one’s passkey moved to the supplier': [
    `update passkey set person_id = $supplier where credential_id = $evesKey`,
    'the passkey of eve',
  ],
  'one’s passkey moved, and the log says so': [
    `update passkey set person_id = $supplier where credential_id = $evesKey;
     ${said('passkey', '$evesKey', stateOf('passkey', '$evesKey'))}`,
    'the passkey of eve',
  ],
  'one’s passkey moved, and an entry of one’s own says so': [
    `update passkey set person_id = $supplier where credential_id = $evesKey;
     ${added(`'accounts'`, 'passkey', '$evesKey', stateOf('passkey', '$evesKey'))}`,
    'the passkey of eve',
  ],
  'the key in the supplier’s passkey': [
    `delete from passkey where credential_id = $evesKey;
     update passkey set credential_id = $evesKey where credential_id = $samsKey`,
    'the passkey of eve',
  ],
  'a passkey that was removed': [passkeyAs('$removed', '$eve'), 'the removed passkey'],
  'a passkey that was removed, with its entry again': [
    `${passkeyAs('$removed', '$eve')}; ${again('passkey', '$removed')}`,
    'the removed passkey',
  ],
  'one’s password hash for the supplier': [
    `update person p set password_hash = e.password_hash from person e where p.id = $supplier and e.id = $eve`,
    'the password of eve as sam',
  ],
  'one’s password hash for the supplier, and the log says so': [
    `update person p set password_hash = e.password_hash from person e where p.id = $supplier and e.id = $eve;
     ${said('password', '$supplier', stateOf('password', '$supplier'))}`,
    'the password of eve as sam',
  ],
  'one’s password hash for the supplier, and an entry of one’s own': [
    `update person p set password_hash = e.password_hash from person e where p.id = $supplier and e.id = $eve;
     ${added(`'accounts'`, 'password', '$supplier', stateOf('password', '$supplier'))}`,
    'the password of eve as sam',
  ],
  'password hashes exchanged': [
    `update person p set password_hash = o.password_hash from person o
     where (p.id = $supplier and o.id = $eve) or (p.id = $eve and o.id = $supplier)`,
    'the password of eve as sam',
  ],
  'the password somebody had before': [
    `update person set password_hash = $before where id = $supplier`,
    'the password of eve as sam',
  ],
  'the password somebody had before, with its entry again': [
    `update person set password_hash = $before where id = $supplier; ${again('password', '$supplier')}`,
    'the password of eve as sam',
  ],
  'a second account under the address': [
    `insert into person (id, email, name, password_hash) select 'usr_00000000000000000000000000', 'sam@supplier.test', 'Sam',
       password_hash from person where id = $eve;
     insert into member (workspace_id, person_id, role, name, invited_by, invited_at, joined_at) values ($w,
       'usr_00000000000000000000000000', 'supplier', 'Sam', 'operator', now(), now())`,
    'the password of eve as sam',
  ],
  'an older account under the address, in other letters, known on every network': [
    `insert into person (id, email, name, password_hash, created_at) select 'usr_00000000000000000000000000',
       'Sam@Supplier.Test', 'Sam', password_hash, now() - interval '9 years' from person where id = $eve;
     insert into known_network (email, network, person_id)
       select 'sam@supplier.test', '127.0.' || n, 'usr_00000000000000000000000000' from generate_series(0, 255) n;
     insert into member (workspace_id, person_id, role, name, invited_by, invited_at, joined_at) values ($w,
       'usr_00000000000000000000000000', 'supplier', 'Sam', 'operator', now(), now())`,
    'the password of eve as sam',
  ],
  'one’s own account under the address of the supplier': [
    `update person set email = 'sam@supplier.test', created_at = now() - interval '9 years' where id = $eve`,
    'the password of eve as sam',
  ],
  'one’s password hash for the supplier, in a network that is known': [
    `update person p set password_hash = e.password_hash from person e where p.id = $supplier and e.id = $eve;
     insert into known_network (email, network, person_id)
       select 'sam@supplier.test', k.network, $supplier from known_network k where k.person_id = $eve on conflict do nothing`,
    'the password of eve as sam',
  ],
  'one’s password hash beside the supplier’s salt': [
    `update person p set password_hash = regexp_replace(p.password_hash, '[^$]*$', '') ||
       regexp_replace(e.password_hash, '^.*[$]', '') from person e where p.id = $supplier and e.id = $eve`,
    'the password of eve as sam',
  ],
  'an account that ended with its last place': [`insert into person table planted_person`, 'the account that ended'],
  'an account that ended, with its session and its place': [
    `insert into person table planted_person; insert into session table planted_session;
     insert into member table planted_member`,
    'the account that ended',
  ],
  'an account that ended, with its session, and its entries again': [
    `insert into person table planted_person; insert into session table planted_session;
     insert into member table planted_member; ${again('password', '$gone', false)}; ${again('member', '$gone', false)}`,
    'the account that ended',
  ],
  'whose place one has: that of the supplier': [
    `update member set replaces = $supplier where person_id = $eve`,
    'eve is in',
  ],
  'the supplier’s place, as if it had been given anew': [
    `delete from member where person_id = $eve;
     update member set person_id = $eve, replaces = $supplier where person_id = $supplier and workspace_id = $w`,
    'eve is somebody else',
  ],
  'one’s role: a supplier': [`update member set role = 'supplier' where person_id = $eve`, 'eve is in'],
  'one’s role: an owner': [`update member set role = 'owner' where person_id = $eve`, 'eve sees the people'],
  'one’s role, and the log says so': [
    `update member set role = 'owner' where person_id = $eve; ${said('member', '$eve', stateOf('member', '$eve'))}`,
    'eve sees the people',
  ],
  'one’s role, and an entry of one’s own': [
    `update member set role = 'owner' where person_id = $eve;
     ${added('$w', 'member', '$eve', stateOf('member', '$eve'))}`,
    'eve sees the people',
  ],
  'a place in another workspace': [
    `insert into member (workspace_id, person_id, role, name, invited_by, invited_at, joined_at) values ($o, $eve, 'owner', 'Eve',
       'operator', now(), now())`,
    'eve is elsewhere',
  ],
  'one’s place moved to another workspace': [
    `update member set workspace_id = $o where person_id = $eve`,
    'eve is elsewhere',
  ],
  'the supplier’s place': [
    `delete from member where person_id = $eve; update member set person_id = $eve where person_id = $supplier`,
    'eve is in',
  ],
  'an administrator’s name, said again': [
    `insert into people_event select workspace_id, seq + 100000, party_id, kind, email, person_id, done_by, done_from, done_role,
       done_company, facts, recorded_at, seal from people_event where kind = 'ADMINISTRATOR' and facts @> '{"isOne": true}'`,
    'ben administers the mill',
  ],
  'that somebody is no administrator, taken away': [
    `delete from people_event where kind = 'ADMINISTRATOR' and facts @> '{"isOne": false}'`,
    'ben administers the mill',
  ],
  'that somebody is no administrator, changed': [
    `update people_event set facts = '{"isOne": true}' where kind = 'ADMINISTRATOR'`,
    'ben administers the mill',
  ],
  'that somebody is an administrator, moved behind that they are none': [
    `update people_event e set facts = o.facts, seal = o.seal from people_event o
     where e.kind = 'ADMINISTRATOR' and o.kind = 'ADMINISTRATOR' and e.seq <> o.seq`,
    'ben administers the mill',
  ],
  'who came first': [
    `update member set joined_at = joined_at - interval '1 day' where person_id = $ben`,
    'ben administers the mill',
  ],
  'a company without its people': [
    `delete from member where person_id in ($ada, $ben);
     delete from people_event where email in ('ada@mill.test', 'ben@mill.test')`,
    'the owner lets somebody into the mill',
  ],
  'a company whose people are of none': [
    `delete from party_member where email in ('ada@mill.test', 'ben@mill.test');
     delete from people_event where email in ('ada@mill.test', 'ben@mill.test')`,
    'the owner lets somebody into the mill',
  ],
  'one’s own company: the mill': [
    `insert into party_member select workspace_id, seq + 100000, $ownermail, party_id, true, recorded_at from party_member
       where email = 'ada@mill.test'`,
    'the owner lets somebody into the mill',
  ],
  'that the operator set a password, taken away': [
    `delete from people_event where kind = 'PASSWORD_SET'`,
    'sam signs, with less said about him',
  ],
  'that the operator set a password, of somebody else': [
    `update people_event set email = 'eve@evil.test', person_id = $eve where kind = 'PASSWORD_SET'`,
    'sam signs, with less said about him',
  ],
  'that the operator set a password, done by the person': [
    `update people_event set done_by = email, done_from = 'WORKSPACE' where kind = 'PASSWORD_SET'`,
    'sam signs, with less said about him',
  ],
  'a party': [
    `insert into party_member select $w, (select max(seq) from publication where scope = $w), 'eve@evil.test', id, true, now()
     from party where workspace_id = $w and slug = 'forge'`,
    'eve has a party',
  ],
  'somebody who was taken out': [`insert into member table planted_member`, 'who has gone is back'],
  'somebody who was taken out, with their entry again': [
    `insert into member table planted_member; ${again('member', '$gone', false)}`,
    'who has gone is back',
  ],
  'a link for somebody who was invited': [
    `insert into set_up_link (token_hash, person_id, expires_at, joins) values ($token, $pat, now() + interval '1 day', $w)`,
    'the planted link',
  ],
  'the same, and an entry of one’s own': [
    `insert into set_up_link (token_hash, person_id, expires_at, joins) values ($token, $pat, now() + interval '1 day', $w);
     ${added('$w', 'link', `encode($token, 'hex')`, stateOf('link', `encode($token, 'hex')`))}`,
    'the planted link',
  ],
  'one’s own link moved': [
    `update set_up_link set person_id = $pat, joins = $w where person_id = $eves`,
    'the link of eve',
  ],
  'a link that was replaced': [`insert into set_up_link table planted_link`, 'the earlier link'],
  'a link that was too old': [
    `update set_up_link set expires_at = now() + interval '1 day' where person_id = $late`,
    'the late link',
  ],
  'the supplier’s place open for a link': [
    `update member set joined_at = null where person_id = $supplier and workspace_id = $w;
     update person set password_hash = null where id = $supplier;
     insert into set_up_link (token_hash, person_id, expires_at, joins) values ($token, $supplier, now() + interval '1 day', $w)`,
    'the planted link',
  ],
  'what a key may read': [`update api_key set key_scope = 'all' where id = $small`, 'the small key'],
  'what a key may read, and the log says so': [
    `update api_key set key_scope = 'all' where id = $evil; ${said('key', '$evil', stateOf('key', '$evil'))}`,
    'the small key of the log',
  ],
  'the workspace of a key': [`update api_key set workspace_id = $w where id = $moved`, 'the moved key'],
  'a key that was revoked': [`update api_key set revoked_at = null where id = $revoked`, 'the revoked key'],
  'a key that was revoked, with its entry again': [
    `update api_key set revoked_at = null where id = $revoked; ${again('key', '$revoked')}`,
    'the revoked key',
  ],
  'the end of a key': [`update api_key set expires_at = null where id = $past`, 'the key of the past'],
  'an operator': [`insert into operator (person_id, added_by) values ($eve, 'operator')`, 'eve operates'],
  'an operator who was removed': [
    `insert into operator select * from planted_operator where person_id = $operated`,
    'who operated operates again',
  ],
  'no second factor': [`delete from second_factor where person_id = $fay`, 'the password without the passkey'],
  'a second factor that is not wanted': [
    `update second_factor set wants_passkey = false where person_id = $fay`,
    'the password without the passkey',
  ],
}

/** What nobody gains anything by at once, and must be found all the same. */
export const unnoticed: Readonly<Record<string, string>> = {
  'the price tolerance': `update workspace set price_tolerance = '9.5' where id = $w`,
  'a quota': `update workspace set max_people = 1000000 where id = $w`,
  'a request limit': `update workspace set rate_limit = 999999 where id = $w`,
  'the name of a workspace': `update workspace set name = 'other' where id = $w`,
  'who invited somebody': `update member set invited_by = 'sam@supplier.test' where person_id = $eve`,
  'when somebody joined': `update member set joined_at = joined_at - interval '1 day' where person_id = $eve`,
  'a member taken away': `delete from member where person_id = $supplier and workspace_id = $w`,
  'the name of a key': `update api_key set name = 'other' where id = $small`,
  'a key taken away': `delete from api_key where id = $small`,
  'what was done': `update activity set what = 'something else' where workspace_id = $w`,
  'who did it': `update activity set who = 'eve@evil.test' where workspace_id = $w`,
  'an activity taken away': `delete from activity where id = (select min(id) from activity where workspace_id = $w)`,
  'an activity added': `insert into activity (workspace_id, id, who, what, subject) values ($w,
    'act_00000000000000000000000000', 'sam@supplier.test', 'signed as supplier', 'steel 2024-Q2')`,
  'an entry in the middle': `delete from access_entry where scope = $w and number = 3`,
  'the last entry': `delete from access_entry where scope = $w and number = (select number from access_head where scope = $w)`,
  'the last entry, and the end': `delete from access_entry where scope = $w
      and number = (select number from access_head where scope = $w);
    update access_head set number = number - 1, seal = (select seal from access_entry where scope = $w
      order by number desc limit 1) where scope = $w`,
  'all of a log': `delete from access_entry where scope = $w; delete from access_head where scope = $w`,
  'the log of another': `delete from access_entry where scope = $w; update access_head h set number = o.number, seal = o.seal,
    head = o.head from access_head o where h.scope = $w and o.scope = $o`,
  'when an entry was made': `update access_entry set at = at - interval '1 day' where scope = $w and number = 2`,
  'an entry that nothing of ours writes': `update access_entry set content = '{"role": 1.5}' where scope = $w and number = 2`,
  'a passkey taken away': `delete from passkey where credential_id = $samsKey`,
  'recovery codes': `update recovery_code set used_at = now()`,
}
