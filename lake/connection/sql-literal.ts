/** Quotes a text as an SQL literal, for ATTACH, SET and CREATE SECRET, which take no parameters. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
