-- How files of a workspace were last read: by the words of their header. It changes no number, so the newest row of a header
-- simply counts, and who read it so is noted.
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
