import type { EndpointOption, ErrorAnswer } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRunServer, type RunServer } from '../../../test/servers/run-server.ts'

const many = 1_100
let app: RunServer
let apiId: number
beforeAll(async () => {
  app = await startRunServer()
  apiId = await app.createApi({ name: 'Ledger of Berlin' })
  const first = await app.endpoint({ summery: 'File invoice', path: '/invoices' }, apiId)
  await app.endpoint({ summery: 'Look up', path: '/lookups', method_type: 'get' }, apiId)
  await app.endpoint(
    { summery: 'Ask', path: '/questions', run_settings: { effect: 'read' } },
    apiId,
  )
  await app.endpoint(
    { summery: 'Pull', path: '/pulls', method_type: 'get', run_settings: { effect: 'submit' } },
    apiId,
  )
  const { db } = app.server
  const { id: _, ...like } = await db
    .selectFrom('endpoint')
    .selectAll()
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: many }, (_each, at) => {
    const path = `/copies/${at}`
    return { ...like, summary: `Copy ${at}`, path, path_key: path }
  })
  for (let at = 0; at < many; at += 100)
    await db
      .insertInto('endpoint')
      .values(rows.slice(at, at + 100))
      .execute()
})
afterAll(() => app.close())

async function choices(query: string, url = '/api/tax', as = app.token) {
  const { status, body, text } = await app.server.send('GET', `${url}?${query}`, { token: as })
  expect(status, text).toBe(200)
  const [options] = Array.isArray(body)
    ? (body as [EndpointOption[]])
    : [(body as { endpoints: EndpointOption[] }).endpoints]
  return options.map(({ summery }) => summery)
}

it.each(['/api/buildRequest', '/api/tax', '/api/credit/tax', '/api/workflows/create'])(
  '%s finds endpoints beyond the first thousand',
  async (url) => {
    expect(await choices('', url)).toHaveLength(1_000)
    expect(await choices('', url)).not.toContain('Copy 1099')
    expect(await choices('search=copy%201099', url)).toEqual(['Copy 1099'])
  },
)

it('a search needs each word, in the summary, the method, the path or the name of the API', async () => {
  expect(await choices('search=berlin+get+LOOKUPS')).toEqual(['Look up'])
  expect(await choices('search=berlin+nowhere')).toEqual([])
  expect(await choices('search=copy&limit=50')).toHaveLength(50)
  // No wildcards.
  expect(await choices('search=%25')).toEqual([])
})

it('those with the whole text in their summary come first', async () => {
  await app.endpoint({ summery: 'Other', path: '/void/note' }, apiId)
  await app.endpoint({ summery: 'Void note', path: '/voids' }, apiId)
  expect(await choices('search=void+note')).toEqual(['Void note', 'Other'])
})

it('just what reads, as the run settings or else the method say', async () => {
  expect(await choices('effect=read&search=berlin')).toEqual(['Look up', 'Ask'])
})

it('just these, of those that the caller may call', async () => {
  const [{ id }] = (
    (await app.server.send('GET', '/api/tax?search=questions', { token: app.token })).body as [
      [EndpointOption],
    ]
  )[0]
  expect(await choices(`ids=${id},2000000`)).toEqual(['Ask'])
  const other = await app.person(['tax.view'])
  expect(await choices(`ids=${id}`, '/api/tax', other.token)).toEqual([])
})

it.each(['limit=0', 'limit=1001', 'ids=a', 'ids=1,,2', 'effect=submit'])(
  '%s is refused at its field',
  async (query) => {
    const answer = await app.server.send('GET', `/api/tax?${query}`, { token: app.token })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as ErrorAnswer).errors ?? {})).toEqual([query.split('=')[0]])
  },
)
