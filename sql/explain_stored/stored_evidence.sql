-- model    stored_evidence
-- grain    one row per settlement of the terminal with evidence in the stored run
-- reads    result_evidence
-- rule     R-62: a record is last modified up to 72 hours after its settlement was created
-- silent   nothing
select
    "settlementId"::bigint as settlement_id,
    "created"::timestamp as created,
    clock_value ("clock") as clock,
    "previousCutId"::bigint as previous_cut_id,
    "previousCutAt"::timestamp as previous_cut_at,
    "cutId"::bigint as cut_id,
    "cutAt"::timestamp as cut_at,
    "isEarly"::boolean as is_early,
    "reach"::bigint as reach_hours,
    "usualLag"::double as lag_s,
    "usualSpread"::double as spread_s,
    "rivals"::bigint as rival_count,
    "certificateReasons" as reasons,
    "candidates" as candidates,
    from_json("unreadable", '["VARCHAR"]') as unreadable,
    "otherSettlement"::bigint as other_id,
    "moves" as moves,
    from_json("late", '["BIGINT"]') as late_ids,
    from_json("laterMembers", '["BIGINT"]') as member_ids,
    "created"::timestamp - to_hours("reach"::bigint) as earliest_at,
    "created"::timestamp + cutoff_delay ("clock") as latest_at
from result_evidence
where
    run_id = getvariable('stored_run')
    and "terminalId" = getvariable('explained_terminal')::varchar
