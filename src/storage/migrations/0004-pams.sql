-- Price adjustment models: what changes about them is appended with its place in the sequence, never updated. A period's
-- receipt is stored when it is first signed, and a sign-off names the receipt it was given for.

create table pam (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^pam_[0-9a-z]{26}$'),
  slug text collate "C" not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);

create table pam_state (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  seq bigint not null,
  name text not null,
  description text not null,
  status text not null check (status in ('DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED')),
  parties jsonb not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, pam_id, seq),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

create table formula (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  version integer not null check (version >= 1),
  seq bigint not null,
  -- Decimals inside are texts. `document_text` is what was handed in, digit for digit.
  document jsonb not null,
  document_text text not null,
  effective_from date not null,
  created_by text not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, pam_id, version),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

create table signed_receipt (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  period text collate "C" not null,
  receipt_hash text collate "C" not null check (receipt_hash ~ '^[0-9a-f]{64}$'),
  adjustment_date date not null,
  receipt text not null,
  carried jsonb not null,
  seq bigint not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, pam_id, period, receipt_hash),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

create table sign_off (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  period text collate "C" not null,
  receipt_hash text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  adjustment_date date not null,
  signed_by text not null,
  signed_at timestamptz not null,
  seq bigint not null,
  primary key (workspace_id, pam_id, period, receipt_hash, party),
  -- Nobody signs for both sides.
  unique (workspace_id, pam_id, period, receipt_hash, signed_by),
  foreign key (workspace_id, pam_id, period, receipt_hash)
    references signed_receipt (workspace_id, pam_id, period, receipt_hash),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

call hold_to_workspace('pam', 'workspace_id');
call hold_to_workspace('pam_state', 'workspace_id');
call hold_to_workspace('formula', 'workspace_id');
call hold_to_workspace('signed_receipt', 'workspace_id');
call hold_to_workspace('sign_off', 'workspace_id');

call make_append_only('pam');
call make_append_only('pam_state');
call make_append_only('formula');
call make_append_only('signed_receipt');
call make_append_only('sign_off');

grant select, insert on pam, pam_state, formula, signed_receipt, sign_off to assize_app;
