-- What companies keep for notes of corrections: addresses, tax identifiers, accounts, contacts (decision 0772). Every version stays; of a
-- company the newest counts, and of a note the newest before it.
create table party_billing (
  workspace_id text collate "C" not null references workspace (id),
  -- Null: of the workspace itself, which buys where an agreement names no company as its buyer.
  party_id text collate "C",
  seq bigint not null,
  -- Texts by the name of the field; empty where everything was taken back.
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  set_by text not null check (set_by <> ''),
  recorded_at timestamptz not null,
  -- Money goes to the account it names: a row without our seal is not used.
  seal bytea not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('party_billing', 'workspace_id');
call make_append_only('party_billing');
grant select, insert on party_billing to assize_app;

-- What was said for this note alone, beside what its parties kept then; null where nothing was.
alter table correction_note add column said jsonb check (jsonb_typeof(said) = 'object');
