import { routes } from '@gatehouse/contract'
import { errorTable, type ErrorCode, type FieldErrors } from '@gatehouse/contract/errors'
import { vi } from 'vitest'
import type { Answer, CallKey } from '../lib/calls/call.ts'

/** What arrived at the fake server. */
export interface SeenRequest {
  key: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  headers: Headers
  signal: AbortSignal | null | undefined
}

class Refusal {
  readonly code: ErrorCode
  readonly errors: FieldErrors | undefined
  constructor(code: ErrorCode, errors?: FieldErrors) {
    this.code = code
    this.errors = errors
  }
}

/** Answers with an error of the contract's table. */
export const refuse = (code: ErrorCode, errors?: FieldErrors) => new Refusal(code, errors)

type Reply<K extends CallKey> = Answer<K> | Refusal | Response
export type Answers = {
  [K in CallKey]?: (request: SeenRequest) => Reply<K> | Promise<Reply<K>>
}

export const requestId = 'a1b2c3d4'

/**
 * Replaces `fetch`. An answer that does not satisfy the contract's schema, and a call that
 * the test did not expect, fail the test's wait with a message on the console.
 */
export function fakeServer(answers: Answers) {
  const current: Answers = { ...answers }
  const requests: SeenRequest[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const request = readRequest(url, init)
    requests.push(request)
    const answer = current[request.key as CallKey] as
      | ((request: SeenRequest) => unknown)
      | undefined
    if (!answer) throw new Error(`The test has no answer for ${request.key}`)
    return toResponse(request.key, await answer(request))
  })
  return {
    requests,
    /** The bodies that were sent to one call, in order. */
    bodiesOf: (key: CallKey) => requests.filter((seen) => seen.key === key).map(({ body }) => body),
    /** Changes answers from now on. */
    use: (changes: Answers) => void Object.assign(current, changes),
  }
}

function readRequest(address: string, init: RequestInit): SeenRequest {
  const url = new URL(address, 'http://localhost')
  const method = init.method ?? 'GET'
  // Fixed words win over parameters, as they do in the server's router.
  const candidates = routes.filter((route) => route.method === method)
  const route =
    candidates.find(({ path }) => path === url.pathname) ??
    candidates.find(({ path }) => paramsOf(path, url.pathname) !== undefined)
  if (!route) throw new Error(`The contract has no ${method} ${url.pathname}`)
  return {
    key: `${route.method} ${route.path}`,
    params: paramsOf(route.path, url.pathname) ?? {},
    query: Object.fromEntries(url.searchParams),
    body: typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined),
    headers: new Headers(init.headers),
    signal: init.signal,
  }
}

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const pattern = new RegExp(`^${template.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
  const match = pattern.exec(path)
  return match ? { ...match.groups } : undefined
}

function toResponse(key: string, answer: unknown): Response {
  if (answer instanceof Response) return answer
  if (answer instanceof Refusal) {
    const { status, message } = errorTable[answer.code]
    const { code, errors } = answer
    return Response.json({ message, code, errors, request_id: requestId }, { status })
  }
  const route = routes.find((route) => `${route.method} ${route.path}` === key)
  if (!route || !('response' in route)) return new Response(null, { status: 204 })
  return Response.json(route.response.parse(answer))
}
