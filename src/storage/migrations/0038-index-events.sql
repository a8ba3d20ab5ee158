-- What is known about indices: that one ended, was put on another base, replaced, cancelled for a period, or is computed
-- differently. A row says what holds from then on: a correction is another row of the same event. All of it is public.
create table index_event (
  owner text collate "C" not null check (owner = 'public'),
  -- Follows from the id.
  event_id text collate "C" not null check (event_id ~ '^iev_[0-9a-z]{26}$'),
  seq bigint not null,
  id text collate "C" not null check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(id) <= 100),
  -- Null for an index that none of the providers has.
  provider text collate "C",
  codes text collate "C" check (codes <> '' and length(codes) <= 300),
  kind text collate "C" not null check (kind in ('ENDED', 'REBASED', 'SUPERSEDED', 'CANCELLED', 'METHOD')),
  day date not null,
  sentence text not null check (sentence <> '' and length(sentence) <= 1000),
  successor text collate "C" check (successor <> '' and length(successor) <= 200),
  direction text collate "C" check (direction in ('OLD_TO_NEW', 'NEW_TO_OLD')),
  -- As printed.
  digits text collate "C" check (digits ~ '^\d+(\.\d+)?$' and length(digits) <= 60),
  source text not null check (source <> '' and length(source) <= 300),
  -- Who said so: the program, or an operator.
  said_by text not null check (said_by <> ''),
  recorded_at timestamptz not null,
  primary key (owner, event_id, seq),
  foreign key (owner, seq) references publication (scope, seq),
  check ((direction is null) = (digits is null)),
  check ((provider is null) = (codes is null))
);

call hold_to_workspace('index_event', 'owner');
call make_append_only('index_event');
create policy everybody on index_event for select using (true);
create policy everybody_index_event on publication for select using (scope = 'public' and kind = 'index-event');
grant select, insert on index_event to assize_app;
