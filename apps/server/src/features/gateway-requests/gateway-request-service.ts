import { join } from 'node:path'
import type { GatewayRequestPage, GatewayRequestQuery } from '@gatehouse/contract'
import { shownBy, type Actor } from '../../kernel/caller.ts'
import { fieldError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ViewMemory } from '../../kernel/view-memory.ts'
import type { WorkerLink } from '../../kernel/threads/worker-link.ts'
import { readCursor, toCursor } from './cursor.ts'
import type { LoneGateways } from './lone-gateways.ts'
import type { RequestAnswer, RequestQuestion } from './reading/read-requests.ts'
import { readNames } from './request-names.ts'
import type { RequestNamesStore } from './request-names-store.ts'
import { toRequestRow } from './request-row.ts'

interface GatewayRequestServiceOptions {
  names: RequestNamesStore
  reader: WorkerLink<RequestQuestion, RequestAnswer>
  clock: Clock
  dataDir: string
  /** The access log has a line for each request, not for failed ones alone. */
  recordsAll: boolean
  /** Undefined: there can be none. */
  lone: LoneGateways | undefined
  /** Keeps in the audit trail who looked. */
  record: (actor: Actor) => Promise<unknown>
}

type Page = Pick<
  GatewayRequestPage,
  'records_all' | 'token' | 'rows' | 'older' | 'newest' | 'looked_back_to'
>

/** Requests of this server's gateway, read from its access log, or of one that runs alone, which reads its own. */
export class GatewayRequestService {
  readonly #options: GatewayRequestServiceOptions
  readonly #views = new ViewMemory()

  constructor(options: GatewayRequestServiceOptions) {
    this.#options = options
  }

  /** Newest first. Throws a 422 for a cursor that no answer has given. */
  async list(query: GatewayRequestQuery, actor: Actor): Promise<Page> {
    const { names } = this.#options
    const { older, since, limit, from, to, server, follow: _, ...filter } = query
    const question = {
      filter: { ...filter, from: exact(from), to: exact(to) },
      limit,
      older: readCursor('older', older),
      since: readCursor('since', since),
    }
    // Nothing is shown before the view is recorded.
    const [answer] = await Promise.all([
      this.#read(server, question),
      this.#recordView(query, actor),
    ])
    const rows = answer.lines.map(toRequestRow)
    const nothing = { endpoint_id: null, api_id: null, user_id: null, issuer_id: null }
    const asked = { ...nothing, token_id: query.token ?? null }
    const nameOf = await readNames(names, [...rows, asked], actor.caller)
    return {
      records_all: answer.recordsAll,
      token: nameOf(asked).token,
      rows: rows.map((row) => ({ ...row, ...nameOf(row) })),
      older: answer.older.length === 0 ? null : toCursor(answer.older),
      newest: toCursor(answer.newest),
      looked_back_to: answer.lookedBackTo,
    }
  }

  async #read(server: string | undefined, question: Omit<RequestQuestion, 'folder'>) {
    const { lone, reader, dataDir, recordsAll } = this.#options
    if (server === undefined) {
      const folder = join(dataDir, 'logs', 'gateway')
      return { ...(await reader.ask({ folder, ...question })), recordsAll }
    }
    if (!lone) throw fieldError({ server: ['No gateway runs alone here.'] })
    return lone.ask(server, question)
  }

  /** Once when a view begins; while it goes on, again from time to time. */
  async #recordView({ follow, older }: GatewayRequestQuery, actor: Actor): Promise<void> {
    const { clock, record } = this.#options
    const isNew = this.#views.begin(shownBy(actor.caller), clock.now().getTime())
    if (isNew || (!follow && older === undefined)) await record(actor)
  }
}

/** A day or a moment with the milliseconds that lines of the log have. */
const exact = (moment: string | undefined) =>
  moment === undefined ? undefined : new Date(moment).toISOString()
