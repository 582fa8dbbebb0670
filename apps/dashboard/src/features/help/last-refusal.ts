import type { QueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/calls/call-error.ts'

/** The code of the refusal that the user has met last, as long as its call is remembered. */
export function lastRefusal(client: QueryClient): string | undefined {
  const fetched = client.getQueryCache().getAll()
  const changed = client.getMutationCache().getAll()
  const failures = [
    ...fetched.map(({ state }) => ({ error: state.error, at: state.errorUpdatedAt })),
    ...changed.map(({ state }) => ({ error: state.error, at: state.submittedAt })),
  ]
  // A failure without an answer of the server has no section.
  const [last] = failures
    .flatMap(({ error, at }) =>
      error instanceof CallError && error.details['code'] ? [{ error, at }] : [],
    )
    .toSorted((a, b) => b.at - a.at)
  return last?.error.code
}
