-- model    overwritten_digest
-- grain    one row: the sha256 of the rows of the catalog that every commit overwrites, or that name no snapshot
-- reads    __ducklake_metadata_lake.ducklake_column_mapping, __ducklake_metadata_lake.ducklake_inlined_data_tables, __ducklake_metadata_lake.ducklake_metadata, __ducklake_metadata_lake.ducklake_name_mapping, __ducklake_metadata_lake.ducklake_table_column_stats, __ducklake_metadata_lake.ducklake_table_stats
-- rule     R-65: a run reads only rows that are as the lake wrote them
-- silent   the path of the files, since a lake may be moved
with
    overwritten as (
        select 'table statistics' as kind, to_json(row)::varchar as line
        from __ducklake_metadata_lake.ducklake_table_stats as row
        union all
        select 'table column statistics', to_json(row)::varchar
        from __ducklake_metadata_lake.ducklake_table_column_stats as row
        union all
        -- Both mappings and the tables of inlined rows name no snapshot. The lake writes none of them.
        select 'column mapping', to_json(row)::varchar
        from __ducklake_metadata_lake.ducklake_column_mapping as row
        union all
        select 'name mapping', to_json(row)::varchar
        from __ducklake_metadata_lake.ducklake_name_mapping as row
        union all
        select 'inlined rows', to_json(row)::varchar
        from __ducklake_metadata_lake.ducklake_inlined_data_tables as row
        union all
        select 'metadata', to_json(row)::varchar
        from __ducklake_metadata_lake.ducklake_metadata as row
        where key <> 'data_path'
    )
select sha256(string_agg(concat(kind, ' ', line), chr(10) order by kind, line)) as sha256
from overwritten
