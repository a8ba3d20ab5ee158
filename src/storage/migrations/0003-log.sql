-- The log: entries (publications) with one order and one clock for each scope, the tree over them, and what may be done to them later.

-- The advisory lock under which a scope takes its turn to publish.
create function scope_lock(scope text) returns bigint language sql immutable as $$
  select hashtextextended('assize scope ' || scope, 0)
$$;

-- Whoever publishes without growing the tree fails when they commit.
create function check_covered() returns trigger language plpgsql set search_path = assize, pg_temp as $$
begin
  if exists (select 1 from scope_clock c where c.scope = new.scope and c.seq <> c.covered_seq) then
    raise exception 'publications of % outside its tree', new.scope using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

-- `settled_at`: nothing will ever again be recorded at or before it. `seq` is the newest publication and `covered_seq` the newest that is
-- in the tree; they differ inside a publishing transaction only. The tree under its keyed head is the one proof of what was published: the
-- head covers the end of the tree, so that nobody can cut it off, and `instants`.
create table scope_clock (
  scope text collate "C" primary key check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  covered_seq bigint not null,
  settled_at timestamptz not null,
  head bytea not null check (octet_length(head) = 36),
  -- The tree of a scope grows with its publications: how many leaves it has, and the roots of its whole subtrees from left to right,
  -- one for each binary digit of the size. The keyed head covers both.
  tree_size bigint not null default 0 check (tree_size >= 0),
  tree_edge bytea not null default '' check (octet_length(tree_edge) % 32 = 0),
  -- A digest of when everything was recorded, which the leaves of the tree do not say; each publishing transaction goes on from it.
  instants bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(instants) = 32)
);
call hold_to_workspace('scope_clock', 'scope');
create policy everybody on scope_clock for select using (scope = 'public');
grant select on scope_clock to assize_app;

create constraint trigger covered after update on scope_clock deferrable initially deferred
  for each row when (new.seq <> old.seq) execute function check_covered();

-- `scope` is a workspace, or 'public' for series that are stored once for all. Each scope has its own tree.
create table publication (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  recorded_at timestamptz not null,
  kind text collate "C" not null check (kind ~ '^[a-z-]+$'),
  subject text collate "C" not null check (subject = 'public' or subject ~ '^[a-z]+_[0-9a-z]{26}$'),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  -- Entries of kinds that can name a person hash a salt before their content: without the salt nobody finds out by trying who was
  -- named. Entries of other kinds have none.
  salt bytea check (octet_length(salt) = 16),
  primary key (scope, seq)
);
create index publication_subject on publication (scope, subject, seq);
-- What was published in a time. In each scope instants grow with the numbers, so that an index of block ranges is enough.
create index publication_recorded on publication using brin (recorded_at) with (pages_per_range = 16);
-- That none of them is missing is looked at whenever they are read.
create index publication_people on publication (scope, seq) where kind = 'people';
call hold_to_workspace('publication', 'scope');
call make_append_only('publication');
grant select on publication to assize_app;

-- Whole tiles: 256 hashes of one level, each the root of 256^level leaves, and the root over them. What is not in a whole tile yet is
-- computed from the publications themselves.
create table log_tile (
  scope text collate "C" not null check (scope in ('public', 'log') or scope ~ '^wsp_[0-9a-z]{26}$'),
  level smallint not null check (level between 0 and 7),
  number bigint not null check (number >= 0),
  hashes bytea not null check (octet_length(hashes) = 8192),
  root bytea not null check (octet_length(root) = 32),
  primary key (scope, level, number)
);
-- Hashes do not compress; out of the row, roots are read without them.
alter table log_tile alter column hashes set storage external;
call hold_to_workspace('log_tile', 'scope');
create policy everybody on log_tile for select using (scope in ('public', 'log'));
call make_append_only('log_tile');
grant select on log_tile to assize_app;

-- Whole tiles of the tree of the scope that is set, while it grows; of the public tree while its lock is held.
create function append_tiles(given_scope text, levels smallint[], numbers bigint[], given_hashes bytea[], roots bytea[])
returns void language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  if given_scope = 'log' then
    if current_setting('assize.logging', true) is distinct from pg_current_xact_id()::text then
      raise exception 'append_tiles without begin_log in the same transaction';
    end if;
    perform set_config('assize.workspace', '*', true);
  elsif starts_with(current_setting('assize.publishing', true), given_scope || ' ') is not true then
    raise exception 'append_tiles without begin_publication in the same transaction';
  end if;
  insert into log_tile (scope, level, number, hashes, root)
  select given_scope, t.level, t.number, t.hashes, t.root
  from unnest(levels, numbers, given_hashes, roots) as t (level, number, hashes, root);
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function append_tiles to assize_app;

-- Publications `first_seq` to `last_seq` were recorded by a clock that was ahead. They keep the instants they were given; from this
-- publication on they count as recorded at `counts_as`.
create table clock_repair (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  counts_as timestamptz not null,
  recorded_at timestamptz not null,
  primary key (scope, seq),
  foreign key (scope, seq) references publication (scope, seq)
);
call hold_to_workspace('clock_repair', 'scope');
create policy everybody on clock_repair for select using (scope = 'public');
call make_append_only('clock_repair');
grant select on clock_repair to assize_app;

-- What an entry said about somebody who was erased was replaced in its rows. The content hash in `publication` stays, so that
-- proofs hold: `was` is that hash, or what the redaction before this one made of it, and `becomes` the hash of what the rows say since,
-- under a new salt. Without the old salt nobody finds out by trying who was named.
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

-- When it returns an instant, nothing of the scope at or before `at` can still be recorded. It never waits: `settled` is null while a
-- publication of the scope is under way, and while the clock has not come to `at`, by `ahead_ms`.
create function settle(given_scope text, at timestamptz, out settled timestamptz, out ahead_ms bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  select c.settled_at into settled from scope_clock c where c.scope = given_scope;
  if not found then
    raise exception 'there is no clock for %', given_scope;
  end if;
  ahead_ms := ceil(extract(epoch from at - clock_timestamp()) * 1000);
  if at > settled then
    settled := null;
    if ahead_ms <= 0 and pg_try_advisory_xact_lock(scope_lock(given_scope)) then
      update scope_clock c set settled_at = greatest(c.settled_at, clock_timestamp()) where c.scope = given_scope
      returning c.settled_at into settled;
    end if;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function settle to assize_app;

-- Waits for its turn in the scope that is set and gives this transaction its recorded_at: the clock read after the lock, above all given
-- before. `database_now` is read before, so that it can be compared with the caller's clock.
create function begin_publication(out recorded_at timestamptz, out database_now timestamptz, out last_seq bigint,
  out head bytea, out instants bytea, out tree_size bigint, out tree_edge bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  database_now := clock_timestamp();
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = greatest(clock_timestamp(), c.settled_at + interval '1 microsecond')
  where c.scope = given_scope
  returning c.settled_at, c.seq, c.head, c.instants, c.tree_size, c.tree_edge
  into recorded_at, last_seq, head, instants, tree_size, tree_edge;
  if not found then
    raise exception 'there is no clock for %', given_scope;
  end if;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;
grant execute on function begin_publication to assize_app;

-- Appends one entry per subject in the scope that is set, with the salt of each, or null for kinds that name nobody. All entries of a
-- transaction share one recorded_at, so that no cut falls between them.
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

-- What the tree has grown by in this transaction, and the head over its end.
create function append_tree(last_seq bigint, given_head bytea, given_instants bytea, given_size bigint, given_edge bytea)
returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  clock scope_clock;
begin
  select c.* into clock from scope_clock c where c.scope = given_scope;
  if given_scope || ' ' || instant_text(clock.settled_at) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_tree without begin_publication in the same transaction';
  end if;
  if given_size - clock.tree_size <> clock.seq - clock.covered_seq then
    raise exception 'the tree of % does not grow by what was published', given_scope;
  end if;
  update scope_clock c set covered_seq = last_seq, head = given_head, instants = given_instants, tree_size = given_size, tree_edge = given_edge
  where c.scope = given_scope;
end $$;
grant execute on function append_tree to assize_app;

-- For the operator, when a clock was ahead: begins a publication at the clock as it is now, also where that lies before what was
-- recorded. The application may not call it.
create function begin_clock_repair(out recorded_at timestamptz, out last_seq bigint, out head bytea, out instants bytea,
  out tree_size bigint, out tree_edge bytea)
language plpgsql set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = clock_timestamp() where c.scope = given_scope
  returning c.settled_at, c.seq, c.head, c.instants, c.tree_size, c.tree_edge
  into recorded_at, last_seq, head, instants, tree_size, tree_edge;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;

-- The newest publication of each of the scopes, or of every scope. A server that keeps answers in memory compares it with the newest
-- one that it was notified of. In one scope numbers become visible in their order.
create function newest_publications(scopes text[]) returns table (scope text, seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select c.scope, c.seq from scope_clock c where scopes is null or c.scope = any(scopes);
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function newest_publications to assize_app;

-- What was published in each scope after a number of its own: which subjects changed, and nothing else.
create function publications_since(scopes text[], after bigint[], most integer)
returns table (scope text, seq bigint, kind text, subject text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.scope, p.seq, p.kind, p.subject
    from unnest(scopes, after) as t (scope, seq)
    cross join lateral (
      select p.scope, p.seq, p.kind, p.subject from publication p where p.scope = t.scope and p.seq > t.seq
      order by p.seq limit most) p
    limit most;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function publications_since to assize_app;

-- The last so many leaves of the tree of the public series up to an entry, one after the other, oldest first. They say nothing: a
-- workspace sees few of the publications themselves, and recognises a place in their sequence by the root of the tree there.
create function public_leaves(up_to bigint, most bigint) returns bytea
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  leaves bytea;
begin
  perform set_config('assize.workspace', '*', true);
  select string_agg(sha256('\x00'::bytea
    || convert_to(p.seq || '|' || p.kind || '|' || p.subject || '|' || encode(p.content_hash, 'hex'), 'UTF8')), ''::bytea order by p.seq)
  into leaves
  from (select * from publication where publication.scope = 'public' and publication.seq <= up_to
    order by publication.seq desc limit most) p;
  perform set_config('assize.workspace', before, true);
  return coalesce(leaves, ''::bytea);
end $$;
grant execute on function public_leaves to assize_app;
