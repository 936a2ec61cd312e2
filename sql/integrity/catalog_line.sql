-- model    catalog_line
-- grain    one row per row of DuckLake's catalog, as text, with the snapshot that wrote it
-- reads    __ducklake_metadata_lake.ducklake_column, __ducklake_metadata_lake.ducklake_data_file, __ducklake_metadata_lake.ducklake_delete_file, __ducklake_metadata_lake.ducklake_file_column_stats, __ducklake_metadata_lake.ducklake_schema, __ducklake_metadata_lake.ducklake_snapshot, __ducklake_metadata_lake.ducklake_table
-- rule     R-65: a run reads only rows that are as the lake wrote them
-- silent   the times at which files were scheduled for deletion; rows that every commit overwrites (overwritten_digest)
with
    snapshot as (
        select snapshot_id as snapshot, 'snapshot' as kind, to_json(row)::varchar as line
        from __ducklake_metadata_lake.ducklake_snapshot as row
    ),
    data_file as (
        select begin_snapshot as snapshot, 'data file' as kind, to_json(row)::varchar as line
        from
            (
                select * exclude (end_snapshot)
                from __ducklake_metadata_lake.ducklake_data_file
            ) as row
    ),
    delete_file as (
        select begin_snapshot as snapshot, 'delete file' as kind, to_json(row)::varchar as line
        from
            (
                select * exclude (end_snapshot)
                from __ducklake_metadata_lake.ducklake_delete_file
            ) as row
    ),
    column_statistics as (
        select
            data_file.begin_snapshot as snapshot,
            'statistics' as kind,
            to_json(row)::varchar as line
        from
            __ducklake_metadata_lake.ducklake_file_column_stats as row
            inner join __ducklake_metadata_lake.ducklake_data_file as data_file on data_file.data_file_id = row.data_file_id
    ),
    data_column as (
        select begin_snapshot as snapshot, 'column' as kind, to_json(row)::varchar as line
        from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_column) as row
    ),
    data_table as (
        select begin_snapshot as snapshot, 'table' as kind, to_json(row)::varchar as line
        from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_table) as row
    ),
    data_schema as (
        select begin_snapshot as snapshot, 'schema' as kind, to_json(row)::varchar as line
        from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_schema) as row
    ),
    ended as (
        select end_snapshot as snapshot, 'end of data file' as kind, data_file_id::varchar as line
        from __ducklake_metadata_lake.ducklake_data_file
        where end_snapshot is not null
        union all
        select end_snapshot, 'end of delete file', delete_file_id::varchar
        from __ducklake_metadata_lake.ducklake_delete_file
        where end_snapshot is not null
        union all
        select end_snapshot, 'end of column', concat(table_id, ' ', column_id)
        from __ducklake_metadata_lake.ducklake_column
        where end_snapshot is not null
        union all
        select end_snapshot, 'end of table', table_id::varchar
        from __ducklake_metadata_lake.ducklake_table
        where end_snapshot is not null
    )
from snapshot
union all
by name
from data_file
union all
by name
from delete_file
union all
by name
from column_statistics
union all
by name
from data_column
union all
by name
from data_table
union all
by name
from data_schema
union all
by name
from ended
