-- Series and their vintages. `owner` is a workspace, or 'public' for what we read from the providers ourselves; a public
-- series is seen by the workspaces that follow it.

create table series (
  owner text collate "C" not null check (owner = 'public' or owner ~ '^wsp_[0-9a-z]{26}$'),
  id text collate "C" not null check (id ~ '^ser_[0-9a-z]{26}$'),
  provider text collate "C" not null,
  code text collate "C" not null check (code <> '' and length(code) <= 200),
  created_at timestamptz not null,
  primary key (owner, id),
  unique (owner, provider, code)
);

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

-- One value of one period as published once. The key is also the order in which a series is read. `period` is the
-- running number of the period; a withdrawal has neither value nor tag.
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

-- One line of what a publication's hash covers. `published` is null where it is the moment of recording. Only the flag
-- may hold a bar, and it comes last. Stable, as to_char is: otherwise PostgreSQL would not inline it.
create function observation_line(period integer, published timestamptz, value text, tag text, flag text) returns text
language sql stable parallel safe as $$
  select period || '|' || coalesce(instant_text(published), '') || '|' || coalesce(value, '') || '|' || coalesce(tag, '')
    || coalesce('|' || flag, '')
$$;
grant execute on function observation_line to assize_app;

-- What a foreign key would say, asked once per statement: a check per row takes longer than a million inserts.
create function check_vintages() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from (select distinct a.owner, a.series_id, a.seq, a.recorded_at from added a) a
    left join publication p on p.scope = a.owner and p.seq = a.seq and p.recorded_at = a.recorded_at
      and p.subject = a.series_id and p.kind = 'observations'
    left join series s on s.owner = a.owner and s.id = a.series_id
    where p.seq is null or s.id is null) then
    raise exception 'a vintage without its series or its publication' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger belongs after insert on vintage referencing new table as added
  for each statement execute function check_vintages();

call hold_to_workspace('series', 'owner');
call hold_to_workspace('series_metadata', 'owner');
call hold_to_workspace('vintage', 'owner');
call hold_to_workspace('follow', 'workspace_id');

-- The series a workspace follows, asked once per query.
create policy follower on series for select using (owner = 'public' and id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));
create policy follower on series_metadata for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));
create policy follower on vintage for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

call make_append_only('series');
call make_append_only('series_metadata');
call make_append_only('vintage');

grant select, insert on series, series_metadata, vintage, follow to assize_app;
