/** The formats of a query's result. */
export const FORMATS = ['table', 'csv', 'json', 'arrow', 'parquet'] as const

export type Format = (typeof FORMATS)[number]
