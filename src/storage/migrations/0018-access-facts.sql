-- What rows say about who has access, as the access log has it: the same facts from the tables and from the newest entries, compared by
-- transactions, by `verify --chain` and at each use.

-- What the rows about one subject say. Each kind has a statement of its own, so that the others are no part of its plan.
create function access_facts(given_kind text, given_scope text, given_subject text) returns jsonb
language plpgsql stable as $$
begin
  case given_kind
    when 'member' then
      return (select s.facts from access_state s
        where s.kind = 'member' and s.scope = given_scope and s.subject = given_subject);
    when 'company' then
      return (select s.facts from access_state s
        where s.kind = 'company' and s.scope = given_scope and s.subject = given_subject);
    when 'key' then
      return (select s.facts from access_state s
        where s.kind = 'key' and s.scope = given_scope and s.subject = given_subject);
    when 'link' then
      return (select s.facts from access_state s
        where s.kind = 'link' and s.scope = given_scope and s.subject = given_subject);
    when 'settings' then
      return (select s.facts from access_state s
        where s.kind = 'settings' and s.scope = given_scope and s.subject = given_subject);
    when 'activity' then
      return (select s.facts from access_state s
        where s.kind = 'activity' and s.scope = given_scope and s.subject = given_subject);
    when 'password' then
      return (select s.facts from access_state s
        where s.kind = 'password' and s.scope = given_scope and s.subject = given_subject);
    when 'passkey' then
      return (select s.facts from access_state s
        where s.kind = 'passkey' and s.scope = given_scope and s.subject = given_subject);
    when 'operator' then
      return (select s.facts from access_state s
        where s.kind = 'operator' and s.scope = given_scope and s.subject = given_subject);
    when 'factors' then
      return (select s.facts from access_state s
        where s.kind = 'factors' and s.scope = given_scope and s.subject = given_subject);
    when 'recovery' then
      return (select s.facts from access_state s
        where s.kind = 'recovery' and s.scope = given_scope and s.subject = given_subject);
    when 'ended-session' then
      return (select s.facts from access_state s
        where s.kind = 'ended-session' and s.scope = given_scope and s.subject = given_subject);
    when 'feed' then
      return (select s.facts from access_state s
        where s.kind = 'feed' and s.scope = given_scope and s.subject = given_subject);
    when 'provider' then
      return (select s.facts from access_state s
        where s.kind = 'provider' and s.scope = given_scope and s.subject = given_subject);
    when 'identity' then
      return (select s.facts from access_state s
        where s.kind = 'identity' and s.scope = given_scope and s.subject = given_subject);
    when 'webhook' then
      return (select s.facts from access_state s
        where s.kind = 'webhook' and s.scope = given_scope and s.subject = given_subject);
    else
      return null;
  end case;
end $$;

-- What this transaction has changed so far and not recorded: what was said before, what is said now, the newest entry, and where its log
-- ends. The logs are locked until the transaction ends, one after the other in the same order for everybody. `is_end`: accounts without a
-- place, which end when the transaction does, end first: see 0028.
create function touched_access(is_end boolean)
returns table (kind text, scope text, subject text, before jsonb, facts jsonb, number bigint, at timestamptz, content jsonb,
  previous bytea, seal bytea, last_number bigint, last_seal bytea, head bytea, now timestamptz)
language plpgsql security definer set search_path = assize, pg_temp set timezone = 'UTC' as $$
declare
  was_set constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  if is_end then
    set constraints account_left immediate;
  end if;
  if coalesce(current_setting('assize.touched', true), '') = '' then
    return;
  end if;
  perform set_config('assize.touched', '', true);
  perform set_config('assize.workspace', '*', true);
  perform 1 from access_head h where h.scope in (
    select t.log from access_touched t where t.transaction = pg_current_xact_id())
  order by h.scope for update;
  return query
    with touched as (
      delete from access_touched d where d.transaction = pg_current_xact_id() returning d.kind, d.log, d.subject, d.said)
    select t.kind, t.log, t.subject, t.said, access_facts(t.kind, t.log, t.subject), e.number, e.at, e.content, e.previous,
      e.seal, h.number, h.seal, h.head,
      clock_timestamp()
    from touched t left join access_head h on h.scope = t.log
    left join lateral (
      select n.number, n.at, n.content, n.previous, n.seal from access_entry n
      where n.kind = t.kind and n.scope = t.log and n.subject = t.subject order by n.number desc limit 1) e on true
    order by 2, 3, 1;
  perform set_config('assize.workspace', was_set, true);
end $$;
grant execute on function touched_access to assize_app;

-- They count while the access log says the same (decision 0114).
create view access_state as
  select text 'member' as kind, m.workspace_id as scope, m.person_id as subject,
    jsonb_strip_nulls(to_jsonb(m) - '{workspace_id,person_id,last_seen_at}'::text[]
      || jsonb_build_object('email', p.email)) as facts
  from member m left join person p on p.id = m.person_id
  union all
  -- Of an address the newest row counts.
  select text 'company', c.workspace_id, c.email,
    jsonb_build_object('seq', c.seq, 'party', p.slug, 'belongs', c.belongs)
  from (
    select distinct on (n.workspace_id, n.email) n.workspace_id, n.email, n.seq, n.party_id, n.belongs
    from party_member n order by n.workspace_id, n.email, n.seq desc) c
  join party p on p.workspace_id = c.workspace_id and p.id = c.party_id
  union all
  select text 'key', k.workspace_id, k.id, jsonb_strip_nulls(to_jsonb(k) - '{workspace_id,id,last_used_at}'::text[])
  from api_key k
  union all
  select text 'link', l.joins, encode(l.token_hash, 'hex') collate "C",
    jsonb_strip_nulls(to_jsonb(l) - '{token_hash,joins}'::text[])
  from set_up_link l
  union all
  select text 'settings', w.id, w.id, jsonb_strip_nulls(to_jsonb(w) - 'id') from workspace w
  union all
  select text 'activity', a.workspace_id, a.id,
    jsonb_build_object('hash', encode(sha256(convert_to((to_jsonb(a) - '{workspace_id,id}'::text[])::text, 'UTF8')), 'hex'))
  from activity a
  union all
  select text 'password', text 'accounts', p.id,
    jsonb_build_object('email', p.email, 'hash', encode(sha256(convert_to(p.password_hash, 'UTF8')), 'hex'))
  from person p where p.password_hash is not null
  union all
  select text 'passkey', text 'accounts', k.credential_id,
    jsonb_strip_nulls(to_jsonb(k) - '{credential_id,counter,last_used_at}'::text[])
  from passkey k
  union all
  select text 'operator', text 'accounts', o.person_id, jsonb_strip_nulls(to_jsonb(o) - 'person_id') from operator o
  union all
  select text 'factors', text 'accounts', f.person_id, jsonb_strip_nulls(jsonb_build_object(
    'since', f.codes_since, 'wantsPasskey', f.wants_passkey,
    'secret', case when f.codes_since is not null then encode(sha256(f.code_secret), 'hex') end))
  from second_factor f where f.codes_since is not null or f.wants_passkey
  union all
  -- Those that were not used yet.
  select text 'recovery', text 'accounts', r.person_id,
    jsonb_build_object('codes', jsonb_agg(encode(r.digest, 'hex') order by r.digest))
  from recovery_code r where r.used_at is null group by r.person_id
  union all
  select text 'ended-session', text 'accounts', s.id, jsonb_build_object('person', s.person_id, 'at', s.ended_at)
  from session s where s.ended_at is not null
  union all
  select text 'feed', f.workspace_id, f.id, jsonb_strip_nulls(to_jsonb(f) - '{workspace_id,id,last_used_at}'::text[])
  from feed f
  union all
  select text 'provider', i.workspace_id, i.party,
    jsonb_strip_nulls(to_jsonb(i) - '{workspace_id,party}'::text[]
      || jsonb_build_object('client_secret', encode(sha256(i.client_secret), 'hex')))
  from identity_provider i
  union all
  select text 'identity', l.workspace_id, l.id, jsonb_strip_nulls(to_jsonb(l) - '{workspace_id,id,last_at}'::text[])
  from identity_link l
  union all
  -- Of the secrets only that they are the same.
  select text 'webhook', h.workspace_id, h.id, jsonb_strip_nulls(to_jsonb(h) - '{workspace_id,id}'::text[]
    || jsonb_build_object('secret', encode(sha256(h.secret), 'hex'), 'old_secret', encode(sha256(h.old_secret), 'hex')))
  from webhook h;

-- The newest entry about each subject, beside what its row says now. `is_touched`: this transaction has changed something that is not
-- recorded yet.
create function confirm_access(kinds text[], scopes text[], subjects text[])
returns table (place integer, kind text, scope text, subject text, number bigint, at timestamptz, content jsonb,
  previous bytea, seal bytea, facts jsonb, is_touched boolean)
language plpgsql security definer set search_path = assize, pg_temp set timezone = 'UTC' as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select t.place::integer, t.kind, t.scope, t.subject, e.number, e.at, e.content, e.previous, e.seal,
      access_facts(t.kind, t.scope, t.subject), coalesce(current_setting('assize.touched', true), '') <> ''
    from unnest(kinds, scopes, subjects) with ordinality as t (kind, scope, subject, place)
    left join lateral (
      select n.number, n.at, n.content, n.previous, n.seal from access_entry n
      where n.kind = t.kind and n.scope = t.scope and n.subject = t.subject order by n.number desc limit 1) e on true;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function confirm_access to assize_app;

-- Where rows of a scope and the newest entries about them differ. That sessions of long ago were deleted is no difference, and entries
-- that say that something was redacted or somebody erased are about no row.
create function access_differences(given_scope text, most integer)
returns table (kind text, subject text, is_recorded boolean, is_there boolean, name text)
language plpgsql security definer set search_path = assize, pg_temp set timezone = 'UTC' as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select coalesce(n.kind, s.kind), coalesce(n.subject, s.subject), n.content is not null, s.facts is not null,
      coalesce(n.content ->> 'email', s.facts ->> 'email', n.content ->> 'name', s.facts ->> 'name')
    from (
      select distinct on (e.kind, e.subject) e.kind, e.subject, e.content from access_entry e
      where e.scope = given_scope and e.kind not in ('redaction', 'erasure')
      order by e.kind, e.subject, e.number desc) n
    full join (select a.kind, a.subject, a.facts from access_state a where a.scope = given_scope) s
      on s.kind = n.kind and s.subject = n.subject
    where n.content is distinct from s.facts
      and (coalesce(n.kind, s.kind) <> 'ended-session' or n.content is not null and exists (
        select 1 from session o where o.id = n.subject and o.ended_at is distinct from (n.content ->> 'at')::timestamptz))
    limit most;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function access_differences to assize_app;
