-- Price lists, units, quantities, lines of invoices, and what a company keeps for notes of corrections.

-- One version of a list: its rows as they were written, as JSON text, by item and quantity.
create table price_list (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  version integer not null check (version >= 1),
  seq bigint not null,
  -- The period from which it governs: `start` or a label.
  from_period text collate "C" not null check (from_period <> ''),
  from_date date not null,
  items integer not null check (items >= 1),
  list_rows text not null,
  created_by text not null check (created_by <> ''),
  recorded_at timestamptz not null,
  -- The change that the version came about by; null for one that one side applied alone.
  proposal text collate "C",
  -- The last date that both had signed, where a first list reaches back: until then the contract's own price stays an item.
  own_price_until date,
  primary key (workspace_id, agreement_id, version),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq),
  foreign key (workspace_id, proposal) references terms_change (workspace_id, id)
);
create unique index price_list_proposal on price_list (workspace_id, proposal) where proposal is not null;
call hold_to_workspace('price_list', 'workspace_id');
call make_append_only('price_list');
grant select, insert on price_list to assize_app;

-- Under which keys a version has items, earlier keys included: an invoice line that names no agreement is found by its item.
create table price_list_key (
  workspace_id text collate "C" not null,
  item_key text collate "C" not null check (item_key <> ''),
  agreement_id text collate "C" not null,
  version integer not null,
  primary key (workspace_id, item_key, agreement_id, version),
  foreign key (workspace_id, agreement_id, version) references price_list (workspace_id, agreement_id, version)
);
create index price_list_key_of_version on price_list_key (workspace_id, agreement_id, version);
call hold_to_workspace('price_list_key', 'workspace_id');
call make_append_only('price_list_key');
grant select, insert on price_list_key to assize_app;

create trigger counts after insert on price_list_key referencing new table as added
  for each statement execute function count_use('prices', 'workspace_id');

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
call hold_to_workspace('unit_factor', 'workspace_id');
call make_append_only('unit_factor');
grant select, insert on unit_factor to assize_app;

-- Of an item in a period the newest row counts.
create table quantity (
  workspace_id text collate "C" not null,
  agreement_id text collate "C" not null,
  item text collate "C" not null check (item <> ''),
  period text collate "C" not null check (period <> ''),
  seq bigint not null,
  quantity text collate "C" not null check (quantity ~ '^-?[0-9.]{1,61}$'),
  declared_by text not null check (declared_by <> ''),
  recorded_at timestamptz not null,
  primary key (workspace_id, agreement_id, item, period, seq),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index quantity_of_publication on quantity (workspace_id, seq);
call hold_to_workspace('quantity', 'workspace_id');
call make_append_only('quantity');
grant select, insert on quantity to assize_app;

create trigger counts after insert on quantity referencing new table as added
  for each statement execute function count_use('prices', 'workspace_id');

-- Lines of one invoice that came together, or the lines that undo them.
create table invoice (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^inv_[0-9a-z]{26}$'),
  seq bigint not null,
  -- Whose invoice numbers these are.
  supplier text collate "C" not null check (supplier <> ''),
  number text collate "C" not null check (number <> ''),
  imported_by text not null check (imported_by <> ''),
  recorded_at timestamptz not null,
  -- The form by which invoice numbers are compared, beside the number as it was written.
  number_key text collate "C" not null check (number_key <> ''),
  primary key (workspace_id, id),
  unique (workspace_id, seq),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index invoice_by_number on invoice (workspace_id, number, supplier);
create index invoice_by_number_key on invoice (workspace_id, number_key);
call hold_to_workspace('invoice', 'workspace_id');
call make_append_only('invoice');
grant select, insert on invoice to assize_app;

-- One line of an invoice: an item, a quantity, a price, and the line that it undoes, where it does.
create table invoice_line (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^inl_[0-9a-z]{26}$'),
  invoice_id text collate "C" not null,
  line text collate "C" not null check (line <> ''),
  agreement_id text collate "C" not null,
  date date,
  kind text collate "C" not null check (kind in ('INVOICE', 'CREDIT_NOTE', 'DEBIT_NOTE', 'CORRECTION')),
  -- The fields as they were written, as JSON text with sorted keys.
  fields text not null,
  -- The line that this one undoes.
  reverses text collate "C",
  primary key (workspace_id, id),
  foreign key (workspace_id, invoice_id) references invoice (workspace_id, id),
  foreign key (workspace_id, agreement_id) references agreement (workspace_id, id),
  foreign key (workspace_id, reverses) references invoice_line (workspace_id, id),
  -- A line is undone once.
  unique (workspace_id, reverses)
);
create index invoice_line_of_invoice on invoice_line (workspace_id, invoice_id);
create index invoice_line_of_agreement on invoice_line (workspace_id, agreement_id, date);
create index invoice_line_by_date on invoice_line (workspace_id, date);
call hold_to_workspace('invoice_line', 'workspace_id');
call make_append_only('invoice_line');
grant select, insert on invoice_line to assize_app;

create trigger counts after insert on invoice_line referencing new table as added
  for each statement execute function count_use('lines', 'workspace_id');

-- What companies keep for notes of corrections: addresses, tax identifiers, accounts, contacts (decision 0772). Every version stays; of a
-- company the newest counts, and of a note the newest before it.
create table party_billing (
  workspace_id text collate "C" not null references workspace (id),
  -- Null: of the workspace itself, which buys where an agreement names no company as its buyer.
  party_id text collate "C",
  seq bigint not null,
  -- Texts by the name of the field; empty where everything was taken back.
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  set_by text not null check (set_by <> ''),
  recorded_at timestamptz not null,
  -- Money goes to the account it names: a row without our seal is not used.
  seal bytea not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
call hold_to_workspace('party_billing', 'workspace_id');
call make_append_only('party_billing');
grant select, insert on party_billing to assize_app;
