/** The cases that the reference judges: the same in every run of the tests, others in `npm run simulate:cases`. */

export const CASES = Number(process.env['TIEOUT_TEST_ORACLE_CASES'] ?? 3000)

/** The seed of the first case. */
export const FIRST = Number(process.env['TIEOUT_TEST_ORACLE_FIRST'] ?? 1)
