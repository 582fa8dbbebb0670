import type { TdsValue } from './tds-value.ts'

/** A type and a value in few words: a test's title must not hold thousands of characters. */
export function caseTitle(type: string, value: TdsValue): string {
  if (Buffer.isBuffer(value)) return `${type} of ${value.length} bytes`
  const text = String(value)
  return text.length > 60 ? `${type} of ${text.length} characters` : `${type} ${text}`
}
