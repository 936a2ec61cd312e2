-- model    catalog_end
-- grain    one row per row of DuckLake's catalog that a later snapshot ended, as text, with that snapshot
-- reads    __ducklake_metadata_lake.ducklake_column, __ducklake_metadata_lake.ducklake_data_file, __ducklake_metadata_lake.ducklake_delete_file, __ducklake_metadata_lake.ducklake_partition_info, __ducklake_metadata_lake.ducklake_schema, __ducklake_metadata_lake.ducklake_table
-- rule     R-65: a run reads only rows that are as the lake wrote them
-- silent   rows that still count
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
union all
select end_snapshot, 'end of schema', schema_id::varchar
from __ducklake_metadata_lake.ducklake_schema
where end_snapshot is not null
union all
select end_snapshot, 'end of partition', concat(table_id, ' ', partition_id)
from __ducklake_metadata_lake.ducklake_partition_info
where end_snapshot is not null
