-- Figures that agreements of a workspace wait for and that are late or will not come: when each was noticed, the likely cause, and when
-- and why it was over. It changes no number.
create table alarm (
  workspace_id text collate "C" not null references workspace (id),
  id text collate "C" not null check (id ~ '^alm_[0-9a-z]{26}$'),
  series_id text collate "C" not null,
  -- As periods are written: 2026-10, 2026-Q3.
  period text collate "C" not null check (length(period) <= 40),
  -- The likely one as it is now.
  cause text collate "C" not null
    check (cause in ('CANCELLED', 'ENDED', 'PROVIDER', 'MOVED', 'ANSWERED_WITHOUT', 'NOT_RECORDED')),
  -- An instant or a day; null where no date could be said.
  expected_at text collate "C" check (length(expected_at) <= 40),
  raised_at timestamptz not null,
  cleared_at timestamptz,
  cleared_by text collate "C" check (cleared_by in ('VALUE', 'CANCELLED', 'MOVED', 'NOT_AWAITED')),
  primary key (workspace_id, id),
  check ((cleared_at is null) = (cleared_by is null))
);
-- One for each series and period, however many processes notice it; a cancelled release is another than a late one.
create unique index alarm_open on alarm (workspace_id, series_id, period, (cause = 'CANCELLED')) where cleared_at is null;

call hold_to_workspace('alarm', 'workspace_id');
grant select, insert, update (cause, cleared_at, cleared_by) on alarm to assize_app;

-- For monitoring: how many series of each provider are late or cancelled for anybody, and nothing of anybody.
create function late_series() returns table (provider text, late bigint)
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  before constant text := coalesce(current_setting('assize.workspace', true), '');
begin
  perform set_config('assize.workspace', '*', true);
  return query
    select s.provider, count(distinct a.series_id)
    from alarm a join series s on s.id = a.series_id and s.owner in ('public', a.workspace_id)
    where a.cleared_at is null group by s.provider;
  perform set_config('assize.workspace', before, true);
end $$;
grant execute on function late_series to assize_app;
