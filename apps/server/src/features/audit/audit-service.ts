import { restorableThings, type Permission } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor } from '../../kernel/caller.ts'
import type { AuditFilter, AuditRow, AuditStore } from './audit-store.ts'
import { toCsv } from './to-csv.ts'

type Restorable = (typeof restorableThings)[number]
export type Restorers = Record<
  Restorable,
  (id: number, version: Record<string, unknown>, actor: Actor) => Promise<unknown>
>

const exportMaxRows = 50_000
const exportPageRows = 1000

const editPermission = {
  api: 'api.edit',
  endpoint: 'endpoint.edit',
  role: 'role.edit',
} as const satisfies Record<Restorable, Permission>

export class AuditService {
  readonly #audit: AuditStore
  readonly #restorers: Restorers

  /** `restorers` save a version as its feature would: with its checks, its errors and its own audit event. */
  constructor(audit: AuditStore, restorers: Restorers) {
    this.#audit = audit
    this.#restorers = restorers
  }

  list(filter: AuditFilter) {
    return this.#audit.list(filter)
  }

  /** The trail as CSV, newest first; told to be incomplete where it is longer than 50,000 rows. */
  async export(
    filter: Omit<AuditFilter, 'page' | 'limit'>,
  ): Promise<{ csv: string; is_complete: boolean }> {
    const rows: AuditRow[] = []
    let total = 0
    for (let page = 1; rows.length < exportMaxRows; page++) {
      const listing = await this.#audit.list({ ...filter, page, limit: exportPageRows })
      rows.push(...listing.rows)
      total = listing.total
      if (listing.rows.length < exportPageRows) break
    }
    return { csv: toCsv(rows.slice(0, exportMaxRows)), is_complete: rows.length >= total }
  }

  /** Brings back the version that an event left behind. Stored secrets stay as they are. */
  async restore(eventId: number, actor: Actor): Promise<AuditRow> {
    const event = await this.#audit.find(eventId)
    if (!event) throw new AppError('audit.not_found')
    if (!canRestore(event) || event.thing_id === null) throw new AppError('audit.not_restorable')
    const thing = event.thing as Restorable
    refuseWithout(actor.caller, editPermission[thing])
    await this.#restorers[thing](
      event.thing_id,
      JSON.parse(event.after ?? '{}') as Record<string, unknown>,
      asking(actor, editPermission[thing]),
    )
    return event
  }
}

export function canRestore(event: AuditRow): boolean {
  return (
    (restorableThings as readonly string[]).includes(event.thing) &&
    event.after !== null &&
    event.outcome === 'done'
  )
}
