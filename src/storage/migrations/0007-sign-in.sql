-- Signing in: sessions, passwords, passkeys, second factors. All of it belongs to a person and not to a workspace, so it is reached
-- through functions only.

-- A browser that is signed in, by the hash of its token.
create table session (
  id text collate "C" primary key check (id ~ '^ses_[0-9a-z]{26}$'),
  token_hash bytea not null unique check (octet_length(token_hash) = 36),
  person_id text collate "C" not null references person (id),
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- However often it is used, it ends here.
  latest_end timestamptz not null,
  ended_at timestamptz,
  from_address text,
  user_agent text,
  -- When somebody at this browser last showed again who they are, and how.
  password_at timestamptz,
  passkey_at timestamptz,
  -- A session's own seal: sign-ins are too many for the log. Only that one was ended is an entry.
  seal bytea check (octet_length(seal) = 36),
  confirmed_seal bytea check (octet_length(confirmed_seal) = 36),
  -- Whether a session was opened by a provider, and which of its own sessions that was.
  identity_link text collate "C",
  provider_session text collate "C" check (length(provider_session) <= 255)
);
create index session_person on session (person_id);
create index session_identity on session (identity_link) where identity_link is not null;
alter table session enable row level security;

create trigger noted before update on session for each row when (old.ended_at is distinct from new.ended_at)
  execute function note_access('ended-session', 'accounts', 'id', '{}');

-- What the seal of a session covers, as the server reads it.
create type sealed_session as (
  id text,
  token_hash bytea,
  person_id text,
  email text,
  password_hash text,
  created_at timestamptz,
  last_seen_at timestamptz,
  expires_at timestamptz,
  latest_end timestamptz,
  from_address text,
  user_agent text,
  password_at timestamptz,
  passkey_at timestamptz,
  seal bytea,
  confirmed_seal bytea,
  now timestamptz,
  identity_link text,
  provider_session text
);

-- A session as its seal covers it.
create function session_of(wanted text) returns setof sealed_session
language sql stable security definer set search_path = assize, pg_temp as $$
  select s.id, s.token_hash, s.person_id, p.email, p.password_hash, s.created_at, s.last_seen_at, s.expires_at, s.latest_end,
    s.from_address, s.user_agent, s.password_at, s.passkey_at, s.seal, s.confirmed_seal, clock_timestamp(),
    s.identity_link, s.provider_session
  from session s join person p on p.id = s.person_id where s.id = wanted and s.ended_at is null
$$;
grant execute on function session_of to assize_app;

-- Keeps the server's seal over a session.
create function seal_session(wanted text, given bytea) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set seal = given where s.id = wanted
$$;
grant execute on function seal_session to assize_app;

-- The digest of its token under another secret, unless somebody else was faster.
create function renew_session(wanted text, known bytea, token bytea) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  update session s set token_hash = token where s.id = wanted and s.token_hash = known and s.ended_at is null;
  if found then
    return query select * from session_of(wanted);
  end if;
end $$;
grant execute on function renew_session to assize_app;

-- Keeps the server's seal over the last confirmations of a session.
create function seal_confirmation(wanted text, given bytea) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set confirmed_seal = given where s.id = wanted
$$;
grant execute on function seal_confirmation to assize_app;

-- Opens under the password that was checked: one that was changed meanwhile opens nothing. Tidies up on the way; of too many sessions the
-- ones that were quiet longest end. Without a seal yet: the server seals what this says it is, in the same transaction.
create function open_session(new_id text, of_person text, checked_hash text, token bytea, address text, agent text,
  idle_days integer, most_days integer, most_sessions integer) returns setof sealed_session
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
begin
  perform 1 from person p where p.id = of_person and p.password_hash = checked_hash for share;
  if not found then
    return;
  end if;
  delete from session s where s.person_id = of_person
    and least(s.ended_at, s.expires_at) < now - make_interval(days => most_days);
  insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, latest_end, from_address, user_agent)
  values (new_id, token, of_person, now, now, now + make_interval(days => least(idle_days, most_days)),
    now + make_interval(days => most_days), address, agent);
  update session s set ended_at = now where s.ended_at is null and s.id in (
    select o.id from session o where o.person_id = of_person and o.ended_at is null and o.expires_at > now
    order by o.last_seen_at desc, o.id desc offset most_sessions);
  return query select * from session_of(new_id);
end $$;
grant execute on function open_session to assize_app;

-- Whose session it is and, where a workspace is named, their place in it. When it was last seen is written down at most once in
-- `write_seconds`, and not where that would have to wait.
create function find_session(tokens bytea[], wanted_slug text, idle_days integer, write_seconds integer)
returns table (session sealed_session, person_name text, workspace_id text, slug text, workspace_name text, party text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  written constant timestamptz := now - make_interval(secs => write_seconds);
  before constant text := coalesce(current_setting('assize.workspace', true), '');
  held session%rowtype;
begin
  select * into held from session s where s.token_hash = any(tokens) and s.ended_at is null and s.expires_at > now;
  if not found then
    return;
  end if;
  if held.last_seen_at < written then
    update session s set last_seen_at = now, expires_at = least(s.latest_end, now + make_interval(days => idle_days))
    where s.id = (select o.id from session o where o.id = held.id and o.last_seen_at < written for update skip locked);
  end if;
  perform set_config('assize.workspace', '*', true);
  update member m set last_seen_at = now where (m.workspace_id, m.person_id) = (
    select o.workspace_id, o.person_id from member o join workspace w on w.id = o.workspace_id
    where w.slug = wanted_slug and o.person_id = held.person_id and o.joined_at is not null
      and (o.last_seen_at is null or o.last_seen_at < written)
    for update of o skip locked);
  return query
    select o::sealed_session, coalesce(m.name, p.name), w.id, w.slug, w.name, (
      select a.slug from company_of_address a where a.workspace_id = w.id and a.email = lower(p.email))
    from session_of(held.id) o join person p on p.id = o.person_id
    left join (member m join workspace w on w.id = m.workspace_id)
      on m.person_id = p.id and m.joined_at is not null and w.slug = wanted_slug;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function find_session to assize_app;

-- Notes that the person was asked again, for the password or for a passkey.
create function confirm_session(wanted text, by_passkey boolean, is_kept boolean) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set
    password_at = case when not by_passkey then clock_timestamp() when is_kept then s.password_at end,
    passkey_at = case when by_passkey then clock_timestamp() when is_kept then s.passkey_at end
  where s.id = wanted and s.ended_at is null
$$;
grant execute on function confirm_session to assize_app;

-- The open sessions of a person, for their own page.
create function sessions_of(of_person text) returns setof sealed_session
language sql stable security definer set search_path = assize, pg_temp as $$
  select o.* from session s cross join lateral session_of(s.id) o
  where s.person_id = of_person and s.ended_at is null and s.expires_at > clock_timestamp()
  order by s.last_seen_at desc, s.id desc
$$;
grant execute on function sessions_of to assize_app;

-- Ends one of the person's own sessions.
create function end_session(of_person text, wanted text) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update session s set ended_at = clock_timestamp()
  where s.id = wanted and s.person_id = of_person and s.ended_at is null and s.expires_at > clock_timestamp() returning true
$$;
grant execute on function end_session to assize_app;

-- Ends all of the person's sessions but one.
create function end_other_sessions(of_person text, kept text) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set ended_at = clock_timestamp() where s.person_id = of_person and s.id <> kept and s.ended_at is null
$$;
grant execute on function end_other_sessions to assize_app;

-- In place of the one that was checked; all other sessions end with it.
create function change_password(of_person text, checked_hash text, new_hash text, kept_session text) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  update person p set password_hash = new_hash where p.id = of_person and p.password_hash = checked_hash;
  if not found then
    return false;
  end if;
  perform end_other_sessions(of_person, kept_session);
  return true;
end $$;
grant execute on function change_password to assize_app;

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

-- The salts of an address, `most` at most: one, unless an operator changed something by hand. Jumps from one to the next, and so takes as
-- long for one account as for thousands.
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

-- Every account of an address that has a password, the oldest first.
create function find_sign_in(given_email text)
returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from person p
  where lower(p.email) = lower(given_email) and p.password_hash is not null order by p.created_at, p.id
$$;
grant execute on function find_sign_in to assize_app;

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

-- A passkey of a person: its public key and what an authenticator says about it.
create table passkey (
  -- As base64url, like the key.
  credential_id text collate "C" primary key,
  person_id text collate "C" not null references person (id),
  name text not null,
  -- SubjectPublicKeyInfo.
  public_key text not null,
  algorithm text collate "C" not null check (algorithm in ('ES256', 'EdDSA', 'RS256')),
  rp_id text collate "C" not null,
  -- Whether the authenticator asked for a PIN or a finger when it was registered: then it always has to.
  verifies_user boolean not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id);
alter table passkey enable row level security;

create trigger noted before insert or update or delete on passkey
  for each row execute function note_access('passkey', 'accounts', 'credential_id', '{counter,last_used_at}');

-- Under the person's lock, so that of two at once the second sees the first.
create function add_passkey(of_person text, credential text, given_name text, key text, key_algorithm text, rp text,
  verifies boolean, first_counter bigint, given_transports text[], most integer) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform 1 from person p where p.id = of_person for update;
  if (select count(*) from passkey k where k.person_id = of_person) >= most then
    return false;
  end if;
  insert into passkey (credential_id, person_id, name, public_key, algorithm, rp_id, verifies_user, counter, transports)
  values (credential, of_person, given_name, key, key_algorithm, rp, verifies, first_counter, given_transports);
  return true;
end $$;
grant execute on function add_passkey to assize_app;

-- The passkeys of a person.
create function passkeys_of(of_person text) returns setof passkey
language sql stable security definer set search_path = assize, pg_temp as $$
  select * from passkey k where k.person_id = of_person order by k.created_at, k.credential_id
$$;
grant execute on function passkeys_of to assize_app;

-- The person that a passkey belongs to, for signing in without an address.
create function passkey_owner(credential text)
returns table (id text, email text, name text, password_hash text)
language sql stable security definer set search_path = assize, pg_temp as $$
  select p.id, p.email, p.name, p.password_hash from passkey k join person p on p.id = k.person_id
  where k.credential_id = credential
$$;
grant execute on function passkey_owner to assize_app;

-- An authenticator that counts must have counted on: otherwise there are two of it, or this was seen before.
create function use_passkey(credential text, new_counter bigint) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update passkey k set counter = new_counter, last_used_at = clock_timestamp()
  where k.credential_id = credential and (new_counter > k.counter or (new_counter = 0 and k.counter = 0)) returning true
$$;
grant execute on function use_passkey to assize_app;

-- Removes a passkey of a person and says how it was called.
create function remove_passkey(of_person text, credential text) returns text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  removed text;
begin
  perform 1 from person p where p.id = of_person for update;
  if exists (select 1 from second_factor f where f.person_id = of_person and f.wants_passkey)
    and (select count(*) from passkey k where k.person_id = of_person) = 1 then
    raise exception 'the last passkey stays as long as one is wanted' using errcode = 'check_violation';
  end if;
  delete from passkey k where k.person_id = of_person and k.credential_id = credential returning k.name into removed;
  return removed;
end $$;
grant execute on function remove_passkey to assize_app;

-- The challenges that were answered, until they are too old to be answered again.
create table answered_challenge (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index answered_challenge_expires on answered_challenge (expires_at);
alter table answered_challenge enable row level security;

-- Notes that a challenge was answered; false where it was answered before.
create function answer_challenge(given bytea, until timestamptz) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  delete from answered_challenge a where a.expires_at < clock_timestamp() - interval '1 hour';
  insert into answered_challenge (digest, expires_at) values (given, until) on conflict do nothing returning true
$$;
grant execute on function answer_challenge to assize_app;

-- What a person is asked for beside the password: a passkey, or codes of an app, with the secret of the codes.
create table second_factor (
  person_id text collate "C" primary key references person (id),
  -- Encrypted under a key made from the server secret; used once `codes_since` is set.
  code_secret bytea,
  codes_since timestamptz,
  -- The time step of the last code that was taken: none opens twice.
  last_step bigint not null default 0,
  -- A password alone, or with a code, opens nothing.
  wants_passkey boolean not null default false,
  -- Codes that were tried in vain since `tries_since`.
  tries integer not null default 0,
  tries_since timestamptz not null default clock_timestamp()
);
alter table second_factor enable row level security;

create trigger noted before insert or update or delete on second_factor
  for each row execute function note_access('factors', 'accounts', 'person_id', '{last_step,tries,tries_since}');

-- A code that opens an account once when its second factor is lost, by its digest.
create table recovery_code (
  person_id text collate "C" not null references person (id),
  digest bytea not null check (octet_length(digest) = 36),
  used_at timestamptz,
  primary key (person_id, digest)
);
alter table recovery_code enable row level security;

create trigger noted before insert or update or delete on recovery_code
  for each row execute function note_access('recovery', 'accounts', 'person_id', '{}');

-- Only for who has one; and as long as it is wanted the last one stays.
create function want_passkey(of_person text, wanted boolean) returns boolean
language plpgsql security definer set search_path = assize, pg_temp as $$
begin
  perform 1 from person p where p.id = of_person for update;
  if wanted and not exists (select 1 from passkey k where k.person_id = of_person) then
    return false;
  end if;
  insert into second_factor (person_id, wants_passkey) values (of_person, wanted)
  on conflict (person_id) do update set wants_passkey = excluded.wants_passkey;
  return true;
end $$;
grant execute on function want_passkey to assize_app;

-- Which second factors a person has.
create function factors_of(of_person text)
returns table (code_secret bytea, codes_since timestamptz, wants_passkey boolean, passkeys bigint, recovery_codes bigint)
language sql stable security definer set search_path = assize, pg_temp as $$
  select f.code_secret, f.codes_since, coalesce(f.wants_passkey, false),
    (select count(*) from passkey k where k.person_id = of_person),
    (select count(*) from recovery_code r where r.person_id = of_person and r.used_at is null)
  from (select of_person as id) p left join second_factor f on f.person_id = p.id
$$;
grant execute on function factors_of to assize_app;

-- A secret that is not used yet takes the place of another such; one that is used stays.
create function propose_code_secret(of_person text, secret bytea) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  insert into second_factor (person_id, code_secret) values (of_person, secret)
  on conflict (person_id) do update set code_secret = excluded.code_secret, last_step = 0
  where second_factor.codes_since is null returning true
$$;
grant execute on function propose_code_secret to assize_app;

-- From now on the person is asked for codes of the secret that was proposed.
create function begin_codes(of_person text, secret bytea, step bigint) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set codes_since = clock_timestamp(), last_step = step
  where f.person_id = of_person and f.code_secret = secret and f.codes_since is null returning true
$$;
grant execute on function begin_codes to assize_app;

-- The person is not asked for codes, and their secret is gone.
create function end_codes(of_person text) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set code_secret = null, codes_since = null, last_step = 0
  where f.person_id = of_person and f.codes_since is not null returning true
$$;
grant execute on function end_codes to assize_app;

-- A try is taken before the code is looked at, so that many at once get no more than one after the other.
create function take_code_try(of_person text, most integer, per_seconds integer) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  insert into second_factor as f (person_id, tries) values (of_person, 1)
  on conflict (person_id) do update set
    tries = case when f.tries_since < clock_timestamp() - make_interval(secs => per_seconds) then 1 else f.tries + 1 end,
    tries_since = case when f.tries_since < clock_timestamp() - make_interval(secs => per_seconds)
      then clock_timestamp() else f.tries_since end
  where f.tries < most or f.tries_since < clock_timestamp() - make_interval(secs => per_seconds)
  returning true
$$;
grant execute on function take_code_try to assize_app;

-- A code that was right gives the tries back; a time step opens once.
create function use_code_step(of_person text, step bigint) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set last_step = step, tries = 0
  where f.person_id = of_person and f.codes_since is not null and f.last_step < step returning true
$$;
grant execute on function use_code_step to assize_app;

-- New recovery codes in place of all earlier ones.
create function replace_recovery_codes(of_person text, digests bytea[]) returns void
language sql security definer set search_path = assize, pg_temp as $$
  delete from recovery_code r where r.person_id = of_person;
  insert into recovery_code (person_id, digest) select of_person, d from unnest(digests) as d
$$;
grant execute on function replace_recovery_codes to assize_app;

-- Uses a recovery code, once.
create function use_recovery_code(of_person text, given bytea) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set tries = 0 where f.person_id = of_person and exists (
    select 1 from recovery_code r where r.person_id = of_person and r.digest = given and r.used_at is null);
  update recovery_code r set used_at = clock_timestamp()
  where r.person_id = of_person and r.digest = given and r.used_at is null returning true
$$;
grant execute on function use_recovery_code to assize_app;
