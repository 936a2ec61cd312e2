-- finding  REFUND_CEILING_BREACH
-- grain    one row per card refund above what was charged on its card in the 12 months before
-- reads    refund_certainty
-- rule     R-18: the amount is the refund's own part of the excess over the total that decided the certainty
-- silent   refunds that the charges of their fine key cover
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    -- Earlier refunds have already used up a part of the charges.
    least(
        refund_cents,
        refunded_in_window_cents - case
            when certainty = 'CERTAIN' then charged_coarse_cents
            else charged_fine_cents
        end
    ) as amount_cents,
    certainty,
    concat_ws(
        '; ',
        'refund of ' || money(refund_cents) || ', charged in the 12 months before ' || money(charged_fine_cents) || ' on the fine card key and ' || money(charged_coarse_cents) || ' on the coarse one',
        case
            when reading = 'ONE'
            and refunded_in_window_cents > refund_cents then 'the refunds of the card are ' || money(refunded_in_window_cents) || ' in all'
            when reading = 'TWO' then 'only together with the other refunds of the card, ' || money(refunded_in_window_cents) || ' in all, it exceeds the fine total'
        end,
        case
            when is_uncertain then 'a record that could not be read, or that lacks card fields, may be one more charge'
        end,
        case
            when certainty = 'INSUFFICIENT_HISTORY' then 'history is ' || coalesce('known from ' || instant(history_from) || ' on', 'not certified')
        end
    ) as detail,
    created as subject_created
from refund_certainty
