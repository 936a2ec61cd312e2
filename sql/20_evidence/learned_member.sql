-- view     learned_member
-- grain    one row per transaction that was seen to turn settled, and settlement that it may be in by that
-- reads    possible_member, settled_event
-- rule     R-05: the data tell which of the two events turns the flag
-- silent   the other event
select possible_member.* exclude (event)
from
    possible_member
    inner join settled_event using (event)
where is_learned
