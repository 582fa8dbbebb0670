import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import { fromStored } from './stored-definition.ts'
import type { StoredWorkflow } from './workflow-store.ts'

/** Throws 404. */
export async function existingWorkflow({ workflows }: Stores, id: number): Promise<StoredWorkflow> {
  const row = await workflows.find(id)
  if (!row) throw new AppError('workflow.not_found')
  return row
}

/** Throws 404, also for a version that there is not. */
export async function existingVersion(stores: Stores, id: number, version: number) {
  await existingWorkflow(stores, id)
  const found = await stores.workflows.findVersion(id, version)
  if (!found) throw new AppError('workflow.not_found', { message: 'There is no such version.' })
  return found
}

/** `secret`: one that was made for its callback, shown this once. */
export async function withSurroundings(
  { workflows, callbacks }: Stores,
  row: StoredWorkflow,
  secret?: string,
) {
  const { steps, callback } = fromStored(row.definition)
  const stored = callback ? await callbacks.findSecrets(row.id) : undefined
  return {
    row,
    callback: callback && {
      ...callback,
      secret: secret ?? null,
      secret_set_at: stored?.set_at ?? null,
      old_secret_until: stored?.old_until ?? null,
    },
    endpoints: await workflows.listEndpoints(steps.map(({ endpoint_id }) => endpoint_id)),
    shared: await workflows.listSharing(row.lane_name, row.id),
  }
}

/** `ownId`: of the workflow that may hold the slug. Throws 422. */
export async function refuseTaken(
  { workflows }: Stores,
  slug: string,
  ownId?: number,
): Promise<void> {
  const holder = await workflows.findBySlug(slug)
  if (holder && holder.id !== ownId) throw slugTaken()
  // It has it already.
  if (holder) return
  // One that is made with the slug of a deleted one goes on with it.
  const own = ownId ?? (await workflows.findDeleted(slug))?.id ?? 0
  const former = await workflows.findFormer(slug, own)
  if (former) throw slugHasKeys(former.name)
}

export const slugTaken = () => fieldError({ slug: ['This slug is already in use.'] })

/** A caller that repeats a key of then would send once more. */
const slugHasKeys = (name: string) =>
  fieldError({
    slug: [
      `This was the slug of the workflow “${name}”, and calls with a key have used it. Choose another one.`,
    ],
  })

/** Runs named by a refusal. */
export const runsNamedMax = 20

/** The 409 of a workflow that can't be removed; `open` are its runs. */
export function hasOpenRuns(open: readonly { id: number }[]): AppError {
  const ids = open.slice(0, runsNamedMax).map(({ id }) => id)
  const more = open.length > runsNamedMax ? ' and more' : ''
  return new AppError('workflow.has_open_runs', {
    message: `Runs of this workflow have not ended, or their outcome is unknown: ${ids.join(', ')}${more}.`,
    extra: { run_ids: ids },
  })
}
