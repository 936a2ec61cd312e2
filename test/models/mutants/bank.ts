/** Models that are wrong on purpose, each in one place, and the test that has to notice. */

export interface Mutant {
  /** Such as `pending_stale`. */
  model: string
  /** What stands in the model exactly once, and what is put there instead. */
  from: string
  to: string
  /** The table test that notices: its file below test/, without `.test.ts`, and its title. */
  file: string
  title: string
}

const SETTLEMENTS = 'models/settlement-findings'
const TRANSACTIONS = 'models/transaction-findings'
const DUPLICATES = 'models/duplicate-findings'
const CEILING = 'models/refund-ceiling'
const CHANGES = 'models/changed-findings'
const ABSENCES = 'models/absence-findings'
const SWEEPS = 'models/sweep-findings'
const BOOKS = 'models/journal'
const ROLLFORWARD = 'models/rollforward'
const PACK = 'models/pack'
const EXCEPTION = 'models/exception'
const VERDICT = 'models/verdict'
const MEMBERS = 'models/settled-member'
const OBSERVED = 'models/observed-late'
const RIVAL = 'models/rival'
const SPAN = 'models/span-end'
const EXPLANATION = 'truth/core/explanation'
const PROMPT = 'models/prompt-terminal'
const PAIRS = 'models/pair-shift'

export const MUTANTS: readonly Mutant[] = [
  {
    model: 'pending_stale',
    from: "> getvariable('pending_stale_days')",
    to: ">= getvariable('pending_stale_days')",
    file: SETTLEMENTS,
    title:
      'a settlement that is PENDING for four days is stale and one for three days is not, counted in midnights',
  },
  {
    model: 'pending_drift',
    from: "previous_status <> 'COMPLETE'",
    to: "status <> 'COMPLETE'",
    file: SETTLEMENTS,
    title:
      'a net that changed while PENDING, or as it completed, has drifted by the sum of its changes',
  },
  {
    model: 'complete_changed',
    from: 'sum(net_cents - previous_net_cents)',
    to: 'sum(previous_net_cents - net_cents)',
    file: SETTLEMENTS,
    title:
      'a net that changed after COMPLETE is COMPLETE_CHANGED, and a new version with the same net is not',
  },
  {
    model: 'status_regression',
    from: "    and status = 'PENDING'\n",
    to: '',
    file: SETTLEMENTS,
    title:
      'COMPLETE and then PENDING again is a STATUS_REGRESSION, PENDING and then COMPLETE is not',
  },
  {
    model: 'amount_mismatch',
    from: "verdict in ('EXPLAINED', 'BREAK')",
    to: "verdict = 'BREAK'",
    file: SETTLEMENTS,
    title:
      'a COMPLETE settlement that is off by one cent is an AMOUNT_MISMATCH of one cent, explained or not',
  },
  {
    model: 'unsettled_aged',
    from: "> getvariable('unsettled_days')",
    to: "> getvariable('unsettled_days') + 1",
    file: TRANSACTIONS,
    title:
      'an open item of six days is UNSETTLED_AGED, one of five is not, nor is anything that is not open',
  },
  {
    model: 'total_mismatch',
    from: 'coalesce(tip_cents, 0)',
    to: 'tip_cents',
    file: TRANSACTIONS,
    title:
      'a total that is not the sum of its parts is off by exactly the rest, and an absent part counts as zero',
  },
  {
    model: 'settled_not_captured',
    from: "status in ('HOLD'::enum_value, 'VOID'::enum_value)",
    to: "status = 'VOID'::enum_value",
    file: TRANSACTIONS,
    title: 'settled while on HOLD or VOID is SETTLED_NOT_CAPTURED, settled and captured is not',
  },
  {
    model: 'settled_not_approved',
    from: '    settled\n    and not approved',
    to: '    not approved',
    file: TRANSACTIONS,
    title: 'settled though declined is SETTLED_NOT_APPROVED, declined and unsettled is not',
  },
  {
    model: 'amount_over_limit',
    from: '> 100000000\n',
    to: '>= 100000000\n',
    file: TRANSACTIONS,
    title: 'a cent above one million in any amount is over the limit, one million is not',
  },
  {
    model: 'surcharge_over_rate',
    from: 'coalesce(current_transaction.surcharge_percentage, current_terminal.surcharge_percentage)',
    to: 'coalesce(current_terminal.surcharge_percentage, current_transaction.surcharge_percentage)',
    file: TRANSACTIONS,
    title:
      '3 percent of 100.00 allow a surcharge of 3.01 and no cent more; its own percentage goes before the terminal’s',
  },
  {
    model: 'surcharge_over_rate',
    from: '+ 999999) // 1000000',
    to: '+ 500000) // 1000000',
    file: TRANSACTIONS,
    title:
      '3 percent of 100.00 allow a surcharge of 3.01 and no cent more; its own percentage goes before the terminal’s',
  },
  {
    model: 'ach_code_not_accepted',
    from: "    and current_terminal.type is distinct from 'CARD'\n",
    to: '',
    file: TRANSACTIONS,
    title:
      'a code outside of the terminal’s acceptance is told, except on a CARD terminal and where none is listed',
  },
  {
    model: 'orphan_settled',
    from: 'anti join recently_landed_transaction using (transaction_id)',
    to: '',
    file: TRANSACTIONS,
    title:
      'settled after the last settlement of its terminal is an orphan, once the settlements were read again',
  },
  {
    model: 'duplicate_charge',
    from: 'where created - earlier.created <= duplicate_span ()',
    to: 'where created - earlier.created < duplicate_span ()',
    file: DUPLICATES,
    title:
      'the same card and amount within 600 seconds is a duplicate of the later charge, on any terminal',
  },
  {
    model: 'duplicate_charge',
    from: 'when invoice_number is null then any_before',
    to: 'when invoice_number is null then blank_before',
    file: DUPLICATES,
    title:
      'two different invoice numbers tell charges apart, one missing number does not, and what lies between hides nothing',
  },
  {
    model: 'uncovered_card',
    from: 'max(created - refund_window ()) as last_start_at',
    to: 'max(created) - interval 12 months as last_start_at',
    file: CEILING,
    title:
      '12 months before 29 February is 28 February, so a later refund can look back further than an earlier one',
  },
  {
    model: 'uncovered_card',
    from: 'current_transaction.created >= card_refunds.last_start_at',
    to: 'current_transaction.created >= card_refunds.last_start_at - interval 1 second',
    file: CEILING,
    title:
      'the window begins exactly 12 calendar months before and ends with the refund’s own instant, both included',
  },
  {
    model: 'refund_at_risk',
    from: 'order by created range between refund_window () preceding and current row',
    to: 'order by created range between interval 365 days preceding and current row',
    file: CEILING,
    title:
      'on 4,000 random transactions over five years, with leap days, it agrees with the rule read word by word',
  },
  {
    model: 'uncovered_card',
    from: 'range between 27 preceding and 1 preceding',
    to: 'range between 28 preceding and 1 preceding',
    file: CEILING,
    title:
      'whatever days of a year and of its stretches of 13 days a charge and its refunds are of, the window is the same twelve months',
  },
  {
    model: 'uncovered_card',
    from: 'range between 29 preceding and current row',
    to: 'range between 27 preceding and current row',
    file: CEILING,
    title:
      'whatever days of a year and of its stretches of 13 days a charge and its refunds are of, the window is the same twelve months',
  },
  {
    model: 'refund_at_risk',
    from: 'interval 366 days',
    to: 'interval 365 days',
    file: CEILING,
    title:
      'whatever days of a year and of its stretches of 13 days a charge and its refunds are of, the window is the same twelve months',
  },
  {
    model: 'refund_at_risk',
    from: 'and is_open',
    to: '',
    file: CEILING,
    title:
      'whatever days of a year and of its stretches of 13 days a charge and its refunds are of, the window is the same twelve months',
  },
  {
    model: 'uncovered_card',
    from: 'where coalesce(charged_before.charge_cents, 0) < refund_cents',
    to: 'where coalesce(charged_before.charge_cents, 0) < 0',
    file: CEILING,
    title: 'refunds that together equal what was charged are lawful, and one cent more is not',
  },
  {
    model: 'coarse_card_charges',
    from: 'edge.sign * charged_span.charged_cents',
    to: 'charged_span.charged_cents',
    file: CEILING,
    title:
      'on 4,000 random transactions over five years, with leap days, it agrees with the rule read word by word',
  },
  {
    model: 'coarse_card_charges',
    from: 'epoch_us(window_start) - 1',
    to: 'epoch_us(window_start)',
    file: CEILING,
    title:
      'on 4,000 random transactions over five years, with leap days, it agrees with the rule read word by word',
  },
  {
    model: 'refund_certainty',
    from: 'coalesce(history_from <= window_start, false)',
    to: 'coalesce(history_from < window_start, false)',
    file: CEILING,
    title:
      'where history does not reach the start of the window nothing is certain: INSUFFICIENT_HISTORY',
  },
  {
    model: 'refund_certainty',
    from: 'history_until >= refund_at_risk.created',
    to: 'history_until > refund_at_risk.created',
    file: CEILING,
    title:
      'where history does not reach the start of the window nothing is certain: INSUFFICIENT_HISTORY',
  },
  {
    model: 'refund_certainty',
    from: 'and not is_uncertain then',
    to: 'then',
    file: CEILING,
    title:
      'a quarantined transaction that could lie in the window leaves a breach SUSPECTED, and the detail says why',
  },
  {
    model: 'transaction_change',
    from: "        when 'REFUND' then -total_cents\n",
    to: '',
    file: CHANGES,
    title:
      'an amount, the action or the status of a settled transaction that is another one later is CHANGED_AFTER_SETTLEMENT',
  },
  {
    model: 'proven_absence',
    from: "where certificate in ('SNAPSHOT', 'CONTIGUOUS')",
    to: '',
    file: ABSENCES,
    title:
      'a sweep that proves nothing, covers another stretch, or began before the record was known proves no absence',
  },
  {
    model: 'proven_absence',
    from: 'and proof.started_seq >= record.known_seq',
    to: '',
    file: ABSENCES,
    title:
      'a sweep that proves nothing, covers another stretch, or began before the record was known proves no absence',
  },
  {
    model: 'missed_record',
    from: 'certified.started_at - clock_skew () >= audited_record.created',
    to: 'certified.started_at - clock_skew () > audited_record.created',
    file: SWEEPS,
    title:
      'a record that an audit sees first is MISSED_BY_SWEEP if an earlier certified sweep covers its place and began two minutes after it was created',
  },
  {
    model: 'refused_list',
    from: 'order by landing_seq desc',
    to: 'order by landing_seq',
    file: SWEEPS,
    title:
      'a terminal that the service refuses now is TERMINAL_INACCESSIBLE, one that it answers again is not',
  },
  {
    model: 'exception',
    from: "concat_ws('|', getvariable('account'), code, subject_type, subject_id)",
    to: "concat_ws('|', getvariable('account'), code, subject_type, subject_id, amount_cents)",
    file: EXCEPTION,
    title:
      'found again with another amount it is the same exception, as old as when it was first seen',
  },
  {
    model: 'posting',
    from: 'unnest([reported_cents, -relieved_cents, relieved_cents - reported_cents])',
    to: 'unnest([reported_cents, -relieved_cents, reported_cents - relieved_cents])',
    file: BOOKS,
    title:
      'the worked example posts what an accountant would: charges, refunds, a negative settlement, a variance',
  },
  {
    model: 'day_entry',
    from: '            voided_date,\n            is_charge,\n            item_count,\n            - clearing_cents',
    to: '            business_date,\n            is_charge,\n            item_count,\n            - clearing_cents',
    file: BOOKS,
    title:
      'a void reverses its charge on the day of the void, part by part, and so does a voided refund',
  },
  {
    model: 'day_entry',
    from: "coalesce(standing <> 'NONE', true)",
    to: "coalesce(standing <> 'ORPHAN', true)",
    file: BOOKS,
    title: 'every place but NONE is posted: a HOLD, a declined one and a VERIFY are not',
  },
  {
    model: 'clearing_entry',
    from: '            voided_date,\n            - signed_cents',
    to: '            voided_date,\n            signed_cents',
    file: ROLLFORWARD,
    title: 'a void counts on its own day, plus for a charge and minus for a refund',
  },
  {
    model: 'pack_unsettled',
    from: "when age_days <= 5 then '2-5'",
    to: "when age_days < 5 then '2-5'",
    file: PACK,
    title: 'unsettled.csv holds all that is open, each in its bucket by calendar days',
  },
  {
    model: 'settlement_interval',
    from: 'when is_split then until_at - interval 1 microsecond',
    to: 'when is_split then until_at',
    file: MEMBERS,
    title:
      'a cut-off among transactions of one instant parts them by id, and what lies after the last settlement is in none',
  },
  {
    model: 'settled_member',
    from: 'and settlement_interval.after_id < settled_transaction.transaction_id',
    to: 'and settlement_interval.after_id <= settled_transaction.transaction_id',
    file: MEMBERS,
    title:
      'a cut-off among transactions of one instant parts them by id, and what lies after the last settlement is in none',
  },
  {
    model: 'computed_net',
    from: 'computed_cents - reported_cents as difference_cents',
    to: 'reported_cents - computed_cents as difference_cents',
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; what was not read since it changed has no data, what is PENDING is not judged',
  },
  {
    model: 'fully_read_settlement',
    from: 'last_reading.started_seq >= last_changed_seq',
    to: 'last_reading.started_seq > 0',
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; what was not read since it changed has no data, what is PENDING is not judged',
  },
  {
    model: 'computed_net',
    from: "when status <> 'COMPLETE' and has_members then member_cents",
    to: "when status <> 'COMPLETE' then member_cents",
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; what was not read since it changed has no data, what is PENDING is not judged',
  },
  {
    model: 'fully_read_settlement',
    from: '            and coalesce(sweep.terminal_id = current_settlement.terminal_id, true)\n',
    to: '',
    file: VERDICT,
    title:
      'a settlement that was read since it changed, terminal by terminal too, ties at nothing from nothing',
  },
  {
    model: 'tieout',
    from: 'rival_count = 0 or not is_open',
    to: 'rival_count = 0',
    file: VERDICT,
    title:
      'explained and unexplained make up the difference, and the certificate says what is sure',
  },
  {
    model: 'tieout',
    from: 'rival_count = 0 or not is_open',
    to: "rival_count = 0 or method in ('EXPLICIT_ID', 'OBSERVED')",
    file: VERDICT,
    title:
      'explained and unexplained make up the difference, and the certificate says what is sure',
  },
  {
    model: 'ambiguous_settlement',
    from: 'end_rival_count > 0',
    to: 'false',
    file: VERDICT,
    title:
      'what is explained is AMBIGUOUS where the neighbour could have the difference, unless observations say what it holds',
  },
  {
    model: 'ambiguous_settlement',
    from: 'or to_settlement_id in (from beside_break)',
    to: '',
    file: VERDICT,
    title: 'what a shift moved beside a BREAK is AMBIGUOUS, with a rival',
  },
  {
    model: 'ambiguous_settlement',
    from: "previous_method in ('WINDOW', 'ALIGNED')",
    to: 'false',
    file: VERDICT,
    title:
      'what is explained beside a BREAK is AMBIGUOUS, unless ids or observations say what it holds',
  },
  {
    model: 'ambiguous_settlement',
    from: "and method = 'ALIGNED'",
    to: '',
    file: VERDICT,
    title:
      'what ties between two that are off is AMBIGUOUS where one of so many nets could be the reported one by chance',
  },
  {
    model: 'ambiguous_settlement',
    from: "coalesce(next_verdict, 'BREAK')",
    to: 'next_verdict',
    file: VERDICT,
    title:
      'what ties between two that are off is AMBIGUOUS where one of so many nets could be the reported one by chance',
  },
  {
    model: 'ambiguous_settlement',
    from: 'may_tie_by_chance (transaction_count, charge',
    to: 'may_tie_by_chance (transaction_count + 1, charge',
    file: VERDICT,
    title:
      'what ties between two that are off is AMBIGUOUS where one of so many nets could be the reported one by chance',
  },
  {
    model: 'ambiguous_settlement',
    from: 'charge_cents + refund_cents) as is_by_chance',
    to: 'charge_cents) as is_by_chance',
    file: VERDICT,
    title:
      'what ties between two that are off is AMBIGUOUS where one of so many nets could be the reported one by chance',
  },
  {
    model: 'ambiguous_settlement',
    from: 'and other.is_explained_otherwise',
    to: 'and false',
    file: VERDICT,
    title: 'of two terminals one is as sure as the other of the transaction that they both name',
  },
  {
    model: 'tieout',
    from: "and created < getvariable('window_to')",
    to: "and created <= getvariable('window_to')",
    file: VERDICT,
    title:
      'explained and unexplained make up the difference, and the certificate says what is sure',
  },
  {
    model: 'complete_settlement',
    from: "created <= getvariable('as_of')\n    and ",
    to: '',
    file: VERDICT,
    title:
      'a transaction that is in no COMPLETE settlement stands in one place: pending, open, orphaned, voided, or nowhere',
  },
  {
    model: 'transaction_standing',
    from: "when voided_at <= getvariable('as_of')",
    to: "when voided_at < getvariable('as_of')",
    file: VERDICT,
    title:
      'a transaction that is in no COMPLETE settlement stands in one place: pending, open, orphaned, voided, or nowhere',
  },
  {
    model: 'bucket_end',
    from: 'arg_max_null(next_at, position)',
    to: 'arg_max(next_at, position)',
    file: 'models/span-end',
    title:
      'of each span the last place is told, with what follows it, and of the last place of all that nothing does',
  },
  {
    model: 'earliest_settled_time',
    from: 'then lag(created) over in_order',
    to: 'then created',
    file: OBSERVED,
    title:
      'what was unsettled when a settlement was made comes after it, where its own time says otherwise',
  },
  {
    model: 'earliest_settled_time',
    from: 'settlements > 1',
    to: 'settlements >= 1',
    file: OBSERVED,
    title:
      'what was unsettled when a settlement was made comes after it, where its own time says otherwise',
  },
  {
    model: 'earliest_settled_time',
    from: 'or flag_observation.created < before',
    to: 'or flag_observation.created <= before',
    file: OBSERVED,
    title:
      'where a settlement may be cut off before the one before it was made, only what is older than the reach is bound',
  },
  {
    model: 'observed_shift',
    from: 'settlement_running_net.ordinal > leaving_transaction.ordinal',
    to: 'settlement_running_net.ordinal >= leaving_transaction.ordinal',
    file: OBSERVED,
    title:
      'a transaction seen to settle late leaves the settlement that ties without it for the next that comes into question',
  },
  {
    model: 'observed_shift',
    from: 'late_settled_transaction.position > unpaired_cut.previous_position',
    to: 'late_settled_transaction.position >= unpaired_cut.previous_position',
    file: OBSERVED,
    title:
      'it stays where it doesn’t cancel the whole difference, where two would, where none comes later, and where a pair is found',
  },
  {
    model: 'observed_shift',
    from: 'qualify count(*) over (partition by unpaired_cut.settlement_id) = 1',
    to: 'qualify count(*) over (partition by unpaired_cut.settlement_id) >= 1',
    file: OBSERVED,
    title:
      'it stays where it doesn’t cancel the whole difference, where two would, where none comes later, and where a pair is found',
  },
  {
    model: 'swap_cut',
    from: 'when is_short then previous_position',
    to: 'when is_short and false then previous_position',
    file: RIVAL,
    title:
      'what could be swapped within two hours of a cut-off is counted once, however near the other cut-off is',
  },
  {
    model: 'swap_cut',
    from: 'or cut.previous_position = cut.position as is_short',
    to: 'as is_short',
    file: RIVAL,
    title:
      'what could be swapped within two hours of a cut-off is counted once, however near the other cut-off is',
  },
  {
    model: 'swap_rival',
    from: '- sum(count_by_cut.both_swaps) // 2',
    to: '',
    file: RIVAL,
    title:
      'what could be swapped within two hours of a cut-off is counted once, however near the other cut-off is',
  },
  {
    model: 'prompt_terminal',
    from: '>= 0.9 * any_value',
    to: '>= 0.8 * any_value',
    file: PROMPT,
    title: 'of twelve settlements one may not tie, two may not',
  },
  {
    model: 'prompt_terminal',
    from: 'order by ordinal desc) <= 12',
    to: 'order by ordinal) <= 12',
    file: PROMPT,
    title: 'only the newest twelve settlements count',
  },
  {
    model: 'event_candidate',
    from: 'one.ends_seq > observation.unsettled_seq',
    to: 'one.ends_seq >= observation.unsettled_seq',
    file: OBSERVED,
    title:
      'landing numbers tell which settlements came into being while a transaction turned settled',
  },
  {
    model: 'observed_shift',
    from: 'then leaving_transaction.next_change_cents',
    to: 'then 0',
    file: OBSERVED,
    title:
      'it stays where the next one ties as it is, in which case as many would be off with it there',
  },
  {
    model: 'observed_shift',
    from: 'is distinct from 0',
    to: 'is not null',
    file: OBSERVED,
    title:
      'it stays where the next one ties as it is, in which case as many would be off with it there',
  },
  {
    model: 'ambiguous_settlement',
    from: "or (code = 'COMPONENT_EXCLUDED' and rival_count > 0)",
    to: '',
    file: VERDICT,
    title:
      'what is explained is AMBIGUOUS where what it names could be swapped, with rivals where all members have a part, and beside a doubtful shift',
  },
  {
    model: 'ambiguous_settlement',
    from: 'or settlement_id in (select settlement_id from swappable_explanation)',
    to: '',
    file: VERDICT,
    title:
      'what is explained is AMBIGUOUS where what it names could be swapped, with rivals where all members have a part, and beside a doubtful shift',
  },
  {
    model: 'interchangeable_member',
    from: 'other.change_cents = - member.change_cents',
    to: 'other.change_cents = member.change_cents',
    file: RIVAL,
    title:
      'a member could be swapped with its like across a cut-off, or leave with what takes its amount back',
  },
  {
    model: 'ambiguous_settlement',
    from: "where code <> 'COMPONENT_EXCLUDED'",
    to: '',
    file: VERDICT,
    title:
      'what is explained is AMBIGUOUS where what it names could be swapped, with rivals where all members have a part, and beside a doubtful shift',
  },
  {
    model: 'unexplained_settlement',
    from: "('EXPLICIT_ID', 'OBSERVED')",
    to: "('EXPLICIT_ID')",
    file: SPAN,
    title:
      'what does not tie reaches to its own last transaction where ids or what was seen place all of it, else to its cut-off, and from the end of the one before',
  },
  {
    model: 'observed_candidate',
    from: 'where is_learned',
    to: '',
    file: OBSERVED,
    title:
      'it stays where it doesn’t cancel the whole difference, where two would, where none comes later, and where a pair is found',
  },
  {
    model: 'unpaired_cut',
    from: 'unpaired.support < 2',
    to: 'unpaired.support <= 2',
    file: OBSERVED,
    title:
      'it may leave together with another cut near the usual lag, where no neighbour supports the one that was chosen',
  },
  {
    model: 'unpaired_cut',
    from: 'unpaired.spread_s',
    to: 'unpaired.spread_s - 1',
    file: OBSERVED,
    title:
      'it may leave together with another cut near the usual lag, where no neighbour supports the one that was chosen',
  },
  {
    model: 'unpaired_cut',
    from: 'cutoff_candidate.position <= unpaired.next_position',
    to: 'cutoff_candidate.position <= unpaired.next_position + 1',
    file: OBSERVED,
    title:
      'it may leave together with another cut near the usual lag, where no neighbour supports the one that was chosen',
  },
  {
    model: 'wrong_terminal_cause',
    from: 'and other.sets = 1',
    to: '',
    file: EXPLANATION,
    title:
      'one of two equal members that another terminal may have been paid is not picked, nor is one of two terminals',
  },
  {
    model: 'explanation',
    from: 'when wrong_terminal_cause.settlement_id is not null then null',
    to: '',
    file: EXPLANATION,
    title:
      'one of two equal members that another terminal may have been paid is not picked, nor is one of two terminals',
  },
  {
    model: 'explanation',
    from: 'any_value(single_cause.transactions) = min(any_value(single_cause.transactions))',
    to: 'any_value(single_cause.transactions) >= min(any_value(single_cause.transactions))',
    file: EXPLANATION,
    title: 'one transaction goes before a part of all of them that comes to as much',
  },
  {
    model: 'pair_difference',
    from: 'where step % 2 = 1',
    to: '',
    file: PAIRS,
    title:
      'of differences in a row that cancel each other, each is cancelled once, and never for certain',
  },
  {
    model: 'pair_shift',
    from: 'options + is_one_of_some::integer as options',
    to: 'options',
    file: PAIRS,
    title:
      'of differences in a row that cancel each other, each is cancelled once, and never for certain',
  },
  {
    model: 'contradicted_pair_move',
    from: 'and observed.settlement_id = possible_move.to_settlement_id',
    to: '',
    file: PAIRS,
    title: 'what was seen to turn settled goes only where it may be, and what was not, anywhere',
  },
  {
    model: 'pair_shift_of_late',
    from: 'and late_set.position <= pair_cut.new_cut_position',
    to: '',
    file: PAIRS,
    title: 'none of them may stand behind the cut',
  },
  {
    model: 'pair_shift_of_late',
    from: 'len(transaction_ids),',
    to: 'len(transaction_ids) desc,',
    file: PAIRS,
    title: 'of several such sets the smallest is taken, and how many there are is told',
  },
  {
    model: 'observed_shift',
    from: '= unpaired_cut.moved_cents - unpaired_cut.difference_cents - lacking.difference_cents',
    to: '= - lacking.difference_cents',
    file: OBSERVED,
    title:
      'where the settlement that holds it is off by more, it goes to the one that lacks just it, and that is not certain',
  },
]
