import type { CallInput, Routes, RunSummary } from '@gatehouse/contract'
import { endedRunOf } from '../../../entities/run/read-run.ts'
import { runs } from '../../../entities/run/run-queries.ts'
import { call } from '../../../lib/calls/call.ts'
import { confirmingHeld } from '../../../lib/forms/held-question.ts'

export type RetryBody = CallInput<Routes['POST /api/runs/:id/retry']>['body']
type ResumeBody = CallInput<Routes['POST /api/runs/:id/resume']>['body']
type CloseBody = CallInput<Routes['POST /api/runs/:id/close']>['body']
type ResolveBody = CallInput<Routes['POST /api/runs/:id/resolve']>['body']

type ReleaseBody = CallInput<Routes['POST /api/runs/:id/release']>['body']
type RefuseBody = CallInput<Routes['POST /api/runs/:id/refuse']>['body']
type AskBody = CallInput<Routes['POST /api/runs/:id/status-query']>['body']

/** Actions in progress on one run: while there are any, the run is fetched every half second. */
export const runActionKey = (id: number) => ['run-action', id] as const

/** The run that a call returned, whether it ended well (200) or not (502, 504). */
export async function runOf(answer: Promise<{ run: RunSummary }>): Promise<RunSummary> {
  try {
    return (await answer).run
  } catch (error) {
    const run = endedRunOf(error)
    if (run) return run
    throw error
  }
}

/** What a user can do about a run. Each action resolves with the run as it is afterwards. */
export function useRunActions(id: number) {
  const options = { mutationKey: runActionKey(id) }
  const params = { id }
  const resume = (body: ResumeBody) =>
    runOf(
      confirmingHeld((confirmed) =>
        call('POST /api/runs/:id/resume', { params, body: { ...body, ...confirmed } }),
      ),
    )
  const resolve = (body: ResolveBody) => runOf(call('POST /api/runs/:id/resolve', { params, body }))
  const close = (body: CloseBody) => call('POST /api/runs/:id/close', { params, body })
  const cancel = () => call('POST /api/runs/:id/cancel', { params })
  const ask = (body: AskBody) => call('POST /api/runs/:id/status-query', { params, body })
  const release = (body: ReleaseBody) =>
    confirmingHeld((confirmed) =>
      call('POST /api/runs/:id/release', { params, body: { ...body, ...confirmed } }),
    )
  const refuse = (body: RefuseBody) => call('POST /api/runs/:id/refuse', { params, body })
  const cancelling = runs.useAction(cancel, options)
  return {
    resume: runs.useAction(resume, options).mutateAsync,
    resolve: runs.useAction(resolve, options).mutateAsync,
    close: runs.useAction(close, options).mutateAsync,
    cancel: () => cancelling.mutateAsync(undefined),
    release: runs.useAction(release, options).mutateAsync,
    refuse: runs.useAction(refuse, options).mutateAsync,
    ask: runs.useAction(ask, options).mutateAsync,
  }
}
