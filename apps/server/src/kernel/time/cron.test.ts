import { describe, expect, it } from 'vitest'
import { cronProblems, nextRunAt } from './cron.ts'

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Riyadh',
]
/** When each sets its clocks, in UTC; where it never does, two other days. */
const changes: Record<string, [string, string]> = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Africa/Cairo': ['2026-04-23', '2026-10-29'],
  'Australia/Lord_Howe': ['2026-04-04', '2026-10-03'],
  'Asia/Riyadh': ['2026-03-29', '2026-10-25'],
}
const dayMs = 86_400_000
const from = new Date('2025-12-31T12:00:00Z')
const to = new Date('2027-01-01T12:00:00Z')

/** Every moment of a year, and the local date and time of each. */
function fire(cron: string, zone: string, after = from, until = to) {
  const moments: Date[] = []
  for (let at = nextRunAt(cron, zone, after); at && at < until; at = nextRunAt(cron, zone, at))
    moments.push(at)
  return moments
}

const localOf = (zone: string) => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return (moment: Date) => format.format(moment)
}

const minutesApart = (moments: Date[]) => [
  ...new Set(
    moments.slice(1).map((at, index) => (at.getTime() - moments[index]!.getTime()) / 60_000),
  ),
]

describe('daylight saving', () => {
  it.each(zones)('a daily job fires once on each local date of a year in %s', (zone) => {
    const local = localOf(zone)
    for (const time of ['00:00', '00:30', '01:45', '02:00', '02:15', '02:30', '12:00', '23:30']) {
      const [hour, minute] = time.split(':').map(Number)
      const fired = fire(`${minute} ${hour} * * *`, zone).map(local)
      const dates = fired.map((at) => at.slice(0, 10)).filter((date) => date.startsWith('2026'))
      expect(dates.length, `${time} in ${zone}`).toBe(365)
      expect(new Set(dates).size, `${time} in ${zone}`).toBe(365)
      const elsewhere = fired.filter((at) => !at.endsWith(time))
      expect(elsewhere.length, `${time} in ${zone} ${elsewhere.join()}`).toBeLessThanOrEqual(1)
    }
  })

  it.each(zones)('quarters of an hour and hours fire in each real interval in %s', (zone) => {
    // Between the changes one day is like the next.
    const windows = (changes[zone] ?? []).map((date) => {
      const at = new Date(date).getTime()
      return [new Date(at - 3 * dayMs), new Date(at + 4 * dayMs)] as const
    })
    const timeOf = (moment: Date) => localOf(zone)(moment).slice(11)
    for (const [start, end] of windows)
      expect(timeOf(start) === timeOf(end)).toBe(zone === 'Asia/Riyadh')
    const gaps = (cron: string) => [
      ...new Set(windows.flatMap(([start, end]) => minutesApart(fire(cron, zone, start, end)))),
    ]
    expect(gaps('*/15 * * * *')).toEqual([15])
    // Lord Howe moves its clocks by half an hour, so that one hour of it has 30 minutes, another 90.
    const isHalf = zone === 'Australia/Lord_Howe'
    expect(gaps('0 * * * *')).toEqual(isHalf ? [60, 90] : [60])
    expect(gaps('30 * * * *').toSorted()).toEqual(isHalf ? [30, 60] : [60])
  })

  it.each([
    ['0 2 * * *', 'Europe/Berlin', '2026-03-29 03:00'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29 03:00'],
    ['30 2 29 3 *', 'Europe/Berlin', '2026-03-29 03:00'],
    ['30 1,2 29 3 *', 'Europe/Berlin', '2026-03-29 01:30,2026-03-29 03:00'],
    ['*/15 2 29 3 *', 'Europe/Berlin', '2026-03-29 03:00'],
    ['0 */2 29 3 *', 'Europe/Berlin', '2026-03-29 00:00,2026-03-29 03:00,2026-03-29 04:00'],
    ['15 2 * 10 *', 'Australia/Lord_Howe', '2026-10-04 02:30'],
    ['0 0 24 4 *', 'Africa/Cairo', '2026-04-24 01:00'],
  ])('%s in %s counts after the gap: %s', (cron, zone, expected) => {
    const date = expected.slice(0, 10)
    const fired = fire(cron, zone).map(localOf(zone))
    expect(
      fired
        .filter((at) => at.startsWith(date))
        .slice(0, 3)
        .join(),
    ).toBe(expected)
  })

  it('a time that clocks show twice counts the first time, on whichever side one asks', () => {
    const first = '2026-10-25T00:30:00.000Z'
    const next = '2026-10-26T01:30:00.000Z'
    const after = (at: string) => nextRunAt('30 2 * * *', 'Europe/Berlin', new Date(at))?.toJSON()
    expect(after('2026-10-25T00:29:59.999Z')).toBe(first)
    expect(after(first)).toBe(next)
    expect(after('2026-10-25T01:00:00Z')).toBe(next)
    expect(after('2026-10-25T01:30:00Z')).toBe(next)
    expect(fire('30 2,3 25 10 *', 'Europe/Berlin').map((at) => at.toJSON())).toEqual([
      first,
      '2026-10-25T02:30:00.000Z',
    ])
  })

  it('a date that a zone leaves out counts at the start of the next', () => {
    const fired = fire(
      '0 6 * * *',
      'Pacific/Apia',
      new Date('2011-12-29T12:00Z'),
      new Date('2011-12-31'),
    )
    expect(fired.map(localOf('Pacific/Apia'))).toEqual([
      '2011-12-29 06:00',
      '2011-12-31 00:00',
      '2011-12-31 06:00',
    ])
  })

  it('rare expressions for every hour count both hours of the same name', () => {
    const fired = fire('30 * 25 10 *', 'Europe/Berlin')
    expect(fired.length).toBe(25)
    expect(minutesApart(fired)).toEqual([60])
    expect(fire('30 * 29 3 *', 'Europe/Berlin').length).toBe(23)
  })
})

describe('expressions', () => {
  const problem = (cron: string) =>
    cronProblems({ cron, time_zone: 'UTC' })['cron']?.join(' ') ?? ''

  it.each([
    '* * * * *',
    '*/5 8-18 * * MON-FRI',
    '0 6 1,15 * *',
    '0 0 L * *',
    '0 0 29 2 *',
    '0 9 * JAN-MAR 1#1',
    ' 0  6 * * 7 ',
  ])('takes %s', (cron) => expect(problem(cron)).toBe(''))

  it.each([
    ['0 0 6 * * *', 'seconds are not supported'],
    ['@daily', 'five fields'],
    ['', 'five fields'],
    ['60 24 0 13 8', 'The minute can’t be read'],
    ['60 24 0 13 8', 'The day of the week can’t be read'],
    ['*/0 * * * *', 'The minute'],
    ['5-1 * * * *', 'The minute'],
    ['0 6 ? * *', 'The day of the month'],
    ['0 6 15W * *', 'The day of the month'],
    ['MON 6 * * *', 'The minute'],
    ['0 6 * FOO *', 'The month'],
    ['0 0 30 2 *', 'no such day'],
    [`0 0 ${'1,'.repeat(60)}1 * *`, 'at most 100'],
  ])('refuses %s: %s', (cron, text) => expect(problem(cron)).toContain(text))

  it.each(['+02:00', 'Europe/Atlantis', 'Berlin', '', 'EST', 'UTC+3'])('refuses zone %s', (zone) =>
    expect(cronProblems({ cron: '* * * * *', time_zone: zone })).toHaveProperty('time_zone'),
  )

  it('takes every zone that this machine knows', () => {
    const known = Intl.supportedValuesOf('timeZone')
    const refused = known.filter((time_zone) =>
      Object.hasOwn(cronProblems({ cron: '0 6 * * *', time_zone }), 'time_zone'),
    )
    expect(refused).toEqual([])
  })
})
