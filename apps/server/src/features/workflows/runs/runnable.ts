import { deadlineFrom } from '../../runs/ledger/lane-fate.ts'
import { textAt } from '@gatehouse/contract/answer-rule'
import { parseExact } from '@gatehouse/contract/mapping'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import { mayRun } from './may-run.ts'
import { rulesOf, type InputRules } from './stored-rules.ts'
import { VersionCache } from './version-cache.ts'

export type Runnable = NonNullable<Awaited<ReturnType<Stores['workflowRuns']['findRunnable']>>>

/** The workflows that callers may start, with the rules of their current version. */
export class RunnableVersions {
  readonly #stores: Pick<Stores, 'workflowRuns' | 'workflowAccess'>
  readonly #versions: VersionCache<InputRules>

  constructor(stores: Pick<Stores, 'workflowRuns' | 'workflowAccess'>) {
    this.#stores = stores
    this.#versions = new VersionCache(async (id, version) => {
      const row = await stores.workflowRuns.findDefinition(id, version)
      if (!row) throw new Error(`Workflow ${id} has no version ${version}.`)
      return rulesOf(row.definition)
    })
  }

  /** Throws 404 for a workflow that the caller may not start. */
  async get(slug: string, caller: Caller): Promise<{ workflow: Runnable; rules: InputRules }> {
    const workflow = await this.#stores.workflowRuns.findRunnable(slug)
    if (!workflow || !(await mayRun(this.#stores, workflow.id, caller)))
      throw new AppError('workflow.not_found')
    return { workflow, rules: await this.rulesOf(workflow.id, workflow.version) }
  }

  rulesOf(workflowId: number, version: number): Promise<InputRules> {
    return this.#versions.get(workflowId, version)
  }
}

/** After this moment a run that starts now is not sent any more; null: no deadline. */
export const deadlineOf = ({ max_age_minutes: minutes }: Runnable, now: Date): string | null =>
  deadlineFrom(now.toISOString(), minutes)

/** The order key of an input that was checked before. */
export const orderKeyOf = ({ paths }: InputRules, text: string): string | null =>
  paths.orderKey === '' ? null : (textAt(parseExact(text), paths.orderKey) ?? null)

/** Checks in the transaction of a change that the workflow still takes runs of this version. */
export async function refuseUnlessRunnable(
  stores: Stores,
  { id, version }: Pick<Runnable, 'id' | 'version'>,
  caller: Caller,
): Promise<void> {
  const current = await stores.workflowRuns.holdCurrent(id)
  if (!current || !(await mayRun(stores, id, caller))) throw new AppError('workflow.not_found')
  if (current.status === 'paused') throw new AppError('workflow.paused', { retryAfterSeconds: 60 })
  // The inputs were checked by the version of the moment when they came.
  if (current.version !== version) throw new AppError('record.changed')
}
