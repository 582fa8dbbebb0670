import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, endpointOf, httpApi, type TestServer } from '../servers/build-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
  await addRows(2)
})
afterAll(() => server.close())

let added = 0

/** Adds this many users with two new roles each, and APIs with an endpoint and a token. */
async function addRows(count: number): Promise<void> {
  for (let row = 0; row < count; row++) {
    const number = ++added
    const user = await server.buildUser({ permissions: ['dashboard.view', 'api.view'] })
    await server.stores.users.addRole(user.id, 'Gateway client')
    const [api] = [await create('/api/apis', httpApi({ name: `API ${number}` }))]
    await create('/api/endpoint', endpointOf(api.id, { path: `/things/${number}` }))
    await create('/admin/token/store', { user: user.id, name: `t${number}`, expires_in_days: 1 })
  }
}

async function create(path: string, body: unknown): Promise<{ id: number }> {
  const { status, body: answer } = await server.send('POST', path, {
    token: server.admin.token,
    body,
  })
  expect(status, path).toBeLessThan(300)
  return answer as { id: number }
}

it('what a list costs does not grow with its rows', async () => {
  const paths = [
    '/api/user?limit=100',
    '/api/user/create',
    `/api/user/${server.admin.id}/edit`,
    '/api/role?limit=100',
    '/api/role/create',
    '/api/api-permission?limit=100',
    '/api/apis/1/access/roles?limit=100',
    '/api/apis/1/access/tokens?limit=100',
    '/api/apis/1/access/endpoints?limit=100',
    '/api/token?limit=100',
    '/api/token/create',
    '/api/apis?limit=100',
    '/api/endpoint?limit=100',
    '/api/context?limit=100',
    '/api/buildRequest',
    '/api/tax',
    '/api/audit?limit=100',
  ]
  const measure = async () => {
    const counts: Record<string, number> = {}
    for (const path of paths) {
      const { statements, answer } = await server.statements.during(() =>
        server.send('GET', path, { token: server.admin.token }),
      )
      expect(answer.status, path).toBe(200)
      counts[path] = statements
    }
    return counts
  }
  await measure()
  const few = await measure()
  await addRows(12)
  expect(await measure()).toEqual(few)
  expect(Math.min(...Object.values(few))).toBeGreaterThan(0)
  expect(Math.max(...Object.values(few))).toBeLessThan(12)
})
