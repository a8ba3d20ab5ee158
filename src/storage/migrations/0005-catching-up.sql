-- A server that missed notifications asks what it missed: which subjects changed in which scope, and nothing else.
create function publications_since(after bigint, most integer)
returns table (seq bigint, scope text, kind text, subject text)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select p.seq, p.scope, p.kind, p.subject from publication p where p.seq > after order by p.seq limit most;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function publications_since to assize_app;

create index publication_seq on publication (seq);
