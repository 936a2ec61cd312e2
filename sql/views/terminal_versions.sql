-- view     terminal_versions
-- of       records
-- grain    one row per observed version of a terminal that differed from the one before
-- silent   nothing
select
    account as "account", -- name: short name of the account
    terminal_id as "terminalId", -- id: the service's id of the terminal
    nick_name as "terminalName", -- text: nickName of the terminal
    type as "type", -- word: CARD or ACH, as sent
    enabled as "enabled", -- flag: whether the service calls it enabled
    merchant_number as "merchantNumber", -- text: merchant number of the terminal
    account_uuid as "accountId", -- text: the service's id of the account that the terminal belongs to
    company_dba as "companyDba", -- text: name under which the company of the terminal does business
    surcharge_enabled as "surchargeEnabled", -- flag: whether it may add a surcharge
    surcharge_percentage as "surchargePercentage", -- percent: percentage of its surcharge
    surcharge_taxable as "surchargeTaxable", -- flag: whether the surcharge is taxed
    acceptance as "acceptance", -- text: ACH codes that it accepts, comma-separated; empty where the service does not say
    row_number() over (
        partition by account, terminal_id
        order by landing_seq, ordinal
    ) as "version", -- count: 1 for the first observed version of the terminal, then 2, 3, ...
    observed_at as "observedAt", -- instant: when this version was first observed
    sweep_id as "sweepId", -- name: sweep or import that brought this version
    landing_seq as "landingSeq" -- sequence: landing number of this version: it is known at this number and above
from lake.seen.terminal_version
