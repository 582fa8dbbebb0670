import { describe, expect, it } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from './testing/policy-gateway.ts'

const pos = 'https://pos.example.com'
const cors = {
  origins: [pos],
  headers: ['Authorization'],
  exposed_headers: [],
  allow_credentials: true,
  max_age_seconds: 600,
}
const preflight = { origin: pos, 'access-control-request-method': 'PUT' }

describe('CORS', () => {
  it('answers a preflight without a token, and calls nothing', async () => {
    const { url, seen } = await startUpstream((_req, res) => res.end())
    const { ask } = await startGateway(
      snapshotWith({ cors }, { base_url: url, requires_token: true }),
    )
    const answer = await ask({ method: 'OPTIONS', headers: preflight })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': pos,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT',
      'access-control-allow-headers': 'Authorization',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
    expect(seen).toHaveLength(0)
  })

  it('grants an unknown origin nothing', async () => {
    const { ask } = await startGateway(snapshotWith({ cors }))
    const origin = 'https://evil.example.com'
    const answer = await ask({ method: 'OPTIONS', headers: { ...preflight, origin } })
    expect(answer.status).toBe(204)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    )
  })

  it('answers OPTIONS that is no preflight, or of an API without CORS, with the methods of the path', async () => {
    const { ask, swap } = await startGateway(snapshotWith({ cors }))
    const answer = await ask({ method: 'OPTIONS', headers: { origin: pos } })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      allow: expect.stringMatching(/^GET, HEAD.*, OPTIONS$/),
      'access-control-allow-origin': pos,
    })
    expect((await ask({ method: 'OPTIONS', path: '/p/none', headers: preflight })).status).toBe(404)
    swap(snapshotWith({}))
    const plain = await ask({ method: 'OPTIONS', headers: preflight })
    expect(plain.status).toBe(204)
    expect(plain.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('speaks for the upstream, whose own fields would contradict it', async () => {
    const { url } = await startUpstream((_req, res) => {
      res.setHeader('Access-Control-Allow-Origin', 'https://else.example.com')
      res.setHeader('Access-Control-Allow-Credentials', 'false')
      res.setHeader('Vary', 'Accept-Encoding')
      res.end('fine')
    })
    const { ask } = await startGateway(snapshotWith({ cors }, { base_url: url }))
    const answer = await ask({ headers: { origin: pos } })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': pos,
      'access-control-allow-credentials': 'true',
      vary: 'Accept-Encoding, Origin',
    })
    const unknown = await ask({ headers: { origin: 'https://evil.example.com' } })
    expect(unknown.headers['access-control-allow-origin']).toBeUndefined()
    expect(unknown.headers['access-control-allow-credentials']).toBeUndefined()
    expect((await ask()).headers['vary']).toBe('Accept-Encoding, Origin')
  })

  it('lets pages read refusals too', async () => {
    const { ask } = await startGateway(snapshotWith({ cors }, { requires_token: true }))
    const answer = await ask({ headers: { origin: pos } })
    expect(answer).toMatchObject({ status: 401, code: 'client.unauthenticated' })
    expect(answer.headers['access-control-allow-origin']).toBe(pos)
  })
  it('lets pages read that a method is not taken', async () => {
    const { ask } = await startGateway(snapshotWith({ cors }))
    const answer = await ask({ method: 'DELETE', headers: { origin: pos } })
    expect(answer).toMatchObject({ status: 405, code: 'client.method' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': pos,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
  })
})
