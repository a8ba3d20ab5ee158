-- The sequence of everything that changes an answer, and the clock that goes with it. Both are handed out under one
-- lock, so that what is recorded earlier also becomes visible earlier, and an instant that was answered for is closed.

-- One row. `settled_at` only grows: nothing will ever again be recorded at or before it.
create table clock (
  single boolean primary key default true check (single),
  seq bigint not null,
  settled_at timestamptz not null
);
insert into clock (seq, settled_at) values (0, '1970-01-01T00:00:00Z');
grant select on clock to assize_app;

-- `scope` is a workspace, or 'public' for series that are stored once for all. Each scope has its own chain of hashes.
create table publication (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  recorded_at timestamptz not null,
  kind text collate "C" not null check (kind ~ '^[a-z-]+$'),
  subject text collate "C" not null check (subject ~ '^[a-z]+_[0-9a-z]{26}$'),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  chain_hash bytea not null check (octet_length(chain_hash) = 32),
  primary key (scope, seq)
);
create index publication_subject on publication (scope, subject, seq);
call hold_to_workspace('publication', 'scope');
call make_append_only('publication');
grant select on publication to assize_app;

create function publication_lock() returns bigint language sql immutable as 'select 7203041266';

create function instant_text(at timestamptz) returns text language sql stable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
grant execute on function instant_text to assize_app;

-- Waits for its turn and gives this transaction its recorded_at: the clock read after the lock, above all given before.
create function begin_publication(out recorded_at timestamptz, out last_seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform pg_advisory_xact_lock(publication_lock());
  update clock set settled_at = greatest(clock_timestamp(), settled_at + interval '1 microsecond')
  returning settled_at, seq into recorded_at, last_seq;
  perform set_config('assize.publishing', instant_text(recorded_at), true);
end $$;
grant execute on function begin_publication to assize_app;

-- Appends one publication per subject to the chain of the scope that is set. All of a transaction's publications share
-- one recorded_at, so that no cut falls between them.
create function append_publications(given_kind text, subjects text[], content_hashes bytea[])
returns table (subject text, seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  previous bytea;
  chained bytea;
  now_settled timestamptz;
  next_seq bigint;
begin
  select c.settled_at, c.seq into now_settled, next_seq from clock c;
  if instant_text(now_settled) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_publications without begin_publication in the same transaction';
  end if;
  select p.chain_hash into previous from publication p where p.scope = given_scope order by p.seq desc limit 1;
  previous := coalesce(previous, sha256(convert_to(given_scope, 'UTF8')));
  for i in 1 .. cardinality(subjects) loop
    next_seq := next_seq + 1;
    chained := sha256(previous || convert_to(
      next_seq || '|' || instant_text(now_settled) || '|' || given_kind || '|' || subjects[i] || '|', 'UTF8')
      || content_hashes[i]);
    insert into publication (scope, seq, recorded_at, kind, subject, content_hash, previous_hash, chain_hash)
    values (given_scope, next_seq, now_settled, given_kind, subjects[i], content_hashes[i], previous, chained);
    perform pg_notify('assize', json_build_object(
      'seq', next_seq, 'scope', given_scope, 'kind', given_kind, 'subject', subjects[i])::text);
    previous := chained;
    subject := subjects[i];
    seq := next_seq;
    return next;
  end loop;
  update clock c set seq = next_seq;
end $$;
grant execute on function append_publications to assize_app;

-- After it returns, nothing at or before `at` can still be recorded. It waits for a publication that is under way.
create function settle(at timestamptz, tolerance interval) returns timestamptz
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  settled timestamptz;
begin
  select c.settled_at into settled from clock c;
  if at <= settled then
    return settled;
  end if;
  if at > clock_timestamp() + tolerance then
    raise exception '% has not come yet', instant_text(at) using errcode = 'datetime_field_overflow';
  end if;
  perform pg_advisory_xact_lock(publication_lock());
  update clock c set settled_at = greatest(c.settled_at, at) returning c.settled_at into settled;
  return settled;
end $$;
grant execute on function settle to assize_app;

-- The newest instant that is closed: now, where nobody is publishing; else the last one. It does not wait.
create function horizon() returns timestamptz
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  settled timestamptz;
begin
  if pg_try_advisory_xact_lock(publication_lock()) then
    update clock c set settled_at = greatest(c.settled_at, clock_timestamp()) returning c.settled_at into settled;
  else
    select c.settled_at into settled from clock c;
  end if;
  return settled;
end $$;
grant execute on function horizon to assize_app;
