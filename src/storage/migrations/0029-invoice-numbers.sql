-- The form by which invoice numbers are compared, beside the number as it was written. The program computes it for every
-- new invoice. Invoices from before this keep their number and all of their lines; of those that are written in plain
-- characters the form is computed here, by the same rule, and of the others whenever they are looked at.
alter table invoice add column number_key text collate "C";

select set_config('assize.workspace', '*', true);
alter table invoice disable trigger append_only;
update invoice set number_key = regexp_replace(btrim(regexp_replace(regexp_replace(lower(number collate "C"),
    ' +', ' ', 'g'), '(?<![0-9]) | (?![0-9])', '', 'g'), '.,;:''"'), '(?<![0-9])0+(?=[0-9])', '', 'g')
where number ~ '^[ -~]+$';
alter table invoice enable trigger append_only;
select set_config('assize.workspace', '', true);

create index invoice_by_number_key on invoice (workspace_id, number_key);
