import { onTestFinished } from 'vitest'
import { createAddressGuard } from '../address-guard.ts'
import type { AddressGuard } from '../address-guard.ts'
import { createHttpUpstream } from '../http.ts'
import type { HttpUpstreamOptions } from '../http.ts'
import type { HttpAnswer, HttpAnswered, HttpFailed, HttpRequest } from '../http/http-answer.ts'

export const openGuard: AddressGuard = createAddressGuard({ allow: [], deny: [], own: () => [] })

/** A client that is closed when the test is over, with requests filled in as far as not given. */
export function createTestUpstream(options: Partial<HttpUpstreamOptions> = {}) {
  const upstream = createHttpUpstream({ guard: openGuard, ...options })
  onTestFinished(() => upstream.close())
  return {
    ...upstream,
    send: (request: Partial<HttpRequest> & { url: string }): Promise<HttpAnswer> =>
      upstream.send(buildRequest(request)),
  }
}

function buildRequest(request: Partial<HttpRequest> & { url: string }): HttpRequest {
  return {
    method: 'GET',
    headers: {},
    // Far beyond what any test takes: only tests of time-outs set shorter ones.
    connectTimeoutMs: 20_000,
    answerTimeoutMs: 20_000,
    ...request,
  }
}

export function expectAnswered(answer: HttpAnswer): HttpAnswered {
  if (answer.ok) return answer
  throw new Error(`expected an answer, got ${answer.code}: ${answer.detail}`, {
    cause: answer.cause,
  })
}

export function expectFailed(answer: HttpAnswer): HttpFailed {
  if (!answer.ok) return answer
  throw new Error(`expected a failure, got status ${answer.status}: ${answer.body.toString()}`)
}
