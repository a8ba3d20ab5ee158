-- Identity providers of companies and of a workspace's own people, who signs in by them, and the sessions that come of it
-- (decisions 0730 to 0733).

create table identity_provider (
  workspace_id text collate "C" not null references workspace (id),
  -- Whose people sign in by it: a party by its slug, or nothing for people of the workspace who are of no party.
  party text collate "C" not null,
  id text collate "C" not null check (id ~ '^idp_[0-9a-z]{26}$'),
  issuer text not null check (length(issuer) between 8 and 500),
  client_id text not null check (length(client_id) between 1 and 200),
  -- Encrypted under a key made from the server secret.
  client_secret bytea not null,
  -- In the address by which people begin: nobody guesses it, so that it tells a stranger nothing.
  way_in text collate "C" not null unique check (way_in ~ '^[0-9a-z]{20}$'),
  is_required boolean not null,
  -- The one account that keeps its password where others must not have one.
  except_person text collate "C",
  groups_claim text check (length(groups_claim) between 1 and 100),
  -- [{"group": "…", "role": "…"}], the first that fits counts; empty: groups do not matter.
  group_roles jsonb not null,
  -- Who is in this group joins without an invitation, in this role.
  join_group text check (length(join_group) between 1 and 200),
  join_role text,
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, party),
  unique (workspace_id, id),
  check ((join_group is null) = (join_role is null))
);
create index identity_provider_client on identity_provider (issuer, client_id);
call hold_to_workspace('identity_provider', 'workspace_id');
grant select, insert, update, delete on identity_provider to assize_app;

-- Who somebody is at their provider. Never found by an address: by the provider and its own name for the person alone.
create table identity_link (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^idl_[0-9a-z]{26}$'),
  provider_id text collate "C" not null,
  subject text collate "C" not null check (length(subject) between 1 and 255),
  person_id text collate "C" not null,
  linked_at timestamptz not null default clock_timestamp(),
  last_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, provider_id, subject),
  unique (workspace_id, person_id),
  foreign key (workspace_id, provider_id) references identity_provider (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
call hold_to_workspace('identity_link', 'workspace_id');
grant select, insert, delete, update (last_at) on identity_link to assize_app;

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
  from feed f
  union all
  select text 'provider', i.workspace_id, i.party,
    jsonb_strip_nulls(to_jsonb(i) - '{workspace_id,party}'::text[]
      || jsonb_build_object('client_secret', encode(sha256(i.client_secret), 'hex')))
  from identity_provider i
  union all
  select text 'identity', l.workspace_id, l.id, jsonb_strip_nulls(to_jsonb(l) - '{workspace_id,id,last_at}'::text[])
  from identity_link l;

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
    when 'provider' then
      return (select s.facts from access_state s
        where s.kind = 'provider' and s.scope = given_scope and s.subject = given_subject);
    when 'identity' then
      return (select s.facts from access_state s
        where s.kind = 'identity' and s.scope = given_scope and s.subject = given_subject);
    else
      return null;
  end case;
end $$;

create trigger noted before insert or update or delete on identity_provider
  for each row execute function note_access('provider', 'workspace_id', 'party', '{}');
create trigger noted before insert or update or delete on identity_link
  for each row execute function note_access('identity', 'workspace_id', 'id', '{last_at}');

-- A provider is looked up before its workspace is known: by its way in, or by its id.
create function find_identity_provider(wanted text)
returns table (workspace_id text, workspace_slug text, workspace_name text, party text, party_name text, id text,
  issuer text, client_id text, client_secret bytea, way_in text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select i.workspace_id, w.slug, w.name, i.party,
      (select n.name from party p join party_name n on n.workspace_id = p.workspace_id and n.party_id = p.id
        where p.workspace_id = i.workspace_id and p.slug = i.party order by n.seq desc limit 1),
      i.id, i.issuer, i.client_id, i.client_secret, i.way_in
    from identity_provider i join workspace w on w.id = i.workspace_id where i.way_in = wanted or i.id = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_identity_provider to assize_app;

-- Those that a logout token is for: one company may use one client in several workspaces.
create function identity_providers_of(given_issuer text, given_client text)
returns table (workspace_id text, party text, id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select i.workspace_id, i.party, i.id from identity_provider i
    where i.issuer = given_issuer and i.client_id = given_client order by 1, 2;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function identity_providers_of to assize_app;

-- Whether a session was opened by a provider, and which of its own sessions that was.
alter table session
  add column identity_link text collate "C",
  add column provider_session text collate "C" check (length(provider_session) <= 255);
create index session_identity on session (identity_link) where identity_link is not null;
alter type sealed_session add attribute identity_link text;
alter type sealed_session add attribute provider_session text;

create or replace function session_of(wanted text) returns setof sealed_session
language sql stable security definer set search_path = assize, pg_temp as $$
  select s.id, s.token_hash, s.person_id, p.email, p.password_hash, s.created_at, s.last_seen_at, s.expires_at, s.latest_end,
    s.from_address, s.user_agent, s.password_at, s.passkey_at, s.seal, s.confirmed_seal, clock_timestamp(),
    s.identity_link, s.provider_session
  from session s join person p on p.id = s.person_id where s.id = wanted and s.ended_at is null
$$;

-- Like open_session, by a provider: it ends after some hours, however much it is used.
create function open_identity_session(new_id text, of_person text, checked_hash text, token bytea, address text, agent text,
  most_hours integer, most_sessions integer, link text, sid text) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  latest constant timestamptz := now + make_interval(hours => most_hours);
begin
  perform 1 from person p where p.id = of_person and p.password_hash = checked_hash for share;
  if not found then
    return;
  end if;
  insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, latest_end, from_address, user_agent,
    identity_link, provider_session)
  values (new_id, token, of_person, now, now, latest, latest, address, agent, link, sid);
  update session s set ended_at = now where s.ended_at is null and s.id in (
    select o.id from session o where o.person_id = of_person and o.ended_at is null and o.expires_at > now
    order by o.last_seen_at desc, o.id desc offset most_sessions);
  return query select * from session_of(new_id);
end $$;
grant execute on function open_identity_session to assize_app;

-- As before, with the party of the person as the rows have it.
drop function find_session(bytea, text, integer, integer);
create function find_session(token bytea, wanted_slug text, idle_days integer, write_seconds integer)
returns table (session sealed_session, person_name text, workspace_id text, slug text, workspace_name text, party text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  written constant timestamptz := now - make_interval(secs => write_seconds);
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  held session%rowtype;
begin
  select * into held from session s where s.token_hash = token and s.ended_at is null and s.expires_at > now;
  if not found then
    return;
  end if;
  if held.last_seen_at < written then
    update session s set last_seen_at = now, expires_at = least(s.latest_end, now + make_interval(days => idle_days))
    where s.id = (select o.id from session o where o.id = held.id and o.last_seen_at < written for update skip locked);
  end if;
  perform set_config('assize.workspace', '*', true);
  update member m set last_seen_at = now where (m.workspace_id, m.person_id) = (
    select o.workspace_id, o.person_id from member o join workspace w on w.id = o.workspace_id
    where w.slug = wanted_slug and o.person_id = held.person_id and o.joined_at is not null
      and (o.last_seen_at is null or o.last_seen_at < written)
    for update of o skip locked);
  return query
    select o::sealed_session, coalesce(m.name, p.name), w.id, w.slug, w.name, (
      select a.slug from company_of_address a where a.workspace_id = w.id and a.email = lower(p.email))
    from session_of(held.id) o join person p on p.id = o.person_id
    left join (member m join workspace w on w.id = m.workspace_id)
      on m.person_id = p.id and m.joined_at is not null and w.slug = wanted_slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_session to assize_app;

-- Ends sessions that came of these providers: of one subject, of one session there, or all of them. How many.
create function end_identity_sessions(providers text[], of_subject text, sid text) returns bigint
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  ended bigint;
begin
  perform set_config('assize.workspace', '*', true);
  with gone as (
    update session s set ended_at = clock_timestamp() from identity_link l
    where s.identity_link = l.id and l.provider_id = any(providers) and s.ended_at is null
      and (of_subject is null or l.subject = of_subject)
      -- A session that does not say which one it was there may be the one that is meant.
      and (sid is null or s.provider_session = sid or (s.provider_session is null and of_subject is not null))
    returning 1)
  select count(*) into ended from gone;
  perform set_config('assize.workspace', before, true);
  return ended;
end $$;
grant execute on function end_identity_sessions to assize_app;

-- Those of these people who have no place but in the workspace that is set lose their password, and all of them their sessions
-- of an account that has no other place. What is behind the last `$` then is no hash, so no password fits it.
create function lock_accounts(people text[]) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    with locked as (
      update person p set password_hash = regexp_replace(p.password_hash, '[^$]*$', '') || '*' || gen_random_uuid()
      where p.id = any(people) and p.password_hash is not null
        and exists (select 1 from member m where m.person_id = p.id and m.workspace_id = here)
        and not exists (select 1 from member m where m.person_id = p.id and m.workspace_id <> here)
        and not exists (select 1 from operator o where o.person_id = p.id)
      returning p.id),
    ended as (
      update session s set ended_at = clock_timestamp() from locked l
      where s.person_id = l.id and s.ended_at is null and s.identity_link is null returning 1)
    select l.id from locked l;
  perform set_config('assize.workspace', here, true);
end $$;
grant execute on function lock_accounts to assize_app;
