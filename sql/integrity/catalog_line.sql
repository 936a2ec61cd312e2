-- model    catalog_line
-- grain    one row per row of DuckLake's catalog, as text, with the snapshot that wrote it
-- reads    catalog_end, __ducklake_metadata_lake.ducklake_column, __ducklake_metadata_lake.ducklake_data_file, __ducklake_metadata_lake.ducklake_delete_file, __ducklake_metadata_lake.ducklake_file_column_stats, __ducklake_metadata_lake.ducklake_file_partition_value, __ducklake_metadata_lake.ducklake_partition_column, __ducklake_metadata_lake.ducklake_partition_info, __ducklake_metadata_lake.ducklake_schema, __ducklake_metadata_lake.ducklake_schema_versions, __ducklake_metadata_lake.ducklake_snapshot, __ducklake_metadata_lake.ducklake_table
-- rule     R-65: a run reads only rows that are as the lake wrote them
-- silent   the times at which files were scheduled for deletion; rows that every commit overwrites (overwritten_digest)
select snapshot_id as snapshot, 'snapshot' as kind, to_json(row)::varchar as line
from __ducklake_metadata_lake.ducklake_snapshot as row
union all
select begin_snapshot, 'data file', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_data_file) as row
union all
select begin_snapshot, 'delete file', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_delete_file) as row
union all
select data_file.begin_snapshot, 'statistics', to_json(row)::varchar
from
    __ducklake_metadata_lake.ducklake_file_column_stats as row
    inner join __ducklake_metadata_lake.ducklake_data_file as data_file on data_file.data_file_id = row.data_file_id
union all
select begin_snapshot, 'column', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_column) as row
union all
select begin_snapshot, 'table', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_table) as row
union all
select begin_snapshot, 'schema', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_schema) as row
union all
select begin_snapshot, 'schema version', to_json(row)::varchar
from __ducklake_metadata_lake.ducklake_schema_versions as row
union all
-- DuckDB leaves out a file by its partition value without opening it.
select begin_snapshot, 'partition', to_json(row)::varchar
from (select * exclude (end_snapshot) from __ducklake_metadata_lake.ducklake_partition_info) as row
union all
select partition_info.begin_snapshot, 'partition column', to_json(row)::varchar
from
    __ducklake_metadata_lake.ducklake_partition_column as row
    inner join __ducklake_metadata_lake.ducklake_partition_info as partition_info on partition_info.partition_id = row.partition_id
    and partition_info.table_id = row.table_id
union all
select data_file.begin_snapshot, 'partition value', to_json(row)::varchar
from
    __ducklake_metadata_lake.ducklake_file_partition_value as row
    inner join __ducklake_metadata_lake.ducklake_data_file as data_file on data_file.data_file_id = row.data_file_id
union all
from catalog_end
