-- Corrections that wait for a signature are a kind of mail of their own.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check
  check (kind in ('invitation', 'reset', 'people', 'signature', 'correction', 'objection', 'revision', 'late'));
-- When the last mail of a kind went to an address: the next one waits for a while.
create index mail_recent on mail (workspace_id, email, kind, made_at);

-- What one touch of a passkey signed for several agreements: each entry hides one of them, so that the list can stand in the
-- receipts of all. The acts that belong to it follow within minutes, in one piece or several.
create table signing_batch (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^sgb_[0-9a-z]{26}$'),
  person_id text collate "C" not null,
  -- Ascending hashes.
  entries jsonb not null,
  passkey jsonb not null,
  origin jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
call hold_to_workspace('signing_batch', 'workspace_id');
call make_append_only('signing_batch');
grant select, insert on signing_batch to assize_app;

alter table signing
  add column batch_id text collate "C",
  -- What hides the entry of this act; 32 hexadecimal digits.
  add column batch_salt text collate "C" check (batch_salt ~ '^[0-9a-f]{32}$'),
  add foreign key (workspace_id, batch_id) references signing_batch (workspace_id, id),
  add check ((batch_id is null) = (batch_salt is null)),
  add check (batch_id is null or passkey is not null);
