-- Addresses under which calendar programs fetch what is due. The token in an address is the secret: its digest alone is kept.
-- A feed shows what its person sees, and ends with their place; one without a person shows what the workspace has.
create table feed (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^fed_[0-9a-z]{26}$'),
  person_id text collate "C",
  name text not null check (name <> '' and length(name) <= 200),
  -- What is in it: releases, adjustment dates, or both; of these agreements, or of all.
  shows text collate "C" not null check (shows in ('ALL', 'RELEASES', 'DATES')),
  pam_ids text[] check (cardinality(pam_ids) between 1 and 200),
  digest bytea not null unique check (octet_length(digest) = 32),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (workspace_id, id),
  -- A place that is taken again by the same account goes on; one that is given up ends its feeds.
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
create index feed_person on feed (workspace_id, person_id);
call hold_to_workspace('feed', 'workspace_id');
grant select, insert, update (revoked_at) on feed to assize_app;

-- They count while the log of who has access says the same (decision 0114).
create or replace view access_state as
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
  from set_up_link l where l.joins is not null
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
  from feed f;

create or replace function access_facts(given_kind text, given_scope text, given_subject text) returns jsonb
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
    else
      return null;
  end case;
end $$;

create trigger noted before insert or update or delete on feed
  for each row execute function note_access('feed', 'workspace_id', 'id', '{last_used_at}');

-- A feed is looked up before its workspace is known: by its digest, one row or none. That it was used is written down once
-- an hour at most.
create function find_feed(wanted bytea)
returns table (workspace_id text, id text, person_id text, shows text, pam_ids text[], name text, created_at timestamptz,
  digest bytea, revoked_at timestamptz)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  update feed f set last_used_at = clock_timestamp() where f.digest = wanted and f.revoked_at is null
    and (f.last_used_at is null or f.last_used_at < clock_timestamp() - interval '1 hour');
  return query
    select f.workspace_id, f.id, f.person_id, f.shows, f.pam_ids, f.name, f.created_at, f.digest, f.revoked_at
    from feed f where f.digest = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_feed to assize_app;
