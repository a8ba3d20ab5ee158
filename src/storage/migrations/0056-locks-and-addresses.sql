-- Passwords that are locked leave the sessions of an identity provider open, and acts name a webhook by its id alone.

-- Who has no place but in the workspace that is set loses the password, and the sessions that were opened by it. Answered are the
-- sessions by an identity provider as they were sealed before: whoever calls this seals those that counted again. A password that
-- is locked already stays as it is. What is behind the last `$` then is no hash, so no password fits it.
drop function lock_accounts(text[]);
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

-- Activity named a webhook by its address, which is often a secret of the receiver, and is read by those who may not look at
-- webhooks. What was recorded stays; what is told is the id.
create view activity_told with (security_invoker = true) as
  select a.workspace_id, a.id, a.at, a.who, a.what, a.from_address,
    case when a.what like 'webhook%' then regexp_replace(a.subject, '^\S+ \((whk_[0-9a-z]{26})\)$', '\1') else a.subject end
      as subject
  from activity a;
grant select on activity_told to assize_app;
do $$
begin
  perform set_config('assize.redacting', pg_current_xact_id()::text, true);
  update audit_act a set subject = regexp_replace(a.subject, '^\S+ \((whk_[0-9a-z]{26})\)$', '\1')
  where a.act like 'webhook.%' and a.subject like '% (whk\_%)';
  perform set_config('assize.redacting', '', true);
end $$;
