import type { CallInput, CallOutput, ErrorAnswer, FieldErrors, Routes } from '@gatehouse/contract'
import { CallError, isAbort } from './call-error.ts'
import { takeEarlyAnswer } from './early-answer.ts'
import { notifyWarning } from '../page/notify.tsx'
import { loadSentences } from '../format/language.ts'
import { serverText } from './server-text.ts'
import { readToken, removeToken } from '../session/token-store.ts'

/** A call of the admin API by name, for example `PUT /api/apis/:id`. */
export type CallKey = keyof Routes

interface CallOptions {
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
  /** The body as JSON text, sent as it is: its numbers stay exact. */
  bodyText?: string
  /** A file as the body, sent from the disk; `headers` name its type. */
  bodyFile?: Blob
}

/** The parts a call declares (params, query, body); the argument may be left out if it has none. */
export type CallArgs<K extends CallKey> =
  unknown extends CallInput<Routes[K]>
    ? [options?: CallOptions]
    : [input: CallInput<Routes[K]> & CallOptions]

export type Answer<K extends CallKey> = CallOutput<Routes[K]>

/** Calls that are answered with a file of one media type. */
export type FileKey = { [K in CallKey]: Routes[K] extends { answers: string } ? K : never }[CallKey]

interface LooseInput extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

const loginKey = 'POST /api/login' satisfies CallKey

/**
 * The browser half of the contract: makes the named call and returns its answer. Only types are
 * taken from the contract, so that the schema library stays out of the bundle; method and path
 * come from the key.
 *
 * Throws a `CallError` for every refusal, and where the answer is missing or unreadable. A 401 also
 * ends the session. An aborted call rejects with the signal's `AbortError`.
 */
export async function call<K extends Exclude<CallKey, FileKey>>(
  key: K,
  ...args: CallArgs<K>
): Promise<Answer<K>> {
  return (await callWithHeaders(key, ...args)).answer
}

/** Like `call`, with the headers of the answer beside it. */
export async function callWithHeaders<K extends Exclude<CallKey, FileKey>>(
  key: K,
  ...args: CallArgs<K>
): Promise<{ answer: Answer<K>; headers: Headers }> {
  const { response, body } = await send(key, args[0])
  const { headers } = response
  const text = await body.text()
  if (text === '') return { answer: undefined as Answer<K>, headers }
  try {
    return { answer: JSON.parse(text) as Answer<K>, headers }
  } catch (cause) {
    throw unreadable(response, cause)
  }
}

/** What every call is made with. */
export async function send(
  key: CallKey,
  input: LooseInput = {},
  read = (response: Response) => response.blob(),
) {
  const space = key.indexOf(' ')
  const method = key.slice(0, space)
  const path = fillPath(key.slice(space + 1), input.params ?? {})
  const token = readToken()
  const json = input.body === undefined ? undefined : JSON.stringify(input.body)
  const body = input.bodyFile ?? input.bodyText ?? json
  const init = {
    method,
    headers: { ...headersFor(path, token, body !== undefined), ...input.headers },
    ...(body === undefined ? {} : { body }),
    ...(input.signal ? { signal: input.signal } : {}),
  }
  const url = path + queryString(input.query ?? {})
  const { response, body: answer } = await exchange(url, init, read)
  if (response.ok) return { response, body: answer }
  if (response.status === 401 && key !== loginKey) removeToken(token)
  await loadSentences()
  const refused = refusal(response, await answer.text())
  if (refused.code === 'gateway.not_in_force') return { response, body: savedAnswer(refused) }
  throw refused
}

/** The change is saved: the screen continues as after any save, and a warning says what is missing. */
function savedAnswer({ message, details: { saved } }: CallError): Blob {
  notifyWarning(message)
  return new Blob(saved === null || saved === undefined ? [] : [JSON.stringify(saved)])
}

async function exchange(
  url: string,
  init: RequestInit,
  read: (response: Response) => Promise<Blob>,
) {
  try {
    const response = await (takeEarlyAnswer(init.method, url, readToken()) ??
      fetch(url, { ...init, cache: 'no-store' }))
    return { response, body: await (response.ok ? read(response) : response.blob()) }
  } catch (cause) {
    if (isAbort(cause)) throw cause
    throw new CallError(
      {
        status: 0,
        code: 'network.failed',
        message: 'The server could not be reached. Check the connection and try again.',
      },
      { cause },
    )
  }
}

function headersFor(path: string, token: string | null, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (hasBody) headers['Content-Type'] = 'application/json'
  if (token === null) return headers
  headers['Authorization'] = `Bearer ${token}`
  // wire (spec: calls): calls under /admin/ repeat the token in a CSRF header.
  if (path.startsWith('/admin/')) headers['X-CSRF-TOKEN'] = token
  return headers
}

function fillPath(template: string, params: Record<string, unknown>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Absent values are left out; blank ones are sent. */
function queryString(query: Record<string, unknown>): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (present.length === 0) return ''
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`
}

function refusal(response: Response, text: string): CallError {
  const answer = errorAnswer(text)
  if (!answer) return unreadable(response)
  return new CallError({
    status: response.status,
    code: answer.code,
    message: serverText(answer.message),
    errors: translated(answer.errors),
    requestId: answer.request_id ?? requestIdOf(response),
    details: answer,
  })
}

function translated(errors: FieldErrors | undefined): FieldErrors | undefined {
  if (!errors) return undefined
  const entries = Object.entries(errors)
  return Object.fromEntries(entries.map(([field, texts]) => [field, texts.map(serverText)]))
}

function errorAnswer(text: string): ErrorAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    const isAnswer = typeof answer === 'object' && answer !== null && 'message' in answer
    return isAnswer ? (answer as ErrorAnswer) : undefined
  } catch {
    return undefined
  }
}

/** A proxy in between may answer with its own page. Its text would not help our users. */
export function unreadable(response: Response, cause?: unknown): CallError {
  return new CallError(
    {
      status: response.status,
      code: 'answer.unreadable',
      message: `The server sent an answer that could not be read (status ${response.status}).`,
      requestId: requestIdOf(response),
    },
    { cause },
  )
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}
