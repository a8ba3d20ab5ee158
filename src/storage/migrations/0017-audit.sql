-- Acts of people and operators, for who watches the installation from outside, and how far each destination was told.

-- An act of a person or an operator, numbered once its transaction is over.
create table audit_act (
  id text collate "C" primary key check (id ~ '^aud_[0-9a-z]{26}$'),
  -- Its place in the order. It is given once its transaction is over, because only then is it known what comes before it.
  number bigint unique check (number >= 1),
  at timestamptz not null default clock_timestamp(),
  -- A workspace, or 'installation'.
  tenant text collate "C" not null check (tenant = 'installation' or tenant ~ '^wsp_[0-9a-z]{26}$'),
  -- What kind of act; see src/core/people/acts.ts.
  act text collate "C" not null check (length(act) between 1 and 60),
  who text not null,
  person_id text collate "C",
  from_address text,
  said text not null,
  subject text not null
);
create index audit_act_new on audit_act (at, id) where number is null;
create index audit_act_at on audit_act (at);
call make_append_only('audit_act');

-- A list of acts, in their order.
create function note_acts(given jsonb) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  insert into audit_act (id, tenant, act, who, person_id, from_address, said, subject)
  select a.id, a.tenant, a.act, a.who, a.person_id, a.from_address, a.said, a.subject
  from jsonb_array_elements(given) with ordinality as e (each, place)
  cross join lateral jsonb_to_record(e.each) as a (id text, tenant text, act text, who text, person_id text,
    from_address text, said text, subject text)
  order by e.place;
end $$;
grant execute on function note_acts to assize_app;

-- Gives numbers to acts that have none, one process at a time. Each statement sees what was committed when it began, and the lock is
-- taken before: an act that was over before another began has the smaller number.
create function number_acts(most integer) returns integer
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  last bigint;
  given integer;
begin
  if not exists (select 1 from audit_act a where a.number is null) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtext('assize audit numbers'));
  select coalesce(max(a.number), 0) into last from audit_act a;
  perform set_config('assize.redacting', pg_current_xact_id()::text, true);
  update audit_act a set number = last + n.place
  from (
    select f.id, row_number() over (order by f.at, f.id) as place
    from (select u.id, u.at from audit_act u where u.number is null order by u.at, u.id limit most) f) n
  where a.id = n.id;
  get diagnostics given = row_count;
  perform set_config('assize.redacting', '', true);
  return given;
end $$;
grant execute on function number_acts to assize_app;

-- Behind a number; of a span of time where one is given, both ends included.
create function read_acts(behind bigint, most integer, from_at timestamptz, to_at timestamptz)
returns table (id text, number bigint, at timestamptz, tenant text, act text, who text, person_id text, from_address text,
  said text, subject text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select a.id, a.number, a.at, a.tenant, a.act, a.who, a.person_id, a.from_address, a.said, a.subject from audit_act a
  where a.number > behind and (from_at is null or a.at >= from_at) and (to_at is null or a.at <= to_at)
  order by a.number limit most
$$;
grant execute on function read_acts to assize_app;

-- How far each destination was told, and which process tells it.
create table audit_place (
  destination text collate "C" primary key check (length(destination) <= 600),
  number bigint not null default 0,
  holder text collate "C",
  held_until timestamptz,
  failing_since timestamptz
);

-- Where to go on, for the process that tells this destination from now on; nothing while another one does. The newest of them that looked
-- keeps it until it lets go or was silent for so long.
create function hold_audit_place(given text, by text, hold_ms integer) returns bigint
language sql security definer set search_path = assize, pg_temp as $$
  insert into audit_place as p (destination, holder, held_until)
  values (given, by, clock_timestamp() + make_interval(secs => hold_ms / 1000.0))
  on conflict (destination) do update set holder = excluded.holder, held_until = excluded.held_until
    where p.holder is null or p.holder = excluded.holder or p.held_until <= clock_timestamp()
  returning p.number
$$;
grant execute on function hold_audit_place to assize_app;

-- What was told moves the place on, as long as it is still this process that tells.
create function move_audit_place(given text, by text, behind bigint, reached bigint, hold_ms integer) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  update audit_place p
  set number = reached, failing_since = null, held_until = clock_timestamp() + make_interval(secs => hold_ms / 1000.0)
  where p.destination = given and p.holder = by and p.number = behind;
  return found;
end $$;
grant execute on function move_audit_place to assize_app;

-- Notes since when a destination refuses what it is told.
create function fail_audit_place(given text, by text) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update audit_place p set failing_since = coalesce(p.failing_since, clock_timestamp())
  where p.destination = given and p.holder = by
$$;
grant execute on function fail_audit_place to assize_app;

-- Gives a destination back to whichever process asks next.
create function leave_audit_place(given text, by text) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update audit_place p set holder = null, held_until = null where p.destination = given and p.holder = by
$$;
grant execute on function leave_audit_place to assize_app;

-- What was deleted waits for nobody.
create function audit_health(given text) returns table (waiting bigint, oldest_seconds bigint, failing_seconds bigint)
language sql stable security definer set search_path = assize, pg_temp as $$
  with place as (select coalesce((select p.number from audit_place p where p.destination = given), 0) as number),
  waits as (
    (select a.at, a.number from audit_act a where a.number > (select number from place) order by a.number limit 1)
    union all (select a.at, a.number from audit_act a where a.number is null order by a.at limit 1))
  select (select count(*) from audit_act a where a.number is null)
      + coalesce((select max(a.number) from audit_act a) - (select min(w.number) from waits w) + 1, 0),
    coalesce((select max(ceil(extract(epoch from clock_timestamp() - w.at))) from waits w), 0)::bigint,
    coalesce((select ceil(extract(epoch from clock_timestamp() - p.failing_since)) from audit_place p
      where p.destination = given), 0)::bigint
$$;
grant execute on function audit_health to assize_app;

-- Deletes acts from before an instant, some at a time: none that this destination, or one that was told within a day, was not told yet;
-- and never the last one, behind which numbers go on. How many.
create function prune_acts(given text, done_before timestamptz, most integer) returns bigint
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  reached bigint;
  is_told boolean;
  deleted bigint;
begin
  select coalesce(min(p.number), 0), given is not null or count(*) > 0 into reached, is_told from audit_place p
  where p.destination = given or p.held_until > clock_timestamp() - interval '1 day';
  if not is_told then
    select coalesce(max(a.number), 0) into reached from audit_act a;
  end if;
  perform set_config('assize.pruning', pg_current_xact_id()::text, true);
  with old as (
    select a.id from audit_act a
    where a.at < done_before and case when a.number is null then not is_told
      else a.number <= reached and a.number < (select max(l.number) from audit_act l) end
    order by a.at limit most for update skip locked),
  gone as (delete from audit_act a using old o where a.id = o.id returning 1)
  select count(*) into deleted from gone;
  perform set_config('assize.pruning', '', true);
  return deleted;
end $$;
grant execute on function prune_acts to assize_app;
