import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { isPostgres } from '../../db/dialect.ts'
import { hasTag } from '../../db/tags.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  apiId = await made('/api/apis', httpApi({ tags: ['Tax', ' live ', 'tax', ''] }))
})
afterAll(() => server.close())

async function made(url: string, body: unknown): Promise<number> {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const put = (url: string, body: unknown) => server.send('PUT', url, { token, body })
const get = async (url: string) => {
  const answer = await server.send('GET', url, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const tagsOfApi = async (id = apiId) => {
  const [record] = (await get(`/api/apis/${id}/edit`)) as [{ submitted_data: string }]
  return (JSON.parse(record.submitted_data) as { tags: string[] }).tags
}
const listed = async (url: string) => {
  const [page] = (await get(url)) as [{ data: { id: number }[] }]
  return page.data.map(({ id }) => id)
}

describe('tags', () => {
  it('are kept in small letters, each once, in order', async () => {
    expect(await tagsOfApi()).toEqual(['live', 'tax'])
  })

  it('stay where a definition does not name them, and go where it names none', async () => {
    const id = await made('/api/apis', httpApi({ name: 'Kept', tags: ['tax'] }))
    expect((await put(`/api/apis/${id}`, httpApi({ name: 'Kept' }))).status).toBe(200)
    expect(await tagsOfApi(id)).toEqual(['tax'])
    for (const tags of [[], null]) {
      await put(`/api/apis/${id}`, httpApi({ name: 'Kept', tags: ['tax'] }))
      expect((await put(`/api/apis/${id}`, httpApi({ name: 'Kept', tags }))).status).toBe(200)
      expect(await tagsOfApi(id)).toEqual([])
    }
  })

  it('filter the lists exactly, and are counted', async () => {
    const make = (path: string, tags: string[]) =>
      made('/api/endpoint', endpointOf(apiId, { path, tags }))
    const first = await make('/1', ['tax', 'saudi arabia'])
    const second = await make('/2', ['tax.v2', 'steuer-ä'])
    const third = await make('/3', ['tax'])
    expect(await listed('/api/endpoint?tag=tax')).toEqual([first, third])
    expect(await listed('/api/endpoint?tag=TAX.V2')).toEqual([second])
    expect(await listed('/api/endpoint?tag=steuer-%C3%84')).toEqual([second])
    expect(await listed('/api/endpoint?tag=ta')).toEqual([])
    expect(await listed('/api/endpoint?tag=%25')).toEqual([])
    expect(await listed('/api/endpoint?tag=%22%2C%22')).toEqual([])
    expect(await listed(`/api/endpoint?tag=tax&search=/3&api_id=${apiId}`)).toEqual([third])
    expect(await get('/api/endpoint/tags')).toEqual([
      { tag: 'saudi arabia', count: 1 },
      { tag: 'steuer-ä', count: 1 },
      { tag: 'tax', count: 2 },
      { tag: 'tax.v2', count: 1 },
    ])
    expect(await listed('/api/apis?tag=live')).toEqual([apiId])
    expect(await get('/api/apis/tags')).toContainEqual({ tag: 'live', count: 1 })
  })

  it.each([
    [['a"b'], '“a"b” can’t be a tag'],
    [['-x'], '“-x” can’t be a tag'],
    [['x'.repeat(41)], 'A tag may not be longer than 40 characters.'],
    [Array.from({ length: 21 }, (_, at) => `t${at}`), 'There may be at most 20 tags.'],
    ['tax', 'The tags must be a list.'],
  ])('refuse %j', async (tags, message) => {
    for (const [url, body] of [
      ['/api/apis', httpApi({ name: 'Refused', tags })],
      ['/api/endpoint', endpointOf(apiId, { path: '/refused', tags })],
    ] as const) {
      const answer = await server.send('POST', url, { token, body })
      expect(answer.status).toBe(422)
      const { errors } = answer.body as { errors: Record<string, string[]> }
      expect(errors['tags']?.[0]).toContain(message)
    }
  })

  it('are in the audit trail, and come back with the version that had them', async () => {
    const id = await made('/api/endpoint', endpointOf(apiId, { path: '/old', tags: ['old'] }))
    await put(`/api/endpoint/${id}`, endpointOf(apiId, { path: '/old', tags: ['new'] }))
    const [page] = (await get(`/api/audit?thing=endpoint&thing_id=${id}`)) as [
      { data: { id: number; action: string; after: { tags: string[] } }[] },
    ]
    expect(page.data.map(({ after }) => after.tags)).toEqual([['new'], ['old']])
    const restored = await server.send('POST', `/api/audit/${page.data[1]!.id}/restore`, { token })
    expect(restored.status, restored.text).toBe(200)
    expect((await server.stores.endpoints.find(id))?.tags).toBe('["old"]')
  })

  it('are found by the index of tagged rows on SQLite', async () => {
    if (isPostgres(server.db)) return
    const query = server.db
      .selectFrom('endpoint')
      .select('id')
      .where(hasTag(server.db, 'endpoint', 'tax'))
      .compile()
    const { rows } = await server.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
    )
    expect(rows.map(({ detail }) => detail).join('\n')).toContain('COVERING INDEX endpoint_tagged')
  })
})
