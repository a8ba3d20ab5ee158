-- Sign-in by the identity provider of a company, and signatures that it confirms.

-- The identity provider of a workspace or of one of its companies, with the client that we are there.
create table identity_provider (
  workspace_id text collate "C" not null references workspace (id),
  -- The party whose people sign in by it, by its slug; empty for people of the workspace who are of no party.
  party text collate "C" not null,
  id text collate "C" not null check (id ~ '^idp_[0-9a-z]{26}$'),
  issuer text not null check (length(issuer) between 8 and 500),
  client_id text not null check (length(client_id) between 1 and 200),
  -- Encrypted under a key made from the server secret.
  client_secret bytea not null,
  -- In the address by which people begin: nobody guesses it, so that it tells a stranger nothing.
  way_in text collate "C" not null unique check (way_in ~ '^[0-9a-z]{20}$'),
  is_required boolean not null,
  -- The one account that keeps its password where others must not have one.
  except_person text collate "C",
  groups_claim text check (length(groups_claim) between 1 and 100),
  -- [{"group": "…", "role": "…"}], the first that fits counts; empty: groups do not matter.
  group_roles jsonb not null,
  -- Who is in this group joins without an invitation, in this role.
  join_group text check (length(join_group) between 1 and 200),
  join_role text,
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, party),
  unique (workspace_id, id),
  check ((join_group is null) = (join_role is null))
);
create index identity_provider_client on identity_provider (issuer, client_id);
call hold_to_workspace('identity_provider', 'workspace_id');
grant select, insert, update, delete on identity_provider to assize_app;

create trigger noted before insert or update or delete on identity_provider
  for each row execute function note_access('provider', 'workspace_id', 'party', '{}');

-- A provider is looked up before its workspace is known: by its way in, or by its id.
create function find_identity_provider(wanted text)
returns table (workspace_id text, workspace_slug text, workspace_name text, party text, party_name text, id text,
  issuer text, client_id text, client_secret bytea, way_in text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select i.workspace_id, w.slug, w.name, i.party,
      (select n.name from party p join party_name n on n.workspace_id = p.workspace_id and n.party_id = p.id
        where p.workspace_id = i.workspace_id and p.slug = i.party order by n.seq desc limit 1),
      i.id, i.issuer, i.client_id, i.client_secret, i.way_in
    from identity_provider i join workspace w on w.id = i.workspace_id where i.way_in = wanted or i.id = wanted;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_identity_provider to assize_app;

-- The providers that a logout token is for: one company may use one client in several workspaces.
create function identity_providers_of(given_issuer text, given_client text)
returns table (workspace_id text, party text, id text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select i.workspace_id, i.party, i.id from identity_provider i
    where i.issuer = given_issuer and i.client_id = given_client order by 1, 2;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function identity_providers_of to assize_app;

-- Those of these people who have no place but in the workspace that is set lose their password, and all of them their sessions of an
-- account that has no other place. What is behind the last `$` then is no hash, so no password fits it.
create function lock_accounts(people text[]) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
  locked text[];
begin
  -- No session is opened under the old password from here on.
  perform 1 from person p where p.id = any(people) order by p.id for update;
  perform set_config('assize.workspace', '*', true);
  select coalesce(array_agg(p.id), '{}') into locked from person p
  where p.id = any(people) and p.password_hash is not null and strpos(p.password_hash, '$*') = 0
    and exists (select 1 from member m where m.person_id = p.id and m.workspace_id = here)
    and not exists (select 1 from member m where m.person_id = p.id and m.workspace_id <> here)
    and not exists (select 1 from operator o where o.person_id = p.id);
  return query
    select o.* from session s cross join lateral session_of(s.id) o
    where s.person_id = any(locked) and s.identity_link is not null and s.ended_at is null;
  update session s set ended_at = clock_timestamp()
  where s.person_id = any(locked) and s.identity_link is null and s.ended_at is null;
  update person p set password_hash = regexp_replace(p.password_hash, '[^$]*$', '') || '*' || gen_random_uuid()
  where p.id = any(locked);
  perform set_config('assize.workspace', here, true);
end $$;
grant execute on function lock_accounts to assize_app;

-- Who somebody is at their provider. Never found by an address: by the provider and its own name for the person alone.
create table identity_link (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^idl_[0-9a-z]{26}$'),
  provider_id text collate "C" not null,
  subject text collate "C" not null check (length(subject) between 1 and 255),
  person_id text collate "C" not null,
  linked_at timestamptz not null default clock_timestamp(),
  last_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, provider_id, subject),
  unique (workspace_id, person_id),
  foreign key (workspace_id, provider_id) references identity_provider (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
call hold_to_workspace('identity_link', 'workspace_id');
grant select, insert, delete, update (last_at) on identity_link to assize_app;

create trigger noted before insert or update or delete on identity_link
  for each row execute function note_access('identity', 'workspace_id', 'id', '{last_at}');

-- Like open_session, by a provider: it ends after some hours, however much it is used.
create function open_identity_session(new_id text, of_person text, checked_hash text, token bytea, address text, agent text,
  most_hours integer, most_sessions integer, link text, sid text) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  latest constant timestamptz := now + make_interval(hours => most_hours);
begin
  perform 1 from person p where p.id = of_person and p.password_hash = checked_hash for share;
  if not found then
    return;
  end if;
  insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, latest_end, from_address, user_agent,
    identity_link, provider_session)
  values (new_id, token, of_person, now, now, latest, latest, address, agent, link, sid);
  update session s set ended_at = now where s.ended_at is null and s.id in (
    select o.id from session o where o.person_id = of_person and o.ended_at is null and o.expires_at > now
    order by o.last_seen_at desc, o.id desc offset most_sessions);
  return query select * from session_of(new_id);
end $$;
grant execute on function open_identity_session to assize_app;

-- Ends sessions that came of these providers: of one subject, of one session there, or all of them. How many.
create function end_identity_sessions(providers text[], of_subject text, sid text) returns bigint
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  ended bigint;
begin
  perform set_config('assize.workspace', '*', true);
  with gone as (
    update session s set ended_at = clock_timestamp() from identity_link l
    where s.identity_link = l.id and l.provider_id = any(providers) and s.ended_at is null
      and (of_subject is null or l.subject = of_subject)
      -- A session that does not say which one it was there may be the one that is meant.
      and (sid is null or s.provider_session = sid or (s.provider_session is null and of_subject is not null))
    returning 1)
  select count(*) into ended from gone;
  perform set_config('assize.workspace', before, true);
  return ended;
end $$;
grant execute on function end_identity_sessions to assize_app;

-- What somebody asked to sign and is at their provider for: encrypted, taken once, within minutes.
create table awaited_signing (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^asg_[0-9a-z]{26}$'),
  person_id text collate "C" not null,
  asked bytea not null,
  -- What the provider vouches for, once they are back.
  proof bytea,
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create index awaited_signing_expires on awaited_signing (expires_at);
call hold_to_workspace('awaited_signing', 'workspace_id');
grant select, insert, delete, update (proof) on awaited_signing to assize_app;
