/** Readers of the programs' files that share no code with their writers, and accept documented forms only. */

export interface ReadLine {
  account: string
  /** Debits plus. */
  cents: bigint
}

export interface ReadEntry {
  /** The key by which the program groups the lines. */
  key: string
  /** YYYY-MM-DD */
  date: string
  memo: string
  lines: ReadLine[]
}

/** RFC 4180, character by character: CRLF only, quotes only around whole cells. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  const endCell = () => {
    row.push(cell)
    cell = ''
    state = 'start'
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (state === 'quoted') {
      if (char !== '"') cell += char
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else state = 'closed'
    } else if (char === ',') endCell()
    else if (char === '\r') {
      if (text.charAt(at + 1) !== '\n') throw new Error(`a lone carriage return at ${at}`)
      at += 1
      endCell()
      rows.push(row)
      row = []
    } else if (char === '"' && state === 'start') state = 'quoted'
    else if (char === '"' || char === '\n' || state === 'closed') {
      throw new Error(`${JSON.stringify(char)} at ${at} is not CSV`)
    } else {
      cell += char
      state = 'plain'
    }
  }
  if (state !== 'start' || row.length > 0) throw new Error('the last line has no end')
  const width = rows[0]?.length
  if (rows.some((cells) => cells.length !== width)) throw new Error('rows differ in width')
  return rows
}

/** Rows under exactly this header. */
export function readSheet(text: string, header: string): Record<string, string>[] {
  const [head = [], ...rows] = readCsv(text)
  if (head.join(',') !== header) throw new Error(`the header is ${head.join(',')}`)
  for (const cell of rows.flat()) {
    // A cell that is no figure must not begin like a formula, nor hold what breaks a line.
    if (/^[=+@-]/.test(cell) && !/^-\d+\.\d\d$/.test(cell)) throw new Error(`a formula: ${cell}`)
    if (/[\p{Cc}\u2028\u2029]/u.test(cell)) throw new Error(`a control character: ${cell}`)
  }
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}

/** The cents of a signed figure such as `-12.30`; zero is none. */
export function signed(text: string | undefined): bigint {
  const found = /^(-?)(\d+)\.(\d\d)$/.exec(text ?? '')
  if (found === null) throw new Error(`${text} is no amount`)
  const cents = BigInt(`${found[2]}${found[3]}`)
  if (cents === 0n) throw new Error('a line of zero')
  return found[1] === '-' ? -cents : cents
}

/** Two columns without signs; one of them is filled. */
export function sides(debit: string | undefined, credit: string | undefined): bigint {
  if ((debit === '') === (credit === '')) throw new Error(`both or no side: ${debit}, ${credit}`)
  const cents = signed(debit === '' ? credit : debit)
  if (cents < 0n) throw new Error('a negative side')
  return debit === '' ? -cents : cents
}

/** MM/DD/YYYY, as in the United States. */
export const usDate = (text: string | undefined) =>
  dated(text, /^(?<m>\d\d)\/(?<d>\d\d)\/(?<y>\d{4})$/)
/** DD/MM/YYYY */
export const dayFirst = (text: string | undefined) =>
  dated(text, /^(?<d>\d\d)\/(?<m>\d\d)\/(?<y>\d{4})$/)
export const isoDate = (text: string | undefined) =>
  dated(text, /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/)

function dated(text: string | undefined, form: RegExp): string {
  const { y, m, d } = form.exec(text ?? '')?.groups ?? {}
  const date = `${y}-${m}-${d}`
  if (Number.isNaN(Date.parse(date))) throw new Error(`${text} is no date of the form`)
  return date
}

/** Joins lines of one key that stand together; a key that comes back later, or does not balance, is an error. */
export function grouped(lines: Iterable<Omit<ReadEntry, 'lines'> & ReadLine>): ReadEntry[] {
  const entries = new Map<string, ReadEntry>()
  let open = ''
  for (const { key, date, memo, account, cents } of lines) {
    const known = entries.get(key)
    if (known !== undefined && open !== key) throw new Error(`${key} is divided`)
    const entry = known ?? { key, date, memo, lines: [] }
    if (entry.date !== date || entry.memo !== memo) throw new Error(`${key} has two heads`)
    entry.lines.push({ account, cents })
    entries.set(key, entry)
    open = key
  }
  for (const { key, lines: read } of entries.values()) {
    if (read.reduce((sum, { cents }) => sum + cents, 0n) !== 0n)
      throw new Error(`${key} does not balance`)
    if (read.length < 2) throw new Error(`${key} has one line`)
  }
  return [...entries.values()]
}

export function readQuickBooksOnline(text: string): ReadEntry[] {
  const header =
    'JournalNo,JournalDate,AccountName,Debits,Credits,Description,Name,Memo,Currency,Class,Location'
  const rows = readSheet(text, header)
  if (rows.length >= 1000 || text.length > 2_000_000) throw new Error('too large')
  return grouped(
    rows.map((row) => ({
      key: atMost(row['JournalNo'], 21),
      date: usDate(row['JournalDate']),
      memo: row['Memo'] ?? '',
      account: row['AccountName'] ?? '',
      cents: sides(row['Debits'], row['Credits']),
    })),
  )
}

export function readXero(text: string): ReadEntry[] {
  const header =
    '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2'
  const rows = readSheet(text, header)
  if (rows.length >= 300) throw new Error('too many lines')
  // A journal is all lines with one narration and date.
  const journals = grouped(
    rows.map((row) => ({
      key: `${row['*Narration']} ${row['*Date']}`,
      date: dayFirst(row['*Date']),
      memo: row['Description'] ?? '',
      account: filled(row['*AccountCode'], row['*TaxRate']),
      cents: signed(row['*Amount']),
    })),
  )
  return journals.map((journal) => ({ ...journal, key: journal.key.split(' ')[0] ?? '' }))
}

export function readNetSuite(text: string): ReadEntry[] {
  const header =
    'External ID,Date,Subsidiary,Currency,Memo,Account,Debit,Credit,Line Memo,Department,Class,Location,Posting Period'
  const rows = readSheet(text, header)
  if (rows.length >= 25_000 || text.length > 50_000_000) throw new Error('too large')
  return grouped(
    rows.map((row) => ({
      key: row['External ID'] ?? '',
      date: usDate(row['Date']),
      memo: row['Memo'] ?? '',
      account: filled(row['Account'], row['Currency']),
      cents: below(sides(row['Debit'], row['Credit']), 10n ** 12n),
    })),
  )
}

/** The head of an entry stands on its first line, whose number is 1. */
export function readSageIntacct(text: string): ReadEntry[] {
  const header =
    'JOURNAL,DATE,DESCRIPTION,REFERENCE_NO,LINE_NO,ACCT_NO,LOCATION_ID,DEPT_ID,MEMO,DEBIT,CREDIT'
  let [key, date, next] = ['', '', 1]
  const lines = readSheet(text, header).map((row) => {
    const isFirst = row['JOURNAL'] !== ''
    if (isFirst) {
      key = atMost(row['REFERENCE_NO'], 30)
      date = usDate(row['DATE'])
      next = 1
    } else if (`${row['DATE']}${row['DESCRIPTION']}${row['REFERENCE_NO']}` !== '') {
      throw new Error('a head on a later line')
    }
    if (row['LINE_NO'] !== String(next)) throw new Error(`line ${row['LINE_NO']} is not ${next}`)
    next += 1
    atMost(row['DESCRIPTION'], 30)
    const cents = sides(row['DEBIT'], row['CREDIT'])
    return { key, date, memo: row['MEMO'] ?? '', account: row['ACCT_NO'] ?? '', cents }
  })
  return grouped(lines)
}

export function readBusinessCentral(text: string): ReadEntry[] {
  const header =
    'Journal Template Name,Journal Batch Name,Line No.,Posting Date,Document No.,Account Type,Account No.,Description,Amount'
  const dimension = text.startsWith(`${header},`) ? ',Shortcut Dimension 1 Code' : ''
  return grouped(
    readSheet(text, `${header}${dimension}`).map((row, at) => {
      if (row['Line No.'] !== String(at + 1)) throw new Error('line numbers do not ascend')
      if (row['Account Type'] !== 'G/L Account') throw new Error('no ledger account')
      return {
        key: atMost(row['Document No.'], 20),
        date: isoDate(row['Posting Date']),
        memo: row['Description'] ?? '',
        account: row['Account No.'] ?? '',
        cents: signed(row['Amount']),
      }
    }),
  )
}

/** TRNS, SPL and ENDTRNS in turn, in ASCII, with as many cells as the header has. */
export function readIif(text: string): ReadEntry[] {
  if (/[^\t\r\n -~]/.test(text)) throw new Error('not ASCII')
  const lines = text.split('\r\n')
  if (lines.pop() !== '' || text.replaceAll('\r\n', '').includes('\n')) throw new Error('line ends')
  const columns = 'TRNSTYPE DATE ACCNT NAME CLASS AMOUNT DOCNUM MEMO'.split(' ')
  const head = [['!TRNS', ...columns].join('\t'), ['!SPL', ...columns].join('\t'), '!ENDTRNS']
  if (lines.splice(0, 3).join('|') !== head.join('|')) throw new Error('another header')
  const rows: (Omit<ReadEntry, 'lines'> & ReadLine)[] = []
  let isOpen = false
  for (const line of lines) {
    const [kind, ...cells] = line.split('\t')
    const isEnd = kind === 'ENDTRNS' && cells.length === 0
    if (isEnd !== (isOpen && kind === 'ENDTRNS') || (kind === 'TRNS' && isOpen))
      throw new Error(`${kind} out of turn`)
    if (kind === 'SPL' && !isOpen) throw new Error('SPL out of turn')
    isOpen = !isEnd
    if (isEnd) continue
    if (!['TRNS', 'SPL'].includes(kind ?? '') || cells.length !== columns.length)
      throw new Error(`not a line: ${line}`)
    const [type, date, account = '', , , amount, number, text = ''] = cells
    if (type !== 'GENERAL JOURNAL') throw new Error('not a journal')
    const [, key = '', memo = ''] = /^(\S+) ?(.*)$/.exec(text) ?? []
    atMost(number, 11)
    rows.push({ key, date: usDate(date), memo, account, cents: signed(amount) })
  }
  if (isOpen) throw new Error('the last entry has no end')
  return grouped(rows)
}

function atMost(text: string | undefined, max: number): string {
  if (text === undefined || text.length > max) throw new Error(`${text} is longer than ${max}`)
  return text
}

function below(cents: bigint, limit: bigint): bigint {
  if (cents >= limit || cents <= -limit) throw new Error(`${cents} is too large`)
  return cents
}

function filled(text: string | undefined, other: string | undefined): string {
  if (text === undefined || text === '' || other === '') throw new Error('a required cell is empty')
  return text
}
