-- Beside its digest, what other lists last knew of an agreement is kept: by list, and by whose part of it that is.
alter table kept_digest
  add column list text collate "C" not null default 'digests',
  -- The side whose part of the agreement it is; empty for all of it.
  add column whose text collate "C" not null default '',
  drop constraint kept_digest_pkey,
  add primary key (workspace_id, list, pam_id, whose);
