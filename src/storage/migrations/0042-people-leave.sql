-- People leave: what they made ends with their place, and what names them can be erased (decisions 0700 to 0703).

-- Entries of kinds that can name a person hash a salt before their content: without the salt nobody finds out by trying who
-- was named. Older ones, and those of other kinds, have none.
alter table publication add column salt bytea check (octet_length(salt) = 16);

drop function append_publications(text, text[], bytea[]);
-- As before, with the salt of each, or null for kinds that name nobody.
create function append_publications(given_kind text, subjects text[], content_hashes bytea[], salts bytea[] default null)
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
      insert into publication (scope, seq, recorded_at, kind, subject, content_hash, salt)
      select given_scope, last_seq + t.place, now_settled, given_kind, t.subject, t.content_hash, t.salt
      from unnest(subjects, content_hashes, salts) with ordinality as t (subject, content_hash, salt, place)
      returning publication.subject, publication.seq)
    select a.subject, a.seq from added a order by a.seq;
end $$;
grant execute on function append_publications to assize_app;

-- Who made a key or a feed, and so knows its secret: an address, or `operator`. Null in those from before it was kept.
alter table api_key add column made_by text check (length(made_by) <= 254);
alter table feed add column made_by text check (length(made_by) <= 254);

-- One-time links of the workspace that is set which somebody gave to others and nobody has used. The invitations stay; another
-- link can be given. The addresses they were for.
create function end_links_given_by(giver text) returns setof text
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  here constant text := nullif(current_setting('assize.workspace', true), '');
begin
  return query
    with ended as (
      delete from set_up_link l using member m
      where l.joins = here and l.used_at is null and m.workspace_id = here and m.person_id = l.person_id
        and m.joined_at is null and lower(m.invited_by) = lower(giver)
      returning l.person_id)
    select p.email from ended e join person p on p.id = e.person_id order by 1;
end $$;
grant execute on function end_links_given_by to assize_app;
