-- view     imports
-- of       records
-- grain    one row per file that was imported
-- silent   nothing
-- column   account, name: short name of the account
-- column   sweepId, name: id of the import
-- column   list, word: transactions or settlements
-- column   fileSha256, hash: SHA-256 of the file
-- column   format, word: ndjson, csv or parquet
-- column   exportedAt, instant: when the file was exported, as the person said
-- column   completeFrom, instant: from when on the file is complete, as the person said
-- column   earliest, instant: created of its earliest record
-- column   startedAt, instant: when the import began
-- column   endedAt, instant: when it ended
-- column   records, count: records in the file
-- column   newVersions, count: versions that were new or differed
-- column   quarantined, count: records that could not be read
-- column   differing, count: records that differ from what was known, or from another line of the file
-- column   older, count: records older than what was known
-- column   landingSeq, sequence: landing number at its end
select
    account as "account",
    sweep_id as "sweepId",
    list as "list",
    file_sha256 as "fileSha256",
    format as "format",
    exported_at as "exportedAt",
    complete_from as "completeFrom",
    earliest as "earliest",
    started_at as "startedAt",
    ended_at as "endedAt",
    records as "records",
    new_versions as "newVersions",
    quarantined as "quarantined",
    differing as "differing",
    older as "older",
    landing_seq as "landingSeq"
from lake.ops.imported_file
