import type { BodyFormat } from '@gatehouse/contract'
import { readDocument, type CarriedDocument } from './read-document.ts'
import { freezeRequest, type FrozenRequest, type RequestTarget } from './freeze-request.ts'
import { readSource, type StepSource } from './step-body.ts'
import type { Target } from './target.ts'

/** The typed input of a step and its target: plain data that a thread can receive. */
export interface TypedBody {
  position: number
  body: string
  dependencyField: string | null
  /** Its bytes were sent before, and the same bytes are sent again. */
  isFrozen?: boolean
  format: BodyFormat
  /** Undefined where the step may not be called: then the input is only parsed. */
  target: BodyTarget | undefined
}

export type BodyTarget = RequestTarget & Pick<Target, 'settings'>

export type PlannedBody =
  | {
      ok: true
      source: StepSource
      /** Undefined where values of earlier answers are missing. */
      request: FrozenRequest | undefined
      /** What `request` carries; undefined where the endpoint takes no documents. */
      document: CarriedDocument | undefined
    }
  | { ok: false; field: 'body' | 'dependency_field'; message: string }

/**
 * Reads what was typed for a step. What can be frozen now is, so that its problems show before
 * anything is sent; a refusal names the field at fault.
 */
export function planBody({ target, ...typed }: TypedBody): PlannedBody {
  const read = readTyped(typed)
  if (!read.ok) return read
  const { source } = read
  if (target === undefined || source.takes.length > 0)
    return { ok: true, source, request: undefined, document: undefined }
  const frozen = freezeRequest(target, source.plain)
  if (!frozen.ok) return { ...frozen, field: 'body' }
  const carried = readDocument(target.settings, source.plain)
  if (!carried.ok) return { ...carried, field: 'body' }
  return { ok: true, source, request: frozen.request, document: carried.document }
}

/**
 * An earlier version accepted bodies that are refused now. Where such a body was sent, the same
 * bytes are sent again.
 */
function readTyped(typed: Omit<TypedBody, 'target'>) {
  const { position, body, dependencyField, isFrozen, format } = typed
  const read = readSource(position, body, dependencyField, format)
  if (read.ok || !isFrozen) return read
  const rest = { position, format, dependency: null, takes: [] }
  const source: StepSource = { ...rest, text: body, plain: body }
  return { ok: true, source } as const
}
