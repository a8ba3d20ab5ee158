-- What one workspace does about an address tells nothing to another and takes nothing from it; who operates the
-- installation; and who decided about what waited.

-- An address may have several accounts: each invitation makes one without a password, and whoever opens its link either
-- gives it one or, with the password of an account they have, joins with that (decision 0410).
drop index person_email_key;
create index person_email on person (lower(email));

-- Names are a workspace's own. Who invited whom, from where, and from where they joined stays with the place it is about.
alter table member add column name text check (length(name) <= 200),
  add column invited_by text, add column invited_at timestamptz, add column invited_from text, add column joined_from text;
update member m set name = p.name, invited_at = m.created_at from person p where p.id = m.person_id;
alter table member alter column name set not null;
revoke select (name) on person from assize_app;

-- Invitations from before, of somebody with a password or of one account by several workspaces, become accounts of their own.
do $$
declare
  shared record;
  fresh text;
begin
  perform set_config('assize.workspace', '*', true);
  for shared in
    select m.workspace_id, m.person_id, p.email, m.name from member m join person p on p.id = m.person_id
    where m.joined_at is null and (p.password_hash is not null or m.workspace_id > (
      select min(o.workspace_id) from member o where o.person_id = m.person_id))
  loop
    fresh := 'usr_' || left(md5(random()::text || clock_timestamp()::text), 26);
    insert into person (id, email, name) values (fresh, shared.email, shared.name);
    update member m set person_id = fresh where m.workspace_id = shared.workspace_id and m.person_id = shared.person_id;
    update set_up_link l set person_id = fresh where l.joins = shared.workspace_id and l.person_id = shared.person_id;
  end loop;
  perform set_config('assize.workspace', '', true);
end $$;

-- A new account in the workspace that is set, whatever accounts the address has elsewhere. One place for an address: of two
-- who invite it at the same moment the second is told so.
drop function admit_person(text, text, text, text);
create function admit_person(new_id text, given_email text, given_name text, given_role text, inviter text, address text)
returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform pg_advisory_xact_lock(hashtextextended('member ' || here || ' ' || lower(given_email), 0));
  if exists (select 1 from member m join person p on p.id = m.person_id
      where m.workspace_id = here and lower(p.email) = lower(given_email)) then
    raise exception '% is a member of this workspace already', given_email using errcode = 'unique_violation';
  end if;
  insert into person (id, email, name) values (new_id, given_email, given_name);
  insert into member (workspace_id, person_id, role, name, invited_by, invited_at, invited_from)
  values (here, new_id, given_role, given_name, inviter, clock_timestamp(), address);
  return new_id;
end $$;
grant execute on function admit_person to assize_app;

-- An invitation that is taken back leaves nothing of an account that nobody ever used.
create function forget_unused_account() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  delete from set_up_link l where l.person_id = old.person_id and exists (
    select 1 from person p where p.id = old.person_id and p.password_hash is null);
  delete from person p where p.id = old.person_id and p.password_hash is null;
  return old;
end $$;
create trigger forget_unused_account after delete on member for each row execute function forget_unused_account();

-- Every account of an address that has a password, the oldest first.
create or replace function find_sign_in(given_email text)
returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from person p
  where lower(p.email) = lower(given_email) and p.password_hash is not null order by p.created_at, p.id
$$;

create function find_account(wanted text) returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from person p where p.id = wanted
$$;
grant execute on function find_account to assize_app;

-- Lets who was invited into the workspace: as the account `known`, whose password was checked, or as the one that was made
-- for them, with its first password. `seen` are all hashes of the address that were checked: where others are there by
-- now, nothing is done and nobody let in. Says which account it is.
create function let_in(invited text, place text, known text, first_hash text, seen text[], at timestamptz, address text)
returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_email text;
begin
  select lower(p.email) into given_email from person p where p.id = invited and p.password_hash is null;
  if not found then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('account ' || given_email, 0));
  if seen is distinct from array(select f.password_hash from find_sign_in(given_email) f) then
    return null;
  end if;
  update member m set joined_at = at, joined_from = address
  where m.workspace_id = place and m.person_id = invited and m.joined_at is null;
  if not found then
    return null;
  end if;
  if known is null then
    update person p set password_hash = first_hash where p.id = invited and p.password_hash is null;
    return invited;
  end if;
  update member m set person_id = known where m.workspace_id = place and m.person_id = invited;
  update set_up_link l set person_id = known where l.person_id = invited;
  delete from person p where p.id = invited;
  return known;
end $$;
revoke execute on function let_in from public;

drop function set_first_password(text, text);
create function join_here(invited text, known text, first_hash text, seen text[]) returns text
language sql security definer set search_path = assize, pg_temp as $$
  select let_in(invited, nullif(current_setting('assize.workspace', true), ''), known, first_hash, seen, clock_timestamp(),
    null)
$$;
grant execute on function join_here to assize_app;

-- What the link's own page may tell is what the inviter wrote; the accounts are for checking a password against.
drop function find_set_up_link(bytea, timestamptz);
create function find_set_up_link(hash bytea, now timestamptz)
returns table (person_id text, email text, workspace_name text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.id, p.email, w.name from set_up_link l join person p on p.id = l.person_id
    join member m on m.person_id = l.person_id and m.workspace_id = l.joins and m.joined_at is null
    join workspace w on w.id = l.joins
    where l.token_hash = hash and l.used_at is null and l.expires_at > now;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_set_up_link to assize_app;

-- Once: of two who try, the second finds it used.
drop function redeem_set_up_link(bytea, text, text, timestamptz);
create function redeem_set_up_link(hash bytea, known text, first_hash text, seen text[], now timestamptz, address text)
returns table (person_id text, workspace_id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  link set_up_link%rowtype;
  let_in_as text;
begin
  select * into link from set_up_link l
  where l.token_hash = hash and l.used_at is null and l.expires_at > now for update;
  if not found then
    return;
  end if;
  perform set_config('assize.workspace', '*', true);
  let_in_as := let_in(link.person_id, link.joins, known, first_hash, seen, now, address);
  if let_in_as is not null then
    update set_up_link l set used_at = now where l.token_hash = hash;
    return query select let_in_as, link.joins;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function redeem_set_up_link to assize_app;
grant update (invited_by, invited_at, invited_from) on member to assize_app;

-- People who decide for the whole installation. An account, not an address: anybody may be invited under any address.
create table operator (
  person_id text collate "C" primary key references person (id),
  added_by text not null,
  added_at timestamptz not null default clock_timestamp()
);
alter table operator enable row level security;

create function operators() returns table (person_id text, email text, added_by text, added_at timestamptz)
language sql stable security definer set search_path = assize, pg_temp as $$
  select o.person_id, p.email, o.added_by, o.added_at from operator o join person p on p.id = o.person_id
  order by lower(p.email), o.person_id
$$;
grant execute on function operators to assize_app;

-- Whose session it is and, where a workspace is named, their place in it under the name they have there.
drop function find_session(bytea, text, integer, integer);
create function find_session(token bytea, wanted_slug text, idle_days integer, write_seconds integer)
returns table (session_id text, person_id text, email text, person_name text, is_operator boolean, workspace_id text,
  slug text, workspace_name text, role text)
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
    select held.id, p.id, p.email, coalesce(m.name, p.name),
      exists (select 1 from operator o where o.person_id = p.id), w.id, w.slug, w.name, m.role
    from person p
    left join (member m join workspace w on w.id = m.workspace_id)
      on m.person_id = p.id and m.joined_at is not null and w.slug = wanted_slug
    where p.id = held.person_id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_session to assize_app;

-- Who decided, for all who follow the series.
alter table quarantine add column decided_by text;

-- The workspaces that follow a public series: what is decided about it is told to each of them.
create function followers_of(wanted text) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select f.workspace_id from follow f where f.series_id = wanted order by f.workspace_id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function followers_of to assize_app;
