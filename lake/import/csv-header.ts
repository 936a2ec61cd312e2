import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Failure } from '../../domain/failure.ts'
import type { ImportOrder } from '../../domain/import.ts'

const MAX_HEADER_CHARACTERS = 1_048_576

/**
 * The names in the first line of a CSV file, in order. Throws import_unreadable where there is no such line, or where a
 * name stands in it twice: nobody could say which of the two columns is meant.
 */
export async function csvHeader(order: ImportOrder, delimiter: string): Promise<string[]> {
  const names = namesIn(await beginning(order.file), delimiter)
  if (names === undefined || names.join('') === '') {
    throw new Failure('import_unreadable', `${order.file}: line 1 is no header of CSV`)
  }
  return names
}

async function beginning(file: string): Promise<string> {
  const bytes = createReadStream(file, { end: MAX_HEADER_CHARACTERS })
  const plain = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  // A broken file breaks the stream that it is unpacked by, and nothing else hears of it.
  bytes.on('error', (error) => plain.destroy(error))
  let text = ''
  try {
    for await (const chunk of plain.setEncoding('utf8')) {
      text += String(chunk)
      if (text.length > MAX_HEADER_CHARACTERS) break
    }
  } catch (cause) {
    throw new Failure('import_unreadable', `${file} can't be read`, { cause })
  } finally {
    bytes.destroy()
  }
  return text.replace(/^\ufeff/, '')
}

/** The values of the first line by the rules of RFC 4180; undefined where a quote is not closed. */
function namesIn(text: string, delimiter: string): string[] | undefined {
  const names: string[] = []
  let name = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') name += character
      else if (text.charAt(at + 1) === '"') name += text.charAt((at += 1))
      else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === delimiter) {
      names.push(name)
      name = ''
    } else if (character === '\n' || character === '\r') return [...names, name]
    else name += character
  }
  return isQuoted ? undefined : [...names, name]
}
