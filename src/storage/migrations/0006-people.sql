-- People: accounts, their places in workspaces, invitations, operators, and the companies that addresses belong to. An account is reached
-- through functions and places only, because it belongs to no workspace.

-- An account: an address with a password. A person may work in several workspaces, so this table has none; it is reached through
-- functions and places.
create table person (
  id text collate "C" primary key check (id ~ '^usr_[0-9a-z]{26}$'),
  email text not null check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  name text not null check (length(name) <= 200),
  password_hash text,
  created_at timestamptz not null default clock_timestamp()
);
-- Accounts of an address share their salt, so that a password is worked out once and then looked up. Byte order, because what stands
-- before the last `$` is the salt with its parameters.
create index person_sign_in on person (lower(email), password_hash collate "C") where password_hash is not null;
alter table person enable row level security;
grant select (id, email, created_at) on person to assize_app;

create trigger noted before insert or update or delete on person
  for each row execute function note_access('password', 'accounts', 'id', '{name}');

-- An account ends with its last place: nothing can be done with it, and it would only be in the way of other accounts of the address.
-- What it signed and did stays, under the address. Operators keep theirs.
create function end_account(gone text) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  given_email text;
begin
  select lower(p.email) into given_email from person p where p.id = gone;
  if not found then
    return;
  end if;
  -- Nobody joins with it meanwhile: see let_in.
  perform pg_advisory_xact_lock(hashtextextended('account ' || given_email, 0));
  perform set_config('assize.workspace', '*', true);
  if not exists (select 1 from member m where m.person_id = gone)
    and not exists (select 1 from member m where m.replaces = gone and m.joined_at is null)
    and not exists (select 1 from operator o where o.person_id = gone)
  then
    delete from known_network k where k.person_id = gone;
    delete from session s where s.person_id = gone;
    delete from passkey k where k.person_id = gone;
    delete from second_factor f where f.person_id = gone;
    delete from recovery_code c where c.person_id = gone;
    delete from set_up_link l where l.person_id = gone;
    delete from person p where p.id = gone;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;

-- When the transaction ends: a place that was given up may have been taken again by then.
create function end_account_left() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform end_account(old.person_id);
  if old.replaces is not null then
    perform end_account(old.replaces);
  end if;
  return null;
end $$;

-- A person's place in a workspace: invited by somebody, and joined once the link was opened. Whoever leaves has no row.
create table member (
  workspace_id text collate "C" not null references workspace (id),
  person_id text collate "C" not null references person (id),
  role text not null check (role in ('owner', 'editor', 'buyer', 'supplier', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  -- An invitation counts once its own link was opened, with the password that was set by it or that the person has. Whoever sets the
  -- first password of an address by another workspace's link therefore comes into that workspace alone.
  joined_at timestamptz,
  last_seen_at timestamptz,
  -- Names are a workspace's own. Who invited whom, from where, and from where they joined stays with the place it is about.
  name text not null check (length(name) <= 200),
  invited_by text not null,
  invited_at timestamptz not null,
  invited_from text,
  joined_from text,
  -- The account that had a place before its owner gave it to a new one, with a link for a new password: while the link waits, its old
  -- password still leads to it.
  replaces text collate "C",
  primary key (workspace_id, person_id)
);
create index member_person on member (person_id);
create index member_replaces on member (replaces) where replaces is not null;
call hold_to_workspace('member', 'workspace_id');
grant select, insert, delete, update (role, invited_by, invited_at, invited_from, replaces) on member to assize_app;

create policy colleagues on person for select to assize_app using (
  id in (select m.person_id from member m
         where m.workspace_id = (select nullif(current_setting('assize.workspace', true), ''))));

create constraint trigger account_left after delete or update of person_id, joined_at on member
  deferrable initially deferred for each row execute function end_account_left();
create trigger noted before insert or update or delete on member
  for each row execute function note_access('member', 'workspace_id', 'person_id', '{last_seen_at}');

-- The workspaces somebody has joined.
create function memberships_of(of_person text)
returns table (workspace_id text, slug text, name text, role text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select w.id, w.slug, w.name, m.role from member m join workspace w on w.id = m.workspace_id
    where m.person_id = of_person and m.joined_at is not null order by w.slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function memberships_of to assize_app;

-- A one-time link that lets an invited person in, by the hash of its token. `joins`: the workspace that it lets them into.
create table set_up_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  person_id text collate "C" not null references person (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Which workspace its link lets a person into.
  joins text collate "C" not null references workspace (id)
);
-- Links are recorded under their hash in words.
create index set_up_link_subject on set_up_link (joins, (encode(token_hash, 'hex') collate "C"));
alter table set_up_link enable row level security;

create trigger noted before insert or update or delete on set_up_link
  for each row execute function note_access('link', 'joins', 'token_hash', '{}');

-- An account by its id.
create function find_account(wanted text) returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from person p where p.id = wanted
$$;
grant execute on function find_account to assize_app;

-- Finds the person by e-mail, or creates one, and makes them a member of the workspace that is set.
create function admit_person(new_id text, given_email text, given_name text, given_role text, inviter text, address text)
returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform pg_advisory_xact_lock(hashtextextended('member ' || here || ' ' || lower(given_email), 0));
  if exists (select 1 from member m join person p on p.id = m.person_id
      where m.workspace_id = here and lower(p.email) = lower(given_email)) then
    raise exception '% is a member of this workspace already', given_email using errcode = 'unique_violation';
  end if;
  insert into person (id, email, name) values (new_id, given_email, given_name);
  insert into member (workspace_id, person_id, role, name, invited_by, invited_at, invited_from)
  values (here, new_id, given_role, given_name, inviter, clock_timestamp(), address);
  return new_id;
end $$;
grant execute on function admit_person to assize_app;

-- Who let an address into the company it is of: the newest entry about that. Asked for with each request of somebody of a company.
create function admission_of(given_workspace text, given_email text, given_party text)
returns table (seq bigint, kind text, email text, person_id text, done_by text, done_from text, done_role text, done_company text,
  facts jsonb, recorded_at timestamptz, party_id text, seal bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select e.seq, e.kind, e.email, e.person_id, e.done_by, e.done_from, e.done_role, e.done_company, e.facts, e.recorded_at,
      e.party_id, e.seal
    from people_event e join party p on p.workspace_id = e.workspace_id and p.id = e.party_id
    where e.workspace_id = given_workspace and e.email = lower(given_email) and p.slug = given_party
      and (e.kind in ('INVITED', 'MOVED_IN') or e.kind = 'JOINED' and e.facts #> '{identity,group}' is not null)
    order by e.seq desc limit 1;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function admission_of to assize_app;

-- A link for somebody who has not joined the workspace that is set, with or without a password. Links given to them earlier open nothing.
create function issue_set_up_link(of_person text, hash bytea, until timestamptz) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  delete from set_up_link l where l.person_id = of_person and l.used_at is null
    and l.joins = nullif(current_setting('assize.workspace', true), '');
  insert into set_up_link (token_hash, person_id, expires_at, joins)
  select hash, m.person_id, until, m.workspace_id from member m
  where m.person_id = of_person and m.joined_at is null
    and m.workspace_id = nullif(current_setting('assize.workspace', true), '')
  returning true
$$;
grant execute on function issue_set_up_link to assize_app;

-- The account and the workspace that an unused link is for.
create function find_set_up_link(hash bytea, now timestamptz)
returns table (person_id text, email text, workspace_id text, workspace_name text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.id, p.email, w.id, w.name from set_up_link l join person p on p.id = l.person_id
    join member m on m.person_id = l.person_id and m.workspace_id = l.joins and m.joined_at is null
    join workspace w on w.id = l.joins
    where l.token_hash = hash and l.used_at is null and l.expires_at > now;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_set_up_link to assize_app;

-- Lets who was invited into the workspace: as the account `known`, whose password was checked, or as the one that was made for them, with
-- its first password. `seen` are the salts under which the password was worked out, and `first_hash` what fitted the account `known` or,
-- without one, fits none: where there are other salts by now, nothing is done and nobody let in. Says which account it is.
create function let_in(invited text, place text, known text, first_hash text, seen text[], at timestamptz,
  address text) returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_email text;
begin
  select lower(p.email) into given_email from person p where p.id = invited and p.password_hash is null;
  if not found then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('account ' || given_email, 0));
  if seen is distinct from array(select sign_in_salts(given_email, cardinality(seen) + 1)) then
    return null;
  end if;
  -- What fits now has to be what fitted then.
  if known is distinct from (select f.id from find_by_hash(given_email, array[first_hash], '', 1) f) then
    return null;
  end if;
  update member m set joined_at = at, joined_from = address
  where m.workspace_id = place and m.person_id = invited and m.joined_at is null;
  if not found then
    return null;
  end if;
  if known is null then
    update person p set password_hash = first_hash where p.id = invited and p.password_hash is null;
    return invited;
  end if;
  update member m set person_id = known where m.workspace_id = place and m.person_id = invited;
  update set_up_link l set person_id = known where l.person_id = invited;
  delete from person p where p.id = invited;
  return known;
end $$;

-- Lets an invited person into the workspace that is set.
create function join_here(invited text, known text, first_hash text, seen text[]) returns text
language sql security definer set search_path = assize, pg_temp as $$
  select let_in(invited, nullif(current_setting('assize.workspace', true), ''), known, first_hash, seen, clock_timestamp(),
    null)
$$;
grant execute on function join_here to assize_app;

-- One statement, so that a link opens once even when it is used twice at the same moment.
create function redeem_set_up_link(hash bytea, known text, first_hash text, seen text[], now timestamptz, address text)
returns table (person_id text, workspace_id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  link set_up_link%rowtype;
  let_in_as text;
begin
  select * into link from set_up_link l
  where l.token_hash = hash and l.used_at is null and l.expires_at > now for update;
  if not found then
    return;
  end if;
  perform set_config('assize.workspace', '*', true);
  let_in_as := let_in(link.person_id, link.joins, known, first_hash, seen, now, address);
  if let_in_as is not null then
    update set_up_link l set used_at = now where l.token_hash = hash;
    return query select let_in_as, link.joins;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function redeem_set_up_link to assize_app;

-- How many invitations of the workspace that is set wait to be accepted.
create function open_invitations() returns bigint
language sql stable security definer set search_path = assize, pg_temp as $$
  select count(*) from member m
  where m.workspace_id = nullif(current_setting('assize.workspace', true), '') and m.joined_at is null
$$;
grant execute on function open_invitations to assize_app;

-- Invitations of the workspace that is set which nobody accepted, long after their link ended: `most` at a time, their addresses. Without
-- a link they count from when they were made.
create function end_old_invitations(days integer, most integer) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  return query
    with old as (
      select m.person_id from member m
      where m.workspace_id = here and m.joined_at is null
        and m.invited_at < clock_timestamp() - make_interval(days => days)
        and not exists (select 1 from set_up_link l
          where l.person_id = m.person_id and l.expires_at > clock_timestamp() - make_interval(days => days))
      order by m.invited_at limit most for update skip locked),
    ended as (
      delete from member m using old where m.workspace_id = here and m.person_id = old.person_id returning m.person_id)
    select p.email from ended e join person p on p.id = e.person_id;
end $$;
grant execute on function end_old_invitations to assize_app;

-- One-time links of the workspace that is set which somebody gave to others and nobody has used. The invitations stay; another link can
-- be given. The addresses they were for.
create function end_links_given_by(giver text) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  return query
    with ended as (
      delete from set_up_link l using member m
      where l.joins = here and l.used_at is null and m.workspace_id = here and m.person_id = l.person_id
        and m.joined_at is null and lower(m.invited_by) = lower(giver)
      returning l.person_id)
    select p.email from ended e join person p on p.id = e.person_id order by 1;
end $$;
grant execute on function end_links_given_by to assize_app;

-- The account of somebody who is an operator no more ends where it has no place in any workspace.
create function end_account_of_operator() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform end_account(old.person_id);
  return null;
end $$;

-- People who decide for the whole installation. An account, not an address: anybody may be invited under any address.
create table operator (
  person_id text collate "C" primary key references person (id),
  added_by text not null,
  added_at timestamptz not null default clock_timestamp()
);
alter table operator enable row level security;

create constraint trigger account_left after delete on operator
  deferrable initially deferred for each row execute function end_account_of_operator();
create trigger noted before insert or update or delete on operator
  for each row execute function note_access('operator', 'accounts', 'person_id', '{}');

-- Everybody who decides for the whole installation.
create function operators() returns table (person_id text, email text, added_by text, added_at timestamptz)
language sql stable security definer set search_path = assize, pg_temp as $$
  select o.person_id, p.email, o.added_by, o.added_at from operator o join person p on p.id = o.person_id
  order by lower(p.email), o.person_id
$$;
grant execute on function operators to assize_app;

-- Refuses who is no operator.
create function require_operator(asking text) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  if not exists (select 1 from operator o where o.person_id = asking) then
    raise exception 'only operators of this installation may do this' using errcode = 'insufficient_privilege';
  end if;
end $$;

-- A company that a workspace agrees with.
create table party (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^pty_[0-9a-z]{26}$'),
  slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);
call hold_to_workspace('party', 'workspace_id');
call make_append_only('party');
grant select, insert on party to assize_app;

-- What a company is called from this entry on. Receipts name companies, and what was answered as known then is answered so again.
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
call hold_to_workspace('party_name', 'workspace_id');
call make_append_only('party_name');
grant select, insert on party_name to assize_app;

-- An address belongs to a company, or no longer does. By address and not by account: an invitation may be joined with another account of
-- the same address. Of an address the newest row counts, so nobody is in two companies, and it counts only while a member has the
-- address.
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
call hold_to_workspace('party_member', 'workspace_id');
call make_append_only('party_member');
grant select, insert on party_member to assize_app;

create trigger noted before insert on party_member
  for each row execute function note_access('company', 'workspace_id', 'email', '{}');

-- The company of each address that has one. Whoever asks sees those of their workspace.
create view company_of_address with (security_invoker = true) as
select newest.workspace_id, newest.email, p.slug
from (
  select distinct on (m.workspace_id, m.email) m.workspace_id, m.email, m.party_id, m.belongs
  from party_member m order by m.workspace_id, m.email, m.seq desc) newest
join party p on p.workspace_id = newest.workspace_id and p.id = newest.party_id
where newest.belongs;
grant select on company_of_address to assize_app;

-- The company of a person who has just signed in, before the workspace is set.
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

-- Each row is a publication. `party_id` is the company it is about; null for people without one.
create table people_event (
  workspace_id text collate "C" not null references workspace (id),
  seq bigint not null,
  party_id text collate "C",
  kind text collate "C" not null check (kind in ('INVITED', 'PASSWORD_LINK', 'JOINED', 'JOINED_AGAIN', 'PASSWORD_SET',
    'PASSKEY', 'FACTORS_RESET', 'MOVED_IN', 'MOVED_OUT', 'REMOVED', 'WITHDRAWN', 'ADMINISTRATOR', 'CONFIRMED')),
  -- Whom it is about.
  email text collate "C" not null check (email = lower(email)),
  person_id text collate "C",
  -- Who did it: an address, or the operator; from which side; and their role and company then.
  done_by text not null check (done_by <> ''),
  done_from text collate "C" not null check (done_from in ('OPERATOR', 'COMPANY', 'WORKSPACE')),
  done_role text collate "C",
  done_company text collate "C",
  facts jsonb,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index people_event_party on people_event (workspace_id, party_id, seq);
create index people_event_email on people_event (workspace_id, email, seq);
call hold_to_workspace('people_event', 'workspace_id');
call make_append_only('people_event');
grant select, insert on people_event to assize_app;

-- Up to which of them each person has looked.
create table people_seen (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  seen_seq bigint not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
call hold_to_workspace('people_seen', 'workspace_id');
grant select, insert, update, delete on people_seen to assize_app;
