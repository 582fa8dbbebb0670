import type { HttpAnswer, HttpUpstream } from '@gatehouse/upstream'
import type { FrozenRequest } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/**
 * Sends a frozen request once, with the credential that is never kept. What comes back has the
 * credential taken out.
 */
export async function exchange(
  upstream: HttpUpstream,
  { target, token }: Pick<PlannedStep, 'target' | 'token'>,
  request: FrozenRequest,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const credential = token || target.upstreamToken
  const received = await upstream.send({
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
  return withoutCredential(received, credential)
}

/**
 * An upstream may show us our own request again. The credential is taken out before anything is
 * stored or shown: whoever may fetch is not meant to read it.
 */
function withoutCredential(answer: HttpAnswer, credential: string | undefined): HttpAnswer {
  if (!answer.ok || !credential) return answer
  const clean = (text: string) => text.replaceAll(credential, '[credential]')
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, clean(value)]),
  )
  const body = answer.body.includes(credential)
    ? Buffer.from(clean(answer.body.toString('utf8')))
    : answer.body
  return { ...answer, headers, body }
}
