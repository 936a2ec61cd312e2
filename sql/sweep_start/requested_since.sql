-- model    requested_since
-- grain    at most one row: the instant from which transactions matter for the range that a person named
-- reads    newest_settlement
-- rule     R-18: a year before the range, for refunds; R-07: the end of the settlement before each terminal's first one in the range
-- silent   nothing
select
    least(
        getvariable('range_from') - interval 12 months,
        (
            select
                min(
                    coalesce(created_long_before, created_before - interval 1 day, created - interval 1 day) - reach
                )
            from
                (
                    from newest_settlement
                    where created >= getvariable('range_from')
                    qualify
                        row_number() over (
                            partition by terminal_id
                            order by created, settlement_id
                        ) = 1
                )
        )
    ) as since
where getvariable('range_from') is not null
