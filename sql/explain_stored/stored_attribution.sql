-- view     stored_attribution
-- grain    one row per transaction and settlement of the stored run
-- reads    result_attribution_source, result_attributions
-- rule     R-07: the members as the run has found them
-- silent   nothing
select
    "settlementId" as settlement_id,
    "transactionId" as transaction_id,
    "created" as created,
    "method" as method
from
    result_attribution_source as source
    inner join result_attributions as written on written.run_id = source.source_run_id
    and written."settlementId" = source.settlement_id
where source.run_id = getvariable('stored_run')
