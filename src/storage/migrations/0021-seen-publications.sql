-- What was published about a public series is seen by the workspaces that follow it, as its vintages are; and that the
-- installation has another name or its clock was repaired, by all of them.
create policy follower on publication for select using (scope = 'public' and (
  kind in ('installation', 'clock') or subject in (
    select f.series_id from follow f where f.workspace_id = (select nullif(current_setting('assize.workspace', true), '')))));

-- A place in the public sequence is recognised by the link over it. A link says nothing: it is a keyed hash.
create policy everybody on publication_link for select using (scope = 'public');

-- The vintages of one publication. They are written in the order of their instants, so that an index of block ranges is
-- enough: it takes next to no room and no time.
create index vintage_recorded on vintage using brin (recorded_at) with (pages_per_range = 16);
