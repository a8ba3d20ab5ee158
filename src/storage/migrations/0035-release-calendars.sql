-- What providers announce about their releases. A row says what one entry of a calendar said from then on: a date that moves
-- is another row of the same source id. All of it is public, as the calendars are.
create table calendar_entry (
  owner text collate "C" not null check (owner = 'public'),
  -- Follows from the provider and the release.
  release_id text collate "C" not null check (release_id ~ '^rel_[0-9a-z]{26}$'),
  source_id text collate "C" not null check (source_id <> '' and length(source_id) <= 300),
  seq bigint not null,
  provider text collate "C" not null,
  release text collate "C" not null check (release <> '' and length(release) <= 200),
  title text not null check (length(title) <= 500),
  period text collate "C",
  -- An instant, or a day where the source gives no time of day.
  at text collate "C" not null check (at ~ '^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{6}Z)?$'),
  zone text not null,
  status text collate "C" not null check (status in ('OFFICIAL', 'DATE_ONLY', 'CANCELLED', 'POSTPONED')),
  recorded_at timestamptz not null,
  primary key (owner, release_id, source_id, seq),
  foreign key (owner, seq) references publication (scope, seq)
);
create index calendar_entry_provider on calendar_entry (owner, provider, at);

-- The release that the figures of a series come with; null: with none that has a calendar.
create table series_release (
  owner text collate "C" not null,
  series_id text collate "C" not null,
  seq bigint not null,
  release text collate "C" check (release <> '' and length(release) <= 200),
  recorded_at timestamptz not null,
  primary key (owner, series_id, seq),
  foreign key (owner, series_id) references series (owner, id),
  foreign key (owner, seq) references publication (scope, seq)
);

-- How each calendar stands.
create table calendar_state (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  last_asked_at timestamptz not null,
  -- The last time it was answered in full.
  last_answered_at timestamptz,
  -- Of the last full answer: its entries, those ahead, and those whose period could not be read.
  entries integer not null default 0,
  ahead integer not null default 0,
  unread integer not null default 0,
  -- In words; null where all is well.
  trouble text,
  trouble_since timestamptz,
  primary key (owner, provider),
  check ((trouble is null) = (trouble_since is null))
);

-- Calendars that wait for a person; one at most for a provider.
create table calendar_quarantine (
  owner text collate "C" not null check (owner = 'public'),
  id uuid not null,
  provider text collate "C" not null,
  found_at timestamptz not null,
  reason text not null,
  -- The same for the same entries.
  fingerprint text collate "C" not null,
  -- The entries as JSON, packed with gzip.
  entries bytea not null,
  -- null while it waits; overtaken: a later answer was as usual.
  decision text collate "C" check (decision in ('released', 'rejected', 'overtaken')),
  decided_at timestamptz,
  decided_by text,
  primary key (owner, id),
  check ((decision is null) = (decided_at is null))
);
create unique index calendar_quarantine_waiting on calendar_quarantine (owner, provider) where decision is null;

call hold_to_workspace('calendar_entry', 'owner');
call hold_to_workspace('series_release', 'owner');
call hold_to_workspace('calendar_state', 'owner');
call hold_to_workspace('calendar_quarantine', 'owner');
call make_append_only('calendar_entry');
call make_append_only('series_release');

create policy everybody on calendar_entry for select using (true);
create policy everybody on calendar_state for select using (true);
create policy everybody_calendar on publication for select using (scope = 'public' and kind = 'calendar');
create policy follower on series_release for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

grant select, insert on calendar_entry, series_release to assize_app;
grant select, insert, update on calendar_state, calendar_quarantine to assize_app;

-- Asking for a calendar is a run as well.
alter table ingest_run drop constraint ingest_run_cause_check;
alter table ingest_run add constraint ingest_run_cause_check
  check (cause in ('follow', 'refresh', 'timetable', 'release', 'calendar'));
