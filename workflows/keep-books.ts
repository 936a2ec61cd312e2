import { subjectOf, type BooksAct, type BooksActed } from '../domain/books.ts'
import { actOnBooks } from './activity-options.ts'

/** Records one decision about the books, in the queue for all writes to the lake. */
export async function keepBooks(act: BooksAct): Promise<BooksActed> {
  const summary = `${act.kind} ${subjectOf(act)}`
  return actOnBooks.executeWithOptions({ summary }, [act])
}
