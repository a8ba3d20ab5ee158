-- Acts that are old enough are deleted where the operator asks for it (decision 0800), and operators are told of drifts by mail.

-- Rows that are append-only are changed by `redact_row` alone; acts are deleted by `prune_acts` alone.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('assize.redacting', true) = pg_current_xact_id()::text then
    return null;
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'audit_act'
      and current_setting('assize.pruning', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end $$;

-- Deletes acts from before an instant, some at a time: none that this destination, or one that was told within a day, was not told
-- yet; and never the last one, behind which numbers go on. How many.
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

-- What was deleted waits for nobody.
create or replace function audit_health(given text) returns table (waiting bigint, oldest_seconds bigint, failing_seconds bigint)
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

alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in
  ('invitation', 'reset', 'people', 'signature', 'correction', 'objection', 'revision', 'late', 'webhook', 'drift'));
