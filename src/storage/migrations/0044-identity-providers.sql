-- Identity providers of companies, and who signs in by them.
select 1;
