-- view     terminal_versions
-- of       records
-- grain    one row per observed version of a terminal that differed from the one before
-- silent   nothing
-- column   account, name: short name of the account
-- column   terminalId, id: the service's id of the terminal
-- column   terminalName, text: nickName of the terminal
-- column   type, word: CARD or ACH, as sent
-- column   enabled, flag: whether the service calls it enabled
-- column   merchantNumber, text: merchant number of the terminal
-- column   accountId, text: the service's id of the account that the terminal belongs to
-- column   companyDba, text: name under which the company of the terminal does business
-- column   surchargeEnabled, flag: whether it may add a surcharge
-- column   surchargePercentage, percent: percentage of its surcharge
-- column   surchargeTaxable, flag: whether the surcharge is taxed
-- column   acceptance, text: ACH codes that it accepts, comma-separated; empty where the service does not say
-- column   version, count: 1 for the first observed version of the terminal, then 2, 3, ...
-- column   observedAt, instant: when this version was first observed
-- column   sweepId, name: sweep or import that brought this version
-- column   landingSeq, sequence: landing number of this version: it is known at this number and above
select
    account as "account",
    terminal_id as "terminalId",
    nick_name as "terminalName",
    type as "type",
    enabled as "enabled",
    merchant_number as "merchantNumber",
    account_uuid as "accountId",
    company_dba as "companyDba",
    surcharge_enabled as "surchargeEnabled",
    surcharge_percentage as "surchargePercentage",
    surcharge_taxable as "surchargeTaxable",
    acceptance as "acceptance",
    row_number() over (
        partition by account, terminal_id
        order by landing_seq, ordinal
    ) as "version",
    observed_at as "observedAt",
    sweep_id as "sweepId",
    landing_seq as "landingSeq"
from lake.seen.terminal_version
