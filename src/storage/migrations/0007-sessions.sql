-- Sign-ins of people, and when each of them joined a workspace. A session belongs to a person, who may work in several
-- workspaces, so like a person it is reached through functions only.

-- An invitation counts once its own link was opened, with the password that was set by it or that the person has. Whoever
-- sets the first password of an address by another workspace's link therefore comes into that workspace alone.
alter table member add column joined_at timestamptz, add column last_seen_at timestamptz;
update member m set joined_at = m.created_at from person p where p.id = m.person_id and p.password_hash is not null;

-- Which workspace its link lets a person into. Links from before this column are for who is in one workspace.
alter table set_up_link add column joins text collate "C" references workspace (id);
update set_up_link l set joins = (
  select min(m.workspace_id) from member m where m.person_id = l.person_id having count(*) = 1);

create table session (
  id text collate "C" primary key check (id ~ '^ses_[0-9a-z]{26}$'),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  person_id text collate "C" not null references person (id),
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- However often it is used, it ends here.
  latest_end timestamptz not null,
  ended_at timestamptz,
  from_address text,
  user_agent text
);
create index session_person on session (person_id);
alter table session enable row level security;

-- Opens under the password that was checked: one that was changed meanwhile opens nothing. Tidies up on the way; of too
-- many sessions the ones that were quiet longest end.
create function open_session(new_id text, of_person text, checked_hash text, token bytea, address text, agent text,
  idle_days integer, most_days integer, most_sessions integer) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
begin
  perform 1 from person p where p.id = of_person and p.password_hash = checked_hash for share;
  if not found then
    return false;
  end if;
  delete from session s where s.person_id = of_person
    and least(s.ended_at, s.expires_at) < now - make_interval(days => most_days);
  insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, latest_end, from_address, user_agent)
  values (new_id, token, of_person, now, now, now + make_interval(days => least(idle_days, most_days)),
    now + make_interval(days => most_days), address, agent);
  update session s set ended_at = now where s.ended_at is null and s.id in (
    select o.id from session o where o.person_id = of_person and o.ended_at is null and o.expires_at > now
    order by o.last_seen_at desc, o.id desc offset most_sessions);
  return true;
end $$;
grant execute on function open_session to assize_app;

-- Whose session it is and, where a workspace is named, their place in it. When it was last seen is written down at most
-- once in `write_seconds`, and not where that would have to wait.
create function find_session(token bytea, wanted_slug text, idle_days integer, write_seconds integer)
returns table (session_id text, person_id text, email text, person_name text, workspace_id text, slug text,
  workspace_name text, role text)
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
    select held.id, p.id, p.email, p.name, w.id, w.slug, w.name, m.role
    from person p
    left join (member m join workspace w on w.id = m.workspace_id)
      on m.person_id = p.id and m.joined_at is not null and w.slug = wanted_slug
    where p.id = held.person_id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_session to assize_app;

create function sessions_of(of_person text)
returns table (id text, created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz, from_address text,
  user_agent text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select s.id, s.created_at, s.last_seen_at, s.expires_at, s.from_address, s.user_agent from session s
  where s.person_id = of_person and s.ended_at is null and s.expires_at > clock_timestamp()
  order by s.last_seen_at desc, s.id desc
$$;
grant execute on function sessions_of to assize_app;

-- Also those that have ended: from where somebody has signed in before.
create function sign_in_addresses(of_person text) returns setof text
language sql stable security definer set search_path = assize, pg_temp as $$
  select distinct s.from_address from session s where s.person_id = of_person and s.from_address is not null
$$;
grant execute on function sign_in_addresses to assize_app;

create function end_session(of_person text, wanted text) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update session s set ended_at = clock_timestamp()
  where s.id = wanted and s.person_id = of_person and s.ended_at is null and s.expires_at > clock_timestamp() returning true
$$;
grant execute on function end_session to assize_app;

create function end_other_sessions(of_person text, kept text) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set ended_at = clock_timestamp() where s.person_id = of_person and s.id <> kept and s.ended_at is null
$$;
grant execute on function end_other_sessions to assize_app;

-- In place of the one that was checked; all other sessions end with it.
create function change_password(of_person text, checked_hash text, new_hash text, kept_session text) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  update person p set password_hash = new_hash where p.id = of_person and p.password_hash = checked_hash;
  if not found then
    return false;
  end if;
  perform end_other_sessions(of_person, kept_session);
  return true;
end $$;
grant execute on function change_password to assize_app;

-- As before, and with it the person has joined the workspace that is set.
create or replace function set_first_password(of_person text, hash text) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  if not exists (select 1 from member m where m.person_id = of_person and m.workspace_id = here) then
    return false;
  end if;
  update person p set password_hash = hash where p.id = of_person and p.password_hash is null;
  if not found then
    return false;
  end if;
  update member m set joined_at = clock_timestamp() where m.person_id = of_person and m.workspace_id = here;
  return true;
end $$;

-- For who has not joined the workspace that is set, with or without a password. An older link no longer opens.
create or replace function issue_set_up_link(of_person text, hash bytea, until timestamptz) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  delete from set_up_link l where l.person_id = of_person and l.used_at is null
    and l.joins = nullif(current_setting('assize.workspace', true), '');
  insert into set_up_link (token_hash, person_id, expires_at, joins)
  select hash, m.person_id, until, m.workspace_id from member m
  where m.person_id = of_person and m.joined_at is null
    and m.workspace_id = nullif(current_setting('assize.workspace', true), '')
  returning true
$$;

-- A link whose invitation was taken back leads nowhere.
drop function find_set_up_link(bytea, timestamptz);
create function find_set_up_link(hash bytea, now timestamptz)
returns table (person_id text, email text, password_hash text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.id, p.email, p.password_hash from set_up_link l join person p on p.id = l.person_id
    join member m on m.person_id = l.person_id and m.workspace_id = l.joins and m.joined_at is null
    where l.token_hash = hash and l.used_at is null and l.expires_at > now;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_set_up_link to assize_app;

-- Lets the person into the link's workspace, once. With `checked_hash` null the new password is their first; otherwise it
-- is the hash they have, whose password was checked. Under the person's lock, so that only one of two who try gets in.
drop function redeem_set_up_link(bytea, text, timestamptz);
create function redeem_set_up_link(hash bytea, checked_hash text, first_hash text, now timestamptz)
returns table (person_id text, workspace_id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  link set_up_link%rowtype;
begin
  select * into link from set_up_link l where l.token_hash = hash;
  perform 1 from person p where p.id = link.person_id and p.password_hash is not distinct from checked_hash for update;
  if not found then
    return;
  end if;
  perform set_config('assize.workspace', '*', true);
  return query
    with used as (
      update set_up_link l set used_at = now
      where l.token_hash = hash and l.used_at is null and l.expires_at > now and exists (
        select 1 from member m where m.workspace_id = l.joins and m.person_id = l.person_id and m.joined_at is null)
      returning l.person_id, l.joins)
    update member m set joined_at = now from used u where m.workspace_id = u.joins and m.person_id = u.person_id
    returning m.person_id, m.workspace_id;
  if found and checked_hash is null then
    update person p set password_hash = first_hash where p.id = link.person_id;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function redeem_set_up_link to assize_app;

-- The workspaces somebody has joined.
create or replace function memberships_of(of_person text)
returns table (workspace_id text, slug text, name text, role text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select w.id, w.slug, w.name, m.role from member m join workspace w on w.id = m.workspace_id
    where m.person_id = of_person and m.joined_at is not null order by w.slug;
  perform set_config('assize.workspace', before, true);
end $$;

-- With many series in one transaction the planner, which knows nothing of the rows just added, would compare each of them
-- with each.
alter function check_vintages() set enable_nestloop = off;
