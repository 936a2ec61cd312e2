-- model    request_pace
-- grain    one row: the number of requests of the next sweeps if transactions are read from $2 on, and the recent number a second
-- reads    lake.ops.sweep, lake.seen.transaction_version
-- rule     R-31: the last sweep of each whole list, of account $1
-- silent   sweeps of fewer than $3 requests, which are too short to show a pace
with
    whole_sweep as (
        select list, run_id, sum(requests) as requests, max(landing_seq) as landing_seq
        from lake.ops.sweep
        where account = $1 and covers_from is null
        group by list, run_id
        qualify row_number() over (partition by list order by max(landing_seq) desc) = 1
    ),
    part as (
        select
            count(distinct transaction_id) filter(
                $2::timestamp is null
                or created >= $2::timestamp
            ) / nullif(count(distinct transaction_id), 0)::double as share
        from lake.seen.transaction_version
        where account = $1
    ),
    pace as (
        select sum(requests) / nullif(sum(epoch(ended_at - started_at)), 0)::double as per_second
        from
            (
                select *
                from lake.ops.sweep
                where account = $1 and requests >= $3
                order by landing_seq desc
                limit 6
            )
    )
select
    (
        select
            sum(
                requests * case list
                    when 'transactions' then coalesce((select share from part), 1)
                    else 1
                end
            )
        from whole_sweep
        having count(*) = 3
    )::bigint as requests,
    (select per_second from pace) as per_second
