import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let upstream: Server
let url: string
const seen: string[] = []
beforeAll(async () => {
  server = await buildServer()
  upstream = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/base`
})
afterAll(async () => {
  upstream.close()
  await server.close()
})

const check = (wanted: string, path = 'check-address', token = server.admin.token) =>
  server.send('POST', `/api/apis/${path}`, { token, body: { url: wanted } })

describe('the check of a base URL', () => {
  it('connects, says where and how long, and sends nothing', async () => {
    const { status, body } = await check(url)
    expect(status).toBe(200)
    expect(body).toEqual({
      is_reached: true,
      reason: null,
      address: '127.0.0.1',
      took_ms: expect.any(Number),
      certificate: null,
    })
    expect(seen).toEqual([])
  })

  it.each([
    ['http://169.254.169.254/', /never called/],
    ['http://nothing.invalid/', /./],
  ])('says why %s is not reached', async (wanted, reason) => {
    const { status, body } = await check(wanted)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      is_reached: false,
      reason: expect.stringMatching(reason),
      address: null,
    })
  })

  it('says that a server without TLS can’t be called with https', async () => {
    const { body } = await check(url.replace('http:', 'https:'))
    expect(body).toMatchObject({ is_reached: false, certificate: null })
  })

  it.each(['', 'ftp://example.com', 'no address', 'http://user:secret@example.com'])(
    'refuses %j (422)',
    async (wanted) => expect((await check(wanted)).status).toBe(422),
  )

  it('needs the permission to save: of a new API, or of this one', async () => {
    const { token } = await server.buildUser({ permissions: ['api.edit'] })
    expect((await check(url, 'check-address', token)).status).toBe(403)
    const made = await server.send('POST', '/api/apis', {
      token: server.admin.token,
      body: httpApi(),
    })
    const { id } = made.body as { id: number }
    expect((await check(url, `${id}/check-address`, token)).status).toBe(200)
    expect((await check(url, '999/check-address', token)).status).toBe(404)
  })
})
