-- What reading from the providers leaves behind beside observations: how each series stands, every run, every answer, what
-- waits for a person, and how often a provider was asked. All of it belongs to 'public', as the series themselves do.

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

create table ingest_run (
  owner text collate "C" not null check (owner = 'public'),
  id uuid not null,
  provider text collate "C" not null,
  cause text collate "C" not null check (cause in ('follow', 'refresh', 'timetable', 'release')),
  started_at timestamptz not null,
  -- null while it runs, and for ever where its process died.
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

-- Bodies are kept once, packed with gzip, under the hash of the text with its keys blanked out.
create table raw_body (
  owner text collate "C" not null check (owner = 'public'),
  sha256 bytea not null check (octet_length(sha256) = 32),
  packed bytea not null,
  primary key (owner, sha256)
);
alter table raw_body alter column packed set storage external;

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
  primary key (owner, id),
  foreign key (owner, series_id) references series (owner, id),
  check ((decision is null) = (decided_at is null))
);
create unique index quarantine_waiting on quarantine (owner, series_id) where decision is null;

-- When a provider was asked, as long as it counts for one of its limits; and until when it asks to be left alone.
create table provider_request (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  id uuid not null,
  at timestamptz not null,
  primary key (owner, provider, id)
);
create index provider_request_at on provider_request (owner, provider, at);

create table provider_pause (
  owner text collate "C" not null check (owner = 'public'),
  provider text collate "C" not null,
  until timestamptz not null,
  primary key (owner, provider)
);

call hold_to_workspace('series_state', 'owner');
call hold_to_workspace('ingest_run', 'owner');
call hold_to_workspace('raw_body', 'owner');
call hold_to_workspace('raw_answer', 'owner');
call hold_to_workspace('quarantine', 'owner');
call hold_to_workspace('provider_request', 'owner');
call hold_to_workspace('provider_pause', 'owner');

-- How a followed series stands is shown to those who follow it.
create policy follower on series_state for select using (owner = 'public' and series_id in (
  select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

call make_append_only('raw_body');
call make_append_only('raw_answer');

grant select, insert, update on series_state, ingest_run, quarantine, provider_pause to assize_app;
grant select, insert on raw_body, raw_answer to assize_app;
grant select, insert, delete on provider_request to assize_app;
