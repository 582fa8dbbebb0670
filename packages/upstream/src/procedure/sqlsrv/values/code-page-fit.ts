/** The encodings that Node knows, by the Windows code pages they are (WHATWG Encoding §4.2). */
const encodings: Readonly<Record<string, string>> = {
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1255: 'windows-1255',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp1258: 'windows-1258',
}

const repertoires = new Map<string, ReadonlySet<string>>()

/**
 * Whether a code page of the database has all characters of a text. SQL Server silently replaces the
 * others by a question mark or by a similar character; U+02BC becomes an apostrophe. True for code
 * pages that are not checked here.
 */
export function isWritableIn(codePage: string | undefined, text: string): boolean {
  if (codePage === undefined || /^[\0-\x7f]*$/.test(text)) return true
  if (codePage === 'cp65001') return text.isWellFormed()
  const encoding = encodings[codePage]
  if (encoding === undefined) return true
  let known = repertoires.get(encoding)
  if (!known) {
    known = repertoireOf(encoding)
    repertoires.set(encoding, known)
  }
  for (const character of text) if (!known.has(character)) return false
  return true
}

/** All characters that are encoded in one byte or two. */
function repertoireOf(encoding: string): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding)
  const bytes: number[] = []
  for (let lead = 0; lead <= 0xff; lead++) {
    bytes.push(lead, lineFeed)
    if (!encoding.startsWith('windows')) {
      for (let trail = 0x40; trail <= 0xfe && lead > 0x80; trail++)
        bytes.push(lead, trail, lineFeed)
    }
  }
  const decoded = decoder.decode(Uint8Array.from(bytes)).split('\n')
  return new Set(['\n', ...decoded.filter((each) => [...each].length === 1 && each !== '\ufffd')])
}

const lineFeed = 0x0a
