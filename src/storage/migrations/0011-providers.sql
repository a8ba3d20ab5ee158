-- What reading from the providers leaves behind beside observations: how each series stands, every run, every answer, what waits for a
-- person, release calendars, events of indices. All of it belongs to 'public', as the series themselves do.

-- How a series that is read from a provider stands: when it was asked, and what is wrong.
create table series_state (
  owner text collate "C" not null check (owner = 'public'),
  series_id text collate "C" not null,
  last_asked_at timestamptz not null,
  -- The last time it was answered in full.
  last_answered_at timestamptz,
  last_changed_at timestamptz,
  -- The last time absence could be seen: in the last years, and in everything.
  range_asked_at timestamptz,
  whole_asked_at timestamptz,
  -- In words; null where all is well. A notice is no trouble: a series that has not moved for long.
  trouble text,
  trouble_since timestamptz,
  notice text,
  -- What the last good answer came with, and to which question it belongs.
  question_hash text collate "C",
  etag text,
  last_modified text,
  primary key (owner, series_id),
  foreign key (owner, series_id) references series (owner, id),
  check ((trouble is null) = (trouble_since is null))
);
call hold_to_workspace('series_state', 'owner');
-- How a followed series stands is shown to those who follow it.
create policy follower on series_state for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));
grant select, insert, update on series_state to assize_app;

-- One reading from a provider, from its beginning to what it found.
create table ingest_run (
  owner text collate "C" not null check (owner = 'public'),
  id uuid not null,
  provider text collate "C" not null,
  cause text collate "C" not null check (cause in ('follow', 'refresh', 'timetable', 'release', 'calendar')),
  started_at timestamptz not null,
  -- Null while it runs; it stays null if its process died.
  finished_at timestamptz,
  series integer not null,
  asked integer not null default 0,
  added integer not null default 0,
  revised integer not null default 0,
  withdrawn integer not null default 0,
  quarantined integer not null default 0,
  -- [{"series", "kind", "message"}]
  problems jsonb not null default '[]',
  primary key (owner, id)
);
create index ingest_run_started on ingest_run (owner, started_at);
call hold_to_workspace('ingest_run', 'owner');
grant select, insert, update on ingest_run to assize_app;

-- Bodies are kept once, packed with gzip, under the hash of the text with its keys blanked out.
create table raw_body (
  owner text collate "C" not null check (owner = 'public'),
  sha256 bytea not null check (octet_length(sha256) = 32),
  packed bytea not null,
  primary key (owner, sha256)
);
alter table raw_body alter column packed set storage external;
call hold_to_workspace('raw_body', 'owner');
call make_append_only('raw_body');
grant select, insert on raw_body to assize_app;

-- An answer that brought nothing new has its hash here and no body.
create table raw_answer (
  owner text collate "C" not null check (owner = 'public'),
  run_id uuid not null,
  place integer not null,
  provider text collate "C" not null,
  codes text[] not null,
  address text not null,
  status integer not null,
  content_type text,
  received_at timestamptz not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  size integer not null,
  primary key (owner, run_id, place),
  foreign key (owner, run_id) references ingest_run (owner, id)
);
create index raw_answer_sha256 on raw_answer (owner, sha256);
call hold_to_workspace('raw_answer', 'owner');
call make_append_only('raw_answer');
grant select, insert on raw_answer to assize_app;

-- What was last accepted: the form of the answers about a data set, and what is said about a series besides its figures. The newest
-- version counts.
create table answer_shape (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  kind text collate "C" not null check (kind in ('values', 'calendar', 'search', 'series')),
  -- A data set with the route that was asked, or the code of a series.
  about text collate "C" not null check (length(about) <= 500),
  version integer not null check (version > 0),
  accepted_at timestamptz not null,
  shape jsonb not null,
  primary key (owner, provider, kind, about, version)
);
call hold_to_workspace('answer_shape', 'owner');
call make_append_only('answer_shape');
grant select, insert on answer_shape to assize_app;

-- One alarm for everything that changed at once; one at most waits for a provider and a kind of request.
create table drift (
  owner text collate "C" not null check (owner = 'public'),
  id uuid not null,
  provider text collate "C" not null,
  kind text collate "C" not null check (kind in ('values', 'calendar', 'search')),
  found_at timestamptz not null,
  -- [{"place", "signs", "lines", "series", "fingerprint", …}]: what changed where, the two shapes side by side.
  parts jsonb not null,
  -- null while it waits; overtaken: later answers were as before.
  decision text collate "C" check (decision in ('released', 'rejected', 'overtaken')),
  decided_at timestamptz,
  decided_by text,
  primary key (owner, id),
  check ((decision is null) = (decided_at is null))
);
create unique index drift_waiting on drift (owner, provider, kind) where decision is null;
create index drift_decided on drift (owner, provider, kind, decided_at);
call hold_to_workspace('drift', 'owner');
grant select, insert, update on drift to assize_app;

-- An answer that would rewrite much of a series: it waits until an operator releases or rejects it.
create table quarantine (
  owner text collate "C" not null check (owner = 'public'),
  id uuid not null,
  series_id text collate "C" not null,
  found_at timestamptz not null,
  reason text not null,
  -- The same for the same rewriting, however often it is read.
  fingerprint text collate "C" not null,
  -- The reading and how it was asked for, as JSON packed with gzip.
  reading bytea not null,
  -- null while it waits; overtaken: the provider took it back, or something else came.
  decision text collate "C" check (decision in ('released', 'rejected', 'overtaken')),
  decided_at timestamptz,
  -- Who decided, for all who follow the series.
  decided_by text,
  -- The drift that a series waits for.
  drift_id uuid,
  primary key (owner, id),
  foreign key (owner, series_id) references series (owner, id),
  check ((decision is null) = (decided_at is null)),
  foreign key (owner, drift_id) references drift (owner, id)
);
create unique index quarantine_waiting on quarantine (owner, series_id) where decision is null;
call hold_to_workspace('quarantine', 'owner');
grant select, insert, update on quarantine to assize_app;

-- When a provider was asked, as long as it counts for one of its limits.
create table provider_request (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  id uuid not null,
  at timestamptz not null,
  primary key (owner, provider, id)
);
create index provider_request_at on provider_request (owner, provider, at);
call hold_to_workspace('provider_request', 'owner');
grant select, insert, delete on provider_request to assize_app;

-- Until when a provider asks to be left alone.
create table provider_pause (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  until timestamptz not null,
  primary key (owner, provider)
);
call hold_to_workspace('provider_pause', 'owner');
grant select, insert, update on provider_pause to assize_app;

-- What providers announce about their releases. A row says what one entry of a calendar said from then on: a date that moves is another
-- row of the same source id. All of it is public, as the calendars are.
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
call hold_to_workspace('calendar_entry', 'owner');
create policy everybody on calendar_entry for select using (true);
call make_append_only('calendar_entry');
grant select, insert on calendar_entry to assize_app;

create policy everybody_calendar on publication for select using (scope = 'public' and kind = 'calendar');

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
call hold_to_workspace('series_release', 'owner');
create policy follower on series_release for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));
call make_append_only('series_release');
grant select, insert on series_release to assize_app;

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
call hold_to_workspace('calendar_state', 'owner');
create policy everybody on calendar_state for select using (true);
grant select, insert, update on calendar_state to assize_app;

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
call hold_to_workspace('calendar_quarantine', 'owner');
grant select, insert, update on calendar_quarantine to assize_app;

-- What is known about indices: that one ended, was put on another base, replaced, cancelled for a period, or is computed differently. A
-- row says what holds from then on: a correction is another row of the same event. All of it is public.
create table index_event (
  owner text collate "C" not null check (owner = 'public'),
  -- Follows from the id.
  event_id text collate "C" not null check (event_id ~ '^iev_[0-9a-z]{26}$'),
  seq bigint not null,
  id text collate "C" not null check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(id) <= 100),
  -- Null for an index that none of the providers has.
  provider text collate "C",
  codes text collate "C" check (codes <> '' and length(codes) <= 300),
  kind text collate "C" not null check (kind in ('ENDED', 'REBASED', 'SUPERSEDED', 'CANCELLED', 'METHOD')),
  day date not null,
  sentence text not null check (sentence <> '' and length(sentence) <= 1000),
  successor text collate "C" check (successor <> '' and length(successor) <= 200),
  direction text collate "C" check (direction in ('OLD_TO_NEW', 'NEW_TO_OLD')),
  -- As printed.
  digits text collate "C" check (digits ~ '^\d+(\.\d+)?$' and length(digits) <= 60),
  source text not null check (source <> '' and length(source) <= 300),
  -- Who said so: the program, or an operator.
  said_by text not null check (said_by <> ''),
  recorded_at timestamptz not null,
  primary key (owner, event_id, seq),
  foreign key (owner, seq) references publication (scope, seq),
  check ((direction is null) = (digits is null)),
  check ((provider is null) = (codes is null))
);
call hold_to_workspace('index_event', 'owner');
create policy everybody on index_event for select using (true);
call make_append_only('index_event');
grant select, insert on index_event to assize_app;

create policy everybody_index_event on publication for select using (scope = 'public' and kind = 'index-event');
