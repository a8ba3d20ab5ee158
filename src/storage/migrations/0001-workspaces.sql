-- Workspaces, their people and keys. Sets up the tools every later table uses: the hold of row-level security and the
-- refusal of changes. Names sort by bytes (collate "C"), so that a page's order is the same on every machine.

revoke all on schema assize from public;
grant usage on schema assize to assize_app;

-- Holds a table to the workspace in `assize.workspace`; only the owner, and only when it says '*', sees all of them.
-- The setting is read in a sub-select, which runs once per query and not once per row.
create procedure hold_to_workspace(held regclass, workspace_column name) language plpgsql as $$
declare
  setting constant text := '(select nullif(current_setting(''assize.workspace'', true), ''''))';
begin
  execute format('alter table %s enable row level security', held);
  execute format('alter table %s force row level security', held);
  execute format('create policy tenant on %s using (%I = %s) with check (%2$I = %3$s)', held, workspace_column, setting);
  execute format('create policy operator on %s to current_user using (%s = ''*'') with check (%2$s = ''*'')', held, setting);
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end $$;

create procedure make_append_only(kept regclass) language plpgsql as $$
begin
  execute format('create trigger append_only before update or delete or truncate on %s
    for each statement execute function refuse_change()', kept);
end $$;

-- One row: which server secret the keys in here were made under.
create table installation (
  single boolean primary key default true check (single),
  secret_check bytea not null,
  created_at timestamptz not null default clock_timestamp()
);

create table workspace (
  id text collate "C" primary key check (id ~ '^wsp_[0-9a-z]{26}$'),
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (name <> '' and length(name) <= 200),
  rate_limit integer not null default 60 check (rate_limit between 1 and 1000000),
  created_at timestamptz not null default clock_timestamp()
);
call hold_to_workspace('workspace', 'id');
grant select, update (name) on workspace to assize_app;

-- A person may work in several workspaces, so this table has none; it is reached through functions and memberships.
create table person (
  id text collate "C" primary key check (id ~ '^usr_[0-9a-z]{26}$'),
  email text not null check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  name text not null check (length(name) <= 200),
  password_hash text,
  created_at timestamptz not null default clock_timestamp()
);
create unique index person_email_key on person (lower(email));

create table member (
  workspace_id text collate "C" not null references workspace (id),
  person_id text collate "C" not null references person (id),
  role text not null check (role in ('owner', 'editor', 'buyer', 'supplier', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, person_id)
);
create index member_person on member (person_id);
call hold_to_workspace('member', 'workspace_id');
grant select, insert, update (role), delete on member to assize_app;

-- The password's hash is not among the columns the application may read.
alter table person enable row level security;
create policy colleagues on person for select to assize_app using (
  id in (select m.person_id from member m
         where m.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));
grant select (id, email, name, created_at) on person to assize_app;

create table set_up_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  person_id text collate "C" not null references person (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
alter table set_up_link enable row level security;

create table api_key (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^key_[0-9a-z]{26}$'),
  name text not null check (name <> '' and length(name) <= 200),
  digest bytea not null unique check (octet_length(digest) = 32),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (workspace_id, id)
);
call hold_to_workspace('api_key', 'workspace_id');
grant select, insert, update (name, expires_at, revoked_at) on api_key to assize_app;

create table activity (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^act_[0-9a-z]{26}$'),
  at timestamptz not null default clock_timestamp(),
  who text not null,
  what text not null,
  subject text not null,
  from_address text,
  primary key (workspace_id, id)
);
call hold_to_workspace('activity', 'workspace_id');
call make_append_only('activity');
grant select, insert on activity to assize_app;

-- A key is looked up before its workspace is known: by its digest, one row or none. Like every function that looks past
-- the workspace it says '*' for its own query and puts back what was set: only a superuser may write that into a
-- function's head.
create function find_api_key(wanted bytea)
returns table (workspace_id text, workspace_slug text, rate_limit integer, id text, name text, digest bytea,
  expires_at timestamptz, revoked_at timestamptz)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select k.workspace_id, w.slug, w.rate_limit, k.id, k.name, k.digest, k.expires_at, k.revoked_at
    from api_key k join workspace w on w.id = k.workspace_id where k.digest = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_api_key to assize_app;

create function record_api_key_use(workspaces text[], ids text[], times timestamptz[]) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  update api_key k set last_used_at = greatest(k.last_used_at, u.at)
  from (select t.workspace_id, t.id, max(t.at) as at from unnest(workspaces, ids, times) as t (workspace_id, id, at)
        group by 1, 2) u
  where k.workspace_id = u.workspace_id and k.id = u.id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function record_api_key_use to assize_app;

-- Finds the person by e-mail or takes in a new one, as a member of the workspace that is set.
create function admit_person(new_id text, given_email text, given_name text, given_role text) returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  found_id text;
begin
  insert into person (id, email, name) values (new_id, given_email, given_name) on conflict (lower(email)) do nothing;
  select p.id into strict found_id from person p where lower(p.email) = lower(given_email);
  insert into member (workspace_id, person_id, role)
  values (nullif(current_setting('assize.workspace', true), ''), found_id, given_role);
  return found_id;
end $$;
grant execute on function admit_person to assize_app;

-- Sets the first password only. Otherwise whoever may invite could take over an account that exists.
create function set_first_password(of_person text, hash text) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update person set password_hash = hash
  where id = of_person and password_hash is null and exists (
    select 1 from member m where m.person_id = of_person
    and m.workspace_id = nullif(current_setting('assize.workspace', true), ''))
  returning true
$$;
grant execute on function set_first_password to assize_app;

create function issue_set_up_link(of_person text, hash bytea, until timestamptz) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  insert into set_up_link (token_hash, person_id, expires_at)
  select hash, p.id, until from person p
  where p.id = of_person and p.password_hash is null and exists (
    select 1 from member m where m.person_id = of_person
    and m.workspace_id = nullif(current_setting('assize.workspace', true), ''))
  returning true
$$;
grant execute on function issue_set_up_link to assize_app;

create function find_set_up_link(hash bytea, now timestamptz) returns table (person_id text, email text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email from set_up_link l join person p on p.id = l.person_id
  where l.token_hash = hash and l.used_at is null and l.expires_at > now and p.password_hash is null
$$;
grant execute on function find_set_up_link to assize_app;

-- One statement, so that a link opens once even when it is used twice at the same moment.
create function redeem_set_up_link(hash bytea, new_password_hash text, now timestamptz) returns text
language sql security definer set search_path = assize, pg_temp as $$
  with used as (
    update set_up_link l set used_at = now
    where l.token_hash = hash and l.used_at is null and l.expires_at > now returning l.person_id)
  update person p set password_hash = new_password_hash from used
  where p.id = used.person_id and p.password_hash is null returning p.id
$$;
grant execute on function redeem_set_up_link to assize_app;

create function find_sign_in(given_email text) returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from person p where lower(p.email) = lower(given_email)
$$;
grant execute on function find_sign_in to assize_app;

create function memberships_of(of_person text)
returns table (workspace_id text, slug text, name text, role text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select w.id, w.slug, w.name, m.role from member m join workspace w on w.id = m.workspace_id
    where m.person_id = of_person order by w.slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function memberships_of to assize_app;
