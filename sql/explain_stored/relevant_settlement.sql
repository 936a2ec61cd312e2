-- model    relevant_settlement
-- grain    one row per settlement that the explanation reads
-- reads    explained_evidence, lake.seen.settlement_version, manual_attribution, seen_transaction_version
-- rule     R-05: those of the terminal, and those that an id or a person names
-- silent   nothing
select settlement_id
from lake.seen.settlement_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and terminal_id = getvariable('explained_terminal')
union
select explicit_settlement_id
from seen_transaction_version
union
select settlement_id
from manual_attribution
union
select other_id
from explained_evidence
