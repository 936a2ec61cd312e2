-- view     refusals
-- of       records
-- grain    one row whenever the service refuses a list of one terminal, or answers it again
-- silent   terminals that were never refused
select
    account as "account", -- name: short name of the account
    list as "list", -- word: settlements or transactions
    terminal_id as "terminalId", -- id: terminal of the record
    refused as "refused", -- flag: true: refused; false: answered again
    http_status::bigint as "httpStatus", -- count: HTTP status of the refusal
    parameter as "parameter", -- text: the parameter that the service names, if it names one
    sweep_id as "sweepId", -- name: sweep that was refused or answered
    observed_at as "observedAt", -- instant: when it was observed
    landing_seq as "landingSeq" -- sequence: landing number of the observation
from lake.seen.refusal
