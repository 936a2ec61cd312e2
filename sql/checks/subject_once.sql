-- check    subject_once
-- grain    one row per code and subject with more than one exception
-- reads    exception
-- rule     R-22: one exception per account, code and subject
-- silent   nothing
select exception_id, code, subject_type, subject_id, count(*) as exception_count
from exception
group by all
having count(*) > 1
