-- When a person last looked at a period of a formula, and which number was shown: so that a page can say what has changed since,
-- in whichever browser it is opened. It changes no number; the newest look counts.
create table last_look (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  pam_id text collate "C" not null,
  period text collate "C" not null check (length(period) <= 40),
  -- Of the receipt that was shown.
  receipt_hash text collate "C" not null check (receipt_hash ~ '^[0-9a-f]{64}$'),
  looked_at timestamptz not null,
  primary key (workspace_id, person_id, pam_id, period),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade,
  foreign key (workspace_id, pam_id) references pam (workspace_id, id)
);

call hold_to_workspace('last_look', 'workspace_id');
grant select, insert, update, delete on last_look to assize_app;
