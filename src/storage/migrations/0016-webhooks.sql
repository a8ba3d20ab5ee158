-- Webhooks: endpoints that are told what happens, and every event on its way to one of them.

-- An endpoint of a workspace that is told events, with the secret that signs them.
create table webhook (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^whk_[0-9a-z]{26}$'),
  url text not null check (length(url) between 8 and 500),
  events text[] not null check (cardinality(events) between 1 and 50),
  -- Encrypted under a key made from the server secret. The old one signs as well until then.
  secret bytea not null,
  old_secret bytea,
  old_until timestamptz,
  made_by text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  -- PERSON: by somebody. GONE: it answered 410. FAILING: nothing arrived for days. LEFT: who made it left. RESTORE: with all access.
  disabled_why text collate "C" check (disabled_why in ('PERSON', 'GONE', 'FAILING', 'LEFT', 'RESTORE')),
  primary key (workspace_id, id),
  check ((old_secret is null) = (old_until is null)),
  check ((disabled_at is null) = (disabled_why is null))
);
call hold_to_workspace('webhook', 'workspace_id');
grant select, insert, update (events, secret, old_secret, old_until, made_by, disabled_at, disabled_why) on webhook to assize_app;

create trigger noted before insert or update or delete on webhook
  for each row execute function note_access('webhook', 'workspace_id', 'id', '{}');

-- How far it was told, and how that went. It decides nothing about what may be sent.
create table webhook_state (
  workspace_id text collate "C" not null references workspace (id),
  webhook_id text collate "C" not null,
  -- The place in the workspace's own sequence and in the public one up to which deliveries were made, each with its mark.
  own_seq bigint not null,
  own_mark text not null,
  public_seq bigint not null,
  public_mark text not null,
  -- Up to where was looked; behind the place where nothing concerned it.
  looked_own bigint not null,
  looked_public bigint not null,
  -- While one process makes deliveries, others leave it alone.
  leased_until timestamptz,
  -- Since the first attempt that failed after the last that succeeded.
  failing_since timestamptz,
  -- It asked for no more until then.
  paused_until timestamptz,
  last_success_at timestamptz,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  primary key (workspace_id, webhook_id),
  foreign key (workspace_id, webhook_id) references webhook (workspace_id, id)
);
call hold_to_workspace('webhook_state', 'workspace_id');
grant select, insert, update on webhook_state to assize_app;

-- One event for one endpoint: written with the place in one transaction, so that a restart loses none; deleted after some weeks.
create table webhook_delivery (
  workspace_id text collate "C" not null references workspace (id),
  webhook_id text collate "C" not null,
  -- That of the change, or of an event that is no entry of the log.
  id text collate "C" not null check (id ~ '^(chg|evt)_[0-9a-z]{26}$'),
  type text collate "C" not null check (length(type) <= 60),
  subject text not null,
  -- What is sent, every time the same bytes, and our seal of it: nothing that was put here with SQL alone is signed.
  body text not null check (octet_length(body) < 2048),
  seal bytea not null check (octet_length(seal) = 36),
  made_at timestamptz not null,
  -- When it is tried next. A process that tries it moves this on first, so that no other does meanwhile.
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_at timestamptz,
  -- Of the last attempt: the status of the answer, or why there was none.
  status integer,
  trouble text check (length(trouble) <= 200),
  outcome text collate "C" check (outcome in ('DELIVERED', 'FAILED')),
  done_at timestamptz,
  primary key (workspace_id, webhook_id, id),
  foreign key (workspace_id, webhook_id) references webhook (workspace_id, id),
  check ((outcome is null) = (done_at is null))
);
create index webhook_delivery_due on webhook_delivery (workspace_id, webhook_id, due_at) where outcome is null;
create index webhook_delivery_made on webhook_delivery (workspace_id, webhook_id, made_at);
call hold_to_workspace('webhook_delivery', 'workspace_id');
grant select, insert, delete, update (due_at, attempts, last_at, status, trouble, outcome, done_at) on webhook_delivery to assize_app;

-- Deletes deliveries from before an instant, some at a time, whatever became of them. How many.
create function prune_webhook_deliveries(made_before timestamptz, most integer) returns bigint
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  deleted bigint;
begin
  perform set_config('assize.workspace', '*', true);
  with old as (
    select d.workspace_id, d.webhook_id, d.id from webhook_delivery d where d.made_at < made_before
    limit most for update skip locked),
  gone as (
    delete from webhook_delivery d using old o
    where d.workspace_id = o.workspace_id and d.webhook_id = o.webhook_id and d.id = o.id returning 1)
  select count(*) into deleted from gone;
  perform set_config('assize.workspace', before, true);
  return deleted;
end $$;
grant execute on function prune_webhook_deliveries to assize_app;

-- What is so at the moment and is told when it becomes so: a period that can be computed, a figure that is late.
create table webhook_fact (
  workspace_id text collate "C" not null references workspace (id),
  kind text collate "C" not null check (length(kind) <= 60),
  about text collate "C" not null check (length(about) <= 200),
  -- Each that is added is told: the periods of an agreement, the end of a key.
  holds text[] not null,
  primary key (workspace_id, kind, about)
);
call hold_to_workspace('webhook_fact', 'workspace_id');
grant select, insert, update, delete on webhook_fact to assize_app;

-- A workspace of which was looked before: what is so at the first look is not news.
create table webhook_look (
  workspace_id text collate "C" primary key references workspace (id),
  looked_at timestamptz not null
);
call hold_to_workspace('webhook_look', 'workspace_id');
grant select, insert, update on webhook_look to assize_app;

-- The endpoints that something was published for since was last looked, as far as numbers tell.
create function webhooks_behind(now timestamptz) returns table (workspace_id text, webhook_id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select t.workspace_id, t.webhook_id
    from webhook_state t join webhook h on h.workspace_id = t.workspace_id and h.id = t.webhook_id
    left join scope_clock own on own.scope = t.workspace_id left join scope_clock shared on shared.scope = 'public'
    where h.disabled_at is null and (own.seq > t.looked_own or shared.seq > t.looked_public)
      and (t.leased_until is null or t.leased_until <= now)
    order by t.leased_until nulls first, 1, 2;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function webhooks_behind to assize_app;

-- The endpoints that have something to be sent.
create function webhooks_due(now timestamptz) returns table (workspace_id text, webhook_id text, is_failing boolean)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select t.workspace_id, t.webhook_id, t.failing_since is not null
    from webhook_state t join webhook h on h.workspace_id = t.workspace_id and h.id = t.webhook_id
    cross join lateral (
      select d.due_at from webhook_delivery d
      where d.workspace_id = t.workspace_id and d.webhook_id = t.webhook_id and d.outcome is null
      order by d.due_at limit 1) next
    where h.disabled_at is null and next.due_at <= now and (t.paused_until is null or t.paused_until <= now)
    order by next.due_at, 1, 2;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function webhooks_due to assize_app;

-- Webhooks that work and of which every attempt has failed since long.
create function webhooks_failing(since timestamptz) returns table (workspace_id text, webhook_id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select t.workspace_id, t.webhook_id
    from webhook_state t join webhook h on h.workspace_id = t.workspace_id and h.id = t.webhook_id
    where h.disabled_at is null and t.failing_since <= since order by 1, 2;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function webhooks_failing to assize_app;

-- Workspaces that have a webhook.
create function workspaces_with_webhooks() returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select distinct h.workspace_id from webhook h order by 1;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function workspaces_with_webhooks to assize_app;

-- For monitoring: counts over all workspaces, and nothing of anybody.
create function webhook_health() returns table (waiting bigint, oldest_seconds bigint, delivered bigint, failed bigint,
  enabled bigint, failing bigint, disabled bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select w.waiting, w.oldest, s.delivered, s.failed, s.enabled, s.failing, s.disabled
    from (
      select count(*) as waiting,
        coalesce(max(ceil(extract(epoch from clock_timestamp() - d.made_at))), 0)::bigint as oldest
      from webhook_delivery d join webhook h on h.workspace_id = d.workspace_id and h.id = d.webhook_id
      where d.outcome is null and h.disabled_at is null) w
    cross join (
      select coalesce(sum(t.delivered), 0)::bigint as delivered, coalesce(sum(t.failed), 0)::bigint as failed,
        count(*) filter (where h.disabled_at is null) as enabled,
        count(*) filter (where h.disabled_at is null and t.failing_since is not null) as failing,
        count(*) filter (where h.disabled_why in ('GONE', 'FAILING')) as disabled
      from webhook_state t join webhook h on h.workspace_id = t.workspace_id and h.id = t.webhook_id) s;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function webhook_health to assize_app;
