-- model    lake_file
-- grain    one row per data file and delete file: the data file's id, the place, the length and the snapshots between which it counts
-- reads    __ducklake_metadata_lake.ducklake_data_file, __ducklake_metadata_lake.ducklake_delete_file, __ducklake_metadata_lake.ducklake_schema, __ducklake_metadata_lake.ducklake_table
-- rule     R-65: a run reads only files that are as the lake wrote them
-- silent   files that maintenance has removed from the catalog
with
    listed as (
        select
            data_file_id, table_id, begin_snapshot, end_snapshot, path, path_is_relative,
            file_size_bytes
        from __ducklake_metadata_lake.ducklake_data_file
        union all
        select
            data_file_id, table_id, begin_snapshot, end_snapshot, path, path_is_relative,
            file_size_bytes
        from __ducklake_metadata_lake.ducklake_delete_file
    )
select
    schema_name, table_name, data_file_id, listed.begin_snapshot, listed.end_snapshot,
    string_split(listed.path, '/') [-1] as name,
    case
        when listed.path_is_relative::boolean then concat(
            case
                when data_schema.path_is_relative::boolean then getvariable('lake_data')
                else ''
            end,
            case when data_table.path_is_relative::boolean then data_schema.path else '' end,
            data_table.path
        )
        else ''
    end || listed.path as path,
    file_size_bytes as bytes
from
    listed
    inner join __ducklake_metadata_lake.ducklake_table as data_table on data_table.table_id = listed.table_id
    and data_table.end_snapshot is null
    inner join __ducklake_metadata_lake.ducklake_schema as data_schema on data_schema.schema_id = data_table.schema_id
    and data_schema.end_snapshot is null
