/** A text as a literal of SQL. Table functions take their file and options in no other way. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name of a column as SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A file's name as a literal that matches this very file: `*`, `?` and `[` would match others. */
export const quotedFile = (file: string): string =>
  quoted(file.replaceAll(/[[*?]/g, (character) => `[${character}]`))
