import { signedIn, type Exchanged, type Upstream } from '@gatehouse/upstream'
import type { FrozenRequest } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/** Sends a frozen request once, with the credential, which is never stored. */
export async function exchange(
  upstream: Upstream,
  { target, credential }: Pick<PlannedStep, 'target' | 'credential'>,
  { body, ...request }: FrozenRequest,
  signal?: AbortSignal,
): Promise<Exchanged> {
  const { destination, connectTimeoutMs, answerTimeoutMs } = target
  return upstream.send(
    destination.target,
    {
      ...request,
      ...(body === null ? {} : { body }),
      connectTimeoutMs,
      answerTimeoutMs,
      ...(signal ? { signal } : {}),
    },
    signedIn(credential),
  )
}
