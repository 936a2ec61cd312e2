-- model    cleared_variance
-- grain    one row per settlement whose difference a person resolved by clearing it to an account
-- reads    exception, exception_decision, tieout
-- rule     R-40: a resolved variance leaves suspense on the day that was named, as long as the resolution holds
-- silent   days after as_of, and settlements that are no longer COMPLETE
select
    tieout.settlement_id, tieout.terminal_id, exception_decision.clear_to as account_key,
    exception_decision.clear_date as entry_date, tieout.difference_cents as amount_cents
from
    exception
    inner join exception_decision using (exception_id)
    inner join tieout on tieout.settlement_id = try_cast(exception.subject_id as bigint)
where
    exception.code = 'AMOUNT_MISMATCH'
    and exception.is_found
    and exception.state = 'RESOLVED'
    and exception_decision.clear_to is not null
    and exception_decision.clear_date <= getvariable('as_of_date')
    and tieout.status = 'COMPLETE'
    and tieout.created <= getvariable('as_of')
