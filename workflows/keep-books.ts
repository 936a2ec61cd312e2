import type { BooksAct, BooksActed } from '../domain/books.ts'
import { actOnBooks } from './activity-options.ts'

/** One decision about the books, in the queue of all that is written to the lake. */
export async function keepBooks(act: BooksAct): Promise<BooksActed> {
  return actOnBooks(act)
}
