-- Signatures that an identity provider vouches for.
select 1;
