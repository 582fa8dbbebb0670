import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'

async function start() {
  const procedure = {
    driver: 'mysql' as const,
    host: '127.0.0.1',
    // Nothing listens there: whatever comes so far is refused.
    port: 1,
    database: 'shop',
    username: 'gateway',
    password: 'secret',
    tls: 'off' as const,
    ca: null,
    method: 'order_status',
  }
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ procedure })],
      endpoints: [
        buildEndpoint({ path: '/orders/{id}' }),
        buildEndpoint({ id: 2, method: 'POST', path: '/orders/{id}' }),
      ],
    }),
  )
  return async (init: RequestInit = {}) => {
    const answer = await fetch(`${gateway.url}/sales/orders/7`, init)
    return [answer.status, await answer.json()]
  }
}

const post = (body: string | Uint8Array<ArrayBuffer>) => ({ method: 'POST', body })

describe('a stored procedure', () => {
  it('whose database can’t be reached is a 502 that reveals nothing about it', async () => {
    const send = await start()
    const [status, answer] = await send()
    expect([status, answer]).toMatchObject([502, { code: 'upstream.refused' }])
    expect(JSON.stringify(answer)).not.toContain('127.0.0.1')
    expect(await send(post('{"a":1}'))).toMatchObject([502, { code: 'upstream.refused' }])
  })

  it.each([
    ['{"a":', 400, 'client.not_json'],
    ['[1]', 422, 'client.body_not_object'],
    ['"x"', 422, 'client.body_not_object'],
    ['[', 400, 'client.not_json'],
  ])('is not called with the body %s', async (body, status, code) => {
    const send = await start()
    expect(await send(post(body))).toMatchObject([status, { code }])
  })

  it('takes no body beyond 1 MiB', async () => {
    const send = await start()
    const answer = await send(post(new Uint8Array(1_100_000)))
    expect(answer).toMatchObject([413, { code: 'client.too_large' }])
  })
})
