import { randomUUID } from 'node:crypto'
import { effectOf } from '@gatehouse/contract'
import type { HeldCall } from '@gatehouse/contract/gateway'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { withStepKey } from '../ledger/begin-run.ts'
import { lockNumber } from '../ledger/idempotency.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { traceColumns, type TraceFor } from '../ledger/reading/run-trace.ts'
import type { Target, Targets } from '../steps/target.ts'
import { callDigest, documentsOfCall, requestOfCall } from './held-call.ts'

interface CallHolderOptions {
  stores: Pick<Stores, 'endpoints' | 'tokens'>
  inTransaction: InTransaction
  targets: Targets
  feed: RunFeed
  clock: Clock
  traceFor: TraceFor
}

interface HeldBy {
  /** Who holds the token. */
  caller: Caller
  /** What the client of the agent calls itself. */
  agent: string
  requestId: string
  address: string
  traceparent?: string | undefined
}

const hourMs = 3_600_000

/** Stores the calls of agents until a person releases them (spec: release). */
export class CallHolder {
  readonly #options: CallHolderOptions

  constructor(options: CallHolderOptions) {
    this.#options = options
  }

  /**
   * The run that waits for its release. The same call of the same user, while it waits, is the same run. Throws an
   * AppError where it could not be sent, or needs no release any more.
   */
  async hold(held: HeldCall, by: HeldBy): Promise<number> {
    const { stores, inTransaction, targets, feed, clock } = this.#options
    const { caller } = by
    const lookup = await targets.find(held.endpoint_id, caller)
    const hours = (await stores.endpoints.find(held.endpoint_id))?.agent_release_hours ?? null
    if (!lookup.ok) throw new AppError('request.invalid', { message: lookup.message })
    if (hours === null) throw new AppError('run.not_releasable', { message: changedWords })
    const call = callOf(held, lookup.target)
    const askedBy = await this.#nameOf(by)
    const now = clock.now()
    const digest = callDigest(caller.user.id, held)
    const id = await inTransaction(async (all) => {
      await all.runs.lock(lockNumber(digest))
      const known = await all.runs.listByContent(digest)
      const waiting = known.find(({ state }) => state === 'waits_for_release')
      if (waiting) return waiting.id
      const ids = await all.runs.reserveIds(1)
      const [runId = 0, stepId = 0] = [ids.run[0], ids.run_step[0]]
      const asked_at = now.toISOString()
      await all.runs.insertRun({
        ...this.#runRow(call, by),
        id: runId,
        content_sha256: digest,
        created_at: asked_at,
      })
      await all.runs.insertSteps([{ ...stepRow(call, asked_at), id: stepId, run_id: runId }])
      await all.releases.insert({
        run_id: runId,
        via: 'agent',
        asked_by: askedBy,
        asked_at,
        expires_at: new Date(now.getTime() + hours * hourMs).toISOString(),
      })
      return runId
    }, caller)
    feed.changed(id)
    return id
  }

  #runRow({ reference, target }: Call, by: HeldBy) {
    const { user } = by.caller
    const trace = this.#options.traceFor(by)
    return {
      kind: 'call',
      state: 'waits_for_release',
      is_test: 0,
      reference,
      user_id: user.id,
      user_name: user.name,
      request_id: by.requestId,
      ...noLease,
      epoch: 1,
      ...traceColumns(trace),
      search_text: [reference ?? '', user.name, by.requestId, trace?.traceId ?? '', target.name]
        .filter((word) => word !== '')
        .join(' ')
        .toLowerCase(),
    } as const
  }

  async #nameOf({ caller, agent }: HeldBy): Promise<string> {
    const id = caller.tokenId ?? 0
    const token = await this.#options.stores.tokens.find(id)
    return [token?.name ?? `Token ${id}`, agent].filter((name) => name !== '').join(', ')
  }
}

function callOf(held: HeldCall, target: Target) {
  const effect = effectOf(target.settings, target.method)
  const request = requestOfCall(held, target)
  const [document] = documentsOfCall(target, effect, request)
  const uuid = randomUUID()
  return {
    target,
    effect,
    uuid,
    // Of a document that credits another, the claim finds the other first.
    reference: document?.originalReference === null ? document.reference : null,
    request: withStepKey(request, { target }, uuid),
  }
}
type Call = ReturnType<typeof callOf>

const stepRow = ({ target, effect, uuid, request }: Call, now: string) => ({
  position: 1,
  endpoint_id: target.endpointId,
  endpoint_name: target.name,
  effect,
  state: 'waiting' as const,
  uuid,
  method: request.method,
  url: request.url,
  headers: JSON.stringify(request.headers),
  body: request.body,
  frozen_at: now,
  has_credential: target.destination.credential.kind === 'none' ? (0 as const) : (1 as const),
})

const changedWords = 'This call needs no release any more. Make it again.'
