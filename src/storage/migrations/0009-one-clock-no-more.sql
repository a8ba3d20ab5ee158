-- What it said is in the clocks of the scopes.
drop table clock;
