import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let apiId: number
const ids: number[] = []

beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  apiId = idOf(await send('POST', '/api/apis', httpApi({ name: 'Ledger' })))
  for (let at = 0; at < 25; at++)
    ids.push(await create({ path: `/copies/${at}`, description: `Copy ${at}` }))
})
afterAll(() => server.close())

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  server.send(method, url, { token, body })

const idOf = ({ status, body, text }: Awaited<ReturnType<typeof send>>) => {
  expect(status, text).toBeLessThan(300)
  return (body as { id: number }).id
}

const create = async (endpoint: Record<string, unknown>) =>
  idOf(await send('POST', '/api/endpoint', endpointOf(apiId, endpoint)))

async function find(query: Record<string, string>) {
  const { body, status, text } = await send(
    'GET',
    `/api/endpoint?${new URLSearchParams(query).toString()}`,
  )
  expect(status, text).toBe(200)
  const [{ data, total }] = body as [{ data: { id: number; path: string }[]; total: number }]
  return { total, paths: data.map(({ path }) => path), ids: data.map(({ id }) => id) }
}

it('finds words of any length, at any place, beside each other and with filters', async () => {
  expect((await find({ search: 'copies/24' })).paths).toEqual(['/copies/24'])
  expect((await find({ search: '24' })).paths).toEqual(['/copies/24'])
  expect((await find({ search: 'OPY 24 edg' })).paths).toEqual(['/copies/24'])
  expect((await find({ search: 'copy nothing' })).total).toBe(0)
  expect((await find({ search: 'copy', status: 'disabled' })).total).toBe(0)
  expect((await find({ search: 'copy', status: 'active' })).total).toBe(25)
  expect((await find({ search: '   ' })).total).toBe(25)
})

it('takes quotes, wildcards and operators as they are', async () => {
  const id = await create({ path: '/odd', description: `50% "off" AND a_b* 'x' \\ end` })
  for (const search of ['50%', '"off"', '"of', 'a_b*', "'x'", '\\ end', 'AND off'])
    expect((await find({ search })).ids, search).toEqual([id])
  for (const search of ['a%b', 'aXb', 'off*', 'NEAR(', '""', '-off'])
    expect((await find({ search })).total, search).toBe(0)
  await send('DELETE', `/api/endpoint/${id}`)
})

it('finds letters beyond ASCII', async () => {
  const id = await create({ path: '/umlaut', description: 'übertrag prüfen' })
  expect((await find({ search: 'prüfen übertrag' })).ids).toEqual([id])
  await send('DELETE', `/api/endpoint/${id}`)
})

it('follows changes of an endpoint, its removal, and the name of its API', async () => {
  const id = await create({ path: '/follow', description: 'Before' })
  expect((await find({ search: 'before' })).ids).toEqual([id])
  idOf(
    await send(
      'PUT',
      `/api/endpoint/${id}`,
      endpointOf(apiId, { path: '/follow', description: 'After' }),
    ),
  )
  expect((await find({ search: 'before' })).total).toBe(0)
  expect((await find({ search: 'after' })).ids).toEqual([id])
  idOf(await send('PUT', `/api/apis/${apiId}`, httpApi({ name: 'Journal' })))
  expect((await find({ search: 'ledger' })).total).toBe(0)
  expect((await find({ search: 'journal after' })).ids).toEqual([id])
  await send('DELETE', `/api/endpoint/${id}`)
  expect((await find({ search: 'after' })).total).toBe(0)
})

it('follows changes by hand', async () => {
  await server.db
    .updateTable('endpoint')
    .set({ summary: 'Written by hand' })
    .where('id', '=', ids[3]!)
    .execute()
  expect((await find({ search: 'by hand' })).ids).toEqual([ids[3]])
  const set = (status: 'active' | 'disabled', method_type: 'post' | 'get') =>
    server.db
      .updateTable('endpoint')
      .set({ status, method_type })
      .where('id', '=', ids[3]!)
      .execute()
  await set('disabled', 'get')
  for (const search of ['', 'by hand'])
    expect((await find({ search, status: 'disabled', method_type: 'get' })).ids).toEqual([ids[3]])
  await set('active', 'post')
  expect((await find({ status: 'disabled' })).total).toBe(0)
})

it.each(['id', 'path', 'description', 'status', 'method_type'])(
  'sorted by %s, the pages hold every endpoint once, and backwards the other way round',
  async (sort) => {
    const all = async (order: string, more: Record<string, string> = {}) => {
      const pages = [1, 2, 3].map((page) =>
        find({ sort: order, page: String(page), limit: '10', ...more }),
      )
      return (await Promise.all(pages)).flatMap((page) => page.ids)
    }
    const forwards = await all(sort)
    expect(new Set(forwards)).toEqual(new Set(ids))
    expect(await all(`-${sort}`)).toEqual(forwards.toReversed())
    expect(await all(sort, { search: 'copy' })).toEqual(forwards)
    expect(await all(`-${sort}`, { search: 'copy' })).toEqual(forwards.toReversed())
    expect(await all(sort, { status: 'active' })).toEqual(forwards)
  },
)
