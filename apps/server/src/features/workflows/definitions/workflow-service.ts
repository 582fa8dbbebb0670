import type { EndpointOptionQuery, WorkflowInput } from '@gatehouse/contract'
import type { AddressGuard } from '@gatehouse/upstream'
import { isUniqueViolation } from '../../../db/dialect.ts'
import type { ListQuery } from '../../../db/listing.ts'
import type { NewRow } from '../../../db/tables.ts'
import type { Actor } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import { CallbackSecrets } from '../callbacks/callback-secrets.ts'
import type { Targets } from '../../runs/steps/target.ts'
import { checkDefinition, refuseCallback, refuseUnusable } from './check-definition.ts'
import {
  existingWorkflow,
  existingVersion,
  hasOpenRuns,
  refuseTaken,
  runsNamedMax,
  slugTaken,
  withSurroundings,
} from './existing-workflow.ts'
import {
  auditedDefinition,
  changesOf,
  currentOf,
  fromStored,
  toStored,
  type CheckedDefinition,
} from './stored-definition.ts'
import type { WorkflowFilter } from './workflow-store.ts'

export interface WorkflowServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  targets: Targets
  guard: AddressGuard
  secrets: SecretBox
}

/** A definition as it was sent, with the body's own text. */
interface SentDefinition {
  definition: WorkflowInput
  bodyText: string
}

/** Saves workflows. Each save makes a version, and a run keeps the number of the one it ran on. */
export class WorkflowService {
  readonly #options: WorkflowServiceOptions
  readonly #callbackSecrets: CallbackSecrets

  constructor(options: WorkflowServiceOptions) {
    this.#options = options
    this.#callbackSecrets = new CallbackSecrets(options.secrets)
  }

  list(filter: WorkflowFilter) {
    return this.#options.inTransaction(({ workflows }) => workflows.list(filter))
  }

  /** What the form offers. */
  async form(query: EndpointOptionQuery, caller: Actor['caller']) {
    const { targets, inTransaction } = this.#options
    return {
      endpoints: await targets.list(caller, query),
      lanes: await inTransaction(({ workflows }) => workflows.listLanes()),
    }
  }

  /** With what its answer shows beside it. */
  get(id: number) {
    return this.#options.inTransaction(async (stores) => {
      const row = await existingWorkflow(stores, id)
      return withSurroundings(stores, row)
    })
  }

  /** What an event of now would show of it. Throws 404 where it is gone. */
  audited(id: number): Promise<Record<string, unknown>> {
    return this.#options.inTransaction(async (stores) => {
      const row = await existingWorkflow(stores, id)
      return auditedDefinition(currentOf(row), row.version)
    })
  }

  async create({ definition, bodyText }: SentDefinition, actor: Actor) {
    const checked = await this.#check(definition, bodyText, actor)
    return this.#save(async (stores) => {
      const now = this.#now()
      await refuseTaken(stores, checked.slug)
      const lane_id = await stores.workflows.saveLane(checked.lane)
      const columns = { ...columnsOf(checked, lane_id, now), created_at: now }
      const { id, version } = await made(stores, columns)
      await this.#addVersion(stores, id, version, checked, '', actor)
      await stores.audit.record(actor, {
        action: 'workflow.create',
        thing: 'workflow',
        id,
        name: checked.name,
        after: auditedDefinition(checked, version),
      })
      const secret = await this.#settleSecret(stores, id, checked, definition.callback)
      return withSurroundings(stores, await existingWorkflow(stores, id), secret)
    }, actor)
  }

  /** Saves over the version that the form was loaded with; over any where it names none. */
  async update(id: number, { definition, bodyText }: SentDefinition, actor: Actor) {
    const row = await this.#options.inTransaction((stores) => existingWorkflow(stores, id))
    const stored = fromStored(row.definition)
    // A form that does not know of them keeps them.
    const {
      inputs_per_run = stored.inputs_per_run,
      needs_release = stored.needs_release,
      release_hours = stored.release_hours,
      callback = keptOf(stored),
    } = definition
    const known = { ...definition, inputs_per_run, needs_release, release_hours, callback }
    const checked = await this.#check(known, bodyText, actor)
    return this.#replace(id, definition.version, { checked, callback }, actor)
  }

  /** Saves the present version again with another callback. */
  async setCallback(
    id: number,
    { callback, version }: Pick<Replacing, 'callback'> & { version?: number | undefined },
    actor: Actor,
  ) {
    const { inTransaction } = this.#options
    const row = await inTransaction(async (stores) => {
      const found = await existingWorkflow(stores, id)
      await stores.workflows.refuseUnreached(id, actor.caller)
      return found
    })
    const url = callback && callback !== 'restored' ? callback.url : undefined
    const checked = { ...currentOf(row), callback: url === undefined ? null : { url } }
    refuseCallback(checked, this.#options.guard)
    return this.#replace(id, version, { checked, callback }, actor)
  }

  /** Saves an earlier version as a new one, with all checks of a save. */
  async restore(id: number, version: number, over: number | undefined, actor: Actor) {
    const { inTransaction } = this.#options
    const earlier = await inTransaction((stores) => existingVersion(stores, id, version))
    const definition = fromStored(earlier.definition)
    await refuseUnusable(definition, { ...this.#options, caller: actor.caller })
    return this.#replace(id, over, { checked: definition, callback: 'restored' }, actor)
  }

  /** Throws 409 while runs of it have not ended or are unknown. Its runs stay in the ledger. */
  remove(id: number, actor: Actor): Promise<void> {
    return this.#options.inTransaction(async (stores) => {
      const row = await existingWorkflow(stores, id)
      const open = await stores.workflows.listOpenRuns(id, runsNamedMax + 1)
      if (open.length > 0) throw hasOpenRuns(open)
      const roles = await stores.workflowAccess.clear(id)
      await stores.workflows.setEndpoints(id, [])
      await stores.workflows.remove(id, this.#now())
      for (const hook of await stores.hooks.list(id, 100)) await stores.hooks.remove(hook.id)
      await stores.audit.record(actor, {
        action: 'workflow.delete',
        thing: 'workflow',
        id,
        name: row.name,
        before: { ...auditedDefinition(currentOf(row), row.version), roles },
      })
    }, actor.caller)
  }

  listVersions(id: number, query: ListQuery) {
    return this.#options.inTransaction(async (stores) => {
      const { version } = await existingWorkflow(stores, id)
      return { current: version, ...(await stores.workflows.listVersions(id, query)) }
    })
  }

  getVersion(id: number, version: number) {
    return this.#options.inTransaction(async (stores) => {
      const { version: current } = await existingWorkflow(stores, id)
      return { current, ...(await existingVersion(stores, id, version)) }
    })
  }

  #check(definition: WorkflowInput, bodyText: string, { caller }: Actor) {
    return checkDefinition(definition, { ...this.#options, caller, bodyText, at: [] })
  }

  #replace(id: number, over: number | undefined, { checked, callback }: Replacing, actor: Actor) {
    return this.#save(async (stores) => {
      const row = await existingWorkflow(stores, id)
      const before = currentOf(row)
      await refuseTaken(stores, checked.slug, id)
      const lane_id = await stores.workflows.saveLane(checked.lane)
      const columns = columnsOf(checked, lane_id, this.#now())
      const updated = await stores.workflows.update(id, over ?? row.version, columns)
      const { version } = updated
      const changes = changesOf(before, checked).join(',')
      await this.#addVersion(stores, id, version, checked, changes, actor)
      await stores.audit.record(actor, {
        action: 'workflow.update',
        thing: 'workflow',
        id,
        name: checked.name,
        before: auditedDefinition(before, row.version),
        after: auditedDefinition(checked, version),
      })
      const secret = await this.#settleSecret(stores, id, checked, callback)
      return withSurroundings(stores, await existingWorkflow(stores, id), secret)
    }, actor)
  }

  /** Returns a secret that was made. A version brought back keeps the present one for the same host only. */
  async #settleSecret(
    stores: Stores,
    workflowId: number,
    { callback }: CheckedDefinition,
    sent: Replacing['callback'],
  ): Promise<string | undefined> {
    if (!callback) return undefined
    const at = this.#options.clock.now()
    const isRestored = sent === 'restored'
    const isNew =
      isRestored && !(await this.#callbackSecrets.fits(stores, workflowId, callback.url))
    const said = isRestored || !sent ? { secret: '', new_secret: isNew } : sent
    return this.#callbackSecrets.settle(stores, { workflowId, callback, sent: said, at })
  }

  async #addVersion(
    { workflows }: Stores,
    id: number,
    version: number,
    definition: CheckedDefinition,
    changes: string,
    { caller: { user } }: Actor,
  ) {
    await workflows.insertVersion({
      workflow_id: id,
      version,
      definition: toStored(definition),
      changes,
      user_id: user.id,
      user_name: user.name,
      created_at: this.#now(),
    })
    await workflows.setEndpoints(
      id,
      definition.steps.map(({ endpoint_id }) => endpoint_id),
    )
  }

  async #save<T>(work: (stores: Stores) => Promise<T>, { caller }: Actor): Promise<T> {
    try {
      return await this.#options.inTransaction(work, caller)
    } catch (error) {
      // Two saves at once may both find a slug free; the database accepts one.
      throw isUniqueViolation(error, 'slug') ? slugTaken() : error
    }
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

const columnsOf = (definition: CheckedDefinition, lane_id: number, updated_at: string) => {
  const { slug, name, kind, status, description, steps } = definition
  return { slug, name, kind, status, description, lane_id, updated_at, steps_count: steps.length }
}

interface Replacing {
  checked: CheckedDefinition
  /** What the save says of the callback. */
  callback: WorkflowInput['callback'] | 'restored'
}

const keptOf = ({ callback }: CheckedDefinition) =>
  callback && { ...callback, secret: '', new_secret: false }

/**
 * The row of a new workflow. Where one with its slug was deleted, it is that one again: callers know a workflow
 * by its slug, so a key that they have used answers with its run and sends nothing.
 */
async function made(
  { workflows }: Stores,
  columns: Omit<NewRow<'workflow'>, 'version'>,
): Promise<{ id: number; version: number }> {
  const deleted = await workflows.findDeleted(columns.slug)
  if (!deleted) return { ...(await workflows.insert({ ...columns, version: 1 })), version: 1 }
  const version = deleted.version + 1
  await workflows.bringBack(deleted.id, { ...columns, version })
  return { id: deleted.id, version }
}
