-- Parties as companies: a formula may name one in place of addresses, and its people see and sign what names it. What
-- changes about them is appended with its place in the sequence, never updated.

create table party (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^pty_[0-9a-z]{26}$'),
  slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);

-- Receipts name companies, and what was answered as known then is answered so again: every name is kept.
create table party_name (
  workspace_id text collate "C" not null,
  party_id text collate "C" not null,
  seq bigint not null,
  name text not null check (name <> '' and length(name) <= 200),
  recorded_at timestamptz not null,
  primary key (workspace_id, party_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);

-- By address and not by account: an invitation may be joined with another account of the same address. Of an address the
-- newest row counts, so nobody is in two companies, and it counts only while a member of the workspace has the address.
create table party_member (
  workspace_id text collate "C" not null references workspace (id),
  seq bigint not null,
  email text collate "C" not null check (email = lower(email)),
  party_id text collate "C" not null,
  -- False where the address left the company.
  belongs boolean not null,
  recorded_at timestamptz not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index party_member_newest on party_member (workspace_id, email, seq desc);

call hold_to_workspace('party', 'workspace_id');
call hold_to_workspace('party_name', 'workspace_id');
call hold_to_workspace('party_member', 'workspace_id');
call make_append_only('party');
call make_append_only('party_name');
call make_append_only('party_member');
grant select, insert on party, party_name, party_member to assize_app;

-- The company of each address that has one. Whoever asks sees those of their workspace.
create view company_of_address with (security_invoker = true) as
select newest.workspace_id, newest.email, p.slug
from (
  select distinct on (m.workspace_id, m.email) m.workspace_id, m.email, m.party_id, m.belongs
  from party_member m order by m.workspace_id, m.email, m.seq desc) newest
join party p on p.workspace_id = newest.workspace_id and p.id = newest.party_id
where newest.belongs;
grant select on company_of_address to assize_app;

-- For who has just shown whose session it is, before the workspace is set.
create function company_of(place text, address text) returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  company text;
begin
  perform set_config('assize.workspace', '*', true);
  select p.slug into company
  from (
    select m.party_id, m.belongs from party_member m where m.workspace_id = place and m.email = lower(address)
    order by m.seq desc limit 1) newest
  join party p on p.workspace_id = place and p.id = newest.party_id
  where newest.belongs;
  perform set_config('assize.workspace', before, true);
  return company;
end $$;
grant execute on function company_of to assize_app;
