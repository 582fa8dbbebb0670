import { isDeepStrictEqual } from 'node:util'
import type { Permission, restorableThings } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { asking, refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type { AuditChoice, AuditFilter, AuditRow, AuditStore } from './audit-store.ts'
import { csvHead, toCsv } from './to-csv.ts'

type Restorable = (typeof restorableThings)[number]
type Version = Record<string, unknown>
interface Restorer {
  /** The record as an event of now would show it. Throws where it is gone. */
  current: (id: number, caller: Caller) => Promise<Version>
  /** What of a version is restored over the record of now; all of it unless given. */
  choose?: (version: Version, current: Version) => Version
  save: (id: number, version: Version, actor: Actor) => Promise<unknown>
}
export type Restorers = Record<Restorable, Restorer>

/** Events whose `after` is a version that can be saved again. */
const restorableActions: ReadonlySet<string> = new Set([
  'api.create',
  'api.update',
  'context.update',
  'endpoint.create',
  'endpoint.update',
  'role.create',
  'role.update',
  'workflow.create',
  'workflow.update',
])

const exportMaxRows = 50_000
/** How many rows are read at a time; the server answers other calls in between. */
const exportPageRows = 250
/** How many of them are searched for at a time. */
const exportChunkIds = 5000

const editPermission = {
  api: 'api.edit',
  endpoint: 'endpoint.edit',
  role: 'role.edit',
  workflow: 'workflow.edit',
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

  /**
   * The trail as CSV, newest first, in pieces. Returns whether that is all of it: it ends after 50,000
   * rows.
   */
  async *export(choice: AuditChoice): AsyncGenerator<string, boolean> {
    let ids = await this.#audit.listIds(choice, undefined, exportChunkIds)
    yield csvHead
    for (let written = 0; written < exportMaxRows; written += exportChunkIds) {
      for (let at = 0; at < ids.length; at += exportPageRows)
        yield toCsv(await this.#audit.listByIds(ids.slice(at, at + exportPageRows)))
      if (ids.length < exportChunkIds) return true
      ids = await this.#audit.listIds(choice, ids.at(-1), exportChunkIds)
    }
    return ids.length === 0
  }

  /** Brings back the version that an event left behind, unless it is in force. Stored secrets do not change. */
  async restore(eventId: number, actor: Actor): Promise<AuditRow> {
    const event = await this.#audit.find(eventId)
    if (!event) throw new AppError('audit.not_found')
    if (!canRestore(event) || event.thing_id === null) throw new AppError('audit.not_restorable')
    const thing = event.thing as Restorable
    refuseWithout(actor.caller, editPermission[thing])
    const { current, choose = (all) => all, save } = this.#restorers[thing]
    const now = await current(event.thing_id, actor.caller)
    const version = choose(JSON.parse(event.after ?? '{}') as Version, now)
    if (isWithin(version, now)) {
      throw new AppError('audit.in_force')
    }
    await save(event.thing_id, version, asking(actor, editPermission[thing]))
    return event
  }
}

/**
 * Whether restoring the version would change nothing: secrets are not restored, and what the record
 * does not know is either of an earlier release or the name of another record.
 */
function isWithin(version: Version, current: Version): boolean {
  const stored = JSON.parse(JSON.stringify(current)) as Version
  return Object.entries(version).every(
    ([field, value]) =>
      field === 'version' ||
      field.startsWith('has_') ||
      !(field in stored) ||
      isDeepStrictEqual(value, stored[field]),
  )
}

export function canRestore(event: AuditRow): boolean {
  return restorableActions.has(event.action) && event.after !== null && event.outcome === 'done'
}
