-- Each scope (a workspace, or 'public') has a clock, a lock and a chain of its own: a long import of one keeps no other
-- waiting. Links of the chain are made by the server under a key that never comes here, so that who has the database alone
-- can change nothing unseen.

-- `settled_at`: nothing will ever again be recorded at or before it. `seq` is the newest publication and `linked_seq` the
-- newest that a link covers; they differ inside a publishing transaction only. `head` is keyed as links are: it says which
-- link is the last, so that nobody can cut off the end.
create table scope_clock (
  scope text collate "C" primary key check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  linked_seq bigint not null,
  links bigint not null,
  settled_at timestamptz not null,
  link bytea not null check (octet_length(link) = 32),
  head bytea not null check (octet_length(head) = 32)
);
call hold_to_workspace('scope_clock', 'scope');
create policy everybody on scope_clock for select using (scope = 'public');
grant select on scope_clock to assize_app;

-- Publications made together stand under one link, up to a bound. `chain`: the link covers everything from before there
-- were keyed links, by the last hash of the old chain.
create table publication_link (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  number bigint not null check (number >= 1),
  covers text collate "C" not null check (covers in ('chain', 'publications')),
  first_seq bigint not null,
  last_seq bigint not null,
  publications bigint not null,
  recorded_at timestamptz not null,
  digest bytea not null check (octet_length(digest) = 32),
  link bytea not null check (octet_length(link) = 32),
  primary key (scope, number)
);
create index publication_link_seq on publication_link (scope, last_seq);
call hold_to_workspace('publication_link', 'scope');
call make_append_only('publication_link');
grant select on publication_link to assize_app;

-- Publications `first_seq` to `last_seq` were recorded by a clock that was ahead. They keep the instants they were given;
-- from this publication on they count as recorded at `counts_as`.
create table clock_repair (
  scope text collate "C" not null check (scope = 'public' or scope ~ '^wsp_[0-9a-z]{26}$'),
  seq bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  counts_as timestamptz not null,
  recorded_at timestamptz not null,
  primary key (scope, seq),
  foreign key (scope, seq) references publication (scope, seq)
);
call hold_to_workspace('clock_repair', 'scope');
create policy everybody on clock_repair for select using (scope = 'public');
call make_append_only('clock_repair');
grant select on clock_repair to assize_app;

-- Vintages as they count. A workspace without repairs, which is nearly every one, reads the table itself.
create view counted_vintage with (security_invoker = true) as
  select v.owner, v.series_id, v.period, v.seq, v.value, v.tag, v.flag,
    least(v.published_at, coalesce(r.counts_as, v.published_at)) as published_at,
    coalesce(r.counts_as, v.recorded_at) as recorded_at
  from vintage v left join clock_repair r on r.scope = v.owner and v.seq between r.first_seq and r.last_seq;
grant select on counted_vintage to assize_app;

-- What the old chain was made of stays with the rows that have it.
alter table publication alter column previous_hash drop not null, alter column chain_hash drop not null;
alter table publication drop constraint publication_subject_check;
alter table publication add constraint publication_subject_check
  check (subject = 'public' or subject ~ '^[a-z]+_[0-9a-z]{26}$');
drop index publication_seq;

drop function begin_publication();
drop function append_publications(text, text[], bytea[]);
drop function settle(timestamptz, interval);
drop function horizon();
drop function publications_since(bigint, integer);
drop function publication_lock();

create function scope_lock(scope text) returns bigint language sql immutable as $$
  select hashtextextended('assize scope ' || scope, 0)
$$;

-- Waits for its turn in the scope that is set and gives this transaction its recorded_at: the clock read after the lock,
-- above all given before. `database_now` is read before, so that it can be compared with the caller's clock.
create function begin_publication(out recorded_at timestamptz, out database_now timestamptz, out last_seq bigint,
  out links bigint, out link bytea, out head bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  database_now := clock_timestamp();
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = greatest(clock_timestamp(), c.settled_at + interval '1 microsecond')
  where c.scope = given_scope
  returning c.settled_at, c.seq, c.links, c.link, c.head into recorded_at, last_seq, links, link, head;
  if not found then
    raise exception 'there is no clock for %', given_scope;
  end if;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;
grant execute on function begin_publication to assize_app;

-- Appends one publication per subject in the scope that is set. All of a transaction's publications share one recorded_at,
-- so that no cut falls between them.
create function append_publications(given_kind text, subjects text[], content_hashes bytea[])
returns table (subject text, seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  now_settled timestamptz;
  last_seq bigint;
begin
  select c.settled_at, c.seq into now_settled, last_seq from scope_clock c where c.scope = given_scope;
  if given_scope || ' ' || instant_text(now_settled) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_publications without begin_publication in the same transaction';
  end if;
  update scope_clock c set seq = c.seq + cardinality(subjects) where c.scope = given_scope;
  return query
    with added as (
      insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
      select given_scope, last_seq + t.place, now_settled, given_kind, t.subject, t.content_hash
      from unnest(subjects, content_hashes) with ordinality as t (subject, content_hash, place)
      returning publication.subject, publication.seq)
    select a.subject, a.seq from added a order by a.seq;
end $$;
grant execute on function append_publications to assize_app;

-- Adds the links of what this transaction has published, and the head that names the last of them.
create function append_links(numbers bigint[], first_seqs bigint[], last_seqs bigint[], counts bigint[], digests bytea[],
  given_links bytea[], given_head bytea) returns void
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
  now_settled timestamptz;
begin
  select c.settled_at into now_settled from scope_clock c where c.scope = given_scope;
  if given_scope || ' ' || instant_text(now_settled) is distinct from current_setting('assize.publishing', true) then
    raise exception 'append_links without begin_publication in the same transaction';
  end if;
  insert into publication_link (scope, number, covers, first_seq, last_seq, publications, recorded_at, digest, link)
  select given_scope, t.number, 'publications', t.first_seq, t.last_seq, t.count, now_settled, t.digest, t.link
  from unnest(numbers, first_seqs, last_seqs, counts, digests, given_links) as t (number, first_seq, last_seq, count, digest, link);
  update scope_clock c set links = numbers[cardinality(numbers)], linked_seq = last_seqs[cardinality(last_seqs)],
    link = given_links[cardinality(given_links)], head = given_head
  where c.scope = given_scope;
end $$;
grant execute on function append_links to assize_app;

-- Whoever publishes without adding the link fails when they commit.
create function check_linked() returns trigger language plpgsql set search_path = assize, pg_temp as $$
begin
  if exists (select 1 from scope_clock c where c.scope = new.scope and c.seq <> c.linked_seq) then
    raise exception 'publications of % without their link', new.scope using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger linked after update on scope_clock deferrable initially deferred
  for each row when (new.seq <> old.seq) execute function check_linked();

-- When it returns an instant, nothing of the scope at or before `at` can still be recorded. It never waits: `settled` is
-- null while a publication of the scope is under way, and while the clock has not come to `at`, by `ahead_ms`.
create function settle(given_scope text, at timestamptz, out settled timestamptz, out ahead_ms bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  select c.settled_at into settled from scope_clock c where c.scope = given_scope;
  if not found then
    raise exception 'there is no clock for %', given_scope;
  end if;
  ahead_ms := ceil(extract(epoch from at - clock_timestamp()) * 1000);
  if at > settled then
    settled := null;
    if ahead_ms <= 0 and pg_try_advisory_xact_lock(scope_lock(given_scope)) then
      update scope_clock c set settled_at = greatest(c.settled_at, clock_timestamp()) where c.scope = given_scope
      returning c.settled_at into settled;
    end if;
  end if;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function settle to assize_app;

-- The newest publication of each of the scopes, or of every scope: what a server that holds answers in memory compares
-- with what it has heard of. In one scope numbers become visible in their order.
create function newest_publications(scopes text[]) returns table (scope text, seq bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query select c.scope, c.seq from scope_clock c where scopes is null or c.scope = any(scopes);
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function newest_publications to assize_app;

-- What was published in each scope after a number of its own: which subjects changed, and nothing else.
create function publications_since(scopes text[], after bigint[], most integer)
returns table (scope text, seq bigint, kind text, subject text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.scope, p.seq, p.kind, p.subject
    from unnest(scopes, after) as t (scope, seq)
    cross join lateral (
      select p.scope, p.seq, p.kind, p.subject from publication p where p.scope = t.scope and p.seq > t.seq
      order by p.seq limit most) p
    limit most;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function publications_since to assize_app;

-- For the operator, when a clock was ahead: begins a publication at the clock as it is now, also where that lies before
-- what was recorded. The application may not call it.
create function begin_clock_repair(out recorded_at timestamptz, out last_seq bigint, out links bigint, out link bytea,
  out head bytea)
language plpgsql set search_path = assize, pg_temp as $$
declare
  given_scope constant text := nullif(current_setting('assize.workspace', true), '');
begin
  perform pg_advisory_xact_lock(scope_lock(given_scope));
  update scope_clock c set settled_at = clock_timestamp() where c.scope = given_scope
  returning c.settled_at, c.seq, c.links, c.link, c.head into recorded_at, last_seq, links, link, head;
  perform set_config('assize.publishing', given_scope || ' ' || instant_text(recorded_at), true);
end $$;
