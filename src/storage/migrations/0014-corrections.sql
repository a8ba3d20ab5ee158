-- Corrections: what is owed because a figure was revised after its price was signed; proposed, signed by both, refused, noted on an
-- invoice.

-- A proposal to pay the difference between a signed price and what the revised figures give.
create table correction (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^cor_[0-9a-z]{26}$'),
  agreement_id text collate "C" not null,
  -- SHA-256 of the body, as 64 hexadecimal digits.
  hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
  -- What both parties sign, in canonical JSON.
  body text not null,
  -- The receipts of the restated periods, as a list in JSON, and the SHA-256 of that text.
  receipts text not null,
  receipts_hash text collate "C" not null check (receipts_hash ~ '^[0-9a-f]{64}$'),
  -- The labels of the periods whose number it replaces, by date.
  periods text[] not null,
  -- For each line of the body the kept invoice line; null for a declared quantity.
  line_ids jsonb not null,
  -- Whether both sides let the money go.
  waived boolean not null,
  -- The proposal whose money is let go by this one.
  waives text collate "C",
  proposed_by text not null check (proposed_by <> ''),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, waives) references correction (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq),
  check (waives is null or waived)
);
create index correction_agreement on correction (workspace_id, agreement_id, seq);
call hold_to_workspace('correction', 'workspace_id');
call make_append_only('correction');
grant select, insert on correction to assize_app;

-- The same person under another address.
create function refuse_both_sides_of_correction() returns trigger
language plpgsql set search_path = assize, pg_temp as $$
declare
  signer constant text := (
    select g.person_id from signing g where g.workspace_id = new.workspace_id and g.id = new.signing_id);
begin
  if exists (
    select 1 from correction_signature o
    join signing g on g.workspace_id = o.workspace_id and g.id = o.signing_id
    where o.workspace_id = new.workspace_id and o.correction_id = new.correction_id and o.party <> new.party
      and (lower(o.signed_by) = lower(new.signed_by) or g.person_id = signer)
  ) then
    raise exception '% has signed % for the other side', new.signed_by, new.correction_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A signature of one party under a correction.
create table correction_signature (
  workspace_id text collate "C" not null,
  correction_id text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  signed_by text not null,
  signed_at timestamptz not null,
  signing_id text collate "C" not null,
  seq bigint not null,
  seal bytea not null,
  primary key (workspace_id, correction_id, party),
  -- Nobody signs for both sides.
  unique (workspace_id, correction_id, signed_by),
  foreign key (workspace_id, correction_id) references correction (workspace_id, id),
  foreign key (workspace_id, signing_id) references signing (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('correction_signature', 'workspace_id');
call make_append_only('correction_signature');
grant select, insert on correction_signature to assize_app;

create trigger one_side before insert on correction_signature
  for each row execute function refuse_both_sides_of_correction();

-- A party refuses a correction, with the reason.
create table correction_refusal (
  workspace_id text collate "C" not null,
  correction_id text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  reason text not null check (reason <> ''),
  said_by text not null,
  -- Null for an address that no member has.
  person_id text collate "C",
  name text not null,
  from_address text,
  means text collate "C" not null check (means in ('SESSION', 'OPERATOR')),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  -- Once is enough.
  primary key (workspace_id, correction_id),
  foreign key (workspace_id, correction_id) references correction (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('correction_refusal', 'workspace_id');
call make_append_only('correction_refusal');
grant select, insert on correction_refusal to assize_app;

-- The document that a part of an agreed amount was billed by.
create table correction_note (
  workspace_id text collate "C" not null,
  correction_id text collate "C" not null,
  -- From 1.
  part integer not null check (part >= 1),
  number text collate "C" not null check (number <> ''),
  date date not null,
  -- As written in the correction.
  amount text collate "C" not null,
  -- Of the file that was made, as 64 hexadecimal digits.
  file_hash text collate "C" not null check (file_hash ~ '^[0-9a-f]{64}$'),
  issued_by text not null check (issued_by <> ''),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  -- What was said for this note alone, beside what its parties kept then; null where nothing was.
  said jsonb check (jsonb_typeof(said) = 'object'),
  primary key (workspace_id, correction_id, part),
  foreign key (workspace_id, correction_id) references correction (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('correction_note', 'workspace_id');
call make_append_only('correction_note');
grant select, insert on correction_note to assize_app;

-- Until when each person has looked at what publications did to the agreements they see. It changes no number.
create table radar_seen (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  seen_until timestamptz not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
call hold_to_workspace('radar_seen', 'workspace_id');
grant select, insert, update, delete on radar_seen to assize_app;
