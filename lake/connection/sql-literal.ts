/** Texts and names as SQL, for statements and table functions that take no parameters. */

/** Quotes a text as an SQL literal. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Quotes a name with double quotes, as SQL and CSV do. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The pattern that matches a name alone. DuckDB's readers would take `*`, `?` and `[` for patterns. */
export const asPattern = (name: string): string =>
  name.replaceAll(/[[*?]/g, (character) => `[${character}]`)

/** Quotes the name of a file for DuckDB's readers. */
export const quotedFile = (file: string): string => quoted(asPattern(file))

/** Quotes the name of a folder with a slash at its end. */
export const quotedFolder = (folder: string): string =>
  quoted(folder.endsWith('/') ? folder : `${folder}/`)
