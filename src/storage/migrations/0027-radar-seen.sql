-- Until when each person has looked at what publications did to the agreements they see. It changes no number.
create table radar_seen (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  seen_until timestamptz not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade
);

call hold_to_workspace('radar_seen', 'workspace_id');
grant select, insert, update, delete on radar_seen to assize_app;

-- What was published in a time. In each scope instants grow with the numbers, so that an index of block ranges is enough.
create index publication_recorded on publication using brin (recorded_at) with (pages_per_range = 16);
