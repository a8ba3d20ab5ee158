-- How invoices name a contract, which day of a line decides its price, and whether a line is shared out by days. They change no
-- number, so they belong to the agreement's state and not to a formula version. States from before have none of their own:
-- for them the text of the newest version tells.

alter table pam_state add column billing jsonb check (jsonb_typeof(billing) = 'object');
