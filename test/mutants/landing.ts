/** Broken variants of the landing. */
import type { Mutant } from './mutant.ts'

const LAND = 'lake/landing/land.ts'
const END = 'lake/landing/end-sweep.ts'
const TWICE = 'a batch that is landed twice counts once'
const CHANGES =
  'an unchanged record is no new version; a changed one is, and so is one that changes back'
const QUARANTINE =
  'a quarantined record that is read well again becomes a version, even without other change'
const NEWER =
  'a record that another run has since landed in a newer state is not landed, and is read again'
const ABSENT =
  'a record that a finished sweep did not list is marked absent, and present when it is back'

const ofLanding = (mutant: Omit<Mutant, 'file'>): Mutant => ({ ...mutant, file: 'unit/lake/land' })

export const LANDING: readonly Mutant[] = [
  ...[
    {
      module: LAND,
      from: 'sweep_id = $1 and batch >= $2',
      to: 'sweep_id = $1 and batch > $2',
      title: TWICE,
    },
    {
      module: LAND,
      from: 'before_hash is distinct from content_hash',
      to: 'before_hash is null',
      title: CHANGES,
    },
    {
      module: LAND,
      from: 'arg_max(content_hash, (landing_seq, ordinal))',
      to: 'arg_min(content_hash, (landing_seq, ordinal))',
      title: CHANGES,
    },
    {
      module: LAND,
      from: 'coalesce(lag(staged.content_hash) over (partition by staged.id order by staged.ordinal), known.content_hash)',
      to: 'known.content_hash',
      title:
        'a record seen twice in one batch with different amounts leaves both versions in order',
    },
    {
      module: LAND,
      from: 'where refused.landing_seq is null or refused.landing_seq < newest.landing_seq',
      to: '',
      title: QUARANTINE,
    },
    {
      module: LAND,
      from: ' or rejected.subject_id in (select subject_id from read_since)',
      to: '',
      title: QUARANTINE,
    },
    {
      module: LAND,
      from: 'qualify row_number() over (partition by rejected.subject_id, record_sha256 order by ordinal) = 1',
      to: '',
      title: QUARANTINE,
    },
    {
      module: LAND,
      from: 'or (try_cast(rejected.subject_id as bigint) is null and newest.sweep_id <> $3)',
      to: '',
      title: 'each sweep that lists an unreadable record without an id quarantines it once',
    },
    {
      module: LAND,
      from: ' || (await isOutdated(connection, landing))',
      to: '',
      title: NEWER,
    },
    {
      module: LAND,
      from: 'and theirs.content_hash <> staged.content_hash',
      to: '',
      title: NEWER,
    },
    {
      module: END,
      from: 'coalesce(last_word.present, true) <>',
      to: 'coalesce(last_word.present, false) <>',
      title: `${ABSENT}, 'at once'`,
    },
    {
      module: END,
      from: 'share < shares;',
      to: 'share < 1;',
      title: `${ABSENT}, 'in shares'`,
    },
    {
      module: END,
      from: '(sweep_id = $3 or',
      to: '($3 is not null or',
      title: 'the end of one sweep leaves the sightings of another running sweep',
    },
    {
      module: END,
      from: 'and coalesce(last_word.landing_seq, 0) <= $7',
      to: 'and $7 is not null',
      title:
        'a sweep that saw a record before a later one missed it does not call it present again',
    },
    {
      module: END,
      from: 'interval 7 days',
      to: 'interval 70 days',
      title: 'the sightings of an interrupted sweep are deleted a week later',
    },
    {
      module: 'lake/landing/refusals.ts',
      from: 'from refused where terminal_id in (select terminal_id from last_version)',
      to: 'from refused',
      title: 'a list with records of a refused terminal shows that the terminal is answered again',
    },
    {
      module: 'lake/landing/list-schemas.ts',
      from: 'coalesce(${name}::varchar, chr(30))',
      to: "coalesce(${name}::varchar, '')",
      title:
        'a value that moves to the next column is a change, and so is one that becomes empty instead of absent',
    },
  ].map(ofLanding),
  {
    module: 'lake/landing/typed-columns.ts',
    from: "assert(read(memory, typeof value === 'string' ? value : String(value), row), claim)",
    to: "read(memory, typeof value === 'string' ? value : String(value), row)",
    file: 'unit/lake/hand-over-typed',
    title:
      'a value in a form that no reader writes is refused by an assertion, and reaches no table',
  },
  {
    module: 'lake/connection/transact.ts',
    from: "await raiseFenceOf(connection, 'fence')",
    to: '',
    file: 'unit/lake/transact',
    title:
      'a fence that is invisible while another writer raises it is a lost race, and the work begins anew',
  },
]
