import type { HttpAnswer, HttpUpstream } from '@gatehouse/upstream'
import type { FrozenRequest } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/**
 * Sends a frozen request once, with the credential that is never kept. What comes back is as it was
 * received, for what decides by it; keep and show only `withoutCredential` of it.
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

/** A shorter one may be part of anything, and taking it out would tell which one it is. */
const maskedMinLength = 8

/**
 * An upstream may show us our own request again. The credential is taken out before anything is
 * stored or shown: whoever may fetch is not meant to read it. Nothing is to be decided by what is left.
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
