/**
 * Whether a text can be written in a character set of the database. What can't, a server out of
 * strict mode turns into question marks. True for sets that are not judged here.
 */
export function isWritableIn(charset: string | undefined, text: string): boolean {
  switch (charset ?? 'utf8mb4') {
    case 'ascii':
      return !/[^\x00-\x7f]/.test(text)
    case 'latin1':
      return !beyondLatin1.test(text)
    case 'utf8':
    case 'utf8mb3':
    case 'ucs2':
      return !/[\ud800-\udfff]/.test(text)
    default:
      return true
  }
}

/** MySQL's latin1 is Windows-1252, with the five bytes that have no character there as themselves. */
const beyondLatin1 = /[^\x00-\x7f\xa0-\xff\x81\x8d\x8f\x90\x9d€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/
