-- view     exception_events
-- of       records
-- grain    one row per exception and run that found it new, back, of another amount or happening again, or no longer found it (R-38)
-- silent   runs that found it as the run before; decisions about it, which are in audit_trail
-- column   account, name: short name of the account
-- column   scan, sequence: number of the run among those that looked for exceptions
-- column   runId, name: the run
-- column   knownAt, sequence: landing sequence number that the run knew up to
-- column   exceptionId, hash: hash of account, code and subject
-- column   event, word: found or gone
-- column   code, word: what is wrong: docs/exceptions.md
-- column   subjectType, word: settlement, transaction or terminal
-- column   subjectId, text: id of the subject, or sha256: and its hash
-- column   terminalId, id: terminal of the subject
-- column   amount, money: amount in question; empty where there is none
select
    events.account as "account",
    events.scan_seq as "scan",
    scans.run_id as "runId",
    scans.known_at as "knownAt",
    events.exception_id as "exceptionId",
    events.event as "event",
    events.code as "code",
    events.subject_type as "subjectType",
    events.subject_id as "subjectId",
    events.terminal_id as "terminalId",
    (events.amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount"
from
    lake.ops.exception_event as events
    inner join lake.ops.exception_scan as scans using (scan_seq, account)
