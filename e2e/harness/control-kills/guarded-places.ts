import { askWorkers, ownConnection } from '../ask-workers.ts'
import { creatorOf } from '../creator.ts'
import type { Call, Product } from '../run-product.ts'

/** What the gateway has to go on refusing, and to go on letting through, whatever becomes of the control plane. */
export interface GuardedPlaces {
  /** What is wrong now; empty: nothing. */
  problems(): Promise<string[]>
}

const answered = { enable_custom_output: 1, custom_output: '"in"' }

/** Sets them up: a good and a revoked token, a quota and a rate limit that are used up. */
export async function setUpGuarded(
  { url, gatewayUrl }: Product,
  call: Call,
): Promise<GuardedPlaces> {
  const { createApi, createEndpoint } = await creatorOf(url)
  const guarded = await createApi('Guarded', 'http://127.0.0.1:9')
  await createEndpoint(guarded, ['get', '/in', 'In'], { ...answered, authentication: 1 })
  const limited = await createApi('Limited', 'http://127.0.0.1:9', {
    traffic_policy: { rate_limit: { requests: 3, window_seconds: 86_400, per: 'endpoint' } },
  })
  await createEndpoint(limited, ['get', '/in', 'In too'], answered)

  const tokenOf = async (body: object) => {
    const answer = await call('POST', '/admin/token/store', body)
    if (answer.status !== 201) throw new Error(`A token: ${JSON.stringify(answer)}`)
    return (answer.body as { access_token: { id: number; token: string } }).access_token
  }
  const good = await tokenOf({ name: 'good' })
  const revoked = await tokenOf({ name: 'revoked' })
  const few = await tokenOf({ name: 'few', limits: { quota: { per_day: 2 } } })
  const ask = async (path: string, token?: string) => {
    const answer = await fetch(`${gatewayUrl}${path}`, {
      headers: {
        ...ownConnection,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const expected = [
    ['a good token', 200, () => ask('/guarded/in', good.token)],
    ['a revoked token', 401, () => ask('/guarded/in', revoked.token)],
    ['a token whose quota is used up', 429, () => ask('/guarded/in', few.token)],
    ['a limit that is used up', 429, () => ask('/limited/in')],
  ] as const

  await call('DELETE', `/api/token/${revoked.id}`)
  // Workers learn from each other, and of quotas from the control plane, within a second or so.
  for (const use of [() => ask('/limited/in'), () => ask('/guarded/in', few.token)])
    for (let refused = 0; refused < 2;) {
      const seen = await askWorkers(use)
      refused = seen.every((status) => status === 429) ? refused + 1 : 0
    }
  return {
    problems: async () => {
      const found = await Promise.all(
        expected.map(async ([what, status, use]) => {
          const seen = await use()
          return seen === status ? [] : [`${what} got ${seen}`]
        }),
      )
      return found.flat()
    },
  }
}
