/** Reads a program's workbook with openpyxl: dates must be dates, amounts and numbers must be numbers, all else text. */
import { execFileSync } from 'node:child_process'

const READ = `
import json, sys, datetime, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
assert [sheet.title for sheet in book] == ['Gen. Journal Line'], book.sheetnames
rows = list(book.active.iter_rows())
head = [cell.value for cell in rows[0]]
def text(name, cell):
    if cell.value is None: return ''
    if name == 'Posting Date':
        assert isinstance(cell.value, datetime.datetime), (name, cell.value)
        return cell.value.date().isoformat()
    if name == 'Amount':
        assert cell.data_type == 'n', (name, cell.value)
        return '%.2f' % cell.value
    if name == 'Line No.':
        assert isinstance(cell.value, int), (name, cell.value)
        return str(cell.value)
    assert cell.data_type == 's', (name, cell.value)
    return cell.value
print(json.dumps([head] + [[text(name, cell) for name, cell in zip(head, row)] for row in rows[1:]]))
`

/** The cells of the only sheet, as the text file of the same program has them. */
export const readWorkbook = (file: string): string[][] =>
  JSON.parse(execFileSync('python3', ['-c', READ, file], { encoding: 'utf8', maxBuffer: 2 ** 27 }))
