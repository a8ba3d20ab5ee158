-- Signatures that say how they were given, and what shows who somebody is: passkeys, one-time codes, recovery codes. Like a
-- session these belong to a person, who may work in several workspaces, so they are reached through functions only.

-- One act of signing: who, from where, by which means, and every period with the hash that was shown for it. An act may
-- sign several periods; each has its own row in sign_off.
create table signing (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^sgn_[0-9a-z]{26}$'),
  -- Null for an address that no member has.
  person_id text collate "C",
  name text not null,
  from_address text,
  means text collate "C" not null check (means in ('PASSKEY', 'PASSWORD', 'OPERATOR')),
  periods jsonb not null,
  passkey jsonb check ((passkey is not null) = (means = 'PASSKEY')),
  primary key (workspace_id, id)
);
call hold_to_workspace('signing', 'workspace_id');
call make_append_only('signing');
grant select, insert on signing to assize_app;

-- Sign-offs from before have none: then nothing but a session was asked for.
alter table sign_off add column signing_id text collate "C",
  add foreign key (workspace_id, signing_id) references signing (workspace_id, id);

-- Nobody signs for both sides of a period, whatever its receipt was and whoever stood where when they signed.
create function refuse_both_sides() returns trigger
language plpgsql set search_path = assize, pg_temp as $$
declare
  signer constant text := (
    select g.person_id from signing g where g.workspace_id = new.workspace_id and g.id = new.signing_id);
begin
  if exists (
    select 1 from sign_off o left join signing g on g.workspace_id = o.workspace_id and g.id = o.signing_id
    where o.workspace_id = new.workspace_id and o.pam_id = new.pam_id and o.period = new.period and o.party <> new.party
      and (lower(o.signed_by) = lower(new.signed_by) or g.person_id = signer)
  ) then
    raise exception '% has signed % for the other side', new.signed_by, new.period using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger one_side before insert on sign_off for each row execute function refuse_both_sides();

-- When somebody at this browser last showed again who they are, and how.
alter table session add column password_at timestamptz, add column passkey_at timestamptz;

create function confirm_session(wanted text, by_passkey boolean) returns void
language sql security definer set search_path = assize, pg_temp as $$
  update session s set
    password_at = case when by_passkey then s.password_at else clock_timestamp() end,
    passkey_at = case when by_passkey then clock_timestamp() else s.passkey_at end
  where s.id = wanted and s.ended_at is null
$$;
grant execute on function confirm_session to assize_app;

create function session_confirmations(wanted text, for_seconds integer)
returns table (password_until timestamptz, passkey_until timestamptz)
language sql stable security definer set search_path = assize, pg_temp as $$
  select case when s.password_at + make_interval(secs => for_seconds) > clock_timestamp()
      then s.password_at + make_interval(secs => for_seconds) end,
    case when s.passkey_at + make_interval(secs => for_seconds) > clock_timestamp()
      then s.passkey_at + make_interval(secs => for_seconds) end
  from session s where s.id = wanted and s.ended_at is null
$$;
grant execute on function session_confirmations to assize_app;

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

create function passkeys_of(of_person text) returns setof passkey
language sql stable security definer set search_path = assize, pg_temp as $$
  select * from passkey k where k.person_id = of_person order by k.created_at, k.credential_id
$$;
grant execute on function passkeys_of to assize_app;

-- Whose it is, for signing in without an address.
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

-- The challenges that were answered, until they are too old to be answered again.
create table answered_challenge (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index answered_challenge_expires on answered_challenge (expires_at);
alter table answered_challenge enable row level security;

create function answer_challenge(given bytea, until timestamptz) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  delete from answered_challenge a where a.expires_at < clock_timestamp() - interval '1 hour';
  insert into answered_challenge (digest, expires_at) values (given, until) on conflict do nothing returning true
$$;
grant execute on function answer_challenge to assize_app;

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

create table recovery_code (
  person_id text collate "C" not null references person (id),
  digest bytea not null check (octet_length(digest) = 32),
  used_at timestamptz,
  primary key (person_id, digest)
);
alter table recovery_code enable row level security;

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

create function begin_codes(of_person text, secret bytea, step bigint) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set codes_since = clock_timestamp(), last_step = step
  where f.person_id = of_person and f.code_secret = secret and f.codes_since is null returning true
$$;
grant execute on function begin_codes to assize_app;

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

create function use_recovery_code(of_person text, given bytea) returns boolean
language sql security definer set search_path = assize, pg_temp as $$
  update second_factor f set tries = 0 where f.person_id = of_person and exists (
    select 1 from recovery_code r where r.person_id = of_person and r.digest = given and r.used_at is null);
  update recovery_code r set used_at = clock_timestamp()
  where r.person_id = of_person and r.digest = given and r.used_at is null returning true
$$;
grant execute on function use_recovery_code to assize_app;

create function replace_recovery_codes(of_person text, digests bytea[]) returns void
language sql security definer set search_path = assize, pg_temp as $$
  delete from recovery_code r where r.person_id = of_person;
  insert into recovery_code (person_id, digest) select of_person, d from unnest(digests) as d
$$;
grant execute on function replace_recovery_codes to assize_app;

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
