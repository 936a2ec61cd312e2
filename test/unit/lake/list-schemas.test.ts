/** Goal: no field that is read gets lost on its way into the lake, and no column stays without a field. */
import { expect, test } from 'vitest'
import { RECORD_FIELDS } from '../../../domain/record-fields.ts'
import { LISTS } from '../../../lake/landing/list-schemas.ts'
import { read, recordText } from '../api/records.ts'

test.each(['settlements', 'terminals', 'transactions'] as const)(
  'a row of %s has the columns of its table, and each field has one of them',
  (list) => {
    const record = read(list, recordText(list, 'terminalId', '41'))
    const columns = Object.keys(LISTS[list].columns).toSorted()
    expect(Object.keys('row' in record ? record.row : {}).toSorted()).toEqual(columns)
    for (const { column } of Object.values(RECORD_FIELDS[list])) expect(columns).toContain(column)
  },
)
