-- model    catalog_line
-- grain    one row per row of DuckLake's catalog, as text, with the snapshot that wrote it
-- reads    catalog_end, __ducklake_metadata_lake.ducklake_column, __ducklake_metadata_lake.ducklake_data_file, __ducklake_metadata_lake.ducklake_delete_file, __ducklake_metadata_lake.ducklake_file_column_stats, __ducklake_metadata_lake.ducklake_file_partition_value, __ducklake_metadata_lake.ducklake_partition_column, __ducklake_metadata_lake.ducklake_partition_info, __ducklake_metadata_lake.ducklake_schema, __ducklake_metadata_lake.ducklake_schema_versions, __ducklake_metadata_lake.ducklake_snapshot, __ducklake_metadata_lake.ducklake_table
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
    schema_version as (
        select begin_snapshot as snapshot, 'schema version' as kind, to_json(row)::varchar as line
        from __ducklake_metadata_lake.ducklake_schema_versions as row
    ),
    -- DuckDB leaves out a file by its partition value without opening it.
    partition_info as (
        select begin_snapshot as snapshot, 'partition' as kind, to_json(row)::varchar as line
        from
            (
                select * exclude (end_snapshot)
                from __ducklake_metadata_lake.ducklake_partition_info
            ) as row
    ),
    partition_column as (
        select
            partition_info.begin_snapshot as snapshot,
            'partition column' as kind,
            to_json(row)::varchar as line
        from
            __ducklake_metadata_lake.ducklake_partition_column as row
            inner join __ducklake_metadata_lake.ducklake_partition_info as partition_info on partition_info.partition_id = row.partition_id
            and partition_info.table_id = row.table_id
    ),
    partition_value as (
        select
            data_file.begin_snapshot as snapshot,
            'partition value' as kind,
            to_json(row)::varchar as line
        from
            __ducklake_metadata_lake.ducklake_file_partition_value as row
            inner join __ducklake_metadata_lake.ducklake_data_file as data_file on data_file.data_file_id = row.data_file_id
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
from schema_version
union all
by name
from partition_info
union all
by name
from partition_column
union all
by name
from partition_value
union all
by name
from catalog_end
