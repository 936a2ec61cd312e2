/** A text as SQL's literal, for ATTACH, SET and CREATE SECRET, which take no parameters. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
