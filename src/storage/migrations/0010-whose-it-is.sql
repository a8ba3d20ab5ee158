-- Whose a receipt, a figure and a signature is: the installation by an id of its own, imported figures by who brought which
-- file, stored receipts and sign-offs by a seal that nobody makes without the server's secret.

-- The id is given once. The name, too: it stands in receipts from the instant it was given.
alter table installation
  add column id text collate "C" unique check (id ~ '^ins_[0-9a-z]{26}$'),
  add column name text check (name <> '' and length(name) <= 200),
  add column named_at timestamptz,
  add column named_seq bigint;

create function installation_identity() returns table (id text, name text, named_at timestamptz, named_seq bigint)
language sql stable security definer set search_path = assize, pg_temp as $$
  select i.id, i.name, i.named_at, i.named_seq from installation i
$$;
grant execute on function installation_identity to assize_app;

-- One import is one publication with an instant of its own: every vintage recorded then came from this file.
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

-- Receipts name their workspace, and what was answered as known then is answered so for ever: names are kept.
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

-- null for rows from before this column, until they are sealed with the server's secret when it is added.
alter table signed_receipt add column seal bytea check (octet_length(seal) = 32);
alter table sign_off add column seal bytea check (octet_length(seal) = 32);
