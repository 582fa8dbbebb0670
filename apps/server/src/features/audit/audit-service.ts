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

  /** The record that is in force, and what a restore would make of it. */
  async previewRestore(eventId: number, caller: Caller) {
    const { version, now } = await this.#restorableVersion(eventId, caller)
    const current = comparable(now)
    const restored = { ...current }
    for (const field of Object.keys(current)) if (field in version) restored[field] = version[field]
    return { current, restored, is_in_force: isDeepStrictEqual(restored, current) }
  }

  /** Brings back the version that an event left behind, unless it is in force. Stored secrets do not change. */
  async restore(eventId: number, actor: Actor): Promise<AuditRow> {
    const { event, thing, id, version, now } = await this.#restorableVersion(eventId, actor.caller)
    if (isWithin(version, now)) {
      throw new AppError('audit.in_force')
    }
    await this.#restorers[thing].save(id, version, asking(actor, editPermission[thing]))
    return event
  }

  async #restorableVersion(eventId: number, caller: Caller) {
    const event = await this.#audit.find(eventId)
    if (!event) throw new AppError('audit.not_found')
    const { thing_id: id } = event
    if (!canRestore(event) || id === null) throw new AppError('audit.not_restorable')
    const thing = event.thing as Restorable
    refuseWithout(caller, editPermission[thing])
    const { current, choose = (all) => all } = this.#restorers[thing]
    const now = await current(id, caller)
    const version = choose(JSON.parse(event.after ?? '{}') as Version, now)
    return { event, thing, id, version, now }
  }
}

/** What of a record a version is compared with: secrets are not restored, and `version` counts the changes. */
function comparable(record: Version): Version {
  const fields = Object.entries(JSON.parse(JSON.stringify(record)) as Version)
  return Object.fromEntries(
    fields.filter(([field]) => field !== 'version' && !field.startsWith('has_')),
  )
}

/**
 * Whether restoring the version would change nothing. What the record does not know is either of an
 * earlier release or the name of another record.
 */
function isWithin(version: Version, current: Version): boolean {
  return Object.entries(comparable(current)).every(
    ([field, stored]) => !(field in version) || isDeepStrictEqual(version[field], stored),
  )
}

export function canRestore(event: AuditRow): boolean {
  return restorableActions.has(event.action) && event.after !== null && event.outcome === 'done'
}
