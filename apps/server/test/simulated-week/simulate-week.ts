import type { AlarmRecord, DeliveryRow, RunSummary, ScheduleFiring } from '@gatehouse/contract'
import { startMailServer } from '../servers/mail-server.ts'
import { createTestDatabase } from '../test-database.ts'
import { invoicesOf, startOutside } from './outside.ts'
import { setUp } from './set-up.ts'
import { SimulatedServers } from './simulated-servers.ts'
import { events, from, to, workingDays, workingHours } from './the-week.ts'
import { minuteMs, momentOf, type Event } from './time-table.ts'
import type { Week } from './week.ts'

export type WeekReport = Awaited<ReturnType<typeof simulateWeek>>

/**
 * Lets a week pass, minute by minute, on two servers that share a database, and reports what they did. Nothing
 * waits: the clock is moved, and every server does the rounds that its timers would do. `until`: an earlier end, in
 * UTC.
 */
export async function simulateWeek(until = to) {
  const database = await createTestDatabase()
  const servers = new SimulatedServers(['a', 'b'], database, momentOf(from))
  await servers.start('a', 'b')
  const invoices = invoicesOf(workingDays, ...workingHours)
  const outside = await startOutside(() => servers.now, invoices)
  const mail = await startMailServer()
  try {
    const made = await setUp(servers.any, outside, mail.port)
    const people = peopleOf(servers)
    await pass({ servers, outside, mail }, people, until)
    const firings: Record<string, ScheduleFiring[]> = {}
    for (const [name, id] of Object.entries(made.schedules))
      firings[name] = await people.firings(id)
    return {
      until,
      invoices: invoices.filter(({ at }) => at < momentOf(until).toISOString()).map(({ no }) => no),
      accepted: outside.accepted,
      rejected: outside.rejected,
      reports: outside.reports(),
      received: outside.received,
      refusals: outside.refusals(),
      mails: mail.subjects(),
      openDeliveries: await people.all<DeliveryRow>('/api/deliveries', '&state=waiting'),
      firings,
      alarms: await people.all<AlarmRecord>('/api/alarms'),
    }
  } finally {
    await servers.close()
    await outside.close()
    await mail.close()
    await database.drop()
  }
}

async function pass(
  world: Pick<Week, 'servers' | 'outside' | 'mail'>,
  { resolveUnknown, closeRejected, acknowledge }: ReturnType<typeof peopleOf>,
  until: string,
) {
  let aheadMs = 0
  const moveClock = (byMs: number) => void (aheadMs += byMs)
  const people = { resolveUnknown, closeRejected, acknowledge }
  const { servers } = world
  const week: Week = { ...world, moveClock, ...people }
  const left = [...events]
  const isDue = (event: Event<Week> | undefined, nowMs: number) =>
    event !== undefined && momentOf(event.at).getTime() <= nowMs
  for (
    let nowMs = momentOf(from).getTime();
    nowMs <= momentOf(until).getTime();
    nowMs += minuteMs
  ) {
    while (isDue(left[0], nowMs)) await left.shift()?.happen(week)
    servers.setTime(new Date(nowMs + aheadMs))
    await servers.round()
  }
}

/** What people do and look at. */
function peopleOf(servers: SimulatedServers) {
  async function call<T>(method: 'GET' | 'POST', url: string, body?: unknown): Promise<T> {
    const { send, admin } = servers.any
    const answer = await send(method, url, { token: admin.token, body })
    if (answer.status >= 400) throw new Error(`${method} ${url}: ${answer.text}`)
    return answer.body as T
  }
  async function all<T>(url: string, query = ''): Promise<T[]> {
    const rows: T[] = []
    for (let page = 1; ; page++) {
      const path = `${url}?sort=id&limit=100&page=${page}${query}`
      const [{ data }] = await call<[{ data: T[] }]>('GET', path)
      rows.push(...data)
      if (data.length < 100) return rows
    }
  }
  async function only(state: string): Promise<number> {
    const found = await all<RunSummary>('/api/runs', `&state=${state}`)
    if (found.length !== 1) throw new Error(`${found.length} runs are ${state}.`)
    return found[0]!.id
  }
  return {
    all,
    firings: (id: number) => all<ScheduleFiring>(`/api/schedules/${id}/firings`),
    resolveUnknown: async () => {
      const id = await only('unknown')
      const answer = { step: 1, verdict: 'received', reference: '', note: 'Seen there.' }
      await call('POST', `/api/runs/${id}/resolve`, answer)
    },
    acknowledge: async () => {
      const open = await all<AlarmRecord>('/api/alarms', '&state=open')
      await call('POST', '/api/alarms/acknowledge', { ids: open.map(({ id }) => id), note: '' })
    },
    closeRejected: async () => {
      const id = await only('rejected')
      await call('POST', `/api/runs/${id}/close`, { reason: 'Corrected by hand.' })
    },
  }
}
