import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BulkAnswer, BulkOutcome, Permission } from '@gatehouse/contract'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let apiId: number
let ids: number[] = []
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('endpoint').execute()
  await server.db.deleteFrom('api').execute()
  apiId = await made('/api/apis', httpApi())
  ids = []
  for (const path of ['/1', '/2', '/3'])
    ids.push(await made('/api/endpoint', endpointOf(apiId, { path, description: `Reads ${path}` })))
})

async function made(url: string, body: unknown): Promise<number> {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
async function bulk(url: string, body: object, as = token) {
  const answer = await server.send('POST', url, { token: as, body })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as BulkAnswer).results
}
/** Everything that the filter finds, call after call. */
async function bulkAll(url: string, body: object) {
  const answers: BulkAnswer[] = []
  let after: number | null = 0
  while (after !== null) {
    const answer = await server.send('POST', url, { token, body: { ...body, after } })
    expect(answer.status, answer.text).toBe(200)
    answers.push(answer.body as BulkAnswer)
    after = answers.at(-1)!.next_after
  }
  return answers
}
const outcomes = (results: BulkOutcome[]) => results.map(({ outcome }) => outcome)
const events = async (action: string) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select('thing_id')
      .where('action', '=', action)
      .execute()
  )
    .map(({ thing_id }) => thing_id)
    .filter((id) => ids.includes(id ?? 0))
const revision = async () =>
  (await server.db.selectFrom('config_revision').select('revision').executeTakeFirstOrThrow())
    .revision

describe('endpoints', () => {
  it('are disabled together: an event each, one new configuration', async () => {
    await bulk('/api/endpoint/bulk', { action: 'disable', ids: [ids[1]] })
    const before = await revision()
    const results = await bulk('/api/endpoint/bulk', { action: 'disable', ids: [...ids, ids[0]] })
    expect(results).toEqual([
      { id: ids[0], name: 'Reads /1', outcome: 'done', message: null },
      { id: ids[1], name: 'Reads /2', outcome: 'unchanged', message: null },
      { id: ids[2], name: 'Reads /3', outcome: 'done', message: null },
    ])
    expect(await revision()).toBe(before + 1)
    expect(await events('endpoint.update')).toEqual([ids[1], ids[0], ids[2]])
    const rows = await server.db.selectFrom('endpoint').select(['status', 'version']).execute()
    expect(rows).toEqual(ids.map(() => ({ status: 'disabled', version: 2 })))
  })

  it('that nothing changes bump nothing', async () => {
    const before = await revision()
    expect(outcomes(await bulk('/api/endpoint/bulk', { action: 'enable', ids }))).toEqual(
      ids.map(() => 'unchanged'),
    )
    expect(await revision()).toBe(before)
  })

  it('are deleted but for those that are needed, which say why', async () => {
    const settings = { status_query: { endpoint_id: ids[0], path: 'x', rules: [] } }
    await server.db
      .updateTable('endpoint')
      .set({ status_endpoint_id: ids[0]!, run_settings: JSON.stringify(settings) })
      .where('id', '=', ids[1]!)
      .execute()
    const results = await bulk('/api/endpoint/bulk', {
      action: 'delete',
      ids: [ids[0], ids[2], 999_999],
    })
    expect(outcomes(results)).toEqual(['refused', 'done', 'refused'])
    expect(results[0]?.message).toContain('asks this endpoint what became of a document')
    expect(results[2]).toMatchObject({ name: '', message: 'This endpoint does not exist.' })
    const left = await server.db.selectFrom('endpoint').select('id').orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual([ids[0], ids[1]])
    expect(await events('endpoint.delete')).toEqual([ids[2]])
  })

  it('get and lose tags, and one with too many is left alone', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`)
    await bulk('/api/endpoint/bulk', { action: 'tag', ids: [ids[0]], add_tags: many })
    const results = await bulk('/api/endpoint/bulk', {
      action: 'tag',
      ids,
      add_tags: ['Live'],
      remove_tags: ['nowhere'],
    })
    expect(outcomes(results)).toEqual(['refused', 'done', 'done'])
    expect(results[0]?.message).toBe('There may be at most 20 tags.')
    await bulk('/api/endpoint/bulk', { action: 'tag', ids: [ids[1]], remove_tags: ['live'] })
    const rows = await server.db.selectFrom('endpoint').select('tags').orderBy('id').execute()
    expect(rows.slice(1)).toEqual([{ tags: null }, { tags: '["live"]' }])
  })

  it('ask for a token from now on; one that did so is left as it is', async () => {
    await server.db
      .updateTable('endpoint')
      .set({ authentication: 1 })
      .where('id', '=', ids[1]!)
      .execute()
    const before = await revision()
    const results = await bulk('/api/endpoint/bulk', { action: 'require_token', ids })
    expect(outcomes(results)).toEqual(['done', 'unchanged', 'done'])
    expect(await revision()).toBe(before + 1)
    const rows = await server.db.selectFrom('endpoint').select('authentication').execute()
    expect(rows).toEqual(ids.map(() => ({ authentication: 1 })))
    expect(await events('endpoint.update')).toEqual([ids[0], ids[2]])
  })

  it('that a filter finds are changed too, the others left alone, and each has its event', async () => {
    await bulk('/api/endpoint/bulk', { action: 'disable', ids: [ids[0]] })
    const other = await made('/api/apis', httpApi({ name: 'Other' }))
    await made('/api/endpoint', endpointOf(other, { path: '/x', description: 'Reads /x' }))
    const filter = { search: 'reads', status: 'active', api_id: apiId }
    const [answer, ...more] = await bulkAll('/api/endpoint/bulk', { action: 'disable', filter })
    expect(more).toEqual([])
    expect(answer!.results.map(({ id, outcome }) => [id, outcome])).toEqual([
      [ids[1], 'done'],
      [ids[2], 'done'],
    ])
    const left = await server.db
      .selectFrom('endpoint')
      .select('path')
      .where('status', '=', 'active')
      .execute()
    expect(left).toEqual([{ path: '/x' }])
    expect(await events('endpoint.update')).toEqual([ids[0], ids[1], ids[2]])
  })

  it('that are more than one call changes are changed by several, none twice', async () => {
    const row = await server.db
      .selectFrom('endpoint')
      .selectAll()
      .where('id', '=', ids[0]!)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 600 }, (_, at) => ({
      ...row,
      id: 10_000 + at,
      path: `/many/${at}`,
      path_key: `/many/${at}`,
      tool_name: null,
    }))
    for (let at = 0; at < rows.length; at += 20)
      await server.db
        .insertInto('endpoint')
        .values(rows.slice(at, at + 20))
        .execute()
    const filter = { search: 'many' }
    const body = { action: 'tag', add_tags: ['many'], filter }
    const answers = await bulkAll('/api/endpoint/bulk', body)
    expect(answers.map(({ results }) => results.length)).toEqual([500, 100])
    expect(new Set(answers.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(600)
    expect(answers.flatMap(({ results }) => outcomes(results))).not.toContain('unchanged')
    const { count } = await server.db
      .selectFrom('endpoint')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('tags', '=', '["many"]')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(600)
  })

  it.each([
    [{ action: 'enable' }, 'ids'],
    [{ action: 'enable', ids: [1], filter: {} }, 'ids'],
    [{ action: 'enable', filter: { stat: 'active' } }, 'filter.stat'],
    [{ action: 'enable', filter: { status: 'on' } }, 'filter.status'],
    [{ action: 'explode', ids: [1] }, 'action'],
    [{ action: 'enable', ids: [] }, 'ids'],
    [{ action: 'enable', ids: Array.from({ length: 101 }, (_, at) => at + 1) }, 'ids'],
    [{ action: 'tag', ids: [1] }, 'add_tags'],
  ])('422: %j', async (body, field) => {
    const answer = await server.send('POST', '/api/endpoint/bulk', { token, body })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })
})

describe('APIs', () => {
  it('are changed together, and one with endpoints is not deleted', async () => {
    const other = await made('/api/apis', httpApi({ name: 'Other' }))
    const both = [apiId, other]
    expect(outcomes(await bulk('/api/apis/bulk', { action: 'disable', ids: both }))).toEqual([
      'done',
      'done',
    ])
    expect(
      outcomes(await bulk('/api/apis/bulk', { action: 'tag', ids: both, add_tags: ['x'] })),
    ).toEqual(['done', 'done'])
    const api = await server.stores.apis.find(apiId)
    expect(api).toMatchObject({ gateway_status: 'disabled', tags: '["x"]' })
    const results = await bulk('/api/apis/bulk', { action: 'delete', ids: both })
    expect(outcomes(results)).toEqual(['refused', 'done'])
    expect(results[0]?.message).toBe('This API still has 3 endpoints. Delete them first.')
    const found = { action: 'enable', filter: { gateway_status: 'disabled' } }
    const [answer] = await bulkAll('/api/apis/bulk', found)
    expect(answer).toEqual({
      results: [{ id: apiId, name: api?.name, outcome: 'done', message: null }],
      next_after: null,
    })
  })
})

describe('access', () => {
  it('is given to a role beside what it has, with one event of the role', async () => {
    const role = await made('/api/role', { name: `Cashier ${apiId}`, permissions: [] })
    const grant = (endpoints: unknown[]) =>
      bulk('/api/api-permission/bulk', { role_id: role, endpoints })
    expect(outcomes(await grant([ids[0]]))).toEqual(['done'])
    const before = await revision()
    expect(outcomes(await grant([...ids, 999_999]))).toEqual([
      'unchanged',
      'done',
      'done',
      'refused',
    ])
    expect(await revision()).toBe(before + 1)
    expect((await server.stores.access.listEndpointsOf(role)).map(({ id }) => id)).toEqual(ids)
    expect(outcomes(await grant([ids[2]]))).toEqual(['unchanged'])
    const found = { role_id: role, filter: { search: 'reads' } }
    const [all] = await bulkAll('/api/api-permission/bulk', found)
    expect(outcomes(all!.results)).toEqual(ids.map(() => 'unchanged'))
    expect(await revision()).toBe(before + 1)
    const answer = await server.send('POST', '/api/api-permission/bulk', {
      token,
      body: { role_id: 999_999, endpoints: ids },
    })
    expect(answer.status).toBe(404)
  })
})

describe('permissions', () => {
  it.each([
    ['/api/endpoint/bulk', 'delete', ['endpoint.view', 'endpoint.edit']],
    ['/api/endpoint/bulk', 'disable', ['endpoint.view', 'endpoint.delete']],
    ['/api/endpoint/bulk', 'require_token', ['endpoint.view', 'endpoint.delete']],
    ['/api/apis/bulk', 'delete', ['api.view', 'api.edit']],
    ['/api/apis/bulk', 'enable', ['api.view', 'api.delete']],
  ])('%s %s is refused as a whole with %j alone', async (url, action, permissions) => {
    const person = await server.buildUser({ permissions: permissions as Permission[] })
    const body = { action, ids: url === '/api/apis/bulk' ? [apiId] : ids }
    const answer = await server.send('POST', url, { token: person.token, body })
    expect(answer.status).toBe(403)
    expect(await server.stores.endpoints.find(ids[0]!)).toMatchObject({ status: 'active' })
  })
})
