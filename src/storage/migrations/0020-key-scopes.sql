-- What a key may read: `read`, `money` (invoices, checks and ledgers as well) or `all`. Keys from before are `read`.
alter table api_key add column key_scope text collate "C" not null default 'read' check (key_scope in ('read', 'money', 'all'));

-- As before, with the scope.
drop function find_api_key(bytea);
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
