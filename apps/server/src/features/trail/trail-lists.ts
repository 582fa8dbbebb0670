import type { CallOutput, Routes, RunDetail, TrailEvent, TrailSource } from '@gatehouse/contract'
import type { SendOwn } from '../../kernel/http/own-calls.ts'

/** Of each list. */
const rowsMax = 20
const detailedRunsMax = 5
/** The newest files of a part. */
const filesMax = 2
const parts = { admin: 'admin_log', runs: 'run_log' } as const

type Filter = Record<string, string>
type Answer<K extends keyof Routes> = CallOutput<Routes[K]>
type AuditRow = Answer<'GET /api/audit'>[0]['data'][number]

/** Reads the lists one after the other, and notes those that may not be seen or do not answer. */
export class TrailLists {
  readonly leftOut = new Set<TrailSource>()
  hasMore = false
  readonly #send: SendOwn
  #files: Promise<Answer<'GET /api/logs'> | undefined> | undefined

  constructor(send: SendOwn) {
    this.#send = send
  }

  async documents(reference: string): Promise<TrailEvent[]> {
    const page = await this.#get('document', 'GET /api/documents', { search: reference, limit })
    return this.#rows(page)
      .filter((each) => isSame(each.reference, reference))
      .map((each) =>
        eventOf('document', each.updated_at, each.reference, { outcome: each.state, id: each.id }),
      )
  }

  /** Runs that the text finds, with their attempts and deliveries, and the requests that began them. */
  async runs(text: string): Promise<{ events: TrailEvent[]; requests: string[] }> {
    const page = await this.#get('run', 'GET /api/runs', { search: text, limit })
    const [events, requests]: [TrailEvent[], string[]] = [[], []]
    for (const { id } of this.#rows(page).slice(0, detailedRunsMax)) {
      const run = await this.#get('run', 'GET /api/runs/:id', {}, id)
      if (!run || !isAbout(run, text)) continue
      events.push(...eventsOfRun(run))
      events.push(...(await this.#deliveries(id)))
      requests.push(run.request_id)
    }
    return { events, requests }
  }

  async #deliveries(run: number): Promise<TrailEvent[]> {
    const page = await this.#get('delivery', 'GET /api/deliveries', {
      run: String(run),
      limit,
    })
    return this.#rows(page).map((each) =>
      eventOf('delivery', each.created_at, `${each.subject} → ${each.target}`, {
        outcome: each.state,
        id: each.id,
      }),
    )
  }

  /** Personal tokens of exactly this name. */
  async tokens(name: string): Promise<(TrailEvent & { id: number })[]> {
    const page = await this.#get('token', 'GET /api/token', { search: name, limit })
    return this.#rows(page)
      .filter((each) => isSame(each.name, name))
      .map((each) => ({
        ...eventOf('token', each.created_at, each.name, {}),
        id: each.id,
      }))
  }

  async audit(filter: Filter, isMeant: (event: AuditRow) => boolean = () => true) {
    const page = await this.#get('audit', 'GET /api/audit', { ...filter, limit })
    return this.#rows(page)
      .filter(isMeant)
      .map((each) =>
        eventOf('audit', each.at, `${each.action} ${each.thing_name} (${each.actor})`, {
          outcome: each.outcome,
          request_id: each.request_id,
        }),
      )
  }

  /** Requests of this server's gateway, and of those that run alone. */
  async gateway(filter: Filter): Promise<TrailEvent[]> {
    const own = await this.#get('gateway', 'GET /api/gateway-requests', { ...filter, limit })
    if (!own) return []
    const others = await Promise.all(
      own.gateways.map(({ id }) =>
        this.#get('gateway', 'GET /api/gateway-requests', { ...filter, server: id, limit }),
      ),
    )
    return [own, ...others].flatMap((page) => {
      this.hasMore ||= page?.older != null && page.rows.length >= rowsMax
      return (page?.rows ?? []).map((each) =>
        eventOf('gateway', each.at, `${each.method} ${each.path}`.trim(), {
          outcome: [each.status, each.code].filter(Boolean).join(' '),
          request_id: each.request_id,
        }),
      )
    })
  }

  /** Lines of the newest files of the admin API and of the runs, on the server that answers. */
  async logs(text: string): Promise<TrailEvent[]> {
    this.#files ??= this.#get('admin_log', 'GET /api/logs', { per_page: '1', follow: '1' })
    const files = (await this.#files)?.files ?? []
    const events: TrailEvent[] = []
    for (const [part, source] of Object.entries(parts)) {
      const newest = files.filter(({ id }) => id.startsWith(`${part}/${part}-`)).slice(0, filesMax)
      for (const { id: file } of newest) {
        const page = await this.#get(source, 'GET /api/logs', {
          l: file,
          search: text,
          per_page: String(rowsMax),
          follow: '1',
        })
        this.hasMore ||= (page?.total ?? 0) > rowsMax
        for (const { id: entry, date, text: said, level, request_id } of page?.logs ?? [])
          events.push(
            eventOf(source, date, said, { outcome: level, request_id, line: { file, entry } }),
          )
      }
    }
    return events
  }

  #rows<R>(page: readonly [{ data: R[]; total: number }] | undefined): R[] {
    if (!page) return []
    const [{ data, total }] = page
    this.hasMore ||= total > data.length
    return data
  }

  /** Undefined where the caller may not see it, or it can't be read now. */
  async #get<K extends keyof Routes & `GET ${string}`>(
    source: TrailSource,
    key: K,
    filter: Filter,
    id?: number,
  ): Promise<Answer<K> | undefined> {
    const path = key.slice('GET '.length).replace(':id', String(id))
    const { status, text } = await this.#send({
      method: 'GET',
      url: `${path}?${new URLSearchParams(filter).toString()}`,
    })
    if (status === 200) return JSON.parse(text) as Answer<K>
    this.leftOut.add(source)
    return undefined
  }
}

const limit = String(rowsMax)

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const nothing = { outcome: '', request_id: '', id: null, line: null }

const eventOf = (
  source: TrailSource,
  at: string,
  text: string,
  more: Partial<TrailEvent>,
): TrailEvent => ({ ...nothing, source, at, text, ...more })

/** The text may be in a name that the list searches too. */
const isAbout = ({ request_id, reference, steps }: RunDetail, text: string) =>
  isSame(request_id, text) ||
  [reference, ...steps.flatMap(({ documents }) => documents.map((each) => each.reference))].some(
    (each) => each !== null && isSame(each, text),
  )

function eventsOfRun(run: RunDetail): TrailEvent[] {
  const { id, request_id } = run
  const name = [run.workflow?.name ?? run.kind, run.reference].filter(Boolean).join(' ')
  const attempts = run.steps.flatMap(({ method, attempts }) =>
    attempts.map((each) =>
      eventOf('attempt', each.started_at, `${method} ${each.url ?? each.kind}`, {
        outcome: each.status === null ? (each.outcome ?? '') : String(each.status),
        request_id,
        id,
      }),
    ),
  )
  return [eventOf('run', run.created_at, name, { outcome: run.state, request_id, id }), ...attempts]
}
