-- Workspaces: their settings and limits, what they have used of them, their names over time, and what people did in them.

-- A new workspace has used nothing.
create function begin_use() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  insert into workspace_use (workspace_id) values (new.id);
  return null;
end $$;

-- Adds the rows of a statement to the counter in its first argument; the second is the column with the workspace. What is public has no
-- counter.
create function count_use() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  execute format('update workspace_use u set %1$I = u.%1$I + a.rows
    from (select %2$I as workspace_id, count(*) as rows from added group by %2$I) a
    where u.workspace_id = a.workspace_id', tg_argv[0], tg_argv[1]);
  return null;
end $$;

-- A customer's own space: nothing in it is seen from another. Limits are null where the default counts.
create table workspace (
  id text collate "C" primary key check (id ~ '^wsp_[0-9a-z]{26}$'),
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (name <> '' and length(name) <= 200),
  rate_limit integer not null default 60 check (rate_limit between 1 and 1000000),
  created_at timestamptz not null default clock_timestamp(),
  max_agreements bigint check (max_agreements >= 0),
  max_series bigint check (max_series >= 0),
  max_keys bigint check (max_keys >= 0),
  max_vintages bigint check (max_vintages >= 0),
  max_people bigint check (max_people >= 0),
  max_uploads bigint check (max_uploads >= 0),
  -- Requests a minute of all its keys together.
  workspace_rate_limit integer check (workspace_rate_limit between 1 and 10000000),
  -- Differences of invoice lines up to so many percent are tolerated; null: none are.
  price_tolerance text collate "C" check (price_tolerance ~ '^[0-9.]{1,20}$'),
  max_prices bigint check (max_prices >= 0),
  max_lines bigint check (max_lines >= 0),
  constraint workspace_highest_quota check (
    greatest(max_agreements, max_series, max_keys, max_vintages, max_people, max_uploads, max_prices, max_lines)
    <= 1000000000000)
);
call hold_to_workspace('workspace', 'id');
grant select, update (name) on workspace to assize_app;

create trigger begins after insert on workspace for each row execute function begin_use();
create trigger noted before insert or update or delete on workspace
  for each row execute function note_access('settings', 'id', 'id', '{}');

-- Counted with every insert, in its transaction: counting millions of vintages anew for each import takes minutes. Keys and people are
-- few, and counted where they are asked for.
create table workspace_use (
  workspace_id text collate "C" primary key references workspace (id),
  agreements bigint not null default 0,
  -- Its own, and those it follows.
  series bigint not null default 0,
  vintages bigint not null default 0,
  -- Keys of items in all versions of its price lists, and declared quantities.
  prices bigint not null default 0,
  -- Kept invoice lines.
  lines bigint not null default 0
);
call hold_to_workspace('workspace_use', 'workspace_id');
grant select on workspace_use to assize_app;

-- The names that a workspace has had. Receipts name their workspace, and an answer as of an earlier moment has the name of that moment.
create table workspace_name (
  workspace_id text collate "C" not null references workspace (id),
  seq bigint not null,
  name text not null,
  name_before text not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('workspace_name', 'workspace_id');
call make_append_only('workspace_name');
grant select, insert on workspace_name to assize_app;

-- What somebody did in a workspace, in words, for its members.
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

create trigger noted before insert on activity
  for each row execute function note_access('activity', 'workspace_id', 'id', '{}');
