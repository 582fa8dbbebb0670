import { hookSchemes, hookWindowSecondsDefault, type HookInput } from '@gatehouse/contract'
import { writeRow } from '../../../db/tables/column.ts'
import { hookForm } from '../../../db/tables/hooks.ts'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import { refuseWithout, type Actor } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { withFreeName } from '../../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { toHookRecord } from './hook-record.ts'
import type { HookSecrets } from './hook-secrets.ts'
import type { HookRow } from './hook-store.ts'

const hooksMax = 20

interface HookServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  secrets: HookSecrets
}

/** Saves webhooks. Their runs are started on behalf of the user who saved them last. */
export class HookService {
  readonly #options: HookServiceOptions

  constructor(options: HookServiceOptions) {
    this.#options = options
  }

  list(workflowId: number) {
    return this.#options.inTransaction(async ({ workflows, hooks }) => {
      if (!(await workflows.find(workflowId))) throw new AppError('workflow.not_found')
      return hooks.list(workflowId, hooksMax)
    })
  }

  create(workflowId: number, input: HookInput, actor: Actor) {
    return this.#save(actor, async (stores, at) => {
      const { hooks, workflows } = stores
      if (!(await workflows.find(workflowId))) throw new AppError('workflow.not_found')
      await stores.workflows.refuseUnreached(workflowId, actor.caller)
      if ((await hooks.list(workflowId, hooksMax)).length >= hooksMax)
        throw fieldError({ name: [`A workflow has at most ${hooksMax} webhooks.`] })
      const { id } = await hooks.insert({
        ...columnsOf(input, actor),
        workflow_id: workflowId,
        secret: '',
        secret_set_at: at.toISOString(),
        created_at: at.toISOString(),
      })
      const made = await this.#settle(stores, id, undefined, input, at)
      return this.#saved(stores, { id, made, verb: 'create_hook' }, actor)
    })
  }

  update(id: number, input: HookInput, actor: Actor) {
    return this.#save(actor, async (stores, at) => {
      const before = await existing(stores, id)
      await stores.workflows.refuseUnreached(before.workflow_id, actor.caller)
      await stores.hooks.update(id, columnsOf(input, actor))
      const made = await this.#settle(stores, id, before, input, at)
      return this.#saved(stores, { id, made, verb: 'update_hook', before }, actor)
    })
  }

  remove(id: number, actor: Actor): Promise<void> {
    return this.#options.inTransaction(async (stores) => {
      const before = await existing(stores, id)
      await stores.workflows.refuseUnreached(before.workflow_id, actor.caller)
      await stores.hooks.remove(id)
      await audit(stores, actor, { verb: 'delete_hook', before })
    }, actor.caller)
  }

  async #settle(
    { hooks }: Stores,
    id: number,
    before: HookRow | undefined,
    input: HookInput,
    at: Date,
  ): Promise<string | null> {
    const settled = this.#options.secrets.settle(id, before, input, at)
    if (settled) await hooks.update(id, settled.columns)
    return settled?.made ?? null
  }

  async #saved(
    stores: Stores,
    { id, made, verb, before }: Saved,
    actor: Actor,
  ): Promise<{ hook: HookRow; secret: string | null }> {
    const hook = await existing(stores, id)
    await audit(stores, actor, { verb, before, after: hook })
    return { hook, secret: made }
  }

  async #save<T>(actor: Actor, work: (stores: Stores, at: Date) => Promise<T>): Promise<T> {
    // It is this user who starts its runs.
    refuseWithout(actor.caller, 'workflow.run')
    const { inTransaction, clock } = this.#options
    return withFreeName(() => inTransaction((stores) => work(stores, clock.now()), actor.caller))
  }
}

interface Saved {
  id: number
  made: string | null
  verb: 'create_hook' | 'update_hook'
  before?: HookRow
}

interface Audited {
  verb: 'create_hook' | 'update_hook' | 'delete_hook'
  before?: HookRow | undefined
  after?: HookRow
}

async function audit({ audit, workflows }: Stores, actor: Actor, { verb, before, after }: Audited) {
  const id = (after ?? before)?.workflow_id ?? 0
  const workflow = await workflows.find(id)
  await audit.record(actor, {
    action: `workflow.${verb}`,
    thing: 'workflow',
    id,
    name: workflow?.name ?? '',
    before: before && shown(before),
    after: after && shown(after),
  })
}

/** The figures of what was received are no change of a person. */
const shown = (row: HookRow) => {
  const { last_received_at: _, last_refused_at: __, last_refusal: ___, ...rest } = toHookRecord(row)
  return rest
}

const columnsOf = (input: HookInput, { caller: { user } }: Actor) => ({
  ...writeRow(hookForm, {
    ...input,
    // A custom one without a scheme is refused by the contract.
    scheme: input.preset === 'custom' ? input.scheme! : hookSchemes[input.preset],
    window_seconds: input.window_seconds ?? hookWindowSecondsDefault,
    filter: input.filter ?? null,
  }),
  user_id: user.id,
  user_name: user.name,
})

async function existing({ hooks }: Stores, id: number): Promise<HookRow> {
  const row = await hooks.find(id)
  if (!row) throw new AppError('hook.not_found')
  return row
}
