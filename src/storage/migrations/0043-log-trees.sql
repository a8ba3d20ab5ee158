-- Trees over the log, so that others can check what the chain's key shows to the server alone (decision 0724). Every scope has
-- a tree over its publications; one public tree, scope 'log', has a leaf for each head that a scope's tree had.

-- The tree of a scope grows with its publications: how many leaves it has, and the roots of its whole subtrees from left to
-- right, one for each binary digit of the size. The keyed head covers both.
alter table scope_clock
  add column tree_size bigint not null default 0 check (tree_size >= 0),
  add column tree_edge bytea not null default '' check (octet_length(tree_edge) % 32 = 0);

-- Whole tiles: 256 hashes of one level, each the root of 256^level leaves, and the root over them. What is not in a whole
-- tile yet is computed from the publications themselves.
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

-- The leaves of the public tree, as everybody may read them.
create table log_leaf (
  number bigint primary key check (number >= 0),
  entry text not null check (length(entry) between 1 and 4000),
  hash bytea not null check (octet_length(hash) = 32),
  added_at timestamptz not null
);
alter table log_leaf enable row level security;
create policy everybody on log_leaf using (true);
call make_append_only('log_leaf');
grant select on log_leaf to assize_app;

-- Whose heads they are, which nobody else may know: the k-th head of a scope, and its leaf.
create table log_head (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  k bigint not null check (k >= 1),
  size bigint not null check (size >= 1),
  root bytea not null check (octet_length(root) = 32),
  leaf bigint not null unique references log_leaf (number),
  primary key (scope, k)
);
call hold_to_workspace('log_head', 'scope');
create policy everybody on log_head for select using (scope = 'public');
call make_append_only('log_head');
grant select on log_head to assize_app;

-- One row, once there is a log: its name, the number of its origin (`fork`, 1 at first), the public tree as it stands, and why
-- nothing is signed, where that is so. `seal` is keyed.
create table log_state (
  single boolean primary key default true check (single),
  name text not null check (length(name) between 1 and 200),
  fork integer not null check (fork >= 1),
  size bigint not null check (size >= 0),
  edge bytea not null check (octet_length(edge) % 32 = 0),
  stopped text check (length(stopped) between 1 and 2000),
  seal bytea not null check (octet_length(seal) = 32)
);
alter table log_state enable row level security;
create policy everybody on log_state using (true);
grant select on log_state to assize_app;

-- Every checkpoint that was signed, as it was signed.
create table log_checkpoint (
  origin text collate "C" not null,
  size bigint not null check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null check (length(note) <= 20000),
  made_at timestamptz not null,
  primary key (origin, size)
);
alter table log_checkpoint enable row level security;
create policy everybody on log_checkpoint using (true);
call make_append_only('log_checkpoint');
grant select on log_checkpoint to assize_app;

-- What witnesses have signed: the lines that follow a checkpoint's own signatures.
create table log_cosignature (
  origin text collate "C" not null,
  size bigint not null,
  witness text collate "C" not null check (length(witness) between 1 and 1000),
  line text not null check (length(line) between 1 and 8000),
  received_at timestamptz not null default clock_timestamp(),
  primary key (origin, size, witness),
  foreign key (origin, size) references log_checkpoint (origin, size)
);
alter table log_cosignature enable row level security;
create policy everybody on log_cosignature using (true);
call make_append_only('log_cosignature');
grant select, insert on log_cosignature to assize_app;

-- Time stamps over checkpoints (RFC 3161), verified before they are kept.
create table log_stamp (
  origin text collate "C" not null,
  size bigint not null,
  authority text collate "C" not null check (length(authority) between 1 and 1000),
  token bytea not null check (octet_length(token) between 1 and 65536),
  stamped_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (origin, size, authority),
  foreign key (origin, size) references log_checkpoint (origin, size)
);
alter table log_stamp enable row level security;
create policy everybody on log_stamp using (true);
call make_append_only('log_stamp');
grant select, insert on log_stamp to assize_app;

-- With the tree as it stands.
drop function begin_publication();
create function begin_publication(out recorded_at timestamptz, out database_now timestamptz, out last_seq bigint,
  out links bigint, out link bytea, out head bytea, out tree_size bigint, out tree_edge bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  database_now := clock_timestamp();
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = greatest(clock_timestamp(), c.settled_at + interval '1 microsecond')
  where c.scope = given_scope
  returning c.settled_at, c.seq, c.links, c.link, c.head, c.tree_size, c.tree_edge
  into recorded_at, last_seq, links, link, head, tree_size, tree_edge;
  if not found then
    raise exception 'there is no clock for %', given_scope;
  end if;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;
grant execute on function begin_publication to assize_app;

drop function begin_clock_repair();
create function begin_clock_repair(out recorded_at timestamptz, out last_seq bigint, out links bigint, out link bytea,
  out head bytea, out tree_size bigint, out tree_edge bytea)
language plpgsql set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = clock_timestamp() where c.scope = given_scope
  returning c.settled_at, c.seq, c.links, c.link, c.head, c.tree_size, c.tree_edge
  into recorded_at, last_seq, links, link, head, tree_size, tree_edge;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;

-- Adds the links of what this transaction has published, what the tree has grown by, and the head over both ends.
drop function append_links(bigint[], bigint[], bigint[], bigint[], bytea[], bytea[], bytea);
create function append_links(numbers bigint[], first_seqs bigint[], last_seqs bigint[], counts bigint[], digests bytea[],
  given_links bytea[], given_head bytea, given_size bigint, given_edge bytea) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  clock scope_clock;
begin
  select c.* into clock from scope_clock c where c.scope = given_scope;
  if given_scope || ' ' || instant_text(clock.settled_at) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_links without begin_publication in the same transaction';
  end if;
  if given_size - clock.tree_size <> clock.seq - clock.linked_seq then
    raise exception 'the tree of % does not grow by what was published', given_scope;
  end if;
  insert into publication_link (scope, number, covers, first_seq, last_seq, publications, recorded_at, digest, link)
  select given_scope, t.number, 'publications', t.first_seq, t.last_seq, t.count, clock.settled_at, t.digest, t.link
  from unnest(numbers, first_seqs, last_seqs, counts, digests, given_links) as t (number, first_seq, last_seq, count, digest, link);
  update scope_clock c set links = numbers[cardinality(numbers)], linked_seq = last_seqs[cardinality(last_seqs)],
    link = given_links[cardinality(given_links)], head = given_head, tree_size = given_size, tree_edge = given_edge
  where c.scope = given_scope;
end $$;
grant execute on function append_links to assize_app;

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

-- Waits for its turn at the public tree. Empty where there is no log yet.
create function begin_log() returns setof log_state
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('assize log', 0));
  perform set_config('assize.logging', pg_current_xact_id()::text, true);
  return query select * from log_state;
end $$;
grant execute on function begin_log to assize_app;

-- Scopes whose tree is larger than their last head says, with what their clock says; one of them, or all.
create function grown_scopes(only_scope text) returns table (scope text, seq bigint, links bigint, link bytea, head bytea,
  tree_size bigint, tree_edge bytea, k bigint, head_size bigint, head_root bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select c.scope, c.seq, c.links, c.link, c.head, c.tree_size, c.tree_edge, coalesce(h.k, 0), coalesce(h.size, 0), h.root
    from scope_clock c left join lateral (
      select l.k, l.size, l.root from log_head l where l.scope = c.scope order by l.k desc limit 1) h on true
    where (only_scope is null or c.scope = only_scope) and c.tree_size > 0 and c.tree_size is distinct from h.size;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function grown_scopes to assize_app;

-- Leaves of the public tree, in their order, and whose heads they are (none for a fork's leaf); then how the log stands.
create function append_log(entries text[], hashes bytea[], scopes text[], ks bigint[], sizes bigint[], roots bytea[],
  new_state log_state) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  first_leaf bigint;
begin
  if current_setting('assize.logging', true) is distinct from pg_current_xact_id()::text then
    raise exception 'append_log without begin_log in the same transaction';
  end if;
  first_leaf := coalesce((select s.size from log_state s), 0);
  if new_state.size <> first_leaf + cardinality(entries) then
    raise exception 'the log does not grow by what is added to it';
  end if;
  perform set_config('assize.workspace', '*', true);
  insert into log_leaf (number, entry, hash, added_at)
  select first_leaf + t.place - 1, t.entry, t.hash, clock_timestamp()
  from unnest(entries, hashes) with ordinality as t (entry, hash, place);
  insert into log_head (scope, k, size, root, leaf)
  select t.scope, t.k, t.size, t.root, first_leaf + t.place - 1
  from unnest(scopes, ks, sizes, roots) with ordinality as t (scope, k, size, root, place) where t.scope is not null;
  insert into log_state select true, new_state.name, new_state.fork, new_state.size, new_state.edge, new_state.stopped,
    new_state.seal
  on conflict (single) do update set name = excluded.name, fork = excluded.fork, size = excluded.size, edge = excluded.edge,
    stopped = excluded.stopped, seal = excluded.seal;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function append_log to assize_app;

create function add_checkpoint(given_origin text, given_size bigint, given_root bytea, given_note text) returns timestamptz
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  at constant timestamptz := clock_timestamp();
begin
  if current_setting('assize.logging', true) is distinct from pg_current_xact_id()::text then
    raise exception 'add_checkpoint without begin_log in the same transaction';
  end if;
  insert into log_checkpoint (origin, size, root, note, made_at) values (given_origin, given_size, given_root, given_note, at);
  return at;
end $$;
grant execute on function add_checkpoint to assize_app;
