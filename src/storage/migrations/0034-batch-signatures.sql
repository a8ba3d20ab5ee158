-- Corrections that wait for a signature are a kind of mail of their own.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check
  check (kind in ('invitation', 'reset', 'people', 'signature', 'correction', 'objection', 'revision', 'late'));
-- When the last mail of a kind went to an address: the next one waits for a while.
create index mail_recent on mail (workspace_id, email, kind, made_at);
