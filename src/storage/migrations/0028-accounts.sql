-- What a stranger creates under somebody's address costs that person nothing: sign-in finds an account by its hash instead of
-- reading all accounts of the address, an account ends with its last place, and an invitation that nobody accepted ends too
-- (decisions 0463 and 0464).

-- Accounts of an address share their salt, so that a password is worked out once and then looked up. Byte order, because what
-- stands before the last `$` is the salt with its parameters.
create index person_sign_in on person (lower(email), password_hash collate "C") where password_hash is not null;
-- It holds what strangers created as well, and invites the planner to read it.
drop index person_email;

-- The salts of an address, `most` at most: one, unless an operator changed something by hand. Jumps from one to the next, and
-- so takes as long for one account as for thousands.
create function sign_in_salts(given_email text, most integer) returns setof text
language sql stable security definer set search_path = assize, pg_temp as $$
  with recursive salts (salt, place) as (
    (select regexp_replace(p.password_hash, '[^$]*$', ''), 1 from person p
      where lower(p.email) = lower(given_email) and p.password_hash is not null
      order by p.password_hash collate "C" limit 1)
    union all
    select next.salt, s.place + 1 from salts s, lateral (
      select regexp_replace(p.password_hash, '[^$]*$', '') as salt from person p
      where lower(p.email) = lower(given_email) and p.password_hash is not null
        -- No letter of a hash comes after `~`.
        and p.password_hash collate "C" > s.salt || '~'
      order by p.password_hash collate "C" limit 1) next
    where s.place < most)
  select salt from salts order by place
$$;
grant execute on function sign_in_salts to assize_app;

-- From which networks an account was signed in to: people who come from there are not refused because of what others try.
create table known_network (
  -- In lower case.
  email text collate "C" not null,
  network text collate "C" not null check (length(network) <= 60),
  person_id text collate "C" not null references person (id),
  last_at timestamptz not null default clock_timestamp(),
  primary key (email, network, person_id)
);
create index known_network_person on known_network (person_id, last_at);
alter table known_network enable row level security;
insert into known_network (email, network, person_id, last_at)
  select lower(p.email), s.from_address, p.id, max(s.last_seen_at) from session s join person p on p.id = s.person_id
  where s.from_address ~ '^[0-9.]+$' group by 1, 2, 3;

drop function sign_in_addresses(text);

-- All that is needed before a password is worked out, in one statement, the same for an address that nobody has.
create function sign_in_ground(given_email text, from_network text, most_salts integer)
returns table (salts text[], is_known boolean)
language sql stable security definer set search_path = assize, pg_temp as $$
  select array(select sign_in_salts(given_email, most_salts)),
    exists (select 1 from known_network k where k.email = lower(given_email) and k.network = from_network)
$$;
grant execute on function sign_in_ground to assize_app;

-- The accounts of an address that a worked-out password fits, the oldest first.
create function find_by_hash(given_email text, hashes text[], from_network text, most integer)
returns table (id text, email text, name text, password_hash text, is_known boolean)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash, exists (
      select 1 from known_network k
      where k.email = lower(given_email) and k.network = from_network and k.person_id = p.id)
  from person p
  where lower(p.email) = lower(given_email) and p.password_hash is not null and p.password_hash collate "C" = any(hashes)
  order by p.created_at, p.id limit most
$$;
grant execute on function find_by_hash to assize_app;

-- At most `most` of an account, the newest. Written at most once an hour.
create function remember_network(of_person text, from_network text, most integer) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  insert into known_network as k (email, network, person_id)
  select lower(p.email), from_network, p.id from person p where p.id = of_person
  on conflict (email, network, person_id) do update set last_at = excluded.last_at
    where k.last_at < excluded.last_at - interval '1 hour';
  delete from known_network k where k.person_id = of_person and k.network in (
    select o.network from known_network o where o.person_id = of_person order by o.last_at desc, o.network offset most);
end $$;
grant execute on function remember_network to assize_app;

-- The account that had a place before its owner gave it to a new one, with a link for a new password: while the link waits,
-- its old password still leads to it.
alter table member add column replaces text collate "C";
create index member_replaces on member (replaces) where replaces is not null;
grant update (replaces) on member to assize_app;

-- An account ends with its last place: nothing can be done with it, and it would only be in the way of other accounts of the
-- address. What it signed and did stays, under the address. Operators keep theirs.
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
revoke execute on function end_account from public;

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
revoke execute on function end_account_left from public;
drop trigger forget_unused_account on member;
drop function forget_unused_account();
create constraint trigger account_left after delete or update of person_id, joined_at on member
  deferrable initially deferred for each row execute function end_account_left();

create function end_account_of_operator() returns trigger
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform end_account(old.person_id);
  return null;
end $$;
revoke execute on function end_account_of_operator from public;
create constraint trigger account_left after delete on operator
  deferrable initially deferred for each row execute function end_account_of_operator();

-- Invitations of the workspace that is set which nobody accepted, long after their link ended: `most` at a time, their
-- addresses. Without a link they count from when they were made.
create function end_old_invitations(days integer, most integer) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  return query
    with old as (
      select m.person_id from member m
      where m.workspace_id = here and m.joined_at is null
        and coalesce(m.invited_at, m.created_at) < clock_timestamp() - make_interval(days => days)
        and not exists (select 1 from set_up_link l
          where l.person_id = m.person_id and l.expires_at > clock_timestamp() - make_interval(days => days))
      order by m.invited_at limit most for update skip locked),
    ended as (
      delete from member m using old where m.workspace_id = here and m.person_id = old.person_id returning m.person_id)
    select p.email from ended e join person p on p.id = e.person_id;
end $$;
grant execute on function end_old_invitations to assize_app;

-- How many invitations of the workspace that is set wait to be accepted.
create function open_invitations() returns bigint
language sql stable security definer set search_path = assize, pg_temp as $$
  select count(*) from member m
  where m.workspace_id = nullif(current_setting('assize.workspace', true), '') and m.joined_at is null
$$;
grant execute on function open_invitations to assize_app;

-- As before, with `seen` the salts under which the password was worked out, and `first_hash` what fitted the account `known` or,
-- without one, fits none.
create or replace function let_in(invited text, place text, known text, first_hash text, seen text[], at timestamptz,
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

-- Accounts that have no place any more, from before. Invitations that nobody accepted end when their workspace invites again.
do $$
begin
  perform set_config('assize.workspace', '*', true);
  create temporary table gone on commit drop as
    select p.id from person p
    where not exists (select 1 from member m where m.person_id = p.id)
      and not exists (select 1 from operator o where o.person_id = p.id);
  delete from known_network k using gone where k.person_id = gone.id;
  delete from session s using gone where s.person_id = gone.id;
  delete from passkey k using gone where k.person_id = gone.id;
  delete from second_factor f using gone where f.person_id = gone.id;
  delete from recovery_code c using gone where c.person_id = gone.id;
  delete from set_up_link l using gone where l.person_id = gone.id;
  delete from person p using gone where p.id = gone.id;
  drop table gone;
  perform set_config('assize.workspace', '', true);
end $$;
