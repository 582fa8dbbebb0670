/** Signs that begin a formula, with their full-width, small and typographic forms. */
const signs = '=+\\-@＝＋－＠﹢﹣﹦﹫−'
/** What spreadsheets skip in front of a sign: quotes, white space, control and invisible characters. */
const skipped = '"\'\\0-\\x08\\x0b\\x0c\\x0e-\\x20\\x7f-\\xa0\\u200b-\\u200f\\u2060\\ufeff'

// Where a cell begins: at the start, and behind whatever a spreadsheet may split at. Some split at
// semicolons or tabs, and then quotes in the middle of what they take for a cell protect nothing. The
// time it takes is linear: a look ahead ends where the next one may begin.
const formula = new RegExp(`(^|[;\\t\\r\\n])(?=[${skipped}]*[${signs}])`, 'g')
const startsWithControl = /^[\0-\x1f\x7f]/
const negativeNumber = /^-\d{1,15}(?:\.\d{1,15})?$/

/**
 * One cell (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front, at
 * its start as well as behind a semicolon, tab or line end inside of it, and is quoted. Numbers stay
 * numbers: so does text that is a negative number and nothing else, such as `-12.50`. Text with a plus
 * in front, such as a telephone number, gets the apostrophe.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  if (typeof value === 'number' || negativeNumber.test(text)) return text
  const prefixed = text.replace(formula, "$1'")
  const safe = startsWithControl.test(prefixed) ? `'${prefixed}` : prefixed
  const isQuoted = safe !== text || /[",;\t\r\n]/.test(safe)
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line, with its CRLF. Every CSV file that the product makes consists of these. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}
