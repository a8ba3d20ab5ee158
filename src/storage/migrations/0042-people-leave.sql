-- Salts of entries that name people, and what was erased.
select 1;
