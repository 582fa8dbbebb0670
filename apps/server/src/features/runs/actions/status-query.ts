import { effectOf, type StatusQuery } from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { isExactObject, ownValue, stringifyExact, emptyObject } from '@gatehouse/contract/mapping'
import type { Exchanged } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { readStored } from '../answers/read-body.ts'
import { readDocuments } from '../steps/read-document.ts'
import { freezeRequest, requestTargetOf } from '../steps/freeze-request.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { RunRow, StepRow } from '../ledger/run-store.ts'
import { withFurtherPages } from './status-pages.ts'
import type { AskedSpan, CalledUrl } from '../spans/asked-span.ts'
import type { StepSender } from '../steps/step-sender.ts'
import { credentialFor, type SendRight, type Target, type Targets } from '../steps/target.ts'

interface AskOptions {
  targets: Targets
  caller: Caller
  right: SendRight | undefined
  sender: StepSender
  /** Typed for this question. Blank means the API's own credential. */
  token: string
  isTest: boolean
  /** What the authority answered to ask by; undefined: the document's reference. */
  askBy: string | undefined
  /** Begins the span of the call; absent where spans are off. */
  begin?: ((called: CalledUrl) => AskedSpan | undefined) | undefined
  /** Makes the call for a further page when the limits allow it. */
  paged: (call: () => Promise<Exchanged>) => Promise<Exchanged>
}

export interface Asked extends Exchanged {
  query: StatusQuery
  /** Of the step that is asked about. */
  target: Target
  url: string
}

/**
 * What the authority gave to ask by, in its latest answer that it has taken the step. Of a run that was found, whose
 * bytes are not here, the reference of its document.
 */
export function askByOf(
  attempts: readonly AttemptRow[],
  { settings }: Target,
  run: Pick<RunRow, 'found_in' | 'reference'>,
): string | undefined {
  if (run.found_in !== null && (settings.pending?.parameter_path ?? '') === '')
    return run.reference ?? undefined
  const taken = attempts.findLast(({ outcome }) => outcome === 'pending')?.answer_body
  const tree = taken ? readStored(taken) : undefined
  return textAt(tree, settings.pending?.parameter_path ?? '')
}

/**
 * Calls the status query of a step's endpoint about the step's document. Reads only. Throws 409
 * where the endpoint has no status query, and 422 where the query can't be called.
 */
export async function askStatus(step: StepRow, options: AskOptions): Promise<Asked> {
  const { targets, caller, right, sender, token, isTest, askBy } = options
  const own = await targets.find(step.endpoint_id, caller, right)
  if (!own.ok) throw fieldError({ step: [own.message] })
  const query = own.target.settings.status_query
  if (!query || query.endpoint_id === null) throw new AppError('run.no_status_query')
  const found = await targets.find(query.endpoint_id, caller, right)
  if (!found.ok) throw fieldError({ step: [`The status query can't be asked: ${found.message}`] })
  const target = isTest ? testOf(found.target) : found.target
  if (!target) throw notAskable('The status query has no place to go for a test.')
  // An endpoint that an earlier version stored may have become a submit since.
  if (effectOf(target.settings, target.method) !== 'read') {
    throw notAskable('The endpoint of the status query is not one that only reads.')
  }
  const fields = fieldsOf(step, own.target, target, askBy)
  const frozen = freezeRequest(requestTargetOf(target), stringifyExact(fields))
  if (!frozen.ok) throw fieldError({ step: [frozen.message] })
  const asked = { target, credential: credentialFor(target, token), judgedBy: own.target.settings }
  const { method, url } = frozen.request
  const span = options.begin?.({ method, url, template: target.path })
  const first = await sender.exchange(asked, frozen.request, undefined, span?.traceparent)
  span?.end(first)
  const exchanged = await allPages(first, { step, own: own.target, url }, (next) =>
    options.paged(() => sender.exchange(asked, { ...frozen.request, url: next })),
  )
  return { query, target: own.target, url, ...exchanged }
}

/** Of a list of documents, the pages behind the first too. */
function allPages(
  first: Exchanged,
  { step, own, url }: { step: StepRow; own: Target; url: string },
  fetch: (url: string) => Promise<Exchanged>,
): Promise<Exchanged> | Exchanged {
  const poll = own.settings.documents?.poll
  if (!poll) return first
  const read = readDocuments(own.settings, step.body ?? step.source_body ?? '')
  const references = read.ok ? read.documents.map(({ reference }) => reference) : []
  return withFurtherPages(first, { poll, references, url, fetch })
}

const notAskable = (message: string) => new AppError('run.no_status_query', { message })

/** Only the test address knows a test document. */
const testOf = (target: Target) =>
  target.testDestination && { ...target, destination: target.testDestination }

/** What the authority is asked by, and the values from the sent body that fill the path. */
function fieldsOf(step: StepRow, own: Target, asked: Target, askBy: string | undefined) {
  const { pending, status_query } = own.settings
  const parameter = status_query?.parameter ?? ''
  const path = pending?.parameter_path ?? ''
  if (path !== '' && askBy === undefined)
    throw notAskable(`The endpoint is asked by ${path} of its answer, and no answer with it came.`)
  const fields = emptyObject()
  const text = step.body ?? step.source_body ?? ''
  const body = readStored(text)
  if (body !== undefined && isExactObject(body)) {
    for (const [, name = ''] of asked.path.matchAll(/\{(\w+)\}/g)) {
      const value = ownValue(body, name)
      if (value !== undefined) fields[name] = value
    }
  }
  const read = readDocuments(own.settings, text)
  const reference =
    askBy ?? (read.ok && read.documents.length === 1 ? read.documents[0]?.reference : undefined)
  if (reference !== undefined) fields[parameter] = reference
  if (Object.keys(fields).length === 0) {
    throw notAskable(
      'Nothing of what was sent says which document to ask about: set a document reference path.',
    )
  }
  return fields
}
