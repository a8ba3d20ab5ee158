-- The log of who has access: what every row that lets somebody in or lets them sign says, entry by entry, each with a seal
-- that nobody makes without the server's secret. A row counts while the newest entry about it says the same. What people
-- did, the settings of workspaces and who operates the installation are in it as well (decision 0114).

-- `scope` is a workspace, or 'accounts' for what belongs to people and not to a workspace. Numbers have no gaps, each seal
-- covers the one before it. `content` is null where the row is gone.
create table access_entry (
  scope text collate "C" not null check (scope = 'accounts' or scope ~ '^wsp_[0-9a-z]{26}$'),
  number bigint not null check (number >= 1),
  kind text collate "C" not null,
  subject text collate "C" not null,
  at timestamptz not null,
  content jsonb,
  previous bytea not null check (octet_length(previous) = 32),
  seal bytea not null check (octet_length(seal) = 32),
  primary key (scope, number)
);
create index access_entry_newest on access_entry (scope, kind, subject, number desc);
call hold_to_workspace('access_entry', 'scope');
call make_append_only('access_entry');

-- Where each log ends. `head` is keyed like a seal, so that nobody can cut off the end.
create table access_head (
  scope text collate "C" primary key check (scope = 'accounts' or scope ~ '^wsp_[0-9a-z]{26}$'),
  number bigint not null,
  seal bytea not null check (octet_length(seal) = 32),
  head bytea not null check (octet_length(head) = 32)
);
call hold_to_workspace('access_head', 'scope');

grant select on access_entry, access_head to assize_app;

-- Links are recorded under their hash in words.
create index set_up_link_subject on set_up_link (joins, (encode(token_hash, 'hex') collate "C"));

-- A session's own seal: sign-ins are too many for the log. Only that one was ended is an entry.
alter table session
  add column seal bytea check (octet_length(seal) = 32),
  add column confirmed_seal bytea check (octet_length(confirmed_seal) = 32);
-- Those from before have none and end here: everybody signs in again.
update session set ended_at = clock_timestamp() where ended_at is null;

-- What the rows say now. A column that is added later and empty changes nothing of what was recorded. When something was
-- last used, how far an authenticator has counted and how often a code was tried are left out.
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
  from session s where s.ended_at is not null;

-- What a transaction is about to change, and what was said before. The server records it before the transaction ends, and then
-- it is gone from here. The setting `assize.touched` says whether there is anything.
create table access_touched (
  transaction xid8 not null,
  -- The scope of its log.
  log text collate "C" not null,
  kind text collate "C" not null,
  subject text collate "C" not null,
  said jsonb,
  primary key (transaction, log, subject, kind)
);
alter table access_touched enable row level security;

-- Of one subject. Each kind has a statement of its own, so that the others are no part of its plan.
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
    else
      return null;
  end case;
end $$;

create function touch_access(given_kind text, given_scope text, given_subject text) returns void
language plpgsql security definer set search_path = assize, pg_temp set timezone = 'UTC' as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  said jsonb;
begin
  if given_scope is null or exists (
    select 1 from access_touched t where t.transaction = pg_current_xact_id() and t.log = given_scope
      and t.subject = given_subject and t.kind = given_kind)
  then
    return;
  end if;
  if given_kind <> 'activity' then
    perform set_config('assize.workspace', '*', true);
    said := access_facts(given_kind, given_scope, given_subject);
    perform set_config('assize.workspace', before, true);
  end if;
  insert into access_touched (transaction, log, kind, subject, said)
  values (pg_current_xact_id(), given_scope, given_kind, given_subject, said);
  perform set_config('assize.touched', 'yes', true);
end $$;

-- Before each change of a row. Arguments: the kind, the columns of scope and subject (a scope that is no column is meant
-- as it stands), and columns that are not recorded.
create function note_access() returns trigger
language plpgsql security definer set search_path = assize, pg_temp set timezone = 'UTC' as $$
declare
  old_row constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  each_row jsonb;
begin
  if tg_op = 'UPDATE' and old_row - tg_argv[3]::text[] = new_row - tg_argv[3]::text[] then
    return new;
  end if;
  foreach each_row in array array[old_row, new_row] loop
    if each_row is not null then
      perform touch_access(tg_argv[0],
        case when tg_argv[1] = 'accounts' then 'accounts' else each_row ->> tg_argv[1] end,
        case when tg_argv[2] = 'token_hash' then substr(each_row ->> 'token_hash', 3) else each_row ->> tg_argv[2] end);
    end if;
  end loop;
  return coalesce(new, old);
end $$;

create trigger noted before insert or update or delete on member
  for each row execute function note_access('member', 'workspace_id', 'person_id', '{last_seen_at}');
create trigger noted before insert on party_member
  for each row execute function note_access('company', 'workspace_id', 'email', '{}');
create trigger noted before insert or update or delete on api_key
  for each row execute function note_access('key', 'workspace_id', 'id', '{last_used_at}');
create trigger noted before insert or update or delete on set_up_link
  for each row execute function note_access('link', 'joins', 'token_hash', '{}');
create trigger noted before insert or update or delete on workspace
  for each row execute function note_access('settings', 'id', 'id', '{}');
create trigger noted before insert on activity
  for each row execute function note_access('activity', 'workspace_id', 'id', '{}');
create trigger noted before insert or update or delete on person
  for each row execute function note_access('password', 'accounts', 'id', '{name}');
create trigger noted before insert or update or delete on passkey
  for each row execute function note_access('passkey', 'accounts', 'credential_id', '{counter,last_used_at}');
create trigger noted before insert or update or delete on operator
  for each row execute function note_access('operator', 'accounts', 'person_id', '{}');
create trigger noted before insert or update or delete on second_factor
  for each row execute function note_access('factors', 'accounts', 'person_id', '{last_step,tries,tries_since}');
create trigger noted before insert or update or delete on recovery_code
  for each row execute function note_access('recovery', 'accounts', 'person_id', '{}');
create trigger noted before update on session for each row when (old.ended_at is distinct from new.ended_at)
  execute function note_access('ended-session', 'accounts', 'id', '{}');

-- What this transaction has changed so far and not recorded: what was said before, what is said now, the newest entry, and
-- where its log ends. The logs are locked until the transaction ends, one after the other in the same order for everybody.
-- `is_end`: accounts without a place, which end when the transaction does, end first: see 0028.
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

-- Adds entries that were sealed by the server, and the new ends of their logs.
create function append_access(scopes text[], numbers bigint[], kinds text[], subjects text[], instants timestamptz[],
  contents text[], previouses bytea[], seals bytea[], ended text[], last_numbers bigint[], last_seals bytea[], heads bytea[])
returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  insert into access_entry (scope, number, kind, subject, at, content, previous, seal)
  select t.scope, t.number, t.kind, t.subject, t.at, nullif(t.content::jsonb, 'null'), t.previous, t.seal
  from unnest(scopes, numbers, kinds, subjects, instants, contents, previouses, seals)
    as t (scope, number, kind, subject, at, content, previous, seal);
  update access_head h set number = t.number, seal = t.seal, head = t.head
  from unnest(ended, last_numbers, last_seals, heads) as t (scope, number, seal, head) where h.scope = t.scope;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function append_access to assize_app;

-- The newest entry about each subject, beside what its row says now. `is_touched`: this transaction has changed something
-- that is not recorded yet.
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

-- Where rows of a scope and the newest entries about them differ. That sessions of long ago were deleted is no difference.
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
      select distinct on (e.kind, e.subject) e.kind, e.subject, e.content from access_entry e where e.scope = given_scope
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

-- What a session's seal covers, of those that are not ended.
create type sealed_session as (
  id text, token_hash bytea, person_id text, email text, password_hash text, created_at timestamptz, last_seen_at timestamptz,
  expires_at timestamptz, latest_end timestamptz, from_address text, user_agent text, password_at timestamptz,
  passkey_at timestamptz, seal bytea, confirmed_seal bytea, now timestamptz);

drop function open_session(text, text, text, bytea, text, text, integer, integer, integer);
-- As before, without a seal yet: the server seals what this says it is, in the same transaction.
create function open_session(new_id text, of_person text, checked_hash text, token bytea, address text, agent text,
  idle_days integer, most_days integer, most_sessions integer) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
begin
  perform 1 from person p where p.id = of_person and p.password_hash = checked_hash for share;
  if not found then
    return;
  end if;
  delete from session s where s.person_id = of_person
    and least(s.ended_at, s.expires_at) < now - make_interval(days => most_days);
  insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, latest_end, from_address, user_agent)
  values (new_id, token, of_person, now, now, now + make_interval(days => least(idle_days, most_days)),
    now + make_interval(days => most_days), address, agent);
  update session s set ended_at = now where s.ended_at is null and s.id in (
    select o.id from session o where o.person_id = of_person and o.ended_at is null and o.expires_at > now
    order by o.last_seen_at desc, o.id desc offset most_sessions);
  return query select * from session_of(new_id);
end $$;
grant execute on function open_session to assize_app;

create function session_of(wanted text) returns setof sealed_session
language sql stable security definer set search_path = assize, pg_temp as $$
  select s.id, s.token_hash, s.person_id, p.email, p.password_hash, s.created_at, s.last_seen_at, s.expires_at, s.latest_end,
    s.from_address, s.user_agent, s.password_at, s.passkey_at, s.seal, s.confirmed_seal, clock_timestamp()
  from session s join person p on p.id = s.person_id where s.id = wanted and s.ended_at is null
$$;
grant execute on function session_of to assize_app;

create function seal_session(wanted text, given bytea) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set seal = given where s.id = wanted
$$;
grant execute on function seal_session to assize_app;

create function seal_confirmation(wanted text, given bytea) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set confirmed_seal = given where s.id = wanted
$$;
grant execute on function seal_confirmation to assize_app;

drop function session_confirmations(text, integer);

-- `is_kept`: the other of the two instants is one that the server has sealed.
drop function confirm_session(text, boolean);
create function confirm_session(wanted text, by_passkey boolean, is_kept boolean) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set
    password_at = case when not by_passkey then clock_timestamp() when is_kept then s.password_at end,
    passkey_at = case when by_passkey then clock_timestamp() when is_kept then s.passkey_at end
  where s.id = wanted and s.ended_at is null
$$;
grant execute on function confirm_session to assize_app;

-- As before, of the session all that its seal covers.
drop function find_session(bytea, text, integer, integer);
create function find_session(token bytea, wanted_slug text, idle_days integer, write_seconds integer)
returns table (session sealed_session, person_name text, workspace_id text, slug text, workspace_name text)
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
    select o::sealed_session, coalesce(m.name, p.name), w.id, w.slug, w.name
    from session_of(held.id) o join person p on p.id = o.person_id
    left join (member m join workspace w on w.id = m.workspace_id)
      on m.person_id = p.id and m.joined_at is not null and w.slug = wanted_slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_session to assize_app;

drop function sessions_of(text);
create function sessions_of(of_person text) returns setof sealed_session
language sql stable security definer set search_path = assize, pg_temp as $$
  select o.* from session s cross join lateral session_of(s.id) o
  where s.person_id = of_person and s.ended_at is null and s.expires_at > clock_timestamp()
  order by s.last_seen_at desc, s.id desc
$$;
grant execute on function sessions_of to assize_app;

-- As before, with what the link's own entry is found by.
drop function find_set_up_link(bytea, timestamptz);
create function find_set_up_link(hash bytea, now timestamptz)
returns table (person_id text, email text, workspace_id text, workspace_name text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.id, p.email, w.id, w.name from set_up_link l join person p on p.id = l.person_id
    join member m on m.person_id = l.person_id and m.workspace_id = l.joins and m.joined_at is null
    join workspace w on w.id = l.joins
    where l.token_hash = hash and l.used_at is null and l.expires_at > now;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_set_up_link to assize_app;
