-- The public log: one tree over the heads of all scopes, its signed checkpoints, and what witnesses and time authorities said about them.

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
-- The few leaves that announce another key are read for every slip and package.
create index log_leaf_announcements on log_leaf (number) where starts_with(entry, 'assize-key/1');

-- The k-th head of each scope and its leaf in the public tree. Nobody else may know which scope a leaf belongs to.
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

-- Scopes whose tree is larger than their last head says, with what their clock says; one of them, or all.
create function grown_scopes(only_scope text) returns table (scope text, seq bigint, head bytea, instants bytea,
  tree_size bigint, tree_edge bytea, k bigint, head_size bigint, head_root bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select c.scope, c.seq, c.head, c.instants, c.tree_size, c.tree_edge, coalesce(h.k, 0), coalesce(h.size, 0), h.root
    from scope_clock c left join lateral (
      select l.k, l.size, l.root from log_head l where l.scope = c.scope order by l.k desc limit 1) h on true
    where (only_scope is null or c.scope = only_scope) and c.tree_size > 0 and c.tree_size is distinct from h.size;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function grown_scopes to assize_app;

-- One row, once there is a log: its name, the number of its origin (`fork`, 1 at first), the public tree as it stands, why nothing is
-- signed, where that is so, and from which secret the key of its checkpoints is made. `seal` is keyed.
create table log_state (
  single boolean primary key default true check (single),
  name text not null check (length(name) between 1 and 200),
  fork integer not null check (fork >= 1),
  size bigint not null check (size >= 0),
  edge bytea not null check (octet_length(edge) % 32 = 0),
  stopped text check (length(stopped) between 1 and 2000),
  secret_id text not null check (secret_id ~ '^[0-9a-f]{8}$'),
  seal bytea not null check (octet_length(seal) = 36)
);
alter table log_state enable row level security;
create policy everybody on log_state using (true);
grant select on log_state to assize_app;

-- Waits for its turn at the public tree. Empty where there is no log yet.
create function begin_log() returns setof log_state
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('assize log', 0));
  perform set_config('assize.logging', pg_current_xact_id()::text, true);
  return query select * from log_state;
end $$;
grant execute on function begin_log to assize_app;

-- Leaves of the public tree, in their order, and whose heads they are (none for the leaf of a fork or of another key); then how the log stands.
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
    new_state.secret_id, new_state.seal
  on conflict (single) do update set name = excluded.name, fork = excluded.fork, size = excluded.size, edge = excluded.edge,
    stopped = excluded.stopped, secret_id = excluded.secret_id, seal = excluded.seal;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function append_log to assize_app;

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

-- Keeps a signed checkpoint of the public log; when it was made.
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
