-- The trees of the log, their heads and checkpoints.
select 1;
