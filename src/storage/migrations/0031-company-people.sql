-- A company admits its own people: what was done about the people of a workspace, by whom and from which side; what each of
-- them has seen of it; where a signer comes from; and how often an address that has not joined gets mail.

-- Each row is a publication. `party_id` is the company it is about; null for people without one.
create table people_event (
  workspace_id text collate "C" not null references workspace (id),
  seq bigint not null,
  party_id text collate "C",
  kind text collate "C" not null check (kind in ('INVITED', 'PASSWORD_LINK', 'JOINED', 'JOINED_AGAIN', 'PASSWORD_SET',
    'PASSKEY', 'FACTORS_RESET', 'MOVED_IN', 'MOVED_OUT', 'REMOVED', 'WITHDRAWN', 'ADMINISTRATOR', 'CONFIRMED')),
  -- Whom it is about.
  email text collate "C" not null check (email = lower(email)),
  person_id text collate "C",
  -- Who did it: an address, or the operator; from which side; and their role and company then.
  done_by text not null check (done_by <> ''),
  done_from text collate "C" not null check (done_from in ('OPERATOR', 'COMPANY', 'WORKSPACE')),
  done_role text collate "C",
  done_company text collate "C",
  facts jsonb,
  recorded_at timestamptz not null,
  seal bytea not null,
  primary key (workspace_id, seq),
  foreign key (workspace_id, party_id) references party (workspace_id, id),
  foreign key (workspace_id, seq) references publication (scope, seq)
);
create index people_event_party on people_event (workspace_id, party_id, seq);
create index people_event_email on people_event (workspace_id, email, seq);

call hold_to_workspace('people_event', 'workspace_id');
call make_append_only('people_event');
grant select, insert on people_event to assize_app;
-- That none of them is missing is looked at whenever they are read.
create index publication_people on publication (scope, seq) where kind = 'people';

-- Up to which of them each person has looked.
create table people_seen (
  workspace_id text collate "C" not null,
  person_id text collate "C" not null,
  seen_seq bigint not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on update cascade on delete cascade
);
call hold_to_workspace('people_seen', 'workspace_id');
grant select, insert, update, delete on people_seen to assize_app;

-- Null in acts from before it was kept.
alter table signing add column origin jsonb;

-- People are told what is done about the people of their company.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check
  check (kind in ('invitation', 'reset', 'people', 'signature', 'objection', 'revision', 'late'));
-- A mail that waits carries the newest link.
grant update (about, facts) on notice to assize_app;

-- Mails with a one-time link that went to an address, from whichever workspace: nobody reads this but the function below.
create table link_mail_turn (
  mail_id text collate "C" primary key,
  email text not null check (email = lower(email)),
  kind text collate "C" not null,
  taken_at timestamptz not null default clock_timestamp()
);
create index link_mail_turn_email on link_mail_turn (email, taken_at);
create index link_mail_turn_taken on link_mail_turn (taken_at);
alter table link_mail_turn enable row level security;

-- Takes a turn for a mail, or says for how many seconds it has to wait. A mail that has its turn keeps it.
create function take_link_mail_turn(of_mail text, address text, of_kind text, apart_seconds integer, most_a_day integer)
returns integer
language plpgsql security definer set search_path = assize, pg_temp as $$
declare
  now constant timestamptz := clock_timestamp();
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('link mail ' || address, 0));
  delete from link_mail_turn t where t.taken_at < now - interval '1 day';
  if exists (select 1 from link_mail_turn t where t.mail_id = of_mail) then
    return 0;
  end if;
  free_at := greatest(
    (select max(t.taken_at) from link_mail_turn t where t.email = address and t.kind = of_kind)
      + make_interval(secs => apart_seconds),
    (select t.taken_at from link_mail_turn t where t.email = address order by t.taken_at desc offset most_a_day - 1 limit 1)
      + interval '1 day');
  if free_at > now then
    return ceil(extract(epoch from free_at - now))::integer;
  end if;
  insert into link_mail_turn (mail_id, email, kind, taken_at) values (of_mail, address, of_kind, now);
  return 0;
end $$;
grant execute on function take_link_mail_turn to assize_app;
