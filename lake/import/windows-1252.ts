/** Decodes Windows-1252. Node decodes it as Latin-1, which has other characters from 0x80 to 0x9f. */
const OTHERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** The text of these bytes. */
export const windows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (character) => OTHERS.charAt(character.charCodeAt(0) - 0x80))
