import type { ScheduleFiring } from '@gatehouse/contract'
import type { WeekReport } from './simulate-week.ts'
import { away, exactMoments, expectedAlarms, gridMoments } from './the-week.ts'
import { momentOf } from './time-table.ts'

/** What is wrong with a week, in words; none where every promise was kept. */
export function faultsOf(report: WeekReport): string[] {
  const end = momentOf(report.until).toISOString()
  const passed = (moments: readonly string[]) => moments.filter((moment) => moment <= end)
  return [
    ...Object.entries(exactMoments).flatMap(([name, moments]) =>
      exactFaults(name, passed(moments), report.firings[name] ?? []),
    ),
    ...Object.entries(gridMoments).flatMap(([name, moments]) =>
      gridFaults(name, passed(moments), report.firings[name] ?? []),
    ),
    ...invoiceFaults(report),
    ...reportFaults(report),
    ...alarmFaults(report),
    ...messageFaults(report),
    ...callbackFaults(report),
  ]
}

function exactFaults(name: string, moments: readonly string[], firings: readonly ScheduleFiring[]) {
  const planned = firings.map(({ planned_for }) => planned_for)
  return [
    ...(planned.join() === moments.join()
      ? []
      : [`${name} fired for ${planned.join()} instead of ${moments.join()}`]),
    ...firings
      .filter(({ state }) => state !== 'done')
      .map(({ planned_for, state }) => `${name} of ${planned_for} is ${state}`),
  ]
}

const isWithin = (moment: string, [first, last]: readonly [string, string]) =>
  moment >= momentOf(first).toISOString() && moment <= momentOf(last).toISOString()

function gridFaults(name: string, moments: readonly string[], firings: readonly ScheduleFiring[]) {
  const planned = firings.map(({ planned_for }) => planned_for)
  const caughtUp = away.map((gap) => moments.filter((moment) => isWithin(moment, gap)))
  const excused = new Set(caughtUp.flatMap(([, ...others]) => others))
  return [
    ...planned
      .filter((moment, at) => planned.indexOf(moment) !== at)
      .map((moment) => `${name} fired twice for ${moment}`),
    ...planned
      .filter((moment) => !moments.includes(moment) || excused.has(moment))
      .map((moment) => `${name} fired for ${moment}`),
    ...moments
      .filter((moment) => !excused.has(moment) && !planned.includes(moment))
      .map((moment) => `${name} did not fire for ${moment}`),
  ]
}

/** Each invoice was taken once and in order, but for the one that was rejected. */
function invoiceFaults({ invoices, accepted, rejected }: WeekReport): string[] {
  const expected = invoices.filter((no) => !rejected.includes(no))
  return [
    ...(accepted.join() === expected.join()
      ? []
      : [`the authority took ${accepted.join()} instead of ${expected.join()}`]),
    ...(rejected.length <= 1 ? [] : [`${rejected.length} invoices were rejected`]),
  ]
}

function reportFaults({ reports, firings }: WeekReport): string[] {
  const started = Object.entries(firings)
    .filter(([name]) => name !== 'Invoices of the ERP')
    .flatMap(([, all]) => all)
    .filter(({ state }) => state === 'done').length
  return reports === started ? [] : [`${reports} reports of ${started} were sent`]
}

/** The alarms that were expected came once each and in time, and no other. */
function alarmFaults({ alarms, until }: WeekReport): string[] {
  const left = [...alarms]
  const due = expectedAlarms.filter(({ ended }) => ended[1] <= until)
  const missing = due.flatMap(({ kind, raised, ended }) => {
    const at = left.findIndex(
      (alarm) =>
        alarm.kind === kind &&
        isWithin(alarm.raised_at, raised) &&
        alarm.ended_at !== null &&
        isWithin(alarm.ended_at, ended),
    )
    if (at === -1) return [`no alarm ${kind} was raised at ${raised.join(' to ')}, and ended`]
    left.splice(at, 1)
    return []
  })
  return [
    ...missing,
    ...left.map(
      ({ kind, subject, title, raised_at, ended_at }) =>
        `an alarm came for nothing: ${kind} ${subject} at ${raised_at}, ended ${ended_at}: ${title}`,
    ),
  ]
}

/** Each alarm, and its end, was told once by webhook and once by e-mail, in the order in which they came. */
function messageFaults({ alarms, received, mails, openDeliveries }: WeekReport): string[] {
  const news = alarms
    .flatMap(({ id, title, subject, raised_at, ended_at }) => [
      { at: raised_at, webhook: `alarm.raised ${id}`, mail: title },
      // A gap in the checks ends when a person has read it: there is nothing to tell.
      ...(ended_at === null || subject.startsWith('late:')
        ? []
        : [{ at: ended_at, webhook: `alarm.ended ${id}`, mail: `Over: ${title}` }]),
    ])
    .toSorted((a, b) => a.at.localeCompare(b.at))
  const webhooks = received
    .filter(({ path }) => path === '/alarms')
    .map(({ type, data }) => `${type} ${data.alarms?.map(({ id }) => id).join('+')}`)
  const wanted = {
    webhooks: news.map(({ webhook }) => webhook),
    mails: news.map(({ mail }) => mail),
  }
  const got = {
    webhooks,
    mails: mails.map((subject) => subject?.replace('[Gatehouse] ', '') ?? ''),
  }
  return [
    ...(['webhooks', 'mails'] as const)
      .filter((channel) => wanted[channel].join() !== got[channel].join())
      .map((channel) => `${channel}: ${got[channel].join()} instead of ${wanted[channel].join()}`),
    ...openDeliveries.map(({ id, subject }) => `delivery ${id} still waits: ${subject}`),
  ]
}

/** Each result of an invoice was sent once, in order for each invoice. */
function callbackFaults({ received, accepted, rejected, alarms }: WeekReport): string[] {
  const callbacks = received.filter(({ path }) => path === '/callbacks')
  const ids = new Set(callbacks.map(({ id }) => id))
  const typesOf = (no: string) =>
    callbacks.filter(({ data }) => data.run?.reference === no).map(({ type }) => type)
  const doubtful = alarms.filter(({ kind }) => kind === 'unknown').map(({ title }) => title)
  const expected = (no: string) => {
    if (rejected.includes(no)) return 'run.rejected'
    const wasUnknown = doubtful.some((title) => title.includes(`(${no})`))
    return wasUnknown ? 'run.unknown,run.succeeded' : 'run.succeeded'
  }
  return [
    ...(ids.size === callbacks.length ? [] : ['a callback was taken twice']),
    ...[...accepted, ...rejected]
      .filter((no) => typesOf(no).join() !== expected(no))
      .map((no) => `the callbacks of ${no} were ${typesOf(no).join()} instead of ${expected(no)}`),
  ]
}
