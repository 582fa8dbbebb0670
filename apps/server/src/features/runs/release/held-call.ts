import type { WorkflowPreviewStep } from '@gatehouse/contract'
import { addressOf, mergeHeaders, type CallTarget } from '@gatehouse/upstream'
import type { HeldCall } from '@gatehouse/contract/gateway'
import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/app-error.ts'
import { placeOf, type StoredRun } from '../ledger/open-run.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { filledHeaders, type FrozenRequest } from '../steps/freeze-request.ts'
import { credentialFor, type Target } from '../steps/target.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import { readDocuments, type CarriedDocument } from '../steps/documents/read-document.ts'

// The call of an agent that a person has to release: a run of one step, whose request is final from the start.

/** The request as the ledger stores it: that of the gateway, with what the API adds and without a credential. */
export function requestOfCall(
  { method: called, target, headers, body }: HeldCall,
  { destination, staticHeaders, method }: Target,
): FrozenRequest {
  if (called !== method)
    throw new AppError('request.invalid', {
      message: `The endpoint does not take ${called} any more.`,
    })
  const { target: place } = destination
  if (place.kind === 'procedure')
    return { method, url: addressOf(place), headers: {}, body: body ?? '{}' }
  return {
    method,
    url: urlOf(place, target),
    headers: mergeHeaders(joined(headers), filledHeaders(staticHeaders)),
    body,
  }
}

/** As the gateway has it: the path goes behind that of the address. */
function urlOf(target: CallTarget, path: string): string {
  const { origin, pathname } = new URL(addressOf(target))
  return origin + pathname.replace(/\/$/, '') + path
}

/** Of a field that came several times the values are one (RFC 9110 §5.3). */
function joined(headers: HeldCall['headers']): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of headers) {
    const known = fields[name.toLowerCase()]
    fields[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
  }
  return fields
}

/** Throws a 422 where the endpoint takes documents and the body names none that it can be told by. */
export function documentsOfCall(
  { settings }: Target,
  effect: PlannedStep['effect'],
  { body }: Pick<FrozenRequest, 'body'>,
): readonly CarriedDocument[] {
  if (effect === 'read') return []
  const read = readDocuments(settings, body ?? '')
  if (!read.ok) throw new AppError('request.invalid', { message: read.message })
  return read.documents
}

/** Two calls with the same digest are one, while the first waits. */
export const callDigest = (userId: number, held: HeldCall): string =>
  digestOf(['call', userId, held.endpoint_id, held.method, held.target, held.headers, held.body])

/** A digest of what a person has seen. */
export const stepDigest = ({ endpoint_id, method, url, headers, body }: StepRow): string =>
  digestOf([endpoint_id, method, url, headers, body])

const digestOf = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** The one step of such a run. */
export function stepOfCall({ run, steps }: StoredRun): StepRow {
  const [step] = steps
  if (!step) throw new Error(`Run ${run.id} has no step.`)
  return step
}

export const frozenOfCall = ({ method, url, headers, body }: StepRow): FrozenRequest => ({
  method: method as FrozenRequest['method'],
  url,
  headers: JSON.parse(headers) as Record<string, string>,
  body,
})

/**
 * The step as it is carried out: what was stored, with the credential of today. Throws an AppError where it must not
 * be sent any more.
 */
export function planOfCall(step: StepRow, target: Target): PlannedStep {
  refuseMoved(step, target)
  const request = frozenOfCall(step)
  const text = step.body ?? ''
  const { position, effect } = step
  return {
    position,
    target,
    effect,
    source: { position, format: 'json', text, plain: text, dependency: null, takes: [] },
    dependencyField: null,
    credential: credentialFor(target, ''),
    isDry: false,
    request,
    documents: documentsOfCall(target, effect, request),
  }
}

/** A credential must not be sent to an address that its API no longer has. */
function refuseMoved({ url }: StepRow, { destination }: Target): void {
  if (placeOf(url) === placeOf(addressOf(destination.target))) return
  throw new AppError('run.not_releasable', {
    message: `Its API has another address by now, and this call is for ${placeOf(url)}. The agent has to make it again.`,
  })
}

/** `problem`: why it can't be sent now. */
export const previewOfCall = (step: StepRow, problem: string | undefined): WorkflowPreviewStep => ({
  position: step.position,
  endpoint_id: step.endpoint_id,
  endpoint_name: step.endpoint_name,
  method: step.method,
  effect: step.effect,
  what: problem === undefined ? 'send' : 'refused',
  condition: 'none',
  url: step.url,
  headers: frozenOfCall(step).headers,
  body: step.body,
  takes: [],
  runs_at: 'nowhere',
  problems: problem === undefined ? {} : { end_point: [problem] },
})
