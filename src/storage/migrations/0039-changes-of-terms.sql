-- Changes of terms that both parties agree on: a splice of an index, or any other amendment of a formula document. What was
-- proposed, who signed it, who refused it and why; the second signature and the formula version it makes are written together.
-- Rows are added, never changed; what state a proposal is in follows from them.

create table terms_change (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^(spl|amd)_[0-9a-z]{26}$'),
  pam_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('SPLICE', 'AMENDMENT')),
  -- SHA-256 of the body, as 64 hexadecimal digits.
  hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
  -- What both parties sign, in canonical JSON.
  body text not null,
  -- The whole formula document that takes effect, and the SHA-256 of that text.
  document text not null,
  document_hash text collate "C" not null check (document_hash ~ '^[0-9a-f]{64}$'),
  -- Why it is proposed.
  ground text collate "C" not null check (ground in ('EVENT', 'SUSPECT', 'BY_HAND')),
  -- The formula version that it changes.
  basis integer not null check (basis >= 1),
  -- The first adjustment date under the new terms.
  effective_from date not null,
  -- As the document names them: what is read no longer alone, and what takes its place. Empty for an amendment.
  series text[] not null,
  -- Those that were offered together.
  offer text collate "C" check (offer ~ '^off_[0-9a-z]{26}$'),
  -- The open proposal that this one replaces.
  supersedes text collate "C",
  -- The formula version whose plan it carries out without further signatures.
  planned_by integer check (planned_by >= 1),
  proposed_by text not null check (proposed_by <> ''),
  seq bigint not null,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, supersedes) references terms_change (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq),
  check ((kind = 'SPLICE') = (id like 'spl\_%'))
);
create index terms_change_pam on terms_change (workspace_id, pam_id, seq);
create index terms_change_seq on terms_change (workspace_id, seq);
create index terms_change_offer on terms_change (workspace_id, offer) where offer is not null;

create table terms_change_signature (
  workspace_id text collate "C" not null,
  change_id text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  signed_by text not null,
  signed_at timestamptz not null,
  signing_id text collate "C" not null,
  seq bigint not null,
  seal bytea not null,
  primary key (workspace_id, change_id, party),
  -- Nobody signs for both sides.
  unique (workspace_id, change_id, signed_by),
  foreign key (workspace_id, change_id) references terms_change (workspace_id, id),
  foreign key (workspace_id, signing_id) references signing (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

-- The same person under another address.
create function refuse_both_sides_of_change() returns trigger
language plpgsql set search_path = assize, pg_temp as $$
declare
  signer constant text := (
    select g.person_id from signing g where g.workspace_id = new.workspace_id and g.id = new.signing_id);
begin
  if exists (
    select 1 from terms_change_signature o
    join signing g on g.workspace_id = o.workspace_id and g.id = o.signing_id
    where o.workspace_id = new.workspace_id and o.change_id = new.change_id and o.party <> new.party
      and (lower(o.signed_by) = lower(new.signed_by) or g.person_id = signer)
  ) then
    raise exception '% has signed % for the other side', new.signed_by, new.change_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger one_side before insert on terms_change_signature
  for each row execute function refuse_both_sides_of_change();

create table terms_change_refusal (
  workspace_id text collate "C" not null,
  change_id text collate "C" not null,
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
  primary key (workspace_id, change_id),
  foreign key (workspace_id, change_id) references terms_change (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

call hold_to_workspace('terms_change', 'workspace_id');
call hold_to_workspace('terms_change_signature', 'workspace_id');
call hold_to_workspace('terms_change_refusal', 'workspace_id');
call make_append_only('terms_change');
call make_append_only('terms_change_signature');
call make_append_only('terms_change_refusal');
grant select, insert on terms_change, terms_change_signature, terms_change_refusal to assize_app;

-- The change that a version came about by; null for one that one side applied alone. One change makes one version.
alter table formula
  add column proposal text collate "C",
  add foreign key (workspace_id, proposal) references terms_change (workspace_id, id);
create unique index formula_proposal on formula (workspace_id, proposal) where proposal is not null;

-- A list that one act signed without a passkey: by password, or by the operator for an address that no member has.
alter table signing_batch
  alter column passkey drop not null,
  alter column person_id drop not null,
  alter column origin drop not null;
alter table signing drop constraint signing_check2;
