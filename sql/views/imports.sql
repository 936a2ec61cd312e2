-- view     imports
-- of       records
-- grain    one row per file that was imported
-- silent   nothing
select
    account as "account", -- name: short name of the account
    sweep_id as "sweepId", -- name: id of the import
    list as "list", -- word: transactions or settlements
    file_sha256 as "fileSha256", -- hash: SHA-256 of the file
    format as "format", -- word: ndjson, csv or parquet
    exported_at as "exportedAt", -- instant: when the file was exported, as the person said
    complete_from as "completeFrom", -- instant: from when on the file is complete, as the person said
    earliest as "earliest", -- instant: created of its earliest record
    started_at as "startedAt", -- instant: when the import began
    ended_at as "endedAt", -- instant: when it ended
    records as "records", -- count: records in the file
    new_versions as "newVersions", -- count: versions that were new or differed
    quarantined as "quarantined", -- count: records that could not be read
    differing as "differing", -- count: records that differ from what was known, or from another line of the file
    older as "older", -- count: records older than what was known
    landing_seq as "landingSeq" -- sequence: landing number at its end
from lake.ops.imported_file
