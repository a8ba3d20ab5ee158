-- Few new vintages are checked one by one, by keys. To check them all at once reads every series and publication there is,
-- which is right for a large import and took most of a second for a single figure beside a million series.
create or replace function check_vintages() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  each record;
begin
  if (select count(*) from (select 1 from added limit 1001) a) <= 1000 then
    for each in select distinct owner, series_id, seq, recorded_at from added loop
      if not exists (
        select 1 from publication p where p.scope = each.owner and p.seq = each.seq and p.recorded_at = each.recorded_at
          and p.subject = each.series_id and p.kind = 'observations')
        or not exists (select 1 from series s where s.owner = each.owner and s.id = each.series_id) then
        raise exception 'a vintage without its series or its publication' using errcode = 'foreign_key_violation';
      end if;
    end loop;
  elsif exists (
    select 1 from (select distinct a.owner, a.series_id, a.seq, a.recorded_at from added a) a
    left join publication p on p.scope = a.owner and p.seq = a.seq and p.recorded_at = a.recorded_at
      and p.subject = a.series_id and p.kind = 'observations'
    left join series s on s.owner = a.owner and s.id = a.series_id
    where p.seq is null or s.id is null) then
    raise exception 'a vintage without its series or its publication' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
