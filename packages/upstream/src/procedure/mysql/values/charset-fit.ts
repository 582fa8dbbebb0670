/**
 * Whether a character set of the database has all characters of a text. A server without strict mode
 * replaces the others by question marks. True for sets that are not checked here.
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

/** MySQL's latin1 is Windows-1252, where the five bytes without a character are control characters. */
const beyondLatin1 = /[^\x00-\x7f\xa0-\xff\x81\x8d\x8f\x90\x9d€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/
