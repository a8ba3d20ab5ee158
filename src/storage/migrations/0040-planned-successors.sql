-- Agreements that say in advance what takes the place of an index: they are looked for whenever something is known about one,
-- and are few among many.
create index formula_planned on formula (workspace_id, pam_id)
  where jsonb_path_exists(document, '$.inputs.*.successor');
