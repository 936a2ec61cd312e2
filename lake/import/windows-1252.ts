/** Windows-1252, which Node decodes as Latin-1: the characters from 0x80 to 0x9f are others. */
const OTHERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** The text of these bytes. */
export const windows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (character) => OTHERS.charAt(character.charCodeAt(0) - 0x80))
