import { join } from 'node:path'
import type { GatewayRequestPage, GatewayRequestQuery } from '@gatehouse/contract'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ViewMemory } from '../../kernel/view-memory.ts'
import type { WorkerLink } from '../../kernel/worker-link.ts'
import { readCursor, toCursor } from './cursor.ts'
import type { RequestAnswer, RequestQuestion } from './reading/read-requests.ts'
import { readNames } from './request-names.ts'
import type { RequestNamesStore } from './request-names-store.ts'
import { toRequestRow } from './request-row.ts'

export interface GatewayRequestServiceOptions {
  names: RequestNamesStore
  reader: WorkerLink<RequestQuestion, RequestAnswer>
  clock: Clock
  dataDir: string
  /** Keeps in the audit trail who looked. */
  record: (actor: Actor) => Promise<unknown>
}

type Page = Pick<GatewayRequestPage, 'rows' | 'older' | 'newest' | 'looked_back_to'>

/** Requests of this server's gateway, read from its access log. */
export class GatewayRequestService {
  readonly #options: GatewayRequestServiceOptions
  readonly #views = new ViewMemory()

  constructor(options: GatewayRequestServiceOptions) {
    this.#options = options
  }

  /** Newest first. Throws a 422 for a cursor that no answer has given. */
  async list(query: GatewayRequestQuery, actor: Actor): Promise<Page> {
    const { names, reader, dataDir } = this.#options
    const { older, since, limit, from, to, ...filter } = query
    const question = {
      folder: join(dataDir, 'logs', 'gateway'),
      filter: { ...filter, from: exact(from), to: exact(to) },
      limit,
      older: readCursor('older', older),
      since: readCursor('since', since),
    }
    // Nothing is shown before the view is recorded.
    const [answer] = await Promise.all([reader.ask(question), this.#recordView(query, actor)])
    const rows = answer.lines.map(toRequestRow)
    const nameOf = await readNames(names, rows, actor.caller)
    return {
      rows: rows.map((row) => ({ ...row, ...nameOf(row) })),
      older: answer.older.length === 0 ? null : toCursor(answer.older),
      newest: toCursor(answer.newest),
      looked_back_to: answer.lookedBackTo,
    }
  }

  /** Once when a view begins; while it goes on, again from time to time. */
  async #recordView({ follow, older }: GatewayRequestQuery, actor: Actor): Promise<void> {
    const { clock, record } = this.#options
    const isNew = this.#views.begin(String(actor.caller.sessionId), clock.now().getTime())
    if (isNew || (!follow && older === undefined)) await record(actor)
  }
}

/** A day or a moment with the milliseconds that lines of the log have. */
const exact = (moment: string | undefined) =>
  moment === undefined ? undefined : new Date(moment).toISOString()
