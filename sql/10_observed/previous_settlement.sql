-- model    previous_settlement
-- grain    one row per settlement of the pack that this one is compared with
-- reads    previous_run, result_settlements
-- rule     R-37: what changed is read from the packs' own texts
-- silent   nothing
select
    settlements."settlementId" as settlement_id,
    settlements."terminalId" as terminal_id,
    settlements."businessDate" as business_date,
    settlements."status" as status,
    settlements."verdict" as verdict,
    settlements."reportedNet" as reported,
    settlements."computedNet" as computed
from result_settlements as settlements inner join previous_run using (run_id)
