/** A word of a command line, quoted where a shell would read it otherwise. */
export const shellWord = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
