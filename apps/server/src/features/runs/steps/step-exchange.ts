import type { HttpAnswer, HttpUpstream } from '@gatehouse/upstream'
import type { FrozenRequest } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/**
 * Sends a frozen request once, with the credential, which is never stored. The answer is as
 * received, for decisions. Store and show only `withoutCredential` of it.
 */
export async function exchange(
  upstream: HttpUpstream,
  { target, token }: Pick<PlannedStep, 'target' | 'token'>,
  request: FrozenRequest,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const credential = token || target.upstreamToken
  return upstream.send({
    method: request.method,
    url: request.url,
    headers: {
      ...request.headers,
      ...(credential ? { authorization: `Bearer ${credential}` } : {}),
    },
    ...(request.body === null ? {} : { body: request.body }),
    connectTimeoutMs: target.connectTimeoutMs,
    answerTimeoutMs: target.answerTimeoutMs,
    ...(signal ? { signal } : {}),
  })
}

/** A shorter credential may occur in any text, and masking it would reveal it. */
const maskedMinLength = 8

/**
 * An upstream may echo our own request. The credential is removed before anything is stored or
 * shown: a user with the permission to fetch must not read it. Decisions use the answer as
 * received.
 */
export function withoutCredential(
  answer: HttpAnswer,
  { target, token }: Pick<PlannedStep, 'target' | 'token'>,
): HttpAnswer {
  const credential = token || target.upstreamToken
  if (!credential || credential.length < maskedMinLength) return answer
  const clean = (text: string) => text.replaceAll(credential, '[credential]')
  if (!answer.ok) return { ...answer, detail: clean(answer.detail) }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, clean(value)]),
  )
  const body = answer.body.includes(credential)
    ? Buffer.from(clean(answer.body.toString('utf8')))
    : answer.body
  return { ...answer, headers, body }
}
