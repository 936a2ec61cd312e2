/** The kinds of fields. Each has a check of the parsed value, and some have a faster check of its bytes. */
import type { FieldKind, TerminalKind } from '../../domain/record-fields.ts'
import {
  amountBytes,
  idBytes,
  instantBytes,
  lastFourBytes,
  textBytes,
  type ByteCheck,
} from './byte-fields.ts'
import * as checks from './field-checks.ts'

export interface Kind {
  check: checks.Check
  /** Makes a check of the usual spelling by its bytes. Its result equals that of `check`. */
  bytes?: () => ByteCheck
  /** The field has few different values. A value is checked once and then recognised by its bytes. */
  repeats?: boolean
}

export const KINDS: Readonly<Record<FieldKind | TerminalKind, Kind>> = {
  amount: { check: checks.amount, bytes: () => amountBytes },
  flag: { check: checks.flag },
  id: { check: checks.id, bytes: () => idBytes },
  identifier: { check: checks.identifier },
  instant: { check: checks.instant, bytes: instantBytes },
  lastFour: { check: checks.lastFour, bytes: () => lastFourBytes },
  longText: { check: checks.freeText(255), bytes: () => textBytes },
  looseId: { check: checks.looseId },
  net: { check: checks.netAmount },
  optionalWord: { check: checks.optionalWord, repeats: true },
  percentage: { check: checks.percentage, repeats: true },
  // The caller hashes it and stores no part of it.
  personal: { check: checks.shortText },
  text: { check: checks.freeText(64), bytes: () => textBytes },
  word: { check: checks.word, repeats: true },
  words: { check: checks.words },
}
