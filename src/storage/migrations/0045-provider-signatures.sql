-- Signatures that a company's identity provider vouches for: the ID token, the 32 bytes in its nonce, and the provider's key as it
-- was. All of it is hashed with the act of signing.
alter table signing drop constraint signing_means_check;
alter table signing add constraint signing_means_check
  check (means in ('PASSKEY', 'PROVIDER', 'PASSWORD', 'OPERATOR'));
alter table signing
  add column provider jsonb,
  add constraint signing_provider_check check ((provider is not null) = (means = 'PROVIDER'));
-- One sign-in at the provider signs once: one act, or one list of several.
create unique index signing_provider_once on signing (workspace_id, (provider ->> 'random')) where batch_id is null;

alter table signing_batch
  add column provider jsonb,
  add constraint signing_batch_provider_check check (provider is null or passkey is null);
create unique index signing_batch_provider_once on signing_batch (workspace_id, (provider ->> 'random'));

-- What somebody asked to sign and is at their provider for: encrypted, taken once, within minutes.
create table awaited_signing (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^asg_[0-9a-z]{26}$'),
  person_id text collate "C" not null,
  asked bytea not null,
  -- What the provider vouches for, once they are back.
  proof bytea,
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create index awaited_signing_expires on awaited_signing (expires_at);
call hold_to_workspace('awaited_signing', 'workspace_id');
grant select, insert, delete, update (proof) on awaited_signing to assize_app;
