import { effectOf, type StatusQuery } from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { isExactObject, ownValue, stringifyExact, emptyObject } from '@gatehouse/contract/mapping'
import type { Exchanged } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../../kernel/app-error.ts'
import type { Caller } from '../../../../kernel/caller.ts'
import { readStored } from '../../answers/read-body.ts'
import { readDocuments } from '../../steps/documents/read-document.ts'
import { freezeRequest, requestTargetOf } from '../../steps/freeze-request.ts'
import type { AttemptRow } from '../../ledger/attempt-store.ts'
import type { RunRow, StepRow } from '../../ledger/run-store.ts'
import { withFurtherPages } from './status-pages.ts'
import type { AskedSpan, CalledUrl } from '../../spans/asked-span.ts'
import type { StepSender } from '../../steps/step-sender.ts'
import { credentialFor, type SendRight, type Target, type Targets } from '../../steps/target.ts'

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
  /** `askBy` is the document's own number. */
  isOwn?: boolean | undefined
  /** Of the step: the status query takes what it needs from their answers too. */
  attempts?: readonly AttemptRow[] | undefined
  /** What a person typed, by the name of the value. */
  typed?: Readonly<Record<string, string>> | undefined
  /** Begins the span of the call; absent where spans are off. */
  begin?: ((called: CalledUrl) => AskedSpan | undefined) | undefined
  /** Makes the call for a further page when the limits allow it. */
  paged: (call: () => Promise<Exchanged>) => Promise<Exchanged>
}

/** What a question takes of a step. */
export type AskedStep = Pick<StepRow, 'body' | 'source_body'>

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
  const path = settings.pending?.parameter_path ?? ''
  if (path === '') return undefined
  for (const tree of answersOf(attempts)) {
    const found = textAt(tree, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** The bodies of answers to what was sent, the latest first. Each is read when it is asked for: that may take long. */
function* answersOf(attempts: readonly AttemptRow[]) {
  for (const { kind, answer_body } of attempts.toReversed())
    if ((kind === 'send' || kind === 'resend') && answer_body) yield readStored(answer_body)
}

/** What was sent, and the answers to it. */
function* bodiesOf(text: string, attempts: readonly AttemptRow[]) {
  yield readStored(text)
  yield* answersOf(attempts)
}

/**
 * Calls the status query of a step's endpoint, `own`, about the step's document. Reads only. Throws 409
 * where the endpoint has no status query, and 422 where the query can't be called.
 */
export async function askStatus(step: AskedStep, own: Target, options: AskOptions): Promise<Asked> {
  const { targets, caller, right, sender, token, isTest, askBy } = options
  const query = own.settings.status_query
  if (!query || query.endpoint_id === null) throw new AppError('run.no_status_query')
  const found = await targets.find(query.endpoint_id, caller, right)
  if (!found.ok) throw fieldError({ step: [`The status query can't be asked: ${found.message}`] })
  const target = isTest ? testOf(found.target) : found.target
  if (!target) throw notAskable('The status query has no place to go for a test.')
  // An endpoint that an earlier version stored may have become a submit since.
  if (effectOf(target.settings, target.method) !== 'read') {
    throw notAskable('The endpoint of the status query is not one that only reads.')
  }
  const fields = fieldsOf(step, own, target, options)
  const [missing] = missingOf(fields, own, target, askBy)
  if (missing !== undefined)
    throw fieldError({
      [`values.${missing}`]: [
        `Nothing that was sent or answered has ${missing}: type it to ask the authority.`,
      ],
    })
  const frozen = freezeRequest(requestTargetOf(target), stringifyExact(fields))
  if (!frozen.ok) throw fieldError({ step: [frozen.message] })
  const asked = { target, credential: credentialFor(target, token), judgedBy: own.settings }
  const { method, url } = frozen.request
  const span = options.begin?.({ method, url, template: target.path })
  const first = await sender.exchange(asked, frozen.request, undefined, span?.traceparent)
  span?.end(first)
  const references = options.isOwn && askBy !== undefined ? [askBy] : undefined
  const exchanged = await allPages(first, { step, own, url, references }, (next) =>
    options.paged(() => sender.exchange(asked, { ...frozen.request, url: next })),
  )
  return { query, target: own, url, ...exchanged }
}

interface Paged {
  step: AskedStep
  own: Target
  url: string
  /** Undefined: all documents of the request. */
  references: readonly string[] | undefined
}

/** Of a list of documents, the pages behind the first too. */
function allPages(
  first: Exchanged,
  { step, own, url, references }: Paged,
  fetch: (url: string) => Promise<Exchanged>,
): Promise<Exchanged> | Exchanged {
  const poll = own.settings.documents?.poll
  if (!poll) return first
  const read = readDocuments(own.settings, step.body ?? step.source_body ?? '')
  const all = read.ok ? read.documents.map(({ reference }) => reference) : []
  return withFurtherPages(first, { poll, references: references ?? all, url, fetch })
}

const notAskable = (message: string) => new AppError('run.no_status_query', { message })

/** Only the test address knows a test document. */
const testOf = (target: Target) =>
  target.testDestination && { ...target, destination: target.testDestination }

interface Sources extends Pick<AskOptions, 'attempts' | 'typed' | 'isOwn'> {
  askBy: string | undefined
}

/**
 * What the authority is asked by, and the values that fill the path: what a person typed, then what was sent, then
 * what was answered.
 */
function fieldsOf(
  step: AskedStep,
  own: Target,
  asked: Target,
  { askBy, attempts = [], typed = {}, isOwn = false }: Sources,
) {
  const query = own.settings.status_query
  const parameter = (isOwn && query?.reference_parameter) || (query?.parameter ?? '')
  const fields = emptyObject()
  const text = step.body ?? step.source_body ?? ''
  let names = namesIn(asked.path)
  const bodies = bodiesOf(text, attempts)
  while (names.length > 0) {
    const { value: tree, done: isOver } = bodies.next()
    if (isOver) break
    if (tree === undefined || !isExactObject(tree)) continue
    for (const name of names) {
      const value = ownValue(tree, name)
      if (value !== undefined) fields[name] = value
    }
    names = names.filter((name) => fields[name] === undefined)
  }
  const read = readDocuments(own.settings, text)
  const reference =
    askBy ?? (read.ok && read.documents.length === 1 ? read.documents[0]?.reference : undefined)
  // Asked by a value of the answer, the document's own number would ask about something else.
  const isByAnswer = (own.settings.pending?.parameter_path ?? '') !== ''
  if (reference !== undefined && (askBy !== undefined || !isByAnswer)) fields[parameter] = reference
  for (const [name, value] of Object.entries(typed)) if (value !== '') fields[name] = value
  return fields
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The values that the question needs and that are not there. */
function missingOf(
  fields: Readonly<Record<string, unknown>>,
  own: Target,
  asked: Target,
  askBy: string | undefined,
): string[] {
  const parameter = own.settings.status_query?.parameter ?? ''
  const isByAnswer = (own.settings.pending?.parameter_path ?? '') !== ''
  const needed = new Set(namesIn(asked.path))
  if (isByAnswer || Object.keys(fields).length === 0) needed.add(parameter)
  if (askBy !== undefined) needed.delete(parameter)
  return [...needed].filter((name) => name !== '' && !Object.hasOwn(fields, name))
}

/**
 * Whether the authority is asked by the numbers of the documents, one after the other: a list has no number in common,
 * or that of the authority is not known.
 */
export function asksByOwnNumber(
  { documents, pending, status_query }: Target['settings'],
  askBy: string | undefined,
  hasDocuments: boolean,
): boolean {
  if (!hasDocuments) return false
  if ((pending?.parameter_path ?? '') === '') return documents !== null
  return askBy === undefined && (status_query?.reference_parameter ?? '') !== ''
}

/** What a person has to type before the status query of a step can be asked. */
export function missingToAsk(
  step: StepRow,
  own: Target,
  asked: Target,
  { attempts, run }: { attempts: readonly AttemptRow[]; run: RunRow },
): string[] {
  const askBy = askByOf(attempts, own, run)
  if (asksByOwnNumber(own.settings, askBy, true)) return []
  return missingOf(fieldsOf(step, own, asked, { askBy, attempts }), own, asked, askBy)
}
