-- finding  TERMINAL_INACCESSIBLE
-- grain    one row per terminal that the service refuses to this credential
-- reads    current_transaction, refused_list
-- rule     R-58: the service refuses some list of the terminal now
-- silent   terminals that are answered again; what their records would amount to, which the service does not show
with
    refusal as (
        select
            terminal_id,
            'refused: ' || string_agg(
                concat_ws(
                    ' ',
                    list || ' with ' || http_status::varchar,
                    'on ' || parameter,
                    'since ' || instant(refused_since)
                ),
                ', '
                order by list
            ) as detail
        from refused_list
        group by terminal_id
    ),
    first_transaction as (
        select terminal_id, min(created) as created
        from current_transaction
        where terminal_id in (select terminal_id from refusal)
        group by terminal_id
    )
select
    'terminal' as subject_type,
    terminal_id::varchar as subject_id,
    terminal_id,
    null::bigint as amount_cents,
    detail, first_transaction.created as subject_created
from refusal left join first_transaction using (terminal_id)
