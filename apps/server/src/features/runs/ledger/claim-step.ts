import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import { claimDocument } from './document-ledger.ts'
import type { CarriedDocument, ReadDocument } from '../steps/read-document.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { LiveRun, LiveStep, OpenAttempt } from './live-run.ts'
import { refuseUnlessStillAllowed } from './may-still-send.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

export interface Opening {
  live: LiveRun
  step: LiveStep
  request: FrozenRequest
  now: string
  owner: string
  leaseUntil: string
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
  await refuseUnlessStillAllowed(stores, live, step.plan)
  const from = step.state
  const isTaken = await stores.runs.moveStep(step.id, from, {
    state: 'sending',
    message: null,
    not_before: null,
    blocked_by: null,
    // A resend keeps the request that was frozen for the first send.
    ...(step.frozen
      ? {}
      : {
          method: request.method,
          url: request.url,
          headers: JSON.stringify(request.headers),
          body: request.body,
          // Stored once where the typed text is what is sent.
          source_body: step.plan.source.text === request.body ? null : step.plan.source.text,
          frozen_at: now,
        }),
    has_credential: step.plan.credential.kind === 'none' ? 0 : 1,
  })
  if (!isTaken) throw new Error(`Step ${step.id} is not ${from}: another server has taken it.`)
  await claimCarried(stores, live, step.plan, carried, now)
  const attempt = await openAttempt(stores, claim)
  step.state = 'sending'
  return attempt
}

/** Adds an attempt of a step, under way. Lock the run before. */
export async function openAttempt(
  { runs }: Stores,
  { live, step, request, now, owner, leaseUntil }: Opening,
): Promise<OpenAttempt> {
  // Read again: a status query may have added an attempt since the run was read.
  const number = await runs.nextAttempt(step.id)
  const kind = step.isResend ? 'resend' : 'send'
  const { id } = await runs.insertAttempt({
    step_id: step.id,
    number,
    kind,
    owner,
    started_at: now,
    url: request.url,
    user_id: live.caller.user.id,
    user_name: live.caller.user.name,
  })
  return { id, step, request, kind, leaseUntil }
}

/**
 * Claims the document that a body carries, and stores its reference with the run. Throws where the
 * endpoint takes documents and the body names none: without a reference it could be sent twice.
 */
export async function claimCarried(
  stores: Stores,
  live: LiveRun,
  plan: PlannedStep,
  read: ReadDocument,
  now: string,
): Promise<void> {
  const document = await documentOf(stores, live, plan, read)
  if (!document) return
  const { reference, originalReference } = document
  const isCredit = live.kind === 'credit' || (live.kind === 'build' && originalReference !== null)
  const kind = isCredit ? 'credit' : 'tax'
  await claimDocument(stores.documents, {
    runId: live.id,
    position: plan.position,
    endpointId: plan.effect === 'submit' ? plan.target.endpointId : undefined,
    kind,
    isTest: live.isTest,
    reference,
    originalReference,
    now,
  })
  const run = await stores.runs.find(live.id)
  if (run?.reference) return
  const original =
    kind === 'credit' && originalReference !== null
      ? await stores.documents.findByReference({
          kind: 'tax',
          is_test: live.isTest ? 1 : 0,
          reference: originalReference,
        })
      : undefined
  await stores.runs.updateRun(live.id, { reference, original_run_id: original?.run_id ?? null })
  await stores.runs.appendSearchText(live.id, reference)
}

async function documentOf(
  { documents }: Stores,
  live: LiveRun,
  plan: PlannedStep,
  read: ReadDocument,
): Promise<CarriedDocument | undefined> {
  if (plan.effect === 'read' || plan.isDry) return undefined
  const step = live.steps.find((each) => each.plan === plan)
  if (step?.frozen) {
    // Sent bytes keep their document, even where the settings have changed since.
    const link = await documents.findLink(live.id, plan.position)
    const sent = link && (await documents.find(link.document_id))
    if (sent) return { reference: sent.reference, originalReference: sent.original_reference }
  }
  if (!read.ok) throw new AppError('request.invalid', { message: read.message })
  return read.document
}
