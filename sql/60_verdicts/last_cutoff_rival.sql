-- model    last_cutoff_rival
-- grain    one row per settlement that is its terminal's last: at how many other positions it could end
-- reads    boundary, cutoff_candidate
-- rule     R-09: no settlement after it supports its cut-off, so that every other one within the reach is a rival
-- silent   last settlements with one possible cut-off
-- drop     after its last reader
with
    last_boundary as (
        from boundary
        qualify row_number() over (partition by terminal_id order by ordinal desc) = 1
    )
select last_boundary.settlement_id, count(*) as other_ends
from
    last_boundary
    inner join cutoff_candidate on cutoff_candidate.settlement_id = last_boundary.settlement_id
    and cutoff_candidate.clock = last_boundary.clock
    and cutoff_candidate.position <> last_boundary.position
group by last_boundary.settlement_id
