-- Invoice lines that are kept, and what a workspace may hold of them and of prices. Lines are added, never changed: what was
-- imported by mistake is undone by opposite lines.

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
  primary key (workspace_id, id),
  unique (workspace_id, seq),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index invoice_by_number on invoice (workspace_id, number, supplier);

create table invoice_line (
  workspace_id text collate "C" not null,
  id text collate "C" not null check (id ~ '^inl_[0-9a-z]{26}$'),
  invoice_id text collate "C" not null,
  line text collate "C" not null check (line <> ''),
  pam_id text collate "C" not null,
  date date,
  kind text collate "C" not null check (kind in ('INVOICE', 'CREDIT_NOTE', 'DEBIT_NOTE', 'CORRECTION')),
  -- The fields as they were written, as JSON text with sorted keys.
  fields text not null,
  -- The line that this one undoes.
  reverses text collate "C",
  primary key (workspace_id, id),
  foreign key (workspace_id, invoice_id) references invoice (workspace_id, id),
  foreign key (workspace_id, pam_id) references pam (workspace_id, id),
  foreign key (workspace_id, reverses) references invoice_line (workspace_id, id),
  -- A line is undone once.
  unique (workspace_id, reverses)
);
create index invoice_line_of_invoice on invoice_line (workspace_id, invoice_id);
create index invoice_line_of_pam on invoice_line (workspace_id, pam_id, date);
create index invoice_line_by_date on invoice_line (workspace_id, date);

call hold_to_workspace('invoice', 'workspace_id');
call hold_to_workspace('invoice_line', 'workspace_id');
call make_append_only('invoice');
call make_append_only('invoice_line');
grant select, insert on invoice, invoice_line to assize_app;

alter table workspace
  add column max_prices bigint check (max_prices >= 0),
  add column max_lines bigint check (max_lines >= 0);
alter table workspace drop constraint workspace_highest_quota;
alter table workspace add constraint workspace_highest_quota check (
  greatest(max_formulas, max_series, max_keys, max_vintages, max_people, max_uploads, max_prices, max_lines)
    <= 1000000000000);

alter table workspace_use
  -- Keys of items in all versions of its price lists, and declared quantities.
  add column prices bigint not null default 0,
  -- Kept invoice lines.
  add column lines bigint not null default 0;
create trigger counts after insert on price_list_key referencing new table as added
  for each statement execute function count_use('prices', 'workspace_id');
create trigger counts after insert on quantity referencing new table as added
  for each statement execute function count_use('prices', 'workspace_id');
create trigger counts after insert on invoice_line referencing new table as added
  for each statement execute function count_use('lines', 'workspace_id');

drop function workspaces_for_operator(text);
drop view workspace_standing;
create view workspace_standing with (security_invoker = true) as
select w.id, w.slug, w.name, w.rate_limit, w.workspace_rate_limit, w.created_at,
  w.max_formulas, w.max_series, w.max_keys, w.max_vintages, w.max_people, w.max_uploads, w.max_prices, w.max_lines,
  u.formulas as used_formulas, u.series as used_series, u.vintages as used_vintages, u.prices as used_prices,
  u.lines as used_lines,
  (select count(*) from api_key k where k.workspace_id = w.id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > clock_timestamp())) as used_keys,
  (select count(*) from member m where m.workspace_id = w.id) as used_people
from workspace w join workspace_use u on u.workspace_id = w.id;
grant select on workspace_standing to assize_app;

create function workspaces_for_operator(asking text) returns setof workspace_standing
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform require_operator(asking);
  perform set_config('assize.workspace', '*', true);
  return query select * from workspace_standing w order by w.slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function workspaces_for_operator to assize_app;

create or replace function set_limits_as_operator(asking text, wanted text, changes jsonb) returns setof workspace
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  held workspace%rowtype;
  given workspace%rowtype;
begin
  perform require_operator(asking);
  perform set_config('assize.workspace', '*', true);
  select * into held from workspace w where w.slug = wanted for no key update;
  if found then
    given := jsonb_populate_record(held, changes);
    update workspace w set rate_limit = given.rate_limit, workspace_rate_limit = given.workspace_rate_limit,
      max_formulas = given.max_formulas, max_series = given.max_series, max_keys = given.max_keys,
      max_vintages = given.max_vintages, max_people = given.max_people, max_uploads = given.max_uploads,
      max_prices = given.max_prices, max_lines = given.max_lines
    where w.id = held.id;
    return next held;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
