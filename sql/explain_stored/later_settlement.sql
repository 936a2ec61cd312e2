-- model    later_settlement
-- grain    one row per settlement after the explained one, up to the first whose cut-off lies after all positions in its window
-- reads    explained_evidence, stored_evidence
-- rule     R-64: these may contain transactions that are older and were seen to become settled late
-- silent   settlements without evidence in the stored run
select later.settlement_id, later.cut_at, explained_evidence.latest_at
from
    stored_evidence as later
    inner join explained_evidence on (later.created, later.settlement_id) > (explained_evidence.created, explained_evidence.settlement_id)
qualify
    coalesce(
        max(later.cut_at) over (
            order by
                later.created,
                later.settlement_id rows between unbounded preceding
                and 1 preceding
        ) < explained_evidence.latest_at,
        true
    )
