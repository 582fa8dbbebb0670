import type { AlarmKind } from '@gatehouse/contract'
import { everyMinutes, type Event } from './time-table.ts'
import type { Week } from './week.ts'

// A week in which clocks change in Europe (29 March 2026, 01:00 UTC) and in Australia (4 April, 16:00 UTC).

export const from = '2026-03-28T17:00'
export const to = '2026-04-04T17:00'
export const workingDays = ['2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03']
/** While people work: 8:00 to 17:30 in Berlin. */
export const workingHours = ['06:00', '15:30'] as const

const hourMs = 3_600_000

export const events: readonly Event<Week>[] = [
  {
    at: '2026-03-30T10:02',
    what: 'the authority is away',
    happen: ({ outside }) => void (outside.state.mood = 'is away'),
  },
  {
    at: '2026-03-30T10:10',
    what: 'the receivers of webhooks fail',
    happen: ({ outside }) => void (outside.state.areReceiversDown = true),
  },
  {
    at: '2026-03-30T11:12',
    what: 'the authority is back',
    happen: ({ outside }) => void (outside.state.mood = 'accepts'),
  },
  {
    at: '2026-03-30T11:20',
    what: 'the receivers of webhooks are back',
    happen: ({ outside }) => void (outside.state.areReceiversDown = false),
  },
  {
    at: '2026-03-31T12:04',
    what: 'the authority takes the next invoice, and its answer is lost',
    happen: ({ outside }) => void (outside.state.mood = 'loses its answer'),
  },
  {
    at: '2026-03-31T12:10',
    what: 'the mail server refuses',
    happen: ({ mail }) => void (mail.control.refuse = 'Try later.'),
  },
  {
    at: '2026-03-31T13:10',
    what: 'a person has looked at the authority, and says that it was received',
    happen: (week) => week.resolveUnknown(),
  },
  {
    at: '2026-03-31T13:20',
    what: 'the mail server takes mails again',
    happen: ({ mail }) => void (mail.control.refuse = undefined),
  },
  {
    at: '2026-03-31T23:58',
    what: 'both servers are killed',
    happen: ({ servers }) => servers.stop('a', 'b'),
  },
  {
    at: '2026-04-01T03:02',
    what: 'both servers start',
    happen: ({ servers }) => servers.start('a', 'b'),
  },
  {
    at: '2026-04-01T03:30',
    what: 'a person acknowledges that alarms were not checked',
    happen: (week) => week.acknowledge(),
  },
  {
    at: '2026-04-02T08:58',
    what: 'the clock is set back by an hour',
    happen: (week) => week.moveClock(-hourMs),
  },
  {
    at: '2026-04-02T11:02',
    what: 'the clock is set right: it jumps ahead by an hour',
    happen: (week) => week.moveClock(hourMs),
  },
  {
    at: '2026-04-02T11:30',
    what: 'a person acknowledges that alarms were not checked',
    happen: (week) => week.acknowledge(),
  },
  {
    at: '2026-04-02T12:00',
    what: 'one server is killed, and stays away for eight hours',
    happen: ({ servers }) => servers.stop('b'),
  },
  { at: '2026-04-02T20:00', what: 'it starts', happen: ({ servers }) => servers.start('b') },
  {
    at: '2026-04-03T07:04',
    what: 'the authority rejects the next invoice',
    happen: ({ outside }) => void (outside.state.mood = 'rejects'),
  },
  {
    at: '2026-04-03T07:40',
    what: 'a person closes the rejected run',
    happen: (week) => week.closeRejected(),
  },
  {
    at: '2026-04-03T08:00',
    what: 'the ERP gives no list',
    happen: ({ outside }) => void (outside.state.isErpBroken = true),
  },
  {
    at: '2026-04-03T15:30',
    what: 'the ERP gives its list again',
    happen: ({ outside }) => void (outside.state.isErpBroken = false),
  },
]

interface ExpectedAlarm {
  kind: AlarmKind
  /** First and last minute in which it may be raised, and in which it may end. */
  raised: readonly [string, string]
  ended: readonly [string, string]
}

/** Every alarm of the week; there must be no other. */
export const expectedAlarms: readonly ExpectedAlarm[] = [
  {
    kind: 'lane_outage',
    raised: ['2026-03-30T10:20', '2026-03-30T10:40'],
    ended: ['2026-03-30T11:12', '2026-03-30T11:25'],
  },
  {
    kind: 'unknown',
    raised: ['2026-03-31T12:20', '2026-03-31T12:23'],
    ended: ['2026-03-31T13:10', '2026-03-31T13:12'],
  },
  {
    kind: 'check',
    raised: ['2026-04-01T03:02', '2026-04-01T03:04'],
    ended: ['2026-04-01T03:30', '2026-04-01T03:32'],
  },
  {
    kind: 'check',
    raised: ['2026-04-02T11:02', '2026-04-02T11:04'],
    ended: ['2026-04-02T11:30', '2026-04-02T11:32'],
  },
  {
    kind: 'rejected',
    raised: ['2026-04-03T07:05', '2026-04-03T07:07'],
    ended: ['2026-04-03T07:40', '2026-04-03T07:42'],
  },
  {
    kind: 'schedule',
    raised: ['2026-04-03T08:05', '2026-04-03T08:10'],
    ended: ['2026-04-03T15:35', '2026-04-03T15:40'],
  },
  {
    kind: 'silence',
    // Four working hours after the invoice of 7:30, taken at 7:35.
    raised: ['2026-04-03T11:34', '2026-04-03T11:38'],
    ended: ['2026-04-03T15:30', '2026-04-03T15:40'],
  },
]

/** Moments that must fire, in UTC, each once and no other. */
export const exactMoments: Record<string, readonly string[]> = {
  // 2:30 does not exist on 29 March: the first moment after the gap is 3:00 in Berlin.
  'Nightly in Berlin': [
    '2026-03-29T01:00:00.000Z',
    ...everyMinutes('2026-03-30T00:30', '2026-04-04T00:30', 24 * 60),
  ],
  // 2:30 exists twice on 5 April there, at 15:30 and 16:30 UTC.
  'Nightly in Sydney': everyMinutes('2026-03-29T15:30', '2026-04-04T15:30', 24 * 60),
  'Mondays in New York': ['2026-03-30T10:00:00.000Z'],
}

/** Moments of which each must fire, but for those of which a server that was away catches up one alone. */
export const gridMoments: Record<string, readonly string[]> = {
  'Each hour in Sydney': everyMinutes('2026-03-28T18:00', to, 60),
  'Each quarter of an hour': everyMinutes('2026-03-28T17:15', to, 15),
  'Invoices of the ERP': everyMinutes('2026-03-28T17:05', '2026-04-04T16:35', 30),
}

/** By the clocks of the servers: no server worked, or the clock skipped them. */
export const away = [
  ['2026-03-31T23:58', '2026-04-01T03:02'],
  ['2026-04-02T10:02', '2026-04-02T11:02'],
] as const
