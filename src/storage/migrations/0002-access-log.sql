-- The access log: members, companies, keys, links, passwords, passkeys, second factors, operators, settings, activity. An
-- entry says what a row says from then on; the server seals it in the transaction that changes the row. Which rows these are is in
-- access-facts.

-- Who changes an entry of the access log fails when they commit, unless a redaction of that entry, which names it by its number, was
-- recorded in the same transaction; number, instant, kind and seals stay in any case.
create function check_redacted_access() returns trigger language plpgsql set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  is_recorded boolean;
begin
  -- The same entry under another secret.
  if to_jsonb(new) - '{seal,previous}'::text[] = to_jsonb(old) - '{seal,previous}'::text[] then
    return null;
  end if;
  perform set_config('assize.workspace', '*', true);
  is_recorded := exists (
    select 1 from access_entry e where e.scope = new.scope and e.kind = 'redaction' and e.subject = new.number::text
      and e.xmin = pg_current_xact_id()::xid);
  perform set_config('assize.workspace', before, true);
  if not is_recorded or new.number <> old.number or new.seal <> old.seal or new.previous <> old.previous or new.at <> old.at
    or new.kind <> old.kind
  then
    raise exception 'an entry of the access log was changed without a redaction' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- `scope` is a workspace, or 'accounts' for what belongs to people and not to a workspace. Numbers have no gaps, each seal covers the one
-- before it. `content` is null where the row is gone.
create table access_entry (
  scope text collate "C" not null check (scope = 'accounts' or scope ~ '^wsp_[0-9a-z]{26}$'),
  number bigint not null check (number >= 1),
  kind text collate "C" not null,
  subject text collate "C" not null,
  at timestamptz not null,
  content jsonb,
  previous bytea not null check (octet_length(previous) = 36),
  seal bytea not null check (octet_length(seal) = 36),
  primary key (scope, number)
);
create index access_entry_newest on access_entry (scope, kind, subject, number desc);
call hold_to_workspace('access_entry', 'scope');
call make_append_only('access_entry');
grant select on access_entry to assize_app;

create constraint trigger redacted after update on access_entry deferrable initially deferred
  for each row execute function check_redacted_access();

-- Where each log ends. `head` is keyed like a seal, so that nobody can cut off the end.
create table access_head (
  scope text collate "C" primary key check (scope = 'accounts' or scope ~ '^wsp_[0-9a-z]{26}$'),
  number bigint not null,
  seal bytea not null check (octet_length(seal) = 36),
  head bytea not null check (octet_length(head) = 36)
);
call hold_to_workspace('access_head', 'scope');
grant select on access_head to assize_app;

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

-- What a transaction is about to change, and what was said before. The server records it before the transaction ends, and then it is gone
-- from here. The setting `assize.touched` says whether there is anything.
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

-- Notes that rows about this subject are about to change in this transaction, with what they said before.
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

-- Before each change of a row. Arguments: the kind, the columns of scope and subject (a scope that is no column is meant as it stands),
-- and columns that are not recorded.
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
