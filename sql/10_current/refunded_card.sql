-- model    refunded_card
-- grain    one row per card that was ever refunded: the short hash that files show of it
-- reads    lake.seen.transaction_version
-- rule     R-18: coarse is brand and last four digits, fine these and the keyed hash of the billing identity
-- silent   cards without a refund; two refunded cards of one key stop the run
with
    refunded as (
        select distinct
            fine_card (vault_type, account_type, last_four, billing_key) as fine_key,
            concat_ws(
                '|',
                vault_type,
                coalesce(account_type, ''),
                coalesce(last_four, ''),
                billing_key::varchar
            ) as card
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and action = 'REFUND'
            and vault_type = 'CARD'
    )
select
    fine_key,
    case
        when min(card) = max(card) then substr(sha256(min(card)), 1, 12)
        else error('two cards have one key')
    end as card_key
from refunded
group by fine_key
