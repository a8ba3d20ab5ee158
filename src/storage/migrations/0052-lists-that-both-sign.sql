-- Price lists that both parties agree on: a change of terms, like a document. Its document is the rows of the list.
alter table terms_change drop constraint terms_change_kind_check;
alter table terms_change add constraint terms_change_kind_check check (kind in ('SPLICE', 'AMENDMENT', 'PRICE_LIST'));

alter table price_list
  -- The change that the version came about by; null for one that one side applied alone.
  add column proposal text collate "C",
  -- The last date that both had signed, where a first list reaches back: until then the contract's own price stays an item.
  add column own_price_until date,
  add foreign key (workspace_id, proposal) references terms_change (workspace_id, id);
create unique index price_list_proposal on price_list (workspace_id, proposal) where proposal is not null;
