-- Every model may use these macros. The first ones print money and instants as the pack shows them.
create or replace temp macro money(cents) as case when cents < 0 then '-' else '' end || (abs(cents) // 100)::varchar || '.' || lpad((abs(cents) % 100)::varchar, 2, '0');

create or replace temp macro instant(moment) as strftime(moment, '%Y-%m-%dT%H:%M:%S') || case
    when epoch_us(moment) % 1000000 = 0 then ''
    else rtrim('.' || lpad((epoch_us(moment) % 1000000)::varchar, 6, '0'), '0')
end || 'Z';

-- R-01: a charge counts plus, a refund minus, and a VERIFY nothing.
create or replace temp macro signed_amount (action, total_cents) as case action when 'CHARGE' then total_cents when 'REFUND' then -total_cents else 0 end;

-- A span of some 19 hours, by which instants are joined and summed. A bit shift is far quicker than a division into days.
create or replace temp macro span_of (moment) as epoch_us(moment) >> 36;

create or replace temp macro local_time (moment) as timezone(getvariable('timezone'), moment at time zone 'UTC');

create or replace temp macro business_date(moment) as local_time (moment)::date;

-- R-69: the business day of an exception, from columns of exceptions.csv. A record without a time counts on the day of its first finding.
create or replace temp macro exception_day (age_days, first_seen) as coalesce(
    business_date(getvariable('as_of')) - age_days::integer,
    business_date(first_seen::timestamp)
);

-- The explanation of a difference, which the detail of its AMOUNT_MISMATCH names second.
create or replace temp macro named_explanation (detail) as regexp_extract(detail, '^[^;]*; ([A-Z_]+)(;|$)', 1);

-- A list of names for a person to read: the first ten, and the number of the others.
create or replace temp macro first_ten (names) as array_to_string(names[:10], ', ') || case
    when len(names) > 10 then ' and ' || len(names) - 10 || ' more'
    else ''
end;

-- A duration in the largest unit of which it is two or more: 45 s, 90 min, 26 h, 42 d.
create or replace temp macro elapsed (seconds) as case when seconds < 120 then seconds || ' s' when seconds < 7200 then seconds // 60 || ' min' when seconds < 172800 then seconds // 3600 || ' h' else seconds // 86400 || ' d' end;

-- The number of sets of two, three or four among n things. A whole number would overflow from 55,110 things on.
create or replace temp macro set_count (n, size) as case size when 2 then n::double * (n - 1) / 2 when 3 then n::double * (n - 1) * (n - 2) / 6 when 4 then n::double * (n - 1) * (n - 2) * (n - 3) / 24 end;

-- R-68: money that the processor has not paid, and money that it has paid too much. They are summed apart, never netted.
create or replace temp macro short_cents (difference_cents) as greatest(difference_cents, 0);

create or replace temp macro over_cents (difference_cents) as greatest(- difference_cents, 0);

-- Free text that a spreadsheet would run gets a quote before it.
create or replace temp macro guard(words) as case when regexp_matches(words, '^([\t\r]|[\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])') then '''' || words else words end;

-- The state that a person's decision gives an exception, and its reason with the person or the day that it names.
create or replace temp macro decided_state (action) as case action when 'exception.assign' then 'ASSIGNED' when 'exception.waive' then 'WAIVED' when 'exception.resolve' then 'RESOLVED' else 'OPEN' end;

create or replace temp macro decided_reason (action, detail, reason) as case when action = 'exception.assign' then 'to ' || json_extract_string(detail, '$.to') || ': ' || reason when action = 'exception.waive' then 'until ' || json_extract_string(detail, '$.until') || ': ' || reason when json_extract_string(detail, '$.clearTo') is not null then 'cleared to ' || json_extract_string(detail, '$.clearTo') || ': ' || reason else reason end;

-- A card's brand, so that different spellings of it compare equal. Empty if it is absent.
create or replace temp macro card_brand (account_type) as coalesce(upper(account_type), '');

-- The two keys that stand for a card; null if the record has none. The coarse key is brand and last four digits. The fine key
-- adds the keyed hash of the billing identity.
create or replace temp macro coarse_card (vault_type, account_type, last_four) as case when vault_type = 'CARD' then hash(card_brand (account_type), coalesce(last_four, '')) end;

create or replace temp macro fine_card (vault_type, account_type, last_four, billing_key) as case when vault_type = 'CARD' then hash(coarse_card (vault_type, account_type, last_four), billing_key) end;

-- R-18, R-52: money moved if the record is settled, or approved and not VOID.
create or replace temp macro moves_money (settled, approved, is_void) as settled
or (approved and not is_void);

-- Files show this code of a card, never the fine key.
create or replace temp macro short_card_key (account_type, last_four, billing_key) as substr(
    sha256(concat_ws('|', 'CARD', account_type, last_four, billing_key::varchar)),
    1, 12
);

-- The models' own values, each with an enum type: as numbers they are joined, sorted and stored faster than as texts.
create or replace temp macro clock_value (clock) as clock::enum('created', 'modified');

-- The time of a transaction under a clock. A transaction that was seen to settle late is no earlier than the settlement that it
-- comes after.
create or replace temp macro clock_time (clock, created, last_modified, after_at) as case when clock = 'modified' then greatest(after_at, coalesce(last_modified, created)) else coalesce(after_at, created) end;

-- Instants of transactions and of settlements come from two clocks. A transaction may seem this much later than the settlement that holds it.
create or replace temp macro clock_skew () as interval 2 minutes;

-- R-07: a cut-off lies at most this long after its settlement was created. A record is modified when its settlement is created or completed, which may be days later.
create or replace temp macro cutoff_delay (clock) as case clock when 'modified' then interval 72 hours else clock_skew () end;

-- R-07: the cut-off after a transaction lies before the next one, if there is one, and not after the creation of its settlement. The clocks' skew alone may put the transaction itself after that.
create or replace temp macro latest_cutoff (clock, created, clock_at, next_at) as least(
    coalesce(next_at, created),
    greatest(
        clock_at,
        case clock
            when 'modified' then created + cutoff_delay (clock)
            else created
        end
    )
);

-- The most hours before a settlement in which its cut-off is looked for; the configuration may set fewer.
create or replace temp macro cutoff_bound_hours () as coalesce(getvariable('cutoff_tolerance_hours'), 240);

create or replace temp macro method_value (method) as method::enum('EXPLICIT_ID', 'OBSERVED', 'WINDOW', 'ALIGNED', 'MANUAL');

create or replace temp macro standing_value (standing) as standing::enum('COMPLETE', 'PENDING', 'ORPHAN', 'OPEN', 'VOIDED', 'NONE');

-- Spans of 10.24 join amounts that lie close to each other. At most two of them contain all amounts within 5.00 of one.
create or replace temp macro cent_span (cents) as cents >> 10;

create or replace temp macro close_cent_spans (cents) as list_distinct([cent_span (cents - 500), cent_span (cents + 500)]);

-- The deviation of a cut-off from the usual lag, which counts as zero if it is not known.
create or replace temp macro cutoff_strays (lag_low_s, lag_high_s, lag_s) as greatest(0, lag_low_s - coalesce(lag_s, 0), coalesce(lag_s, 0) - lag_high_s);

-- R-07: the number of settlements of an offset run that support one of them. A settlement at an end of a run
-- may share the offset by chance: there only the adjacent settlement counts.
create or replace temp macro agreeing (run_length, from_end) as case when from_end >= 2 then run_length when from_end = 1 then 2 else least(run_length - 1, 1) end;

-- R-07: a neighbour shares the offset by chance only about once in several thousand cases, while a wrong cut-off may have any
-- deviation. Support therefore adds weight, deviation takes away at most 4.5, and a candidate without support has no positive weight.
create or replace temp macro cutoff_weight (agreements, deviation_s, spread_s) as 4 * agreements - least(deviation_s / coalesce(spread_s, 900), 4.5);

-- R-09: n transactions give each of two cut-offs about n possible positions, if no other evidence supports these. Together
-- these make n * n nets within the gross amount: a net may fit by chance. With fewer than 50 transactions all rivals are tried instead.
create or replace temp macro may_tie_by_chance (transactions, gross_cents) as transactions >= 50
and transactions::double * transactions >= 0.01 * gross_cents;

-- R-28: a cut-off at most this far from the usual lag is tried without further support.
create or replace temp macro is_usual_cutoff (deviation_s, spread_s) as deviation_s <= 2 * spread_s;

-- R-28: settlements at most this far apart shift a cut-off between them.
create or replace temp macro shift_distance () as interval 7 days;

-- R-09: transactions this close to a cut-off could move or be swapped across it. Buckets of some two hours and a half join
-- them. Three buckets around a cut-off contain all transactions this close to it, however long the history is.
create or replace temp macro swap_distance () as interval 2 hours;

create or replace temp macro swap_bucket (moment) as epoch_us(moment) >> 33;

create or replace temp macro swap_buckets (moment) as range(swap_bucket (moment) - 1, swap_bucket (moment) + 2);

-- R-29: the transactions of a cause lie at most this far from the settlement's interval.
create or replace temp macro cause_distance () as interval 3 days;

-- R-29: the chance of a coincidence is the number of different amounts within 5.00 of the difference, divided by the 1001
-- possible amounts there. A cause is reported only if that chance is below one in a hundred.
create or replace temp macro is_close (off_cents) as abs(off_cents) <= 500;

create or replace temp macro close_chance (amounts) as amounts / 1001;

create or replace temp macro is_rare (chance) as chance < 0.01;

-- R-29: among amounts that often end in the same cents, a difference that ends so may equal one by chance. `amounts` counts
-- those that do, apart from the difference itself, within `spread_cents` from the smallest to the largest amount.
create or replace temp macro may_fit_by_chance (amounts, spread_cents) as amounts >= 5
and not is_rare (amounts / (spread_cents // 100 + 1));

-- R-61: the first search for a terminal's cut-offs covers these hours before its settlements.
create or replace temp macro short_search_hours () as least(12, cutoff_bound_hours ());

-- R-05: if the settled flag was set at some time within a longer span than this, the span says little about that time.
create or replace temp macro flag_span () as interval 8 days;

-- R-18: charges up to this long before a refund cover it.
create or replace temp macro refund_window () as interval 12 months;

-- R-07: settlements up to this long after the range show where its last one ends.
create or replace temp macro evidence_after () as interval 4 days;

-- R-09: the net between two cut-offs stays the same if both have the same offset, apart from the amount that a shift moved.
create or replace temp macro gives_same_net (begin_offset_cents, end_offset_cents, moved_cents) as begin_offset_cents = end_offset_cents - moved_cents;

-- R-09: a transaction that crosses a cut-off changes the net by its amount.
create or replace temp macro crossing_cents (is_inside, signed_cents) as case when is_inside then -signed_cents else signed_cents end;

-- R-09: two transactions are swapped if their changes cancel; one without a change crosses alone, beside 0. Sets of one amount are counted:
-- each that raises the net with each that lowers it, and those without a change alone or in pairs.
create or replace temp macro is_swap (change_cents, other_change_cents) as other_change_cents = - change_cents;

create or replace temp macro swap_count (raising, lowering, unchanging) as raising * lowering + unchanging * (unchanging + 1) // 2;

-- Seconds as hours and minutes.
create or replace temp macro hours_and_minutes (seconds) as case when seconds < 0 then '-' else '' end || (abs(seconds)::bigint // 3600)::varchar || ':' || lpad((abs(seconds)::bigint % 3600 // 60)::varchar, 2, '0');

-- Cents of an amount that the pack has printed.
create or replace temp macro as_cents (amount) as (amount::decimal(20, 2) * 100)::bigint;

-- R-51: a charge that repeats an earlier one within this time is a duplicate.
create or replace temp macro duplicate_span () as interval 600 seconds;

-- R-30: the first settlement of a terminal is assumed to contain the transactions of this long before its creation.
create or replace temp macro first_settlement_span () as interval 1 day;

-- R-07: an explanation shows the transactions of a terminal this close to the members of its settlement.
create or replace temp macro neighbour_distance () as interval 6 hours;
