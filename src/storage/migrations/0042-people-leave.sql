-- People leave: what they made ends with their place, and what names them can be erased (decisions 0700 to 0703).

-- Entries of kinds that can name a person hash a salt before their content: without the salt nobody finds out by trying who
-- was named. Older ones, and those of other kinds, have none.
alter table publication add column salt bytea check (octet_length(salt) = 16);

drop function append_publications(text, text[], bytea[]);
-- As before, with the salt of each, or null for kinds that name nobody.
create function append_publications(given_kind text, subjects text[], content_hashes bytea[], salts bytea[] default null)
returns table (subject text, seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  now_settled timestamptz;
  last_seq bigint;
begin
  select c.settled_at, c.seq into now_settled, last_seq from scope_clock c where c.scope = given_scope;
  if given_scope || ' ' || instant_text(now_settled) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_publications without begin_publication in the same transaction';
  end if;
  update scope_clock c set seq = c.seq + cardinality(subjects) where c.scope = given_scope;
  return query
    with added as (
      insert into publication (scope, seq, recorded_at, kind, subject, content_hash, salt)
      select given_scope, last_seq + t.place, now_settled, given_kind, t.subject, t.content_hash, t.salt
      from unnest(subjects, content_hashes, salts) with ordinality as t (subject, content_hash, salt, place)
      returning publication.subject, publication.seq)
    select a.subject, a.seq from added a order by a.seq;
end $$;
grant execute on function append_publications to assize_app;

-- Who made a key or a feed, and so knows its secret: an address, or `operator`. Null in those from before it was kept.
alter table api_key add column made_by text check (length(made_by) <= 254);
alter table feed add column made_by text check (length(made_by) <= 254);

-- One-time links of the workspace that is set which somebody gave to others and nobody has used. The invitations stay; another
-- link can be given. The addresses they were for.
create function end_links_given_by(giver text) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  return query
    with ended as (
      delete from set_up_link l using member m
      where l.joins = here and l.used_at is null and m.workspace_id = here and m.person_id = l.person_id
        and m.joined_at is null and lower(m.invited_by) = lower(giver)
      returning l.person_id)
    select p.email from ended e join person p on p.id = e.person_id order by 1;
end $$;
grant execute on function end_links_given_by to assize_app;

-- What an entry said about somebody who was erased was replaced in its rows. The content hash in `publication` stays, so that links
-- and proofs hold: `was` is that hash, or what the redaction before this one made of it, and `becomes` the hash of what the rows
-- say since, under a new salt. Without the old salt nobody finds out by trying who was named.
create table redaction (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  subject text collate "C" not null,
  entry bigint not null check (entry < seq),
  entry_kind text collate "C" not null,
  was text collate "C" not null check (was ~ '^[0-9a-f]{64}$'),
  becomes text collate "C" not null check (becomes ~ '^[0-9a-f]{64}$'),
  instead text collate "C" not null check (instead ~ '^erased-[1-9][0-9]*$'),
  reason text not null check (length(reason) between 1 and 500),
  done_by text not null check (done_by <> ''),
  recorded_at timestamptz not null,
  primary key (scope, seq),
  foreign key (scope, seq) references publication (scope, seq),
  foreign key (scope, entry) references publication (scope, seq)
);
create index redaction_entry on redaction (scope, entry);
call hold_to_workspace('redaction', 'scope');
create policy everybody on redaction for select using (scope = 'public');
call make_append_only('redaction');
grant select on redaction to assize_app;

-- Rows that are append-only are changed by `redact_row` alone.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('assize.redacting', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end $$;

-- Of the row with this key, the columns given. For the owner, who is the only one that may change such rows: what is missing to it
-- by the end of the transaction makes it fail, see `check_redacted`.
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
revoke execute on function redact_row from public;

-- Who changes a row of an entry fails when they commit, unless a redaction of that entry was recorded in the same transaction.
create function check_redacted() returns trigger language plpgsql set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  row_now constant jsonb := to_jsonb(new);
  is_recorded boolean;
begin
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

create or replace procedure make_append_only(kept regclass) language plpgsql as $$
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

do $$
declare
  kept regclass;
begin
  for kept in select t.tgrelid::regclass from pg_trigger t where t.tgname = 'append_only' loop
    call make_append_only(kept);
  end loop;
end $$;

-- The same for the log of who has access: an entry of the kind `redaction` names the other by its number.
create function check_redacted_access() returns trigger language plpgsql set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  is_recorded boolean;
begin
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
create constraint trigger redacted after update on access_entry deferrable initially deferred
  for each row execute function check_redacted_access();

-- As before, but for entries that say that something was redacted or somebody erased: they are about no row.
create or replace function access_differences(given_scope text, most integer)
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
