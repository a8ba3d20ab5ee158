-- API keys, addresses of calendar feeds, and the limits that an operator sets.

-- A key of a program: by its digest, because the key itself is shown once and kept nowhere.
create table api_key (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^key_[0-9a-z]{26}$'),
  name text not null check (name <> '' and length(name) <= 200),
  digest bytea not null unique check (octet_length(digest) = 36),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- What a key may read: `read`, `money` (invoices, checks and ledgers as well) or `all`.
  key_scope text collate "C" not null default 'read' check (key_scope in ('read', 'money', 'all')),
  -- Who made the key, and so knows it: an address, or `operator`.
  made_by text not null check (length(made_by) <= 254),
  primary key (workspace_id, id)
);
call hold_to_workspace('api_key', 'workspace_id');
grant select, insert, update (name, digest, expires_at, revoked_at) on api_key to assize_app;

create trigger noted before insert or update or delete on api_key
  for each row execute function note_access('key', 'workspace_id', 'id', '{last_used_at}');

-- A key is looked up before its workspace is known: by its digest, one row or none.
create function find_api_key(wanted bytea)
returns table (workspace_id text, workspace_slug text, rate_limit integer, workspace_rate_limit integer, id text,
  name text, key_scope text, digest bytea, expires_at timestamptz, revoked_at timestamptz)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select k.workspace_id, w.slug, w.rate_limit, w.workspace_rate_limit, k.id, k.name, k.key_scope, k.digest, k.expires_at,
      k.revoked_at
    from api_key k join workspace w on w.id = k.workspace_id where k.digest = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_api_key to assize_app;

-- When keys were used last, many at a time.
create function record_api_key_use(workspaces text[], ids text[], times timestamptz[]) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  update api_key k set last_used_at = greatest(k.last_used_at, u.at)
  from (select t.workspace_id, t.id, max(t.at) as at from unnest(workspaces, ids, times) as t (workspace_id, id, at)
        group by 1, 2) u
  where k.workspace_id = u.workspace_id and k.id = u.id;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function record_api_key_use to assize_app;

-- Addresses under which calendar programs fetch what is due. The token in an address is the secret: its digest alone is kept. A feed
-- shows what its person sees, and ends with their place; one without a person shows what the workspace has.
create table feed (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^fed_[0-9a-z]{26}$'),
  person_id text collate "C",
  name text not null check (name <> '' and length(name) <= 200),
  -- What is in it: releases, adjustment dates, or both; of these agreements, or of all.
  shows text collate "C" not null check (shows in ('ALL', 'RELEASES', 'DATES')),
  agreement_ids text[] check (cardinality(agreement_ids) between 1 and 200),
  digest bytea not null unique check (octet_length(digest) = 36),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Who made the feed, and so knows its address.
  made_by text not null check (length(made_by) <= 254),
  primary key (workspace_id, id),
  -- A place that is taken again by the same account goes on; one that is given up ends its feeds.
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
create index feed_person on feed (workspace_id, person_id);
call hold_to_workspace('feed', 'workspace_id');
grant select, insert, update (digest, revoked_at) on feed to assize_app;

create trigger noted before insert or update or delete on feed
  for each row execute function note_access('feed', 'workspace_id', 'id', '{last_used_at}');

-- A feed is looked up before its workspace is known: by its digest, one row or none. That it was used is written down once an hour at
-- most.
create function find_feed(wanted bytea)
returns table (workspace_id text, id text, person_id text, shows text, agreement_ids text[], name text, created_at timestamptz,
  digest bytea, revoked_at timestamptz)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  update feed f set last_used_at = clock_timestamp() where f.digest = wanted and f.revoked_at is null
    and (f.last_used_at is null or f.last_used_at < clock_timestamp() - interval '1 hour');
  return query
    select f.workspace_id, f.id, f.person_id, f.shows, f.agreement_ids, f.name, f.created_at, f.digest, f.revoked_at
    from feed f where f.digest = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_feed to assize_app;

-- What each workspace may hold, null where the default holds, and what it holds. Whoever asks sees those it may see.
create view workspace_standing with (security_invoker = true) as
select w.id, w.slug, w.name, w.rate_limit, w.workspace_rate_limit, w.created_at,
  w.max_agreements, w.max_series, w.max_keys, w.max_vintages, w.max_people, w.max_uploads, w.max_prices, w.max_lines,
  u.agreements as used_agreements, u.series as used_series, u.vintages as used_vintages, u.prices as used_prices,
  u.lines as used_lines,
  (select count(*) from api_key k where k.workspace_id = w.id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > clock_timestamp())) as used_keys,
  (select count(*) from member m where m.workspace_id = w.id) as used_people
from workspace w join workspace_use u on u.workspace_id = w.id;
grant select on workspace_standing to assize_app;

-- Every workspace with its limits and what it has used, for an operator.
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

-- `changes` has columns by name: null takes a limit back to its default, what is left out stays, and columns that are no limits are left
-- alone. Says how the workspace stood before; no row where there is none of that slug.
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
      max_agreements = given.max_agreements, max_series = given.max_series, max_keys = given.max_keys,
      max_vintages = given.max_vintages, max_people = given.max_people, max_uploads = given.max_uploads,
      max_prices = given.max_prices, max_lines = given.max_lines
    where w.id = held.id;
    return next held;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function set_limits_as_operator to assize_app;
