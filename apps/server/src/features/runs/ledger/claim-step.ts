import type { StepState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { allOf } from '../../../db/all-of.ts'
import type { RowChange } from '../../../db/tables.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import { claimDocument } from './documents/document-ledger.ts'
import type { CarriedDocument, ReadDocument } from '../steps/documents/read-document.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { LiveRun, LiveStep, OpenAttempt } from './reading/live-run.ts'
import { refuseUnlessStillAllowed } from './may-still-send.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

export interface Opening {
  live: LiveRun
  step: LiveStep
  request: FrozenRequest
  now: string
  owner: string
}

interface StepClaim extends Opening {
  carried: ReadDocument
}

/**
 * Takes a step by one conditional update, freezes its request and opens an attempt, inside a
 * transaction that has locked the run. Throws where another server has taken the step, and an
 * AppError where the step, or the document that it carries, must not be sent.
 */
export async function claimStep(stores: Stores, claim: StepClaim): Promise<OpenAttempt> {
  const { live, step, request, carried, now } = claim
  const from = step.state
  const [, , , attempt] = await allOf([
    refuseUnlessStillAllowed(stores, live, step.plan),
    takeStep(stores, step.id, from, {
      ...sendingColumns,
      // A resend keeps the request that was frozen for the first send.
      ...(step.frozen ? {} : frozenColumns(step.plan, request, now)),
      has_credential: step.plan.credential.kind === 'none' ? 0 : 1,
    }),
    claimCarried(stores, live, step.plan, carried, now),
    openAttempt(stores, claim),
  ])
  step.state = 'sending'
  return attempt
}

const sendingColumns = {
  state: 'sending',
  message: null,
  not_before: null,
  blocked_by: null,
} as const

/** A step's final request. */
export const frozenColumns = (plan: PlannedStep, request: FrozenRequest, now: string) => ({
  method: request.method,
  url: request.url,
  headers: JSON.stringify(request.headers),
  body: request.body,
  // Stored once where the typed text is what is sent.
  source_body: plan.source.text === request.body ? null : plan.source.text,
  frozen_at: now,
})

async function takeStep(
  { runs }: Stores,
  id: number,
  from: StepState,
  change: RowChange<'run_step'>,
): Promise<void> {
  if (!(await runs.moveStep(id, from, change)))
    throw new Error(`Step ${id} is not ${from}: another server has taken it.`)
}

/** Adds an attempt of a step, under way, whose id is known after the commit. Lock the run before. */
export function openAttempt(
  { runs, withCommit }: Stores,
  { live, step, request, now, owner }: Opening,
): OpenAttempt {
  const kind = step.isResend ? 'resend' : 'send'
  const attempt: OpenAttempt = { id: 0, step, request, kind }
  const appending = runs.appendAttempt({
    step_id: step.id,
    kind,
    owner,
    started_at: now,
    url: request.url,
    ...(live.actor
      ? { user_id: null, user_name: live.actor.name, note: live.actor.reason }
      : { user_id: live.caller.user.id, user_name: live.caller.user.name }),
  })
  withCommit(appending.then(({ id }) => (attempt.id = id)))
  return attempt
}

/**
 * Claims all documents that a body carries, or none, and stores the reference of the first with the
 * run. Throws where the endpoint takes documents and the body names none: without a reference it could
 * be sent twice.
 */
export async function claimCarried(
  stores: Stores,
  live: LiveRun,
  plan: PlannedStep,
  read: ReadDocument,
  now: string,
): Promise<void> {
  const documents = await documentsOf(stores, live, plan, read)
  const step = live.steps.find((each) => each.plan === plan)
  if (step) step.references = documents.map(({ reference }) => reference)
  const [first] = documents
  if (!first) return
  if (step) {
    step.documentKind = kindOf(live, first)
    step.register = first.register ?? plan.target.register
  }
  // In one order everywhere: two runs that carry the same documents can't wait for each other.
  const claims = documents.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const claimed = await allOf(
    claims.map(({ reference, originalReference, register }) =>
      claimDocument(stores, {
        runId: live.id,
        position: plan.position,
        endpointId: plan.effect === 'submit' ? plan.target.endpointId : undefined,
        apiId: plan.target.destination.apiId,
        register: register ?? plan.target.register,
        isKept: register !== undefined,
        kind: kindOf(live, { originalReference }),
        isTest: live.isTest,
        reference,
        originalReference,
        now,
      }),
    ),
  )
  // A body that is filled in again may carry others than before.
  if (live.epoch > 1) {
    const kept = claimed.map(({ documentId }) => documentId)
    stores.withCommit(stores.documents.unlinkOthers(live.id, plan.position, kept))
  }
  if (live.hasReference) return
  const original = claimed[claims.indexOf(first)]?.original
  stores.withCommit(stores.runs.setReference(live.id, first.reference, original?.run_id ?? null))
}

/** A request of a person by hand says so by what it credits. */
const kindOf = (
  { kind }: LiveRun,
  { originalReference }: Pick<CarriedDocument, 'originalReference'>,
) => (kind === 'credit' || (isByHand(kind) && originalReference !== null) ? 'credit' : 'tax')

const isByHand = (kind: LiveRun['kind']) => kind === 'build' || kind === 'call'

const keyOf = ({ reference }: CarriedDocument) => referenceKey(reference)

/** `register`: of a document that the step has claimed before. */
async function documentsOf(
  { documents }: Stores,
  live: LiveRun,
  plan: PlannedStep,
  read: ReadDocument,
): Promise<readonly (CarriedDocument & { register?: string })[]> {
  if (plan.effect === 'read' || plan.isDry) return []
  const step = live.steps.find((each) => each.plan === plan)
  if (step?.frozen) {
    // Sent bytes keep their documents, even where the settings have changed since.
    const sent = await documents.listOfStep(live.id, plan.position)
    if (sent.length > 0)
      return sent.map((each) => ({
        reference: each.reference,
        originalReference: each.original_reference,
        register: each.register,
      }))
  }
  if (!read.ok) throw new AppError('request.invalid', { message: read.message })
  return read.documents
}
