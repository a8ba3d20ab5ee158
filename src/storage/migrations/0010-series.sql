-- Series and their vintages: what was published, when, in which version; who follows what; which file brought it.

-- A series: a provider and its code there. `owner` is a workspace, or 'public' for what is read from the providers; a public series is
-- seen by the workspaces that follow it.
create table series (
  owner text collate "C" not null check (owner = 'public' or owner ~ '^wsp_[0-9a-z]{26}$'),
  id text collate "C" not null check (id ~ '^ser_[0-9a-z]{26}$'),
  provider text collate "C" not null,
  code text collate "C" not null check (code <> '' and length(code) <= 200),
  created_at timestamptz not null,
  primary key (owner, id),
  unique (owner, provider, code)
);
call hold_to_workspace('series', 'owner');
call make_append_only('series');
grant select, insert on series to assize_app;

create trigger counts after insert on series referencing new table as added
  for each statement execute function count_use('series', 'owner');

-- A workspace follows a public series.
create table follow (
  workspace_id text collate "C" not null references workspace (id),
  series_id text collate "C" not null,
  -- Always 'public': it is here for the key of the series.
  series_owner text collate "C" not null default 'public' check (series_owner = 'public'),
  seq bigint not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, series_id),
  foreign key (series_owner, series_id) references series (owner, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('follow', 'workspace_id');
grant select, insert on follow to assize_app;

create trigger counts after insert on follow referencing new table as added
  for each statement execute function count_use('series', 'workspace_id');

-- The series a workspace follows, asked once per query.
create policy follower on series for select using (owner = 'public' and id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

-- What was published about a public series is seen by the workspaces that follow it, as its vintages are; and that the installation has
-- another name or its clock was repaired, by all of them.
create policy follower on publication for select using (scope = 'public' and (
  kind in ('installation', 'clock') or subject in (
    select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), '')))));

-- The workspaces that follow a public series: what is decided about it is told to each of them.
create function followers_of(wanted text) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select f.workspace_id from follow f where f.series_id = wanted order by f.workspace_id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function followers_of to assize_app;

-- What a series is called and measured in, from this entry on.
create table series_metadata (
  owner text collate "C" not null,
  series_id text collate "C" not null,
  seq bigint not null,
  name text not null,
  unit text not null,
  data_type text not null check (data_type in ('INDEX', 'PRICE', 'RATE', 'FX', 'WAGE')),
  frequency text not null check (frequency in ('DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL')),
  description text not null,
  recorded_at timestamptz not null,
  primary key (owner, series_id, seq),
  foreign key (owner, series_id) references series (owner, id),
  foreign key (owner, seq) references publication (scope, seq)
);
call hold_to_workspace('series_metadata', 'owner');
call make_append_only('series_metadata');
grant select, insert on series_metadata to assize_app;

create policy follower on series_metadata for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

-- One line of what a publication's hash covers. `published` is null where it is the moment of recording. Only the flag may hold a bar,
-- and it comes last. Stable, as to_char is: otherwise PostgreSQL would not inline it.
create function observation_line(period integer, published timestamptz, value text, tag text, flag text) returns text
language sql stable parallel safe as $$
  select period || '|' || coalesce(instant_text(published), '') || '|' || coalesce(value, '') || '|' || coalesce(tag, '')
    || coalesce('|' || flag, '')
$$;
grant execute on function observation_line to assize_app;

-- Few new vintages are checked one by one, by keys. To check them all at once reads every series and publication there is, which is right
-- for a large import and took most of a second for a single figure beside a million series.
create function check_vintages() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  each record;
begin
  if (select count(*) from (select 1 from added limit 1001) a) <= 1000 then
    for each in select distinct owner, series_id, seq, recorded_at from added loop
      if not exists (
        select 1 from publication p where p.scope = each.owner and p.seq = each.seq and p.recorded_at = each.recorded_at
          and p.subject = each.series_id and p.kind = 'observations')
        or not exists (select 1 from series s where s.owner = each.owner and s.id = each.series_id) then
        raise exception 'a vintage without its series or its publication' using errcode = 'foreign_key_violation';
      end if;
    end loop;
  elsif exists (
    select 1 from (select distinct a.owner, a.series_id, a.seq, a.recorded_at from added a) a
    left join publication p on p.scope = a.owner and p.seq = a.seq and p.recorded_at = a.recorded_at
      and p.subject = a.series_id and p.kind = 'observations'
    left join series s on s.owner = a.owner and s.id = a.series_id
    where p.seq is null or s.id is null) then
    raise exception 'a vintage without its series or its publication' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- One value of one period as published once. The key is also the order in which a series is read. `period` is the running number of the
-- period; a withdrawal has neither value nor tag.
create table vintage (
  owner text collate "C" not null,
  series_id text collate "C" not null,
  period integer not null,
  seq bigint not null,
  value text,
  tag text,
  flag text,
  published_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (owner, series_id, period, published_at, seq),
  check (tag in ('PRELIMINARY', 'FINAL', 'REVISED')),
  check ((value is null) = (tag is null)),
  check (value <> '' and length(value) <= 62),
  check (flag !~ '[[:cntrl:]]')
);
-- The vintages of one publication. They are written in the order of their instants, so that an index of block ranges is enough: it takes
-- next to no room and no time.
create index vintage_recorded on vintage using brin (recorded_at) with (pages_per_range = 16);
call hold_to_workspace('vintage', 'owner');
call make_append_only('vintage');
grant select, insert on vintage to assize_app;

create policy follower on vintage for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

create trigger belongs after insert on vintage referencing new table as added
  for each statement execute function check_vintages();
create trigger counts after insert on vintage referencing new table as added
  for each statement execute function count_use('vintages', 'owner');

-- Vintages as they count. A workspace without repairs, which is nearly every one, reads the table itself.
create view counted_vintage with (security_invoker = true) as
  select v.owner, v.series_id, v.period, v.seq, v.value, v.tag, v.flag,
    least(v.published_at, coalesce(r.counts_as, v.published_at)) as published_at,
    coalesce(r.counts_as, v.recorded_at) as recorded_at
  from vintage v left join clock_repair r on r.scope = v.owner and v.seq between r.first_seq and r.last_seq;
grant select on counted_vintage to assize_app;

-- A file that was imported. One import is one entry with an instant of its own: every vintage recorded then came from this file.
create table upload (
  workspace_id text collate "C" not null references workspace (id),
  recorded_at timestamptz not null,
  id text collate "C" not null check (id ~ '^upl_[0-9a-z]{26}$'),
  seq bigint not null,
  uploaded_by text not null check (uploaded_by <> ''),
  via text collate "C" not null check (via in ('web', 'command', 'demo')),
  file_name text not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  primary key (workspace_id, recorded_at),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('upload', 'workspace_id');
call make_append_only('upload');
grant select, insert on upload to assize_app;

-- How files of a workspace were last read: by the words of their header. It changes no number, so the newest row of a header simply
-- counts, and who read it so is noted.
create table upload_layout (
  workspace_id text collate "C" not null references workspace (id),
  -- SHA-256 over the header.
  header bytea not null check (length(header) = 32),
  layout jsonb not null,
  used_by text not null,
  used_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, header)
);
create index upload_layout_newest on upload_layout (workspace_id, used_at desc);
call hold_to_workspace('upload_layout', 'workspace_id');
grant select, insert, update, delete on upload_layout to assize_app;
