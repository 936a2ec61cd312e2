-- model    terminal_reach
-- grain    one row: the reach of the explained settlement's terminal
-- reads    explained_evidence
-- rule     R-61: a cut-off is looked for within the reach of its terminal
-- silent   other terminals
select getvariable('explained_terminal') as terminal_id, reach_hours
from explained_evidence
