-- Price lists of agreements, factors between units, and quantities that were declared. What changes is appended with its
-- place in the sequence, never updated.

-- One version of a list: its rows as they were written, as JSON text, by item and quantity.
create table price_list (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  version integer not null check (version >= 1),
  seq bigint not null,
  -- The period from which it governs: `start` or a label.
  from_period text collate "C" not null check (from_period <> ''),
  from_date date not null,
  items integer not null check (items >= 1),
  list_rows text not null,
  created_by text not null check (created_by <> ''),
  recorded_at timestamptz not null,
  primary key (workspace_id, pam_id, version),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

-- Under which keys a version has items, earlier keys included: an invoice line that names no agreement is found by its item.
create table price_list_key (
  workspace_id text collate "C" not null,
  item_key text collate "C" not null check (item_key <> ''),
  pam_id text collate "C" not null,
  version integer not null,
  primary key (workspace_id, item_key, pam_id, version),
  foreign key (workspace_id, pam_id, version) references price_list (workspace_id, pam_id, version)
);
create index price_list_key_of_version on price_list_key (workspace_id, pam_id, version);

-- Of two units, in either order and without case, the newest row counts.
create table unit_factor (
  workspace_id text collate "C" not null references workspace (id),
  seq bigint not null,
  unit text not null check (unit <> '' and length(unit) <= 60),
  other text not null check (other <> '' and length(other) <= 60),
  -- How many of the other make one of the unit, as it was written.
  factor text collate "C" not null check (factor ~ '^[0-9.]{1,61}$'),
  set_by text not null check (set_by <> ''),
  recorded_at timestamptz not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

-- Of an item in a period the newest row counts.
create table quantity (
  workspace_id text collate "C" not null,
  pam_id text collate "C" not null,
  item text collate "C" not null check (item <> ''),
  period text collate "C" not null check (period <> ''),
  seq bigint not null,
  quantity text collate "C" not null check (quantity ~ '^-?[0-9.]{1,61}$'),
  declared_by text not null check (declared_by <> ''),
  recorded_at timestamptz not null,
  primary key (workspace_id, pam_id, item, period, seq),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index quantity_of_publication on quantity (workspace_id, seq);

call hold_to_workspace('price_list', 'workspace_id');
call hold_to_workspace('price_list_key', 'workspace_id');
call hold_to_workspace('unit_factor', 'workspace_id');
call hold_to_workspace('quantity', 'workspace_id');
call make_append_only('price_list');
call make_append_only('price_list_key');
call make_append_only('unit_factor');
call make_append_only('quantity');
grant select, insert on price_list, price_list_key, unit_factor, quantity to assize_app;

-- Differences of invoice lines up to so many percent are tolerated; null: none are.
alter table workspace add column price_tolerance text collate "C" check (price_tolerance ~ '^[0-9.]{1,20}$');
