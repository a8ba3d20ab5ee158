-- What a workspace may hold, set by the operator, and what it holds. Where nothing is set the defaults of limits.ts hold.
-- And what its lists are found by when they are long.

alter table workspace
  add column max_formulas bigint check (max_formulas >= 0),
  add column max_series bigint check (max_series >= 0),
  add column max_keys bigint check (max_keys >= 0),
  add column max_vintages bigint check (max_vintages >= 0),
  add column max_people bigint check (max_people >= 0),
  add column max_uploads bigint check (max_uploads >= 0),
  -- Requests a minute of all its keys together.
  add column workspace_rate_limit integer check (workspace_rate_limit between 1 and 10000000);

-- Counted with every insert, in its transaction: counting millions of vintages anew for each import takes minutes. Keys
-- and people are few, and counted where they are asked for.
create table workspace_use (
  workspace_id text collate "C" primary key references workspace (id),
  formulas bigint not null default 0,
  -- Its own, and those it follows.
  series bigint not null default 0,
  vintages bigint not null default 0
);
call hold_to_workspace('workspace_use', 'workspace_id');
grant select on workspace_use to assize_app;

insert into workspace_use (workspace_id, formulas, series, vintages)
select w.id, (select count(*) from pam p where p.workspace_id = w.id),
  (select count(*) from series s where s.owner = w.id) + (select count(*) from follow f where f.workspace_id = w.id),
  (select count(*) from vintage v where v.owner = w.id)
from workspace w;

create function begin_use() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  insert into workspace_use (workspace_id) values (new.id);
  return null;
end $$;
create trigger begins after insert on workspace for each row execute function begin_use();

-- Adds the rows of a statement to the counter in its first argument; the second is the column with the workspace. What is
-- public has no counter.
create function count_use() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  execute format('update workspace_use u set %1$I = u.%1$I + a.rows
    from (select %2$I as workspace_id, count(*) as rows from added group by %2$I) a
    where u.workspace_id = a.workspace_id', tg_argv[0], tg_argv[1]);
  return null;
end $$;
create trigger counts after insert on pam referencing new table as added
  for each statement execute function count_use('formulas', 'workspace_id');
create trigger counts after insert on series referencing new table as added
  for each statement execute function count_use('series', 'owner');
create trigger counts after insert on follow referencing new table as added
  for each statement execute function count_use('series', 'workspace_id');
create trigger counts after insert on vintage referencing new table as added
  for each statement execute function count_use('vintages', 'owner');

-- As before, with the limit of all keys of the workspace; null where it is not set.
drop function find_api_key(bytea);
create function find_api_key(wanted bytea)
returns table (workspace_id text, workspace_slug text, rate_limit integer, workspace_rate_limit integer, id text,
  name text, digest bytea, expires_at timestamptz, revoked_at timestamptz)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select k.workspace_id, w.slug, w.rate_limit, w.workspace_rate_limit, k.id, k.name, k.digest, k.expires_at, k.revoked_at
    from api_key k join workspace w on w.id = k.workspace_id where k.digest = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_api_key to assize_app;

-- What was signed last, without looking at everything that ever was.
create index sign_off_newest on sign_off (workspace_id, seq);
