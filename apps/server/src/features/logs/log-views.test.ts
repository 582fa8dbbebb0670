import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { createLogFolder } from '../../../test/places/log-folder.ts'
import { makeAdminToken } from '../../../test/rows/make-admin-token.ts'

const folder = createLogFolder()
let server: TestServer
beforeAll(async () => {
  server = await buildServer({ DATA_DIR: folder.dataDir })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

const get = (query: string, token = server.admin.token) =>
  server.send('GET', `/api/logs${query}`, { token })
const line = 'a line\n'

describe('who looks at logs', () => {
  const trail = async (action: string) =>
    (await server.db.selectFrom('audit_event').selectAll().execute()).filter(
      (event) => event.action === action,
    )

  it('is kept in the audit trail: each view, each download, and that a view is followed', async () => {
    folder.write('watched.log', line)
    const { token } = await server.buildUser({ permissions: ['log.view', 'log.download'] })
    const views = async () =>
      (await trail('log.view')).filter(({ thing_name }) => thing_name === 'watched.log').length
    await get('?l=watched.log&follow=1', token)
    expect(await views(), 'a follower who has not been seen before').toBe(1)
    for (let look = 0; look < 5; look++) await get('?l=watched.log&follow=1', token)
    expect(await views(), 'goes on following').toBe(1)
    await get('?l=watched.log', token)
    expect(await views(), 'a new look').toBe(2)
    server.time.now = new Date(server.time.now.getTime() + 11 * 60_000)
    await get('?l=watched.log&follow=1', token)
    expect(await views(), 'still follows, much later').toBe(3)
    await server.send('GET', '/api/logs/download?file=watched.log', { token })
    expect((await trail('log.download')).map(({ thing_name }) => thing_name)).toEqual([
      'watched.log',
    ])
  })

  it('is kept for each token of a program, also where it follows at once', async () => {
    folder.write('polled.log', line)
    const { token } = await server.buildUser({ permissions: ['log.view'] })
    const program = () => makeAdminToken(server, token, 'log.view')
    const all = [token, await program(), await program()]
    for (const each of [...all, ...all]) await get('?l=polled.log&follow=1', each)
    const views = await trail('log.view')
    expect(views.filter(({ thing_name }) => thing_name === 'polled.log')).toHaveLength(3)
  })

  it('does not make the log grow by following it', async () => {
    folder.write('a.log', line)
    await get('?l=a.log')
    server.logLines.length = 0
    for (let look = 0; look < 5; look++) await get('?l=a.log&follow=1')
    expect(server.logLines).toEqual([])
    await get('?l=nothing.log&follow=1')
    expect(server.logLines.some((line) => line.includes('"status":404'))).toBe(true)
  })

  it('needs the permission for each', async () => {
    folder.write('a.log', line)
    const viewer = await server.buildUser({ permissions: ['log.view'] })
    expect((await get('?l=a.log', viewer.token)).status).toBe(200)
    expect((await get('/download?file=a.log', viewer.token)).status).toBe(403)
    const loader = await server.buildUser({ permissions: ['log.download'] })
    expect((await get('?l=a.log', loader.token)).status).toBe(403)
    expect((await get('/download?file=a.log', loader.token)).status).toBe(200)
  })
})

it('a download is the whole file, to be saved under its name', async () => {
  const bytes = Buffer.from([...Array(256).keys()])
  folder.write('admin/täglich "1".log', bytes)
  folder.write('empty.log', '')
  const path = `/api/logs/download?file=${encodeURIComponent('admin/täglich "1".log')}`
  const answer = await server.app.inject({
    url: path,
    headers: { authorization: `Bearer ${server.admin.token}` },
  })
  expect(answer.rawPayload).toEqual(bytes)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '256',
    'content-disposition': `attachment; filename="t_glich__1_.log"; filename*=UTF-8''t%C3%A4glich%20%221%22.log`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect((await get('/download?file=empty.log')).text).toBe('')
})
