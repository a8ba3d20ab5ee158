-- Mail: what is told to people, in which mail, and what each of them wants to be told.

-- One mail on its way: tried until the mail server takes it or it is given up.
create table mail (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^mai_[0-9a-z]{26}$'),
  email text not null check (email = lower(email) and length(email) <= 254),
  -- Of its notices, or `digest`.
  kind text collate "C" not null,
  made_at timestamptz not null default clock_timestamp(),
  -- When it is tried next. A process that tries it moves this on first, so that no other does meanwhile.
  due_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- SENT: taken over by the mail server. DROPPED: nothing of it is for this person any more. FAILED: given up.
  outcome text collate "C" check (outcome in ('SENT', 'DROPPED', 'FAILED')),
  done_at timestamptz,
  -- Of the last try that failed, without addresses.
  trouble text check (length(trouble) <= 200),
  primary key (workspace_id, id),
  check ((outcome is null) = (done_at is null))
);
create index mail_due on mail (due_at) where outcome is null;
-- When the last mail of a kind went to an address: the next one waits for a while.
create index mail_recent on mail (workspace_id, email, kind, made_at);
call hold_to_workspace('mail', 'workspace_id');
grant select, insert, update (due_at, attempts, outcome, done_at, trouble) on mail to assize_app;

-- Something a person is told by mail; several of one person go in one mail.
create table notice (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^ntc_[0-9a-z]{26}$'),
  -- In lower case.
  email text not null check (email = lower(email) and length(email) <= 254),
  kind text collate "C" not null check (kind in ('invitation', 'reset', 'people', 'signature', 'correction', 'objection', 'revision', 'late', 'webhook', 'drift')),
  -- What it is about, to tell it once: a period, an objection, a vintage.
  about text not null check (length(about) <= 500),
  -- Names, periods and paths: no figures.
  facts jsonb not null,
  -- The token of a one-time link, encrypted under a key made from the server secret; removed when the mail is done with.
  sealed_link bytea,
  noted_at timestamptz not null default clock_timestamp(),
  -- The mail it goes out with; null while it waits for one.
  mail_id text collate "C",
  primary key (workspace_id, id),
  unique (workspace_id, email, kind, about)
);
create index notice_waiting on notice (workspace_id, email) where mail_id is null;
create index notice_mail on notice (workspace_id, mail_id) where mail_id is not null;
call hold_to_workspace('notice', 'workspace_id');
grant select, insert, update (about, facts, sealed_link, mail_id) on notice to assize_app;

-- A row only for who has changed something. By address, so that it outlives a new password.
create table mail_choice (
  workspace_id text collate "C" not null references workspace (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  is_digest boolean not null default false,
  -- Kinds that are not wanted.
  muted text[] not null default '{}',
  changed_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, email)
);
call hold_to_workspace('mail_choice', 'workspace_id');
grant select, insert, update on mail_choice to assize_app;

-- Since when mail is sent in a workspace, and up to when was looked for something to tell.
create table mail_look (
  workspace_id text collate "C" primary key references workspace (id),
  since timestamptz not null,
  looked_at timestamptz not null
);
call hold_to_workspace('mail_look', 'workspace_id');
grant select, insert, update on mail_look to assize_app;

-- The workspaces that mail is sent in: all that somebody is in.
create function workspaces_with_people() returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select distinct m.workspace_id from member m order by 1;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function workspaces_with_people to assize_app;

-- Those in which a notice waits for a mail, or a mail is due.
create function workspaces_with_mail() returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select n.workspace_id from notice n where n.mail_id is null
    union select m.workspace_id from mail m where m.outcome is null and m.due_at <= clock_timestamp();
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function workspaces_with_mail to assize_app;

-- For monitoring: counts over all workspaces, and nothing of anybody.
create function mail_health() returns table (waiting bigint, oldest_seconds bigint, sent bigint, failed bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select count(*) filter (where m.outcome is null),
      coalesce(max(ceil(extract(epoch from clock_timestamp() - m.made_at))) filter (where m.outcome is null), 0)::bigint,
      count(*) filter (where m.outcome = 'SENT'), count(*) filter (where m.outcome = 'FAILED')
    from mail m;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function mail_health to assize_app;

-- Mails with a one-time link that went to an address, from whichever workspace: nobody reads this but the function below.
create table link_mail_turn (
  mail_id text collate "C" primary key,
  email text not null check (email = lower(email)),
  kind text collate "C" not null,
  taken_at timestamptz not null default clock_timestamp()
);
create index link_mail_turn_email on link_mail_turn (email, taken_at);
create index link_mail_turn_taken on link_mail_turn (taken_at);
alter table link_mail_turn enable row level security;

-- Takes a turn for a mail, or says for how many seconds it has to wait. A mail that has its turn keeps it.
create function take_link_mail_turn(of_mail text, address text, of_kind text, apart_seconds integer, most_a_day integer)
returns integer
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('link mail ' || address, 0));
  delete from link_mail_turn t where t.taken_at < now - interval '1 day';
  if exists (select 1 from link_mail_turn t where t.mail_id = of_mail) then
    return 0;
  end if;
  free_at := greatest(
    (select max(t.taken_at) from link_mail_turn t where t.email = address and t.kind = of_kind)
      + make_interval(secs => apart_seconds),
    (select t.taken_at from link_mail_turn t where t.email = address order by t.taken_at desc offset most_a_day - 1 limit 1)
      + interval '1 day');
  if free_at > now then
    return ceil(extract(epoch from free_at - now))::integer;
  end if;
  insert into link_mail_turn (mail_id, email, kind, taken_at) values (of_mail, address, of_kind, now);
  return 0;
end $$;
grant execute on function take_link_mail_turn to assize_app;
