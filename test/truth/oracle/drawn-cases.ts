/** The cases that the reference judges: the same in every run of the tests, others in `npm run simulate:cases`. */

export const CASES = Number(process.env['TIEOUT_TEST_ORACLE_CASES'] ?? 3000)

/** The seed of the first case. Ids are a hundred times the seeds, and must fit into 31 bits. */
export const FIRST = Number(process.env['TIEOUT_TEST_ORACLE_FIRST'] ?? 1)
