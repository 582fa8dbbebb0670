// Every quantifier is bounded and every pattern but the last is anchored at the beginning: whatever the
// line holds, a look takes a few hundred steps.
const lookMaxLength = 512

const opening = '^(?:<\\d{1,3}>)?[\\[("]?'
const time = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?'
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const zone = '(?:Z|(?: ?[+-]\\d\\d:?\\d\\d)| (?:UTC|GMT))?'

export const timeStampPatterns: readonly RegExp[] = [
  // 2026-11-21T08:30:00.123Z, 2026-11-21 08:30:00,123, 2026/11/21 08:30:00
  new RegExp(`${opening}(\\d{4}[-/]\\d\\d[-/]\\d\\d[Tt ]${time}${zone})`),
  // Nov 21 08:30:00 (syslog), Sat Nov 21 08:30:00.123 2026 (Apache)
  new RegExp(
    `${opening}((?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?${month} [ \\d]\\d? ?${time}(?: \\d{4})?)`,
  ),
  // 21-Nov-2026 08:30:00 UTC (PHP)
  new RegExp(`${opening}(\\d\\d-${month}-\\d{4} ${time}${zone})`),
  // [21/Nov/2026:08:30:00 +0000] (access logs), anywhere in the line
  new RegExp(`\\[(\\d\\d/${month}/\\d{4}:${time} [+-]\\d{4})\\]`),
]

/** The time stamp in a line of any log, unchanged; '' for none. */
export function findTimeStamp(line: string): string {
  const head = line.slice(0, lookMaxLength)
  for (const pattern of timeStampPatterns) {
    const found = pattern.exec(head)?.[1]
    if (found !== undefined) return found
  }
  return ''
}
