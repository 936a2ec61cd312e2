-- model    known_settlement
-- grain    one row per settlement that exists, also one whose net can't be read
-- reads    current_quarantine, current_settlement
-- rule     R-20: a record that can't be read still ends an interval, if its terminal and its created can be read
-- silent   quarantined settlements without id, terminal or created
with
    every_settlement as (
        select settlement_id, terminal_id, created, status, reported_cents
        from current_settlement
        union all
        select try_cast(subject_id as bigint), terminal_id, created, 'UNREADABLE', null
        from current_quarantine
        where
            list = 'settlements'
            and terminal_id is not null
            and created is not null
            and try_cast(subject_id as bigint) is not null
            and try_cast(subject_id as bigint) not in (select settlement_id from current_settlement)
        qualify row_number() over (partition by subject_id order by last_seen desc) = 1
    )
select *, row_number() over (partition by terminal_id order by created, settlement_id) as ordinal
from every_settlement
