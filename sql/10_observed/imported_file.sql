-- model    imported_file
-- grain    one row per file that was imported
-- reads    ops_imported_file
-- rule     R-59: a file shows the records at the time of its export
-- silent   files that landed after known_at
select
    sweep_id, account, list, file_sha256, exported_at, complete_from, earliest, started_at,
    ended_at, records, new_versions, quarantined, landing_seq
from ops_imported_file
