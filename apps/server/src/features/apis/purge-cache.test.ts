import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

let server: TestServer
let id: number
const gateway = recordingGateway()
const cache = { cache: { max_bytes: '1 MiB' } }
beforeAll(async () => {
  server = await buildServer({}, gateway.link)
  const { body } = await server.send('POST', '/api/apis', {
    token: server.admin.token,
    body: httpApi({ traffic_policy: cache }),
  })
  id = (body as { id: number }).id
})
afterAll(() => server.close())

const purge = (body: unknown, api = id) =>
  server.send('POST', `/api/apis/${api}/purge-cache`, { token: server.admin.token, body })
const published = () => gateway.published.at(-1)?.apis[0]?.cache_purges ?? []

describe('a purge of the cache', () => {
  it('is with the workers when it is answered, and in the audit trail', async () => {
    expect((await purge({ kind: 'path', value: '/orders/*' })).status).toBe(204)
    expect(published()).toEqual([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), kind: 'path', value: '/orders/*' },
    ])
    const event = await server.db
      .selectFrom('audit_event')
      .select(['action', 'thing_id', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ action: 'api.purge_cache', thing_id: id })
    expect(JSON.parse(event.after ?? '')).toEqual({ kind: 'path', value: '/orders/*' })
  })

  it('loses none of several that come at once, and keeps the last twenty', async () => {
    const tags = Array.from({ length: 6 }, (_, at) => `tag-${at}`)
    await Promise.all(tags.map((value) => purge({ kind: 'tag', value })))
    const values = published().map(({ value }) => value)
    expect(values.slice(1).toSorted()).toEqual(tags)
    for (let at = 0; at < 15; at++) await purge({ kind: 'tag', value: `more-${at}` })
    expect(published()).toHaveLength(20)
    expect(published().at(-1)?.value).toBe('more-14')
    expect(new Set(published().map((each) => each.id)).size).toBe(20)
  })

  it('leaves forms that are open as they are, and stays with a save', async () => {
    const form = httpApi({ traffic_policy: cache, version: 1, gateway_status: 'disabled' })
    const before = published()
    const saved = await server.send('PUT', `/api/apis/${id}`, {
      token: server.admin.token,
      body: form,
    })
    expect(saved.status, saved.text).toBe(200)
    expect(published()).toEqual(before)
  })

  it.each([
    [{ kind: 'path', value: 'orders' }, 'value'],
    [{ kind: 'path', value: '/a/*/b' }, 'value'],
    [{ kind: 'path', value: '/a?b=1' }, 'value'],
    [{ kind: 'tag', value: '' }, 'value'],
    [{ kind: 'tag', value: 'a, b' }, 'value'],
    [{ kind: 'api', value: '/a' }, 'value'],
    [{ kind: 'all' }, 'kind'],
    [{ kind: 'api', path: '/a' }, 'path'],
  ])('is refused where it is none: %j', async (body, field) => {
    const answer = await purge(body)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })

  it('of an API that there is not is answered 404', async () => {
    expect((await purge({ kind: 'api' }, 99_999)).status).toBe(404)
  })
})
