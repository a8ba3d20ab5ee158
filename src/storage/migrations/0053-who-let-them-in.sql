-- Who let an address into the company it is of: the newest entry about that. Asked for with each request of somebody of a company.
create function admission_of(given_workspace text, given_email text, given_party text)
returns table (seq bigint, kind text, email text, person_id text, done_by text, done_from text, done_role text, done_company text,
  facts jsonb, recorded_at timestamptz, party_id text, seal bytea)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select e.seq, e.kind, e.email, e.person_id, e.done_by, e.done_from, e.done_role, e.done_company, e.facts, e.recorded_at,
      e.party_id, e.seal
    from people_event e join party p on p.workspace_id = e.workspace_id and p.id = e.party_id
    where e.workspace_id = given_workspace and e.email = lower(given_email) and p.slug = given_party
      and (e.kind in ('INVITED', 'MOVED_IN') or e.kind = 'JOINED' and e.facts #> '{identity,group}' is not null)
    order by e.seq desc limit 1;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function admission_of to assize_app;
