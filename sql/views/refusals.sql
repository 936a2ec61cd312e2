-- view     refusals
-- of       records
-- grain    one row whenever the service refuses a list of one terminal, or answers it again
-- silent   terminals that were never refused
-- column   account, name: short name of the account
-- column   list, word: settlements or transactions
-- column   terminalId, id: terminal of the record
-- column   refused, flag: true: refused; false: answered again
-- column   httpStatus, count: HTTP status of the refusal
-- column   parameter, text: the parameter that the service names, if it names one
-- column   sweepId, name: sweep that was refused or answered
-- column   observedAt, instant: when it was observed
-- column   landingSeq, sequence: landing number of the observation
select
    account as "account",
    list as "list",
    terminal_id as "terminalId",
    refused as "refused",
    http_status::bigint as "httpStatus",
    parameter as "parameter",
    sweep_id as "sweepId",
    observed_at as "observedAt",
    landing_seq as "landingSeq"
from lake.seen.refusal
