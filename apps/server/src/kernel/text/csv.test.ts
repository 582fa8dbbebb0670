import { describe, expect, it } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

describe('a cell', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    [null, ''],
    [7, '7'],
    [-7.5, '-7.5'],
    ['a,b', '"a,b"'],
    ['say "yes"', '"say ""yes"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['a;b', '"a;b"'],
    ['3 = 3', '3 = 3'],
    ['[1,-2,"=x"]', '"[1,-2,""=x""]"'],
    ['Ärzte-Haus', 'Ärzte-Haus'],
  ])('is written as RFC 4180 says: %j', (value, cell) => expect(csvCell(value)).toBe(cell))

  it.each(['-7', '-7.25', '-0.5', '-1000000'])('that is a negative number stays one: %s', (value) =>
    expect(csvCell(value)).toBe(value),
  )

  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹢', '﹣', '﹦', '﹫', '−']
  it.each(signs)('that begins with %s is quoted and prefixed', (sign) => {
    expect(csvCell(`${sign}cmd`)).toBe(`"'${sign}cmd"`)
    expect(csvCell(sign)).toBe(`"'${sign}"`)
    expect(csvCell(` \u00a0\u200b\ufeff${sign}cmd`)).toBe(`"' \u00a0\u200b\ufeff${sign}cmd"`)
    expect(csvCell(`"${sign}cmd`)).toBe(`"'""${sign}cmd"`)
  })

  it.each(['\tx', '\rx', '\nx', '\0=x'])(
    'that begins with a control character is too: %j',
    (text) => expect(csvCell(text)).toBe(`"'${text}"`),
  )

  it.each([
    ['-2+3', `"'-2+3"`],
    ['-', `"'-"`],
    ['+966 11 123', `"'+966 11 123"`],
    ['-1e5', `"'-1e5"`],
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['x;=cmd', `"x;'=cmd"`],
    ['x; "@cmd', `"x;' ""@cmd"`],
    ['x\t=cmd', `"x\t'=cmd"`],
    ['x\r\n=cmd', `"x\r\n'=cmd"`],
    ['x;y;＝cmd;-1', `"x;y;'＝cmd;'-1"`],
    [';=a', `";'=a"`],
    ['=a;=b', `"'=a;'=b"`],
    ['\t=a;=b', `"'\t'=a;'=b"`],
    [`${' '.repeat(99)}=a`, `"'${' '.repeat(99)}=a"`],
  ])('no part of which is a formula, whatever the spreadsheet splits at: %j', (value, cell) =>
    expect(csvCell(value)).toBe(cell),
  )
})

it('a line ends with CRLF and needs time in proportion to its length', () => {
  expect(csvLine([1, 'a', null, '=b'])).toBe(`1,a,,"'=b"\r\n`)
  const long = csvCell('; '.repeat(500_000))
  expect(long).toHaveLength(1_000_002)
  expect(csvCell(';"'.repeat(300_000))).toHaveLength(900_002)
})
