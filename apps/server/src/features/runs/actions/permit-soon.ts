import { AppError } from '../../../kernel/app-error.ts'
import type { Permit, Permits } from '../ledger/reading/live-run.ts'

/** How long a person or a poll waits for a call that a lane's limits allow. */
const waitMaxMs = 10_000

/** What the calls of a workflow's run wait for outside of its lane's queue; undefined: for nothing. */
export type PermitsOf = (workflowId: number | null) => Promise<Permits | undefined>

/** A permit within ten seconds. Throws a 429 where there is none. Undefined where none is needed. */
export async function permitSoon(permits: Permits | undefined): Promise<Permit | undefined> {
  try {
    return await permits?.take(AbortSignal.timeout(waitMaxMs))
  } catch (cause) {
    throw new AppError('server.busy', {
      message: 'The limit of calls of this run’s lane is used up. Try again in a moment.',
      retryAfterSeconds: 10,
      cause,
    })
  }
}

/** Makes one call, with a permit where its lane has limits. */
export async function withPermit<T>(
  permits: Permits | undefined,
  call: () => Promise<T>,
): Promise<T> {
  const permit = await permitSoon(permits)
  return call().finally(() => permit?.end())
}
