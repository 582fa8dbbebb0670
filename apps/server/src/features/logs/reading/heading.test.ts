import { describe, expect, it } from 'vitest'
import { HeadingReader } from './heading.ts'
import { levelNames } from './levels.ts'

function read(line: string) {
  const bytes = Buffer.from(line)
  const heading = new HeadingReader()
  if (!heading.read(bytes, 0, bytes.length)) return undefined
  const piece = (from: number, to: number) => bytes.toString('utf8', from, to)
  return {
    date: piece(1, heading.dateEnd),
    context: piece(heading.contextStart, heading.contextEnd),
    level: levelNames[heading.level],
    between: piece(heading.betweenStart, heading.betweenEnd),
    text: piece(heading.textStart, bytes.length),
  }
}

describe('a heading', () => {
  it.each([
    ['[2026-11-21 10:00:00] local.ERROR: It broke', '2026-11-21 10:00:00', 'local', 'error'],
    ['[2026-11-21T10:00:00] local.INFO: x', '2026-11-21T10:00:00', 'local', 'info'],
    ['[2026-11-21 10:00:00.123] local.INFO: x', '2026-11-21 10:00:00.123', 'local', 'info'],
    [
      '[2026-11-21T10:00:00.123456+03:00] my.app.CRITICAL: x',
      '2026-11-21T10:00:00.123456+03:00',
      'my.app',
      'critical',
    ],
    ['[2026-11-21T10:00:00Z] a.debug: x', '2026-11-21T10:00:00Z', 'a', 'debug'],
    [
      '[2026-11-21 10:00:00 Asia/Riyadh] a.Notice:',
      '2026-11-21 10:00:00 Asia/Riyadh',
      'a',
      'notice',
    ],
    ['[2026-12-31 23:59:60,5 -0330] a.ALERT: x', '2026-12-31 23:59:60,5 -0330', 'a', 'alert'],
    ['[2026-11-21 10:00:00] رياض.EMERGENCY: x', '2026-11-21 10:00:00', 'رياض', 'emergency'],
    ['[2026-11-21 10:00:00] local.WARNING:\r', '2026-11-21 10:00:00', 'local', 'warning'],
  ])('%s', (line, date, context, level) => {
    expect(read(line)).toMatchObject({ date, context, level })
  })

  it('leaves what follows the colon to the text', () => {
    expect(read('[2026-11-21 10:00:00] local.ERROR: a.ERROR: b')?.text).toBe(' a.ERROR: b')
  })

  it('is not read beyond the end of its line', () => {
    const bytes = Buffer.from('[2026-11-21 10:00:00] local.ERROR: x')
    for (let end = 0; end < 34; end++)
      expect(new HeadingReader().read(bytes, 0, end), String(end)).toBe(false)
    expect(new HeadingReader().read(bytes, 0, 34)).toBe(true)
  })

  const at = '[2022-08-25 11:16:17]'
  it.each([
    [
      `${at} some additional text [!@#$%^&] and characters // !@#$ local.DEBUG: message`,
      'some additional text [!@#$%^&] and characters // !@#$',
      'local',
      'debug',
    ],
    [`${at} [pid 71] [a1b2] local.ERROR: message`, '[pid 71] [a1b2]', 'local', 'error'],
    [`${at} see http://a.b: my.app.WARNING: message`, 'see http://a.b:', 'my.app', 'warning'],
    [`${at} (a worker) (x)local.INFO: message`, '(a worker)', '(x)local', 'info'],
    [`${at} عملية رياض.NOTICE: message`, 'عملية', 'رياض', 'notice'],
    [`${at} a.b.c d.ALERT: message`, 'a.b.c', 'd', 'alert'],
    [`${at} x . local.CRITICAL: message`, 'x .', 'local', 'critical'],
    [`${at}  local.EMERGENCY: message`, '', 'local', 'emergency'],
    [`${at} ${'x '.repeat(400)}local.INFO: message`, 'x '.repeat(400).trim(), 'local', 'info'],
  ])('with text between date and level: %s', (line, between, context, level) => {
    expect(read(line)).toMatchObject({ between, context, level, text: ' message' })
  })

  it('takes the first level it comes upon', () => {
    const line = `${at} a b.INFO: c.ERROR: d`
    expect(read(line)).toMatchObject({ context: 'b', level: 'info', text: ' c.ERROR: d' })
  })

  it.each([
    `${at} a java.lang.Error: thrown`,
    `${at} some text without a level: here`,
    `${at} some text .ERROR: no context`,
    `${at} some text local.ERRORS: no level`,
    `${at} some text local.ERROR no colon`,
    `${at} some text local.ERROR:x`,
    `${at} some text -local.-ERROR: x`,
    `${at} local:x.ERROR: a colon`,
    `${at} a ${'b.'.repeat(70)}ERROR: a long context`,
    `${at} ${'x '.repeat(600)}local.INFO: too far away`,
    `${at}no blank local.INFO: x`,
    `before ${at} some text local.INFO: x`,
  ])('is none: %s', (line) => expect(read(line)).toBeUndefined())
})
