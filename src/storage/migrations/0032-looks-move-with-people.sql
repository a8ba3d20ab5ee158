-- Somebody who joins with an account they have keeps what they looked at, as in every other table of a member.
alter table radar_seen
  drop constraint radar_seen_workspace_id_person_id_fkey,
  add foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade;
