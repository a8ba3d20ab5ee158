-- What answers of providers look like, and answers that look different from those before them (decision 0815). All of it
-- belongs to 'public', as the series do.

-- What was last accepted: the form of the answers about a data set, and what is said about a series besides its figures. The
-- newest version counts.
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

-- The drift that a series waits for.
alter table quarantine add column drift_id uuid;
alter table quarantine add foreign key (owner, drift_id) references drift (owner, id);

call hold_to_workspace('answer_shape', 'owner');
call hold_to_workspace('drift', 'owner');
call make_append_only('answer_shape');
grant select, insert on answer_shape to assize_app;
grant select, insert, update on drift to assize_app;
