-- view     exception_events
-- of       records
-- grain    one row per exception and run that found it new, back, of another amount or happening again, or no longer found it (R-38)
-- silent   runs that found it as the run before; decisions about it, which are in audit_trail
select
    events.account as "account", -- name: short name of the account
    events.scan_seq as "scan", -- sequence: number of the run among those that looked for exceptions
    scans.run_id as "runId", -- name: the run
    scans.known_at as "knownAt", -- sequence: landing sequence number that the run knew up to
    events.exception_id as "exceptionId", -- hash: hash of account, code and subject
    events.event as "event", -- word: found or gone
    events.code as "code", -- word: what is wrong: docs/exceptions.md
    events.subject_type as "subjectType", -- word: settlement, transaction or terminal
    events.subject_id as "subjectId", -- text: id of the subject, or sha256: and its hash
    events.terminal_id as "terminalId", -- id: terminal of the subject
    (events.amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount" -- money: amount in question; empty where there is none
from
    lake.ops.exception_event as events
    inner join lake.ops.exception_scan as scans using (scan_seq, account)
