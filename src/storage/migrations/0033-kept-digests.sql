-- What was last computed of each agreement for lists and the first page, so that a start knows it at once. A cache: a row is
-- replaced when it is computed again, nothing follows from it, and without our seal it counts for nothing.
create table kept_digest (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  -- The form of the content; another one is ignored.
  shape integer not null,
  -- The newest entries of the workspace and of the public series that it was computed with.
  own_seq bigint not null,
  public_seq bigint not null,
  -- JSON, as it was sealed.
  content text not null,
  seal bytea not null,
  primary key (workspace_id, pam_id),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id)
);

call hold_to_workspace('kept_digest', 'workspace_id');
grant select, insert, update, delete on kept_digest to assize_app;
