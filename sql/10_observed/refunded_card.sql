-- model    refunded_card
-- grain    one row per card that was ever refunded, with its brand, its last four digits and the code by which files show it
-- reads    ops_card_key, seen_transaction_version
-- rule     R-17: files show a short code, and the rotation of a hash key does not change it; R-18: coarse and fine keys
-- silent   cards without a refund; two refunded cards of one key stop the run
with
    refund as (
        select distinct
            card_brand (account_type) as brand,
            coalesce(last_four, '') as last_four,
            billing_key
        from seen_transaction_version
        where action = 'REFUND' and vault_type = 'CARD'
    ),
    before_rotation as (
        select account_type as brand, last_four, billing_key, card_key
        from ops_card_key
        where account = getvariable('account')
    )
select
    fine_card ('CARD', brand, last_four, billing_key) as fine_key,
    any_value(nullif(brand, '')) as brand,
    any_value(nullif(last_four, '')) as last_four,
    case
        when count(*) = 1 then any_value(
            coalesce(before_rotation.card_key, short_card_key (brand, last_four, billing_key))
        )
        else error('two cards have one key')
    end as card_key
from refund left join before_rotation using (brand, last_four, billing_key)
group by fine_key
