-- Operators see every workspace with what it may hold and holds, and set its limits. The application has no right to do so
-- by itself: both functions want the account of an operator.

-- The application holds limits to this bound already; now nobody passes it.
alter table workspace add constraint workspace_highest_quota check (
  greatest(max_formulas, max_series, max_keys, max_vintages, max_people, max_uploads) <= 1000000000000);

-- What each workspace may hold, null where the default holds, and what it holds. Whoever asks sees those it may see.
create view workspace_standing with (security_invoker = true) as
select w.id, w.slug, w.name, w.rate_limit, w.workspace_rate_limit, w.created_at,
  w.max_formulas, w.max_series, w.max_keys, w.max_vintages, w.max_people, w.max_uploads,
  u.formulas as used_formulas, u.series as used_series, u.vintages as used_vintages,
  (select count(*) from api_key k where k.workspace_id = w.id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > clock_timestamp())) as used_keys,
  (select count(*) from member m where m.workspace_id = w.id) as used_people
from workspace w join workspace_use u on u.workspace_id = w.id;
grant select on workspace_standing to assize_app;

create function require_operator(asking text) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  if not exists (select 1 from operator o where o.person_id = asking) then
    raise exception 'only operators of this installation may do this' using errcode = 'insufficient_privilege';
  end if;
end $$;

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

-- `changes` has columns by name: null takes a limit back to its default, what is left out stays, and columns that are no
-- limits are left alone. Says how the workspace stood before; no row where there is none of that slug.
create function set_limits_as_operator(asking text, wanted text, changes jsonb) returns setof workspace
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
      max_vintages = given.max_vintages, max_people = given.max_people, max_uploads = given.max_uploads
    where w.id = held.id;
    return next held;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function set_limits_as_operator to assize_app;
