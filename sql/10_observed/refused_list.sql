-- model    refused_list
-- grain    one row per list and terminal that the service refuses now
-- reads    seen_refusal
-- rule     R-58: the newest answer about a terminal's list is a refusal
-- silent   lists that were refused once and are answered again; landings after known_at
with
    refusal as (
        select
            list, terminal_id, refused, http_status, parameter, observed_at,
            row_number() over (partition by list, terminal_id order by landing_seq desc) as age
        from seen_refusal
    )
select list, terminal_id, http_status, parameter, observed_at as refused_since
from refusal
where age = 1 and refused
