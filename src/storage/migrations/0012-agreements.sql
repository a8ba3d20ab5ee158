-- Agreements: what changes about them is appended with its place in the log, never updated. A period's receipt is stored when it
-- is first signed, and a signature names the receipt it was given for.

-- An agreement: its name in the workspace. What it says is in `agreement_state` and `formula`.
create table agreement (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^pam_[0-9a-z]{26}$'),
  slug text collate "C" not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);
call hold_to_workspace('agreement', 'workspace_id');
call make_append_only('agreement');
grant select, insert on agreement to assize_app;

create trigger counts after insert on agreement referencing new table as added
  for each statement execute function count_use('agreements', 'workspace_id');

-- Title, status and parties of an agreement, from this entry on.
create table agreement_state (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  seq bigint not null,
  name text not null,
  description text not null,
  status text not null check (status in ('DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED')),
  parties jsonb not null,
  recorded_at timestamptz not null,
  billing jsonb not null check (jsonb_typeof(billing) = 'object'),
  primary key (workspace_id, agreement_id, seq),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('agreement_state', 'workspace_id');
call make_append_only('agreement_state');
grant select, insert on agreement_state to assize_app;

-- A proposal to change an agreement that both parties sign: a splice of an index, an amendment, a price list.
create table terms_change (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^(spl|amd)_[0-9a-z]{26}$'),
  agreement_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('SPLICE', 'AMENDMENT', 'PRICE_LIST')),
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
  -- The changes that were offered together have one batch.
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
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, supersedes) references terms_change (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq),
  check ((kind = 'SPLICE') = (id like 'spl\_%'))
);
create index terms_change_agreement on terms_change (workspace_id, agreement_id, seq);
create index terms_change_seq on terms_change (workspace_id, seq);
create index terms_change_offer on terms_change (workspace_id, offer) where offer is not null;
call hold_to_workspace('terms_change', 'workspace_id');
call make_append_only('terms_change');
grant select, insert on terms_change to assize_app;

-- A numbered version of an agreement's formula.
create table formula (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  version integer not null check (version >= 1),
  seq bigint not null,
  -- Decimals inside are texts. `document_text` is what was handed in, digit for digit.
  document jsonb not null,
  document_text text not null,
  -- The contract's own words, as the canonical JSON that is hashed, and the file that they were read from.
  words text,
  words_file jsonb check (words is not null or words_file is null),
  effective_from date not null,
  created_by text not null,
  recorded_at timestamptz not null,
  -- The change that a version came about by; null for one that one side applied alone. One change makes one version.
  proposal text collate "C",
  primary key (workspace_id, agreement_id, version),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq),
  foreign key (workspace_id, proposal) references terms_change (workspace_id, id)
);
create unique index formula_proposal on formula (workspace_id, proposal) where proposal is not null;
-- Agreements that say in advance what takes the place of an index: they are looked for whenever something is known about one, and are few
-- among many.
create index formula_planned on formula (workspace_id, agreement_id)
  where jsonb_path_exists(document, '$.inputs.*.successor');
call hold_to_workspace('formula', 'workspace_id');
call make_append_only('formula');
grant select, insert on formula to assize_app;

-- What one touch of a passkey signed for several agreements: each entry hides one of them, so that the list can stand in the receipts of
-- all. The acts that belong to it follow within minutes, in one piece or several.
create table signing_batch (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^sgb_[0-9a-z]{26}$'),
  person_id text collate "C",
  -- Ascending hashes.
  entries jsonb not null,
  passkey jsonb,
  origin jsonb,
  made_at timestamptz not null default clock_timestamp(),
  provider jsonb,
  primary key (workspace_id, id),
  constraint signing_batch_provider_check check (provider is null or passkey is null)
);
create unique index signing_batch_provider_once on signing_batch (workspace_id, (provider ->> 'random'));
call hold_to_workspace('signing_batch', 'workspace_id');
call make_append_only('signing_batch');
grant select, insert on signing_batch to assize_app;

-- One act of signing: who, from where, by which means, and every period with the hash that was shown for it. An act may sign several
-- periods; each has its own row in sign_off.
create table signing (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^sgn_[0-9a-z]{26}$'),
  -- Null for an address that no member has.
  person_id text collate "C",
  name text not null,
  from_address text,
  means text collate "C" not null check (means in ('PASSKEY', 'PROVIDER', 'PASSWORD', 'OPERATOR')),
  periods jsonb not null,
  passkey jsonb check ((passkey is not null) = (means = 'PASSKEY')),
  -- Null where the act was given by command.
  origin jsonb,
  batch_id text collate "C",
  -- What hides the entry of this act; 32 hexadecimal digits.
  batch_salt text collate "C" check (batch_salt ~ '^[0-9a-f]{32}$'),
  provider jsonb,
  primary key (workspace_id, id),
  foreign key (workspace_id, batch_id) references signing_batch (workspace_id, id),
  check ((batch_id is null) = (batch_salt is null)),
  constraint signing_provider_check check ((provider is not null) = (means = 'PROVIDER'))
);
-- One sign-in at the provider signs once: one act, or one list of several.
create unique index signing_provider_once on signing (workspace_id, (provider ->> 'random')) where batch_id is null;
call hold_to_workspace('signing', 'workspace_id');
call make_append_only('signing');
grant select, insert on signing to assize_app;

-- The receipt of a period that somebody signed: the number and how it came about, as it was shown.
create table signed_receipt (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  period text collate "C" not null,
  receipt_hash text collate "C" not null check (receipt_hash ~ '^[0-9a-f]{64}$'),
  adjustment_date date not null,
  receipt text not null,
  carried jsonb not null,
  seq bigint not null,
  recorded_at timestamptz not null,
  -- Made with the server's secret when the row is appended: a row with another counts for nothing.
  seal bytea not null check (octet_length(seal) = 36),
  primary key (workspace_id, agreement_id, period, receipt_hash),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('signed_receipt', 'workspace_id');
call make_append_only('signed_receipt');
grant select, insert on signed_receipt to assize_app;

-- Nobody signs for both sides of a period, whatever its receipt was and whoever stood where when they signed.
create function refuse_both_sides() returns trigger
language plpgsql set search_path = assize, pg_temp as $$
declare
  signer constant text := (
    select g.person_id from signing g where g.workspace_id = new.workspace_id and g.id = new.signing_id);
begin
  if exists (
    select 1 from sign_off o join signing g on g.workspace_id = o.workspace_id and g.id = o.signing_id
    where o.workspace_id = new.workspace_id and o.agreement_id = new.agreement_id and o.period = new.period and o.party <> new.party
      and (lower(o.signed_by) = lower(new.signed_by) or g.person_id = signer)
  ) then
    raise exception '% has signed % for the other side', new.signed_by, new.period using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A signature of one party under a receipt.
create table sign_off (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  period text collate "C" not null,
  receipt_hash text collate "C" not null,
  party text collate "C" not null check (party in ('buyer', 'supplier')),
  adjustment_date date not null,
  signed_by text not null,
  signed_at timestamptz not null,
  seq bigint not null,
  seal bytea not null check (octet_length(seal) = 36),
  -- The act that gave the signature.
  signing_id text collate "C" not null,
  primary key (workspace_id, agreement_id, period, receipt_hash, party),
  -- Nobody signs for both sides.
  unique (workspace_id, agreement_id, period, receipt_hash, signed_by),
  foreign key (workspace_id, agreement_id, period, receipt_hash)
    references signed_receipt (workspace_id, agreement_id, period, receipt_hash),
  foreign key (workspace_id, seq) references publication (scope, seq),
  foreign key (workspace_id, signing_id) references signing (workspace_id, id)
);
-- What was signed last, without looking at everything that ever was.
create index sign_off_newest on sign_off (workspace_id, seq);
call hold_to_workspace('sign_off', 'workspace_id');
call make_append_only('sign_off');
grant select, insert on sign_off to assize_app;

create trigger one_side before insert on sign_off for each row execute function refuse_both_sides();

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

-- A signature of one party under a change of terms.
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
call hold_to_workspace('terms_change_signature', 'workspace_id');
call make_append_only('terms_change_signature');
grant select, insert on terms_change_signature to assize_app;

create trigger one_side before insert on terms_change_signature
  for each row execute function refuse_both_sides_of_change();

-- A party refuses a change of terms, with the reason.
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
call hold_to_workspace('terms_change_refusal', 'workspace_id');
call make_append_only('terms_change_refusal');
grant select, insert on terms_change_refusal to assize_app;

-- A party objects to a signed number: it is not settled until the objection is answered.
create table objection (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^obj_[0-9a-z]{26}$'),
  agreement_id text collate "C" not null,
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
  foreign key (workspace_id, agreement_id, period, receipt_hash)
    references signed_receipt (workspace_id, agreement_id, period, receipt_hash),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index objection_agreement on objection (workspace_id, agreement_id, seq);
call hold_to_workspace('objection', 'workspace_id');
call make_append_only('objection');
grant select, insert on objection to assize_app;

-- What became of an objection: answered by the other party, or withdrawn.
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
call hold_to_workspace('objection_answer', 'workspace_id');
call make_append_only('objection_answer');
grant select, insert on objection_answer to assize_app;

-- When a person last looked at a period of a formula, and which number was shown: so that a page can say what has changed since, in
-- whichever browser it is opened. It changes no number; the newest look counts.
create table last_look (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  agreement_id text collate "C" not null,
  period text collate "C" not null check (length(period) <= 40),
  -- Of the receipt that was shown.
  receipt_hash text collate "C" not null check (receipt_hash ~ '^[0-9a-f]{64}$'),
  looked_at timestamptz not null,
  primary key (workspace_id, person_id, agreement_id, period),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade,
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id)
);
call hold_to_workspace('last_look', 'workspace_id');
grant select, insert, update, delete on last_look to assize_app;

-- What was last computed of each agreement for lists and the first page, so that a start knows it at once. A cache: a row is replaced
-- when it is computed again, nothing follows from it, and without our seal it counts for nothing.
create table kept_digest (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  -- The form of the content; another one is ignored.
  shape integer not null,
  -- The newest entries of the workspace and of the public series that it was computed with.
  own_seq bigint not null,
  public_seq bigint not null,
  -- JSON, as it was sealed.
  content text not null,
  seal bytea not null,
  -- Beside its digest, what other lists last knew of an agreement is kept: by list, and by whose part of it that is.
  list text collate "C" not null default 'digests',
  -- The side whose part of the agreement it is; empty for all of it.
  whose text collate "C" not null default '',
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  primary key (workspace_id, list, agreement_id, whose)
);
call hold_to_workspace('kept_digest', 'workspace_id');
grant select, insert, update, delete on kept_digest to assize_app;

-- Figures that agreements of a workspace wait for and that are late or will not come: when each was noticed, the likely cause, and when
-- and why it was over. It changes no number.
create table alarm (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^alm_[0-9a-z]{26}$'),
  series_id text collate "C" not null,
  -- As periods are written: 2026-10, 2026-Q3.
  period text collate "C" not null check (length(period) <= 40),
  -- The likely one as it is now.
  cause text collate "C" not null
    check (cause in ('CANCELLED', 'ENDED', 'PROVIDER', 'MOVED', 'ANSWERED_WITHOUT', 'NOT_RECORDED')),
  -- An instant or a day; null where no date could be said.
  expected_at text collate "C" check (length(expected_at) <= 40),
  raised_at timestamptz not null,
  cleared_at timestamptz,
  cleared_by text collate "C" check (cleared_by in ('VALUE', 'CANCELLED', 'MOVED', 'NOT_AWAITED')),
  primary key (workspace_id, id),
  check ((cleared_at is null) = (cleared_by is null))
);
-- One for each series and period, however many processes notice it; a cancelled release is another than a late one.
create unique index alarm_open on alarm (workspace_id, series_id, period, (cause = 'CANCELLED')) where cleared_at is null;
call hold_to_workspace('alarm', 'workspace_id');
grant select, insert, update (cause, cleared_at, cleared_by) on alarm to assize_app;

-- The workspaces in which something can be waited for.
create function workspaces_with_agreements() returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select distinct a.workspace_id from agreement a order by 1;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function workspaces_with_agreements to assize_app;

-- For monitoring: how many series of each provider are late or cancelled for anybody, and nothing of anybody.
create function late_series() returns table (provider text, late bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select s.provider, count(distinct a.series_id)
    from alarm a join series s on s.id = a.series_id and s.owner in ('public', a.workspace_id)
    where a.cleared_at is null group by s.provider;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function late_series to assize_app;
