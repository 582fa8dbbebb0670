import { normalFormOf } from '@gatehouse/contract'

// Texts and questions are brought into the same form here, and not by a database, so that both databases
// find the same.

/** Letters that no decomposition of Unicode changes. */
const alike: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  // Arabic: alef maqsura and teh marbuta are typed either way.
  ى: 'ي',
  ة: 'ه',
  // Persian letters on Arabic keyboards.
  ی: 'ي',
  ک: 'ك',
}

const alikePattern = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu')
/** Marks, among them Arabic vowels; tatweel; what has no width; what we use ourselves. */
const dropped = /[\p{M}\u0640\p{Cf}\p{Co}]/gu

/**
 * Without case, accents and Arabic vowels, with ASCII digits, in one form for letters that have several
 * (full-width, ligatures, hamza on its carrier).
 */
export function normalForm(text: string): string {
  // Most texts are ASCII, and need one step only.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  const lowered = normalFormOf(text, 'NFKC').toLowerCase()
  return normalFormOf(lowered, 'NFKD')
    .replace(dropped, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(alikePattern, (letter) => alike[letter] ?? letter)
}

/** Decimal digits of a script are ten code points in a row, and those of Unicode begin at 0. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
