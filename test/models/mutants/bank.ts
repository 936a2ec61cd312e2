/**
 * Goal: every condition of a model is tested. Method: a list of models, each made wrong in one place, with the test
 * that must fail.
 */

export interface Mutant {
  /** Such as `pending_stale`. */
  model: string
  /** Text that stands in the model exactly once, and its replacement. */
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
const SETTINGS = 'models/terminal-settings'
const SWEEPS = 'models/sweep-findings'
const BOOKS = 'models/journal'
const ROLLFORWARD = 'models/rollforward'
const PACK = 'models/pack'
const EXCEPTION = 'models/exception'
const VERDICT = 'models/verdict'
const REASON = 'models/certificate-reason'
const MEMBERS = 'models/settled-member'
const OBSERVED = 'models/observed-shift'
const SETTLING = 'models/settling-event'
const RIVAL = 'models/rival'
const INTERVAL = 'models/unexplained-settlement'
const EXPLANATION = 'truth/core/explanation'
const ATTRIBUTION = 'truth/core/attribution'
const PROMPT = 'models/prompt-terminal'
const PAIRS = 'models/pair-shift'
const GATHERED = 'models/gathered-line'
const NAMED = 'models/named-later'

const FALLS_ON =
  'an adjustment falls on the day of the exported entry, or on the day that a person named for a resolution'

/** A text of a model, whatever its line breaks and indents are. */
export const anyLayout = (text: string) =>
  new RegExp(
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
  )

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
      'a net that changes while PENDING, or on completion, has drifted by the sum of its changes',
  },
  {
    model: 'complete_changed',
    from: 'sum(net_cents - previous_net_cents)',
    to: 'sum(previous_net_cents - net_cents)',
    file: SETTLEMENTS,
    title:
      'a net that changes after COMPLETE is COMPLETE_CHANGED, and a new version with the same net is not',
  },
  {
    model: 'status_regression',
    from: "    and status = 'PENDING'\n",
    to: '',
    file: SETTLEMENTS,
    title:
      'a change from COMPLETE to PENDING is a STATUS_REGRESSION, and from PENDING to COMPLETE is not',
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
      'an open item of six days is UNSETTLED_AGED; one of five days, or one that is not open, is not',
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
    title:
      'a settled transaction on HOLD or VOID is SETTLED_NOT_CAPTURED, and a captured one is not',
  },
  {
    model: 'settled_not_approved',
    from: '    settled\n    and not approved',
    to: '    not approved',
    file: TRANSACTIONS,
    title:
      'a settled but declined transaction is SETTLED_NOT_APPROVED, and an unsettled declined one is not',
  },
  {
    model: 'amount_over_limit',
    from: '> 100000000\n',
    to: '>= 100000000\n',
    file: TRANSACTIONS,
    title: 'a cent above one million in any amount is over the limit, and one million is not',
  },
  {
    model: 'surcharged_transaction',
    from: 'current_transaction.surcharge_percentage,\n        terminal_setting.surcharge_percentage',
    to: 'terminal_setting.surcharge_percentage,\n        current_transaction.surcharge_percentage',
    file: TRANSACTIONS,
    title:
      '3 percent of 100.00 allow a surcharge of 3.01 and no cent more; the transaction’s own percentage goes before the terminal’s',
  },
  {
    model: 'surcharge_over_rate',
    from: '+ 999999) // 1000000',
    to: '+ 500000) // 1000000',
    file: TRANSACTIONS,
    title:
      '3 percent of 100.00 allow a surcharge of 3.01 and no cent more; the transaction’s own percentage goes before the terminal’s',
  },
  {
    model: 'surcharged_transaction',
    from: "    and action = 'CHARGE'::enum_value\n",
    to: '',
    file: TRANSACTIONS,
    title:
      'a surcharge counts as taken by a settled charge, and by an approved one that is not void; a refund gives it back',
  },
  {
    model: 'surcharged_transaction',
    from: "status = 'VOID'::enum_value",
    to: 'false',
    file: TRANSACTIONS,
    title:
      'a surcharge counts as taken by a settled charge, and by an approved one that is not void; a refund gives it back',
  },
  {
    model: 'first_landing',
    from: 'min(landing_seq)',
    to: 'max(landing_seq)',
    file: SETTINGS,
    title:
      'a surcharge is judged by what its terminal enabled at the first landing of the charge, not by what it enables later',
  },
  {
    model: 'terminal_setting',
    from: 'case when is_first then 0 else landing_seq end',
    to: 'landing_seq',
    file: SETTINGS,
    title:
      'a surcharge is judged by what its terminal enabled at the first landing of the charge, not by what it enables later',
  },
  {
    model: 'terminal_setting',
    from: 'order by landing_seq, ordinal) - 1',
    to: 'order by landing_seq, ordinal)',
    file: SETTINGS,
    title:
      'a surcharge is judged by what its terminal enabled at the first landing of the charge, not by what it enables later',
  },
  {
    model: 'unknown_terminal',
    from: "(approved and status = 'CAPTURE'::enum_value)",
    to: 'approved',
    file: TRANSACTIONS,
    title:
      'the amount of an unknown terminal is what is settled, and approved captures that are open',
  },
  {
    model: 'changed_after_settlement',
    from: ' filter(where not is_reversal)',
    to: '',
    file: CHANGES,
    title:
      'the amount that is lost with the settled flag is that of SETTLEMENT_REVERSED, and no part of CHANGED_AFTER_SETTLEMENT',
  },
  {
    model: 'transaction_disappeared',
    from: 'case when settled then signed_cents else 0 end',
    to: 'signed_cents',
    file: ABSENCES,
    title:
      'a transaction that was not settled disappears with an amount of zero, and the detail names its total',
  },
  {
    model: 'ach_code_not_accepted',
    from: "    and type is distinct from 'CARD'\n",
    to: '',
    file: TRANSACTIONS,
    title:
      'an ACH code outside the terminal’s list is reported, except on a CARD terminal or without a list',
  },
  {
    model: 'orphan_settled',
    from: 'anti join recently_landed_transaction using (transaction_id)',
    to: '',
    file: TRANSACTIONS,
    title:
      'a transaction settled after its terminal’s last settlement is an orphan, once settlements were read again',
  },
  {
    model: 'duplicate_charge',
    from: 'where created - earlier.created <= duplicate_span ()',
    to: 'where created - earlier.created < duplicate_span ()',
    file: DUPLICATES,
    title:
      'the later of two charges of one amount on one card within 600 seconds is a duplicate, on any terminal',
  },
  {
    model: 'duplicate_charge',
    from: 'when invoice_number is null then any_before',
    to: 'when invoice_number is null then blank_before',
    file: DUPLICATES,
    title:
      'two different invoice numbers make two charges; one missing number does not, and charges in between hide no duplicate',
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
      '4,000 random transactions over five years, with leap days, give the same result as the rule read word by word',
  },
  {
    model: 'uncovered_card',
    from: 'range between 27 preceding and 1 preceding',
    to: 'range between 28 preceding and 1 preceding',
    file: CEILING,
    title:
      'the window is the same twelve months for every day of the year and for every bucket of 13 days',
  },
  {
    model: 'uncovered_card',
    from: 'range between 29 preceding and current row',
    to: 'range between 27 preceding and current row',
    file: CEILING,
    title:
      'the window is the same twelve months for every day of the year and for every bucket of 13 days',
  },
  {
    model: 'refund_at_risk',
    from: 'interval 366 days',
    to: 'interval 365 days',
    file: CEILING,
    title:
      'the window is the same twelve months for every day of the year and for every bucket of 13 days',
  },
  {
    model: 'refund_at_risk',
    from: 'and is_open',
    to: '',
    file: CEILING,
    title:
      'the window is the same twelve months for every day of the year and for every bucket of 13 days',
  },
  {
    model: 'uncovered_card',
    from: 'where coalesce(charged_before.charge_cents, 0) < refund_cents',
    to: 'where coalesce(charged_before.charge_cents, 0) < 0',
    file: CEILING,
    title: 'refunds that together equal the charges are lawful, and one cent more is not',
  },
  {
    model: 'coarse_card_charges',
    from: 'edge.sign * charged_span.charged_cents',
    to: 'charged_span.charged_cents',
    file: CEILING,
    title:
      '4,000 random transactions over five years, with leap days, give the same result as the rule read word by word',
  },
  {
    model: 'coarse_card_charges',
    from: 'epoch_us(window_start) - 1',
    to: 'epoch_us(window_start)',
    file: CEILING,
    title:
      '4,000 random transactions over five years, with leap days, give the same result as the rule read word by word',
  },
  {
    model: 'refund_certainty',
    from: 'coalesce(history_from <= window_start, false)',
    to: 'coalesce(history_from < window_start, false)',
    file: CEILING,
    title:
      'a window that begins before the known history gives INSUFFICIENT_HISTORY, and nothing is certain',
  },
  {
    model: 'refund_certainty',
    from: 'history_until >= refund_at_risk.created',
    to: 'history_until > refund_at_risk.created',
    file: CEILING,
    title:
      'a window that begins before the known history gives INSUFFICIENT_HISTORY, and nothing is certain',
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
    model: 'weekday_lag',
    from: 'and min(offset_cents) over in_settlement = max(offset_cents) over in_settlement',
    to: '',
    file: 'models/weekday-lag',
    title: 'a settlement whose longest runs have several offsets shows no usual lag',
  },
  {
    model: 'weekday_lag',
    from: 'having count(distinct position) >= 3',
    to: 'having count(position) >= 3',
    file: 'models/weekday-lag',
    title: 'settlements that have no transaction for arithmetic agree without a usual lag',
  },
  {
    model: 'transaction_change',
    from: 'signed_amount (action, total_cents) as signed_cents',
    to: 'abs(signed_amount (action, total_cents)) as signed_cents',
    file: CHANGES,
    title:
      'a later change of amount, action, status or terminal of a settled transaction is CHANGED_AFTER_SETTLEMENT',
  },
  {
    model: 'proven_absence',
    from: "where certificate in ('SNAPSHOT', 'CONTIGUOUS')",
    to: '',
    file: ABSENCES,
    title:
      'an uncertified sweep, a sweep of another period, and one that began before the record was known prove no absence',
  },
  {
    model: 'proven_absence',
    from: 'or proof.started_seq >= absence_interval.gone_seq',
    to: 'or proof.landing_seq > absence_interval.gone_seq',
    file: ABSENCES,
    title:
      'a certified sweep that began before a best-effort one missed the record may have listed it',
  },
  {
    model: 'proven_absence',
    from: 'and proof.started_seq >= record.known_seq',
    to: '',
    file: ABSENCES,
    title:
      'an uncertified sweep, a sweep of another period, and one that began before the record was known prove no absence',
  },
  {
    model: 'missed_record',
    from: 'certified.started_at - clock_skew () >= first_version.created',
    to: 'certified.started_at - clock_skew () > first_version.created',
    file: SWEEPS,
    title:
      'a record first seen by an audit is MISSED_BY_SWEEP if an earlier certified sweep covers it and began two minutes after it was created',
  },
  {
    model: 'refused_list',
    from: 'order by landing_seq desc',
    to: 'order by landing_seq',
    file: SWEEPS,
    title:
      'a terminal that the service refuses now is TERMINAL_INACCESSIBLE, and one that it answers again is not',
  },
  {
    model: 'exception',
    from: "concat_ws('|', getvariable('account'), code, subject_type, subject_id)",
    to: "concat_ws('|', getvariable('account'), code, subject_type, subject_id, amount_cents)",
    file: EXCEPTION,
    title:
      'an exception found again with another amount is the same exception, with the same first date',
  },
  {
    model: 'current_quarantine',
    from: 'readable_version.landing_seq <= quarantined_version.landing_seq',
    to: 'readable_version.landing_seq < quarantined_version.landing_seq',
    file: SWEEPS,
    title:
      'a record that one landing reads well and also not, under one id, stays in quarantine until a later landing reads it well',
  },
  {
    model: 'current_quarantine',
    from: 'and sweep.started_seq >= record.landing_seq',
    to: '',
    file: SWEEPS,
    title:
      'a record without an id stays in quarantine while no certified sweep of its list and time began after it was listed last',
  },
  {
    model: 'current_quarantine',
    from: "            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')\n",
    to: '',
    file: SWEEPS,
    title:
      'a record without an id stays in quarantine while no certified sweep of its list and time began after it was listed last',
  },
  {
    model: 'current_quarantine',
    from: 'try_cast(record.subject_id as bigint) is null',
    to: 'true',
    file: SWEEPS,
    title:
      'a record without an id stays in quarantine while no certified sweep of its list and time began after it was listed last',
  },
  {
    model: 'current_quarantine',
    from: 'sweep.covers_from is null)',
    to: 'true)',
    file: SWEEPS,
    title:
      'a record without id, time and terminal leaves quarantine only with a sweep of the whole list, and a line of a file never does',
  },
  {
    model: 'current_quarantine',
    from: 'and record.sweep_id not in (select sweep_id from imported_file)',
    to: '',
    file: SWEEPS,
    title:
      'a record without id, time and terminal leaves quarantine only with a sweep of the whole list, and a line of a file never does',
  },
  {
    model: 'current_quarantine',
    from: '                sweep.terminal_id is null\n                and ',
    to: '',
    file: SWEEPS,
    title:
      'a record without id, time and terminal leaves quarantine only with a sweep of the whole list, and a line of a file never does',
  },
  {
    model: 'proven_absence',
    from: 'min(proof.landing_seq) as absent_seq',
    to: 'max(proof.landing_seq) as absent_seq',
    file: ABSENCES,
    title:
      'the newest event of an absence is the first sweep that proves it; later sweeps add none, and a second absence does',
  },
  {
    model: 'exception',
    from: 'every_exception.event_seq > decision.event_seq',
    to: 'every_exception.event_seq <> decision.event_seq',
    file: EXCEPTION,
    title:
      'an event that came after a waiver or a resolution opens the exception again, and an assigned one stays assigned',
  },
  {
    model: 'posting',
    from: 'unnest([reported_cents, -relieved_cents, relieved_cents - reported_cents])',
    to: 'unnest([reported_cents, -relieved_cents, reported_cents - relieved_cents])',
    file: BOOKS,
    title:
      'the worked example posts charges, refunds, a negative settlement and a variance as an accountant would',
  },
  {
    model: 'transaction_standing',
    from: "when voided_at is not null then standing_value ('OPEN')",
    to: "when voided_at is not null then standing_value ('NONE')",
    file: VERDICT,
    title:
      'a transaction in no COMPLETE settlement has one standing: pending, open, orphaned, voided or none',
  },
  ...[
    {
      model: 'entry_origin',
      from: 'coalesce(own_date, due_entry.entry_date',
      to: 'coalesce(due_entry.entry_date, own_date',
      title: FALLS_ON,
    },
    {
      model: 'entry_origin',
      from: 'coalesce(closed_period.opens_on, named_date, origin.entry_date)',
      to: 'coalesce(closed_period.opens_on, origin.entry_date)',
      title: FALLS_ON,
    },
    {
      model: 'entry_origin',
      from: 'arg_max(line.entry_date, (audit_seq, line.entry_date)) as newest_date',
      to: 'max(line.entry_date) as newest_date',
      title: FALLS_ON,
    },
    {
      model: 'clearing_entry',
      from: 'coalesce(own_date, due_entry.date',
      to: 'coalesce(due_entry.date',
      title:
        'the clearing account moves on the day of the exported entry, also if the settlement is of another day now',
    },
  ].map((mutant) => ({ ...mutant, file: 'models/closed-period-invariants' })),
  {
    model: 'entry_decision',
    from: 'min(manual_attribution.seq)',
    to: 'max(manual_attribution.seq)',
    file: BOOKS,
    title:
      'the memo of a settlement names the transactions that people put into it, with reason, name and act',
  },
  {
    model: 'gathered_line',
    from: 'when 1 then any_value(decided)',
    to: 'when 0 then any_value(decided)',
    file: GATHERED,
    title:
      'the memo of a gathered entry ends with the decision of a person, or with the number of such entries',
  },
  {
    model: 'day_entry',
    from: '            voided_date,\n            is_charge,\n            item_count,\n            - clearing_cents',
    to: '            business_date,\n            is_charge,\n            item_count,\n            - clearing_cents',
    file: BOOKS,
    title:
      'a void reverses its charge part by part on the day of the void, and so does a voided refund',
  },
  {
    model: 'day_entry',
    from: "coalesce(standing <> 'NONE', true)",
    to: "coalesce(standing <> 'ORPHAN', true)",
    file: BOOKS,
    title:
      'a transaction with any standing but NONE is posted; a HOLD, a declined one and a VERIFY are not',
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
    title: 'unsettled.csv has all open transactions, each in its bucket by calendar days',
  },
  {
    model: 'settlement_interval',
    from: 'when is_split then until_at - interval 1 microsecond',
    to: 'when is_split then until_at',
    file: MEMBERS,
    title:
      'a cut-off within one instant divides its transactions by id, and a transaction after the last settlement is in none',
  },
  {
    model: 'settled_member',
    from: 'and settlement_interval.after_id < settled_transaction.transaction_id',
    to: 'and settlement_interval.after_id <= settled_transaction.transaction_id',
    file: MEMBERS,
    title:
      'a cut-off within one instant divides its transactions by id, and a transaction after the last settlement is in none',
  },
  {
    model: 'computed_net',
    from: 'computed_cents - reported_cents as difference_cents',
    to: 'reported_cents - computed_cents as difference_cents',
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; an unread one has NO_DATA, and a PENDING one is not judged',
  },
  {
    model: 'fully_read_settlement',
    from: 'last_reading.started_seq >= last_changed_seq',
    to: 'last_reading.started_seq > 0',
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; an unread one has NO_DATA, and a PENDING one is not judged',
  },
  {
    model: 'computed_net',
    from: "when status <> 'COMPLETE' and has_members then member_cents",
    to: "when status <> 'COMPLETE' then member_cents",
    file: VERDICT,
    title:
      'a settlement ties to the cent or breaks; an unread one has NO_DATA, and a PENDING one is not judged',
  },
  {
    model: 'fully_read_settlement',
    from: '            and coalesce(sweep.terminal_id = current_settlement.terminal_id, true)\n',
    to: '',
    file: VERDICT,
    title:
      'a fully read settlement of zero without transactions ties, also if its terminal was read alone',
  },
  {
    model: 'certificate_reason',
    from: "when judged.verdict = 'TIED' then possible_rival.reason <> 'LAST_SETTLEMENT'",
    to: "when judged.verdict = 'TIED' then true",
    file: REASON,
    title:
      'a settlement that ties names each kind of rival, with its neighbours, its moved transactions and its contradicted members',
  },
  {
    model: 'certificate_reason',
    from: "when 'OTHER_END' then judged.next_id",
    to: "when 'OTHER_END' then judged.previous_id",
    file: REASON,
    title:
      'a settlement that ties names each kind of rival, with its neighbours, its moved transactions and its contradicted members',
  },
  {
    model: 'certificate_reason',
    from: "where verdict = 'EXPLAINED' and method = 'MANUAL'",
    to: "where method = 'MANUAL'",
    file: REASON,
    title:
      'an explanation beside a person’s decision names the transactions that the person placed',
  },
  {
    model: 'certificate_reason',
    from: 'where options > 1',
    to: 'where options > 2',
    file: REASON,
    title: 'a shift with several options makes both of its settlements AMBIGUOUS, but not a BREAK',
  },
  {
    model: 'certificate_reason',
    from: "where verdict in ('TIED', 'EXPLAINED')",
    to: '',
    file: REASON,
    title: 'a shift with several options makes both of its settlements AMBIGUOUS, but not a BREAK',
  },
  {
    model: 'certificate_reason',
    from: 'and other.settlement_id <> one.settlement_id',
    to: '',
    file: REASON,
    title:
      'a transaction that explains two terminals makes the one name the other if that is AMBIGUOUS',
  },
  {
    model: 'difference_rival',
    from: 'offset_run.ordinal + 1,',
    to: 'offset_run.ordinal,',
    file: ATTRIBUTION,
    title:
      'a charge at a cut-off that one of two settlements left out makes both AMBIGUOUS, and no other',
  },
  {
    model: 'cutoff_before_reach',
    from: 'previous_cents = next_cents',
    to: 'previous_cents > next_cents',
    file: ATTRIBUTION,
    title:
      'a settlement created half a day late has its own members, though its cut-off lies before the reach',
  },
  {
    model: 'neighbour_cutoff',
    from: 'offset_cents in (previous_cents, next_cents)',
    to: 'false',
    file: ATTRIBUTION,
    title:
      'the last settlement ends where the one before it supports its net, not where only a cut-off that is not chosen would',
  },
  {
    model: 'adjacent_break',
    from: 'select settlement_id, next_id',
    to: 'select settlement_id, previous_id',
    file: REASON,
    title: 'an explained settlement names the BREAK before it and the one after it',
  },
  {
    model: 'adjacent_break',
    from: "previous_verdict in ('BREAK', 'EXPLAINED')",
    to: "previous_verdict = 'BREAK'",
    file: REASON,
    title:
      'a settlement that ties between a BREAK and a shift names the BREAK, and the transactions with the amount of its difference',
  },
  {
    model: 'adjacent_break_shift',
    from: 'select shifted_id, break_id',
    to: 'select settlement_id, break_id',
    file: REASON,
    title:
      'a settlement that ties between a BREAK and a shift names the BREAK, and the transactions with the amount of its difference',
  },
  {
    model: 'adjacent_break_tie',
    from: 'abs(attribution.signed_cents)',
    to: 'attribution.signed_cents',
    file: REASON,
    title:
      'a settlement that ties between a BREAK and a shift names the BREAK, and the transactions with the amount of its difference',
  },
  {
    model: 'adjacent_break_tie',
    from: 'unnest([settlement_id, shifted_id]) as holder_id',
    to: 'settlement_id as holder_id',
    file: REASON,
    title:
      'a settlement that ties between a BREAK and a shift names the BREAK, and the transactions with the amount of its difference',
  },
  {
    model: 'certificate_reason',
    from: 'judged.is_open\n            and case',
    to: 'case',
    file: VERDICT,
    title:
      'explained and unexplained amounts make up the difference, and the certificate says if rivals exist',
  },
  {
    model: 'certificate_reason',
    from: 'judged.is_open\n            and case',
    to: "judged.method not in ('EXPLICIT_ID', 'OBSERVED')\n            and case",
    file: VERDICT,
    title:
      'explained and unexplained amounts make up the difference, and the certificate says if rivals exist',
  },
  {
    model: 'certificate_reason',
    from: "'OTHER_END', 'LAST_SETTLEMENT',",
    to: "'LAST_SETTLEMENT',",
    file: VERDICT,
    title:
      'an explained settlement is AMBIGUOUS if a neighbour could have the difference, unless observations decide its members',
  },
  {
    model: 'adjacent_break_shift',
    from: 'unnest([from_settlement_id, to_settlement_id]) as settlement_id',
    to: 'from_settlement_id as settlement_id',
    file: VERDICT,
    title: 'a shift beside a BREAK makes both of its settlements AMBIGUOUS, with a rival',
  },
  {
    model: 'adjacent_break',
    from: "previous_method in ('WINDOW', 'ALIGNED')",
    to: 'false',
    file: VERDICT,
    title:
      'an explained settlement beside a BREAK is AMBIGUOUS, unless ids or observations decide its members',
  },
  {
    model: 'certificate_reason',
    from: "and judged.method = 'ALIGNED'",
    to: '',
    file: VERDICT,
    title:
      'a tie between two differences is AMBIGUOUS if one of the many possible nets could match by chance',
  },
  {
    model: 'certificate_reason',
    from: "coalesce(next_verdict, 'BREAK')",
    to: 'next_verdict',
    file: VERDICT,
    title:
      'a tie between two differences is AMBIGUOUS if one of the many possible nets could match by chance',
  },
  {
    model: 'certificate_reason',
    from: 'may_tie_by_chance (transaction_count, charge',
    to: 'may_tie_by_chance (transaction_count + 1, charge',
    file: VERDICT,
    title:
      'a tie between two differences is AMBIGUOUS if one of the many possible nets could match by chance',
  },
  {
    model: 'certificate_reason',
    from: 'charge_cents + refund_cents)',
    to: 'charge_cents)',
    file: VERDICT,
    title:
      'a tie between two differences is AMBIGUOUS if one of the many possible nets could match by chance',
  },
  {
    model: 'certificate_reason',
    from: 'and other.settlement_id in (select settlement_id from own_reason)',
    to: 'and false',
    file: VERDICT,
    title: 'two terminals that name the same transaction have the same certificate',
  },
  {
    model: 'tieout',
    from: "and created < getvariable('window_to')",
    to: "and created <= getvariable('window_to')",
    file: VERDICT,
    title:
      'explained and unexplained amounts make up the difference, and the certificate says if rivals exist',
  },
  {
    model: 'complete_settlement',
    from: "created <= getvariable('as_of')\n    and ",
    to: '',
    file: VERDICT,
    title:
      'a transaction in no COMPLETE settlement has one standing: pending, open, orphaned, voided or none',
  },
  {
    model: 'transaction_standing',
    from: "when voided_at <= getvariable('as_of')",
    to: "when voided_at < getvariable('as_of')",
    file: VERDICT,
    title:
      'a transaction in no COMPLETE settlement has one standing: pending, open, orphaned, voided or none',
  },
  {
    model: 'bucket_end',
    from: 'arg_max_null(next_at, position)',
    to: 'arg_max(next_at, position)',
    file: 'models/bucket-end',
    title:
      'each bucket has its last position and the time of the next transaction, and the last bucket has no next one',
  },
  {
    model: 'earliest_settled_time',
    from: 'then lag(created) over in_order',
    to: 'then created',
    file: OBSERVED,
    title:
      'a transaction that was unsettled when a settlement was made comes after it, though its own time says otherwise',
  },
  {
    model: 'earliest_settled_time',
    from: 'settlements > 1',
    to: 'settlements >= 1',
    file: OBSERVED,
    title:
      'a transaction that was unsettled when a settlement was made comes after it, though its own time says otherwise',
  },
  {
    model: 'earliest_settled_time',
    from: 'or flag_observation.created < before',
    to: 'or flag_observation.created <= before',
    file: OBSERVED,
    title:
      'a reach that passes the previous settlement gives an earliest time only to transactions older than the reach',
  },
  {
    model: 'observed_shift',
    from: 'settlement_running_net.ordinal > leaving_transaction.ordinal',
    to: 'settlement_running_net.ordinal >= leaving_transaction.ordinal',
    file: OBSERVED,
    title:
      'a transaction seen to settle late moves from the settlement that ties without it to its next candidate',
  },
  {
    model: 'observed_shift',
    from: 'late_settled_transaction.position > unpaired_cut.previous_position',
    to: 'late_settled_transaction.position >= unpaired_cut.previous_position',
    file: OBSERVED,
    title:
      'a late transaction stays if it does not cancel the whole difference, if two would, without a later candidate, or beside a pair',
  },
  {
    model: 'observed_shift',
    from: 'qualify count(*) over (partition by unpaired_cut.settlement_id) = 1',
    to: 'qualify count(*) over (partition by unpaired_cut.settlement_id) >= 1',
    file: OBSERVED,
    title:
      'a late transaction stays if it does not cancel the whole difference, if two would, without a later candidate, or beside a pair',
  },
  {
    model: 'swap_cut',
    from: 'when is_short then previous_position',
    to: 'when is_short and false then previous_position',
    file: RIVAL,
    title:
      'a possible swap within two hours of a cut-off counts once, even if both cut-offs are that close',
  },
  {
    model: 'swap_cut',
    from: 'or cut.previous_position = cut.position as is_short',
    to: 'as is_short',
    file: RIVAL,
    title:
      'a possible swap within two hours of a cut-off counts once, even if both cut-offs are that close',
  },
  {
    model: 'swap_rival',
    from: '- sum(count_by_cut.both_swaps) // 2',
    to: '',
    file: RIVAL,
    title:
      'a possible swap within two hours of a cut-off counts once, even if both cut-offs are that close',
  },
  {
    model: 'prompt_terminal',
    from: '>= 0.9 * any_value',
    to: '>= 0.8 * any_value',
    file: PROMPT,
    title: 'a prompt terminal may have one untied settlement of twelve, and not two',
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
    from: 'one.ends_seq > observation.after_seq',
    to: 'one.ends_seq >= observation.after_seq',
    file: OBSERVED,
    title: 'landing numbers show which settlements were made while a transaction turned settled',
  },
  {
    model: 'observed_shift',
    from: 'then leaving_transaction.next_change_cents',
    to: 'then 0',
    file: OBSERVED,
    title:
      'a late transaction stays if the next settlement ties without it, because the move would make that one wrong',
  },
  {
    model: 'observed_shift',
    from: 'is distinct from 0',
    to: 'is not null',
    file: OBSERVED,
    title:
      'a late transaction stays if the next settlement ties without it, because the move would make that one wrong',
  },
  {
    model: 'certificate_reason',
    from: "else judged.code = 'COMPONENT_EXCLUDED'",
    to: 'else false',
    file: VERDICT,
    title:
      'an explained settlement is AMBIGUOUS if it names an interchangeable member, names all members and has rivals, or is beside an uncertain shift',
  },
  {
    model: 'certificate_reason',
    from: 'semi join interchangeable_member using (settlement_id, transaction_id)',
    to: 'where false',
    file: VERDICT,
    title:
      'an explained settlement is AMBIGUOUS if it names an interchangeable member, names all members and has rivals, or is beside an uncertain shift',
  },
  {
    model: 'interchangeable_member',
    from: 'other.change_cents = - member.change_cents',
    to: 'other.change_cents = member.change_cents',
    file: RIVAL,
    title:
      'a member is interchangeable with an equal amount across a cut-off, or with one that cancels its own',
  },
  {
    model: 'certificate_reason',
    from: "and is_open\n                    and code <> 'COMPONENT_EXCLUDED'",
    to: 'and is_open',
    file: VERDICT,
    title:
      'an explained settlement is AMBIGUOUS if it names an interchangeable member, names all members and has rivals, or is beside an uncertain shift',
  },
  {
    model: 'observed_member',
    from: 'anti join named_transaction using (transaction_id)',
    to: '',
    file: NAMED,
    title:
      'a transaction that an observation placed is placed once after its record names the settlement',
  },
  {
    model: 'pending_cutoff',
    from: 'where not is_reached',
    to: 'where not settled_ties',
    file: NAMED,
    title: 'captures that name a PENDING settlement and reach its net leave no room for others',
  },
  {
    model: 'missed_record',
    from: 'qualify row_number() over (partition by list, subject_id order by ordinal desc) = 1',
    to: '',
    file: SWEEPS,
    title:
      'several versions of a record in one landing are missed once, with the terminal and amount of the last',
  },
  {
    model: 'refund_ceiling_breach',
    from: 'refunded_in_window_cents - case',
    to: 'refund_cents - case',
    file: CEILING,
    title:
      'a refund above all charges counts the refunds before it, so that a higher refund never has a lower amount',
  },
  {
    model: 'incomplete_charge',
    from: 'transaction_history.transaction_id is null',
    to: 'true',
    file: CEILING,
    title:
      'a brand in other letters is the same card, and a charge without a card field is listed as incomplete',
  },
  {
    model: 'pair_cut',
    from: 'coalesce(is_usual_cutoff (cut_deviation_s, pair_difference.spread_s), false)',
    to: 'is_usual_cutoff (cut_deviation_s, pair_difference.spread_s)',
    file: PAIRS,
    title:
      'a late transaction is tried with each cut-off, also if the terminal has no usual lag yet',
  },
  {
    model: 'unexplained_settlement',
    from: "('EXPLICIT_ID', 'OBSERVED')",
    to: "('EXPLICIT_ID')",
    file: INTERVAL,
    title:
      'an untied settlement reaches from the previous end to its cut-off, and not less far than its last member by id or observation',
  },
  {
    model: 'observed_candidate',
    from: 'where is_learned',
    to: '',
    file: OBSERVED,
    title:
      'a late transaction stays if it does not cancel the whole difference, if two would, without a later candidate, or beside a pair',
  },
  {
    model: 'settling_event',
    from: '>= most_proven - 1',
    to: '= most_proven',
    file: SETTLING,
    title:
      'a lead of a single settlement leaves both events possible, and a lead of two excludes one',
  },
  {
    model: 'settling_event',
    from: 'and differs as',
    to: 'as',
    file: SETTLING,
    title: 'a single event is chosen if both allow the same',
  },
  {
    model: 'unpaired_cut',
    from: 'unpaired.support < 2',
    to: 'unpaired.support <= 2',
    file: OBSERVED,
    title:
      'a late transaction may move together with a cut near the usual lag if no neighbour supports the chosen cut-off',
  },
  {
    model: 'unpaired_cut',
    from: 'unpaired.spread_s',
    to: 'unpaired.spread_s - 1',
    file: OBSERVED,
    title:
      'a late transaction may move together with a cut near the usual lag if no neighbour supports the chosen cut-off',
  },
  {
    model: 'unpaired_cut',
    from: 'cutoff_candidate.position <= unpaired.next_position',
    to: 'cutoff_candidate.position <= unpaired.next_position + 1',
    file: OBSERVED,
    title:
      'a late transaction may move together with a cut near the usual lag if no neighbour supports the chosen cut-off',
  },
  {
    model: 'wrong_terminal_cause',
    from: 'and other.sets = 1',
    to: '',
    file: EXPLANATION,
    title:
      'no explanation picks one of two equal members, or one of two terminals, for WRONG_TERMINAL',
  },
  {
    model: 'explanation',
    from: 'when wrong_terminal_cause.settlement_id is not null then null',
    to: '',
    file: EXPLANATION,
    title:
      'no explanation picks one of two equal members, or one of two terminals, for WRONG_TERMINAL',
  },
  {
    model: 'explanation',
    from: 'off_cents <> 0 and off_cents % 100 = 0 and has_same_sign',
    to: 'false',
    file: 'truth/oracle/explanations',
    title:
      'an unrelated price is explained by chance if all prices end in .99, but not for certain',
  },
  {
    model: 'combined_cause',
    from: 'off_cents % 100 = 0',
    to: 'off_cents % 1000 = 0',
    file: 'truth/oracle/explanations',
    title:
      'an unrelated price is explained by chance if all prices end in .99, but not for certain',
  },
  {
    model: 'explanation',
    from: 'any_value(single_cause.transactions) = min(any_value(single_cause.transactions))',
    to: 'any_value(single_cause.transactions) >= min(any_value(single_cause.transactions))',
    file: EXPLANATION,
    title: 'a single transaction goes before components of all transactions with the same sum',
  },
  {
    model: 'pair_difference',
    from: 'where step % 2 = 1',
    to: '',
    file: PAIRS,
    title:
      'each of several neighbouring differences that cancel is cancelled once, and never for certain',
  },
  {
    model: 'pair_shift',
    from: 'options + is_one_of_some::integer as options',
    to: 'options',
    file: PAIRS,
    title:
      'each of several neighbouring differences that cancel is cancelled once, and never for certain',
  },
  {
    model: 'contradicted_pair_move',
    from: 'and own.settlement_id = possible_move.to_settlement_id',
    to: '',
    file: PAIRS,
    title:
      'a transaction seen to turn settled moves only to a candidate of its observation, and an unobserved one moves anywhere',
  },
  {
    model: 'pair_shift_of_late',
    from: 'and late_set.position <= pair_cut.new_cut_position',
    to: '',
    file: PAIRS,
    title: 'a transaction of the set does not lie after the cut',
  },
  {
    model: 'pair_shift_of_late',
    from: 'len(transaction_ids),',
    to: 'len(transaction_ids) desc,',
    file: PAIRS,
    title: 'the smallest of several matching sets moves, and the number of sets is recorded',
  },
  {
    model: 'observed_shift',
    from: '= unpaired_cut.moved_cents - unpaired_cut.difference_cents - lacking.difference_cents',
    to: '= - lacking.difference_cents',
    file: OBSERVED,
    title:
      'a late transaction also moves from a settlement with a larger difference to one that lacks exactly it, but never for certain',
  },
  {
    model: 'gathered_line',
    from: 'from journal_line where is_new )',
    to: 'from journal_line )',
    file: GATHERED,
    title: 'a day that gets more after its approval has a second entry, and a third after the next',
  },
  {
    model: 'gathered_line',
    from: 'count(distinct audit_seq) as approvals',
    to: 'count(audit_seq) as approvals',
    file: GATHERED,
    title: 'a day that gets more after its approval has a second entry, and a third after the next',
  },
  {
    model: 'gathered_line',
    from: "when 'settlement' then case when settlement_id is null then 'sales' end",
    to: "when 'settlement' then 'sales'",
    file: GATHERED,
    title: 'a settlement stays an entry with its deposit, and the sales of a day are another',
  },
  {
    model: 'gathered_line',
    from: 'then last_day(entry_date)',
    to: 'then entry_date',
    file: GATHERED,
    title: 'a month is one entry for each source, dated on its last day',
  },
  {
    model: 'gathered_line',
    from: "or getvariable('accounting_by_terminal') then terminal_id",
    to: 'then terminal_id',
    file: GATHERED,
    title: 'a day by terminal has a line for each account and terminal',
  },
  {
    model: 'gathered_line',
    from: 'having amount_cents <> 0',
    to: '',
    file: GATHERED,
    title: 'an account whose lines sum to zero has no line, and its entry still balances',
  },
]
