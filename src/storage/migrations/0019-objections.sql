-- Objections: a party says no to the number proposed for a period, and why; answers to them, and withdrawals. Rows are added,
-- never changed. The receipt an objection is about is stored with it, so that it can be read after the proposal has moved.

create table objection (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^obj_[0-9a-z]{26}$'),
  pam_id text collate "C" not null,
  period text collate "C" not null,
  receipt_hash text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  -- What it is pinned to: the number, a line or a figure.
  about jsonb not null,
  reason text not null check (reason <> ''),
  -- Another reading of the clause with the number it gives.
  reading jsonb,
  said_by text not null,
  -- Null for an address that no member has.
  person_id text collate "C",
  name text not null,
  from_address text,
  means text collate "C" not null check (means in ('SESSION', 'OPERATOR')),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, pam_id, period, receipt_hash)
    references signed_receipt (workspace_id, pam_id, period, receipt_hash),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index objection_pam on objection (workspace_id, pam_id, seq);

create table objection_answer (
  workspace_id text collate "C" not null,
  objection_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('ANSWER', 'WITHDRAWAL')),
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  words text not null check (words <> '' or kind = 'WITHDRAWAL'),
  said_by text not null,
  person_id text collate "C",
  name text not null,
  from_address text,
  means text collate "C" not null check (means in ('SESSION', 'OPERATOR')),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, objection_id) references objection (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index objection_answer_of on objection_answer (workspace_id, objection_id, seq);
-- An objection is withdrawn once.
create unique index objection_withdrawn on objection_answer (workspace_id, objection_id) where kind = 'WITHDRAWAL';

call hold_to_workspace('objection', 'workspace_id');
call hold_to_workspace('objection_answer', 'workspace_id');
call make_append_only('objection');
call make_append_only('objection_answer');
grant select, insert on objection, objection_answer to assize_app;
