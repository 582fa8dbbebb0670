import { json, type Answerer } from '../servers/run-server.ts'
import { startUpstream } from '../servers/hostile-upstream.ts'
import { momentOf } from './time-table.ts'

interface Invoice {
  no: string
  seller: string
  at: string
  total: string
}

/** A webhook as its receiver has it. */
interface ReceivedWebhook {
  path: string
  id: string
  type: string
  data: { run?: { reference: string | null }; alarms?: { id: number }[] }
}

/** What the authority does with the next invoices. */
type Mood = 'accepts' | 'is away' | 'loses its answer' | 'rejects'

export type Outside = Awaited<ReturnType<typeof startOutside>>

/** The world outside: an ERP whose invoices grow by the clock, an authority that keeps a record, and reports. */
export async function startOutside(clock: () => Date, invoices: readonly Invoice[]) {
  const state = { mood: 'accepts' as Mood, isErpBroken: false, areReceiversDown: false }
  /** References, in the order in which the authority took them. */
  const accepted: string[] = []
  const rejected: string[] = []
  let reports = 0
  /** Webhooks that were taken, and how many tries were refused. */
  const received: ReceivedWebhook[] = []
  let refusals = 0

  const takeInvoice: Answerer = (request, response, socket) => {
    const { no } = JSON.parse(request.body) as { no: string }
    const { mood } = state
    if (mood === 'is away') return json(429, { error: 'Maintenance.' })(request, response, socket)
    if (mood === 'rejects') {
      rejected.push(no)
      state.mood = 'accepts'
      return json(400, { error: 'The tax number is wrong.' })(request, response, socket)
    }
    accepted.push(no)
    if (mood === 'accepts') return json(200, { id: no })(request, response, socket)
    state.mood = 'accepts'
    socket.destroy()
  }

  const listInvoices: Answerer = (request, response, socket) => {
    const since = new URL(request.url, 'http://erp').searchParams.get('since') ?? ''
    const until = clock().toISOString()
    const items = invoices.filter(({ at }) => at > since && at <= until)
    const answer = state.isErpBroken ? json(500, { error: 'No connection.' }) : json(200, { items })
    answer(request, response, socket)
  }

  const takeWebhook: Answerer = (request, response, socket) => {
    if (state.areReceiversDown) {
      refusals++
      return json(503, {})(request, response, socket)
    }
    const { type, data } = JSON.parse(request.body) as Pick<ReceivedWebhook, 'type' | 'data'>
    received.push({ path: request.url, id: String(request.headers['webhook-id']), type, data })
    json(200, {})(request, response, socket)
  }

  const answers: Record<string, Answerer> = {
    '/callbacks': takeWebhook,
    '/alarms': takeWebhook,
    '/invoices': takeInvoice,
    '/erp': listInvoices,
    '/reports': (...exchange) => {
      reports++
      json(200, { ok: true })(...exchange)
    },
  }
  const upstream = await startUpstream((request, response, socket) => {
    const [path = ''] = request.url.split('?')
    const answer = answers[path] ?? json(404, {})
    answer(request, response, socket)
  })
  return {
    url: upstream.url,
    state,
    accepted,
    rejected,
    received,
    refusals: () => refusals,
    reports: () => reports,
    close: () => upstream.close(),
  }
}

/** One each half hour, while people work. */
export function invoicesOf(days: readonly string[], from: string, to: string): Invoice[] {
  return days
    .flatMap((day) => {
      const [first, last] = [momentOf(`${day}T${from}`), momentOf(`${day}T${to}`)]
      const count = (last.getTime() - first.getTime()) / 1_800_000 + 1
      return Array.from({ length: count }, (_, at) =>
        new Date(first.getTime() + at * 1_800_000).toISOString(),
      )
    })
    .map((at, index) => ({ no: `INV-${index + 1}`, seller: 'us', at, total: '119.00' }))
}
