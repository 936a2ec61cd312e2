/** The one layout of a model. Throws if anything but white space and case would change. */
export function formatSql(text: string): string
