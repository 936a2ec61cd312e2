-- model    refunded_card
-- grain    one row per card that was ever refunded: what names it
-- reads    seen_transaction_version
-- rule     R-18: coarse is brand and last four digits, fine these and the keyed hash of the billing identity
-- silent   cards without a refund; two refunded cards of one key stop the run
with
    refund as (
        select distinct
            coalesce(account_type, '') as account_type,
            coalesce(last_four, '') as last_four,
            billing_key
        from seen_transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and action = 'REFUND'
            and vault_type = 'CARD'
    )
select
    fine_card ('CARD', account_type, last_four, billing_key) as fine_key,
    case
        when count(*) = 1 then any_value(concat_ws('|', 'CARD', account_type, last_four, billing_key::varchar))
        else error('two cards have one key')
    end as card
from refund
group by fine_key
