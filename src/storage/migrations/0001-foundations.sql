-- What every later file uses: the hold of row-level security, the refusal of changes, and the row that says which installation this is.
-- Names sort by bytes (collate "C"), so that a page's order is the same on every machine. Functions that look past a workspace say '*'
-- for their own query and put back what was set: only a superuser may write that into a function's head.

revoke all on schema assize from public;
grant usage on schema assize to assize_app;

-- Holds a table to the workspace in `assize.workspace`; only the owner, and only when it says '*', sees all of them. The setting is read
-- in a sub-select, which runs once per query and not once per row.
create procedure hold_to_workspace(held regclass, workspace_column name) language plpgsql as $$
declare
  setting constant text := '(select nullif(current_setting(''assize.workspace'', true), ''''))';
begin
  execute format('alter table %s enable row level security', held);
  execute format('alter table %s force row level security', held);
  execute format('create policy tenant on %s using (%I = %s) with check (%2$I = %3$s)', held, workspace_column, setting);
  execute format('create policy operator on %s to current_user using (%s = ''*'') with check (%2$s = ''*'')', held, setting);
end $$;

-- Rows that are append-only are changed by `redact_row` alone; acts are deleted by `prune_acts` alone.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('assize.redacting', true) = pg_current_xact_id()::text then
    return null;
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'audit_act'
      and current_setting('assize.pruning', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end $$;

-- Who changes a row of an entry fails when they commit, unless a redaction of that entry was recorded in the same transaction.
create function check_redacted() returns trigger language plpgsql set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  row_now constant jsonb := to_jsonb(new);
  is_recorded boolean;
begin
  -- The same row under another secret.
  if row_now - 'seal' = to_jsonb(old) - 'seal' then
    return null;
  end if;
  perform set_config('assize.workspace', '*', true);
  is_recorded := exists (
    select 1 from redaction r where r.scope = row_now ->> tg_argv[0] and r.entry = (row_now ->> 'seq')::bigint
      and r.xmin = pg_current_xact_id()::xid);
  perform set_config('assize.workspace', before, true);
  if not is_recorded then
    raise exception 'a row of % was changed without a redaction', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Rows of the table are never changed or deleted. Rows of entries, which have their number, are changed by `redact_row` alone, with a
-- redaction in the same transaction.
create procedure make_append_only(kept regclass) language plpgsql as $$
declare
  held_by constant name := (
    select a.attname from pg_attribute a where a.attrelid = kept and a.attname in ('workspace_id', 'owner', 'scope') limit 1);
begin
  execute format('create or replace trigger append_only before update or delete or truncate on %s
    for each statement execute function refuse_change()', kept);
  if held_by is not null and exists (select 1 from pg_attribute a where a.attrelid = kept and a.attname = 'seq') then
    execute format('create constraint trigger redacted after update on %s deferrable initially deferred
      for each row execute function check_redacted(%L)', kept, held_by);
  end if;
end $$;

-- Of the row with this key, the columns given. For the owner, who is the only one that may change such rows: what is missing to it by the
-- end of the transaction makes it fail, see `check_redacted`.
create function redact_row(changed regclass, key jsonb, changes jsonb) returns void
language plpgsql set search_path = assize, pg_temp as $$
declare
  places constant text := (select string_agg(format('%I', c), ', ') from jsonb_object_keys(changes) c);
  places_of_key constant text := (select string_agg(format('%I', k), ', ') from jsonb_object_keys(key) k);
begin
  perform set_config('assize.redacting', pg_current_xact_id()::text, true);
  execute format(
    'update %1$s set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, $2))
     where (%3$s) = (select %3$s from jsonb_populate_record(null::%1$s, $1))', changed, places, places_of_key)
    using key, changes;
  perform set_config('assize.redacting', '', true);
end $$;

-- An instant as it stands in what is hashed: UTC, with six digits of a second.
create function instant_text(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
grant execute on function instant_text to assize_app;

-- One row: which installation this is.
create table installation (
  single boolean primary key default true check (single),
  created_at timestamptz not null default clock_timestamp(),
  -- The id is given once. The name, too: it stands in receipts from the instant it was given.
  id text collate "C" unique check (id ~ '^ins_[0-9a-z]{26}$'),
  name text check (name <> '' and length(name) <= 200),
  named_at timestamptz,
  named_seq bigint
);

-- Which installation this is, for the application.
create function installation_identity() returns table (id text, name text, named_at timestamptz, named_seq bigint)
language sql stable security definer set search_path = assize, pg_temp as $$
  select i.id, i.name, i.named_at, i.named_seq from installation i
$$;
grant execute on function installation_identity to assize_app;

-- One row: which of the server's secrets makes what is new, and which others count. `state` is sealed under the current one, `lasting`
-- (keys that a rotation does not change) encrypted under it.
create table key_ring (
  single boolean primary key default true check (single),
  current text collate "C" not null check (current ~ '^[0-9a-f]{8}$'),
  -- JSON, as it was sealed.
  state text not null check (length(state) <= 65536),
  seal bytea not null check (octet_length(seal) = 36),
  lasting bytea not null
);

create function read_key_ring() returns setof key_ring
language sql stable security definer set search_path = assize, pg_temp as $$
  select * from key_ring
$$;
grant execute on function read_key_ring to assize_app;

-- The id of the secret that seals in this transaction. Until it ends no rotation away from that secret is complete: the rotation waits for
-- the lock that is shared here.
create function begin_sealing() returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  id text;
begin
  loop
    select r.current into id from key_ring r;
    if id is null then
      return null;
    end if;
    perform pg_advisory_xact_lock_shared(hashtextextended('assize secret ' || id, 0));
    exit when id = (select r.current from key_ring r);
  end loop;
  return id;
end $$;
grant execute on function begin_sealing to assize_app;

-- Which processes are running, and which secrets they list: a rotation waits for none that does not know the new one.
create table key_holder (
  id text collate "C" primary key check (length(id) <= 100),
  name text not null check (length(name) <= 300),
  secrets text[] not null,
  beat_at timestamptz not null
);
alter table key_holder enable row level security;

-- Notes that a process is running. Returns the round of the ring, as its state says.
create function note_key_holder(given_id text, given_name text, listed text[]) returns bigint
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  delete from key_holder h where h.beat_at < clock_timestamp() - interval '1 hour';
  insert into key_holder (id, name, secrets, beat_at) values (given_id, given_name, listed, clock_timestamp())
  on conflict (id) do update set secrets = excluded.secrets, beat_at = excluded.beat_at;
  return (select (r.state::jsonb ->> 'round')::bigint from key_ring r);
end $$;
grant execute on function note_key_holder to assize_app;

create function remove_key_holder(given_id text) returns void
language sql security definer set search_path = assize, pg_temp as $$
  delete from key_holder h where h.id = given_id
$$;
grant execute on function remove_key_holder to assize_app;
