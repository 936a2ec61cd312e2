-- model    settlement_quarantine
-- grain    one row per settlement to which records may belong that could not be read: their types and ids
-- reads    boundary, current_quarantine, current_settlement
-- rule     R-29: a record in quarantine belongs to the settlement within whose cut-offs it was created; after the last cut-off, to the next
-- silent   records created after their terminal's last settlement
with
    settlement_by_record as (
        select
            current_quarantine.subject_id, current_quarantine.subject_type,
            coalesce(
                min_by(current_settlement.settlement_id, current_settlement.ordinal) filter(
                    where
                        coalesce(boundary.cut_instant, current_settlement.created) >= current_quarantine.created
                ),
                min_by(current_settlement.settlement_id, current_settlement.ordinal)
            ) as settlement_id
        from
            current_quarantine
            inner join current_settlement on current_settlement.terminal_id = current_quarantine.terminal_id
            and current_settlement.created >= current_quarantine.created
            left join boundary on boundary.settlement_id = current_settlement.settlement_id
        where current_quarantine.list in ('transactions', 'settlements')
        group by current_quarantine.subject_id, current_quarantine.subject_type
    )
select
    settlement_id,
    list(subject_type || ' ' || subject_id order by subject_type, subject_id) as unreadable
from settlement_by_record
group by settlement_id
