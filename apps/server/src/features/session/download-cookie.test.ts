import { routes } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'

const folder = createLogFolder()
let server: TestServer
beforeAll(async () => {
  folder.write('a.log', 'a line\n')
  server = await buildServer({ DATA_DIR: folder.dataDir, TRUSTED_PROXIES: '10.0.0.0/8' })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

const download = '/api/logs/download?file=a.log'
const fromDashboard = { 'sec-fetch-site': 'same-origin' }

async function signIn(headers: Record<string, string> = {}, email = server.admin.email) {
  const answer = await server.send('POST', '/api/login', {
    body: { email, password: testPassword },
    remoteAddress: '10.0.0.1',
    headers,
  })
  const setCookie = String(answer.headers['set-cookie'])
  const cookie = setCookie.split(';')[0] ?? ''
  return { token: (answer.body as { token: string }).token, setCookie, cookie }
}

describe('the download cookie', () => {
  it('is set at the sign-in: for scripts out of reach, for one path, for this site', async () => {
    const { setCookie, token } = await signIn()
    expect(setCookie).toMatch(
      /^gatehouse_download=[\w-]{43}; Path=\/api\/logs\/download; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect(setCookie).not.toContain(token.slice(4))
    expect((await signIn({ 'x-forwarded-proto': 'https' })).setCookie).toMatch(/; Secure$/)
  })

  it('is secure where the browser speaks TLS to the outer one of two proxies', async () => {
    const through = (proto: string) =>
      signIn({ 'x-forwarded-for': '203.0.113.7, 10.0.0.2', 'x-forwarded-proto': proto })
    expect((await through('https, http')).setCookie).toMatch(/; Secure$/)
    expect((await through('https, http, https')).setCookie).not.toMatch(/; Secure$/)
  })

  it('lets a browser go to the download without a header', async () => {
    const { cookie } = await signIn()
    const answer = await server.send('GET', download, {
      headers: { ...fromDashboard, cookie: `a=b; ${cookie}; c` },
    })
    expect(answer).toMatchObject({ status: 200, text: 'a line\n' })
  })

  it('opens nothing else', async () => {
    const { cookie } = await signIn()
    for (const { method, path, access } of routes) {
      if (access === 'public' || path === '/api/logs/download') continue
      const url = path.replace(/:\w+/g, '1')
      const answer = await server.send(method, url, { headers: { ...fromDashboard, cookie } })
      expect(answer.status, `${method} ${path}`).toBe(401)
    }
    expect(
      (await server.send('GET', '/api/openapi.json', { headers: { ...fromDashboard, cookie } }))
        .status,
    ).toBe(401)
  })

  it('is no token, and a token is no cookie', async () => {
    const { cookie, token } = await signIn()
    const value = cookie.split('=')[1] ?? ''
    for (const headers of [
      { authorization: `Bearer ${value}` },
      { authorization: `Bearer ghs_${value}` },
      { cookie: `gatehouse_download=${token}` },
      { cookie: `gatehouse_download=${token.slice(4)}` },
      { cookie: `other=${value}` },
      { cookie: 'gatehouse_download=' },
    ]) {
      const all = { ...fromDashboard, ...headers }
      expect((await server.send('GET', download, { headers: all })).status).toBe(401)
    }
  })

  it('does not help where a header names a caller who may not', async () => {
    const { cookie } = await signIn()
    const other = await server.buildUser({ permissions: ['dashboard.view'] })
    const as = (authorization: string) =>
      server.send('GET', download, { headers: { ...fromDashboard, cookie, authorization } })
    expect((await as(`Bearer ${other.token}`)).status).toBe(403)
    expect((await as('Bearer made-up')).status).toBe(401)
    expect((await as('Basic YTpi')).status).toBe(401)
  })

  it('still needs the permission', async () => {
    const viewer = await server.buildUser({ permissions: ['log.view'] })
    const { cookie } = await signIn({}, viewer.email)
    expect(
      (await server.send('GET', download, { headers: { ...fromDashboard, cookie } })).status,
    ).toBe(403)
  })

  it('is only taken where the browser says that the dashboard leads there', async () => {
    const { cookie } = await signIn()
    const from = (site: string) =>
      server.send('GET', download, { headers: { cookie, 'sec-fetch-site': site } })
    expect((await server.send('GET', download, { headers: { cookie } })).status).toBe(401)
    expect((await from('')).status).toBe(401)
    expect((await from('cross-site')).status).toBe(401)
    expect((await from('same-site')).status).toBe(401)
    expect((await from('same-origin')).status).toBe(200)
    expect((await from('none')).status).toBe(200)
  })

  it('ends with its session, and the answer makes the browser drop it', async () => {
    const { cookie, token } = await signIn()
    const other = await signIn()
    const logout = await server.send('POST', '/api/logout', { token })
    expect(String(logout.headers['set-cookie'])).toMatch(
      /^gatehouse_download=; Path=\/api\/logs\/download; Max-Age=0; HttpOnly; SameSite=Strict$/,
    )
    expect(
      (await server.send('GET', download, { headers: { ...fromDashboard, cookie } })).status,
    ).toBe(401)
    const stillOpen = await server.send('GET', download, {
      headers: { ...fromDashboard, cookie: other.cookie },
    })
    expect(stillOpen.status).toBe(200)
  })

  it('ages with its session', async () => {
    const { cookie } = await signIn()
    server.time.now = new Date(server.time.now.getTime() + 13 * 3_600_000)
    expect(
      (await server.send('GET', download, { headers: { ...fromDashboard, cookie } })).status,
    ).toBe(401)
  })

  it('is stored as a hash only', async () => {
    const { cookie } = await signIn()
    const rows = await server.db.selectFrom('session').selectAll().execute()
    expect(rows.some(({ download_hash }) => download_hash?.length === 64)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1])
  })
})
