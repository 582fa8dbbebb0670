import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BulkOutcome } from '@gatehouse/contract'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { isPostgres } from '../../db/dialect.ts'
import { partsOf } from './deleted-rows.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())

let number = 0
let api: number
beforeEach(async () => {
  api = await made('/api/apis', httpApi({ name: `API ${++number}` }))
})

async function made(url: string, body: unknown): Promise<number> {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const remove = async (url: string, as = token) =>
  expect((await server.send('DELETE', url, { token: as })).status).toBe(204)
const undo = (thing: string, ids: number[], as = token) =>
  server.send('POST', '/api/deletions/undo', { token: as, body: { thing, ids } })
const resultsOf = ({ body }: { body: unknown }) => (body as { results: BulkOutcome[] }).results
const kept = async () => (await server.db.selectFrom('deletion').selectAll().execute()).length

describe('the deletion of', () => {
  it('an endpoint is undone under its id, with the access of roles, an event and a new configuration', async () => {
    const id = await made('/api/endpoint', endpointOf(api, { path: '/a' }))
    const role_id = await made('/api/role', { name: `Role ${id}`, permissions: [] })
    await server.db.insertInto('role_endpoint').values({ role_id, endpoint_id: id }).execute()
    const before = await server.stores.endpoints.find(id)
    await remove(`/api/endpoint/${id}`)
    expect(await server.stores.endpoints.find(id)).toBeUndefined()
    const revision = await server.stores.revisions.get()
    const answer = await undo('endpoint', [id])
    expect(answer.status, answer.text).toBe(200)
    expect(resultsOf(answer)).toMatchObject([{ id, outcome: 'done', message: null }])
    expect(await server.stores.endpoints.find(id)).toEqual(before)
    const access = server.db.selectFrom('role_endpoint').selectAll()
    expect(await access.where('endpoint_id', '=', id).execute()).toMatchObject([{ role_id }])
    expect(await server.stores.revisions.get()).not.toEqual(revision)
    const event = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('thing_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ action: 'endpoint.undo_delete', thing: 'endpoint' })
    expect(await kept()).toBe(0)
  })

  it('an API brings its credential back, still encrypted', async () => {
    const id = await made(
      '/api/apis',
      httpApi({
        name: 'Secret',
        credential: { kind: 'bearer', token: 's3cret-of-it' },
      }),
    )
    const before = await server.db.selectFrom('api').selectAll().where('id', '=', id).execute()
    await remove(`/api/apis/${id}`)
    const rows = await server.db.selectFrom('deletion').select('rows').execute()
    expect(JSON.stringify(rows)).not.toContain('s3cret-of-it')
    expect(resultsOf(await undo('api', [id]))).toMatchObject([{ outcome: 'done' }])
    const after = await server.db.selectFrom('api').selectAll().where('id', '=', id).execute()
    expect(after).toEqual(before)
  })

  it('a role brings its permissions back, without access to what is gone meanwhile', async () => {
    const [stays, goes] = [
      await made('/api/endpoint', endpointOf(api, { path: '/stays' })),
      await made('/api/endpoint', endpointOf(api, { path: '/goes' })),
    ]
    const id = await made('/api/role', { name: 'Undone', permissions: ['api.view'] })
    await server.db
      .insertInto('role_endpoint')
      .values([stays, goes].map((endpoint_id) => ({ role_id: id, endpoint_id })))
      .execute()
    await remove(`/api/role/${id}`)
    await remove(`/api/endpoint/${goes}`)
    expect(resultsOf(await undo('role', [id]))).toMatchObject([{ name: 'Undone', outcome: 'done' }])
    expect(await server.stores.roles.find(id)).toMatchObject({ permissions: ['api.view'] })
    const access = server.db.selectFrom('role_endpoint').select('endpoint_id')
    expect(await access.where('role_id', '=', id).execute()).toEqual([{ endpoint_id: stays }])
  })

  it('several is undone together; one whose path is taken says so and stays deleted', async () => {
    const paths = ['/one', '/two', '/three']
    const ids: number[] = []
    for (const path of paths) ids.push(await made('/api/endpoint', endpointOf(api, { path })))
    const bulk = { action: 'delete', ids }
    await server.send('POST', '/api/endpoint/bulk', { token, body: bulk })
    await made('/api/endpoint', endpointOf(api, { path: '/two' }))
    const results = resultsOf(await undo('endpoint', ids))
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'refused', 'done'])
    expect(results[1]).toMatchObject({
      name: expect.stringMatching(/./),
      message: expect.stringMatching(/taken meanwhile/),
    })
  })

  it('several comes back with what they name of each other', async () => {
    const asked = await made('/api/endpoint', endpointOf(api, { path: '/asked' }))
    const asks = await made('/api/endpoint', endpointOf(api, { path: '/asks' }))
    await server.db
      .updateTable('endpoint')
      .set({ status_endpoint_id: asked })
      .where('id', '=', asks)
      .execute()
    const ids = [asks, asked]
    const bulk = { action: 'delete', ids }
    await server.send('POST', '/api/endpoint/bulk', { token, body: bulk })
    expect(await server.stores.endpoints.find(asked)).toBeUndefined()
    expect(resultsOf(await undo('endpoint', ids))).toMatchObject([
      { id: asks, outcome: 'done' },
      { id: asked, outcome: 'done' },
    ])
    expect(await server.stores.endpoints.find(asks)).toMatchObject({ status_endpoint_id: asked })
  })

  it('an endpoint whose API is gone waits for the API', async () => {
    const id = await made('/api/endpoint', endpointOf(api))
    await remove(`/api/endpoint/${id}`)
    await remove(`/api/apis/${api}`)
    expect(resultsOf(await undo('endpoint', [id]))).toMatchObject([{ outcome: 'refused' }])
    await undo('api', [api])
    expect(resultsOf(await undo('endpoint', [id]))).toMatchObject([{ outcome: 'done' }])
  })
})

describe('is not undone', () => {
  it('a role that its user may no longer give, with the reason; the others come back', async () => {
    const user = await server.buildUser({
      permissions: ['role.view', 'role.create', 'role.delete', 'api.view', 'api.delete'],
    })
    const make = async (name: string, permissions: string[]) => {
      const body = { name, permissions }
      const answer = await server.send('POST', '/api/role', { token: user.token, body })
      expect(answer.status, answer.text).toBe(201)
      return (answer.body as { id: number }).id
    }
    const ids = [await make('Plain', ['api.view']), await make('Powerful', ['api.delete'])]
    for (const id of ids) await remove(`/api/role/${id}`, user.token)
    await server.db
      .deleteFrom('role_permission')
      .where('role_id', 'in', (from) =>
        from.selectFrom('user_role').select('role_id').where('user_id', '=', user.id),
      )
      .where('permission_id', 'in', (from) =>
        from.selectFrom('permission').select('id').where('name', '=', 'api.delete'),
      )
      .execute()
    const revision = await server.stores.revisions.get()
    expect(resultsOf(await undo('role', ids, user.token))).toMatchObject([
      { name: 'Plain', outcome: 'done' },
      {
        name: 'Powerful',
        outcome: 'refused',
        message: expect.stringMatching(/holds permissions that you do not/),
      },
    ])
    expect(await server.stores.roles.find(ids[1]!)).toBeUndefined()
    expect(await server.stores.revisions.get()).not.toEqual(revision)
  })

  it('a role or an API that nobody could tell from one that was made meanwhile', async () => {
    const role = await made('/api/role', { name: 'Clerk', permissions: [] })
    await remove(`/api/role/${role}`)
    await made('/api/role', { name: 'Сlerk', permissions: [] })
    const twin = {
      name: 'Clerk',
      outcome: 'refused',
      message: expect.stringMatching(/looks like one/),
    }
    expect(resultsOf(await undo('role', [role]))).toMatchObject([twin])
    const ledger = await made('/api/apis', httpApi({ name: 'Ledger' }))
    await remove(`/api/apis/${ledger}`)
    await made('/api/apis', httpApi({ name: 'Lеdger' }))
    const other = {
      name: 'Ledger',
      outcome: 'refused',
      message: expect.stringMatching(/looks like one/),
    }
    expect(resultsOf(await undo('api', [ledger]))).toMatchObject([other])
  })

  it('an endpoint whose status query would now change something', async () => {
    const asked = await made('/api/endpoint', endpointOf(api, { method_type: 'get', path: '/s' }))
    const status_query = {
      endpoint_id: asked,
      parameter: 'n',
      received: { statuses: '200' },
      not_received: { statuses: '404' },
      quiet_seconds: 10,
    }
    const run_settings = { reference_path: 'n', status_query }
    const asks = await made('/api/endpoint', endpointOf(api, { path: '/asks', run_settings }))
    await remove(`/api/endpoint/${asks}`)
    const body = endpointOf(api, { method_type: 'post', path: '/s' })
    const saved = await server.send('PUT', `/api/endpoint/${asked}`, { token, body })
    expect(saved.status, saved.text).toBe(200)
    const refused = {
      outcome: 'refused',
      message: expect.stringMatching(/A status query only reads/),
    }
    expect(resultsOf(await undo('endpoint', [asks]))).toMatchObject([refused])
    expect(await server.stores.endpoints.find(asks)).toBeUndefined()
  })

  it('twice, by another user, without the permission, or after a minute', async () => {
    const id = await made('/api/role', { name: 'Mine', permissions: [] })
    const other = await server.buildUser({ permissions: ['role.delete'] })
    const reader = await server.buildUser({ permissions: ['role.view'] })
    await remove(`/api/role/${id}`)
    expect(resultsOf(await undo('role', [id], other.token))).toMatchObject([
      { outcome: 'refused', message: 'The time to undo this is over.' },
    ])
    expect((await undo('role', [id], reader.token)).status).toBe(403)
    const [one, two] = await Promise.all([undo('role', [id]), undo('role', [id])])
    const outcomes = [...resultsOf(one), ...resultsOf(two)].map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['done', 'refused'])
    await remove(`/api/role/${id}`)
    const early = new Date(server.time.now.getTime() - 61_000).toISOString()
    await server.db.updateTable('deletion').set({ deleted_at: early }).execute()
    expect(resultsOf(await undo('role', [id]))).toMatchObject([{ outcome: 'refused' }])
  })

  it.each([
    [{ thing: 'user', ids: [1] }, 'thing'],
    [{ thing: 'role', ids: [] }, 'ids'],
  ])('%j', async (body, field) => {
    const answer = await server.send('POST', '/api/deletions/undo', { token, body })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toContain(field)
  })
})

it('every row that a kept row names is looked for', async () => {
  if (isPostgres(server.db)) return
  // Permissions are never deleted.
  const fixed = new Set(['role_permission.permission_id'])
  for (const { table, column, names = {} } of Object.values(partsOf).flat()) {
    const { rows } = await sql<{ column: string }>`
      select "from" as "column" from pragma_foreign_key_list(${table})`.execute(server.db)
    const own = rows.filter((row) => row.column !== column && !(row.column in names))
    expect(
      own.filter((row) => !fixed.has(`${table}.${row.column}`)),
      table,
    ).toEqual([])
  }
})

it('what goes with a record is kept, but for tokens that are obtained again', async () => {
  if (isPostgres(server.db)) return
  const { rows } = await sql<{ of: string; part: string; column: string }>`
    select part."table" as "of", own.name as part, part."from" as "column"
    from sqlite_schema as own, pragma_foreign_key_list(own.name) as part
    where own.type = 'table' and part.on_delete = 'CASCADE'`.execute(server.db)
  const obtained = new Set(['sign_in_token', 'gateway_token'])
  for (const [thing, parts] of Object.entries(partsOf)) {
    const gone = rows.filter(({ of, part }) => of === thing && !obtained.has(part))
    const known = parts.slice(1).map(({ table, column }) => `${table}.${column}`)
    // A role that users have can't be deleted.
    const expected = gone
      .map(({ part, column }) => `${part}.${column}`)
      .filter((each) => each !== 'user_role.role_id')
    expect(known.toSorted(), thing).toEqual(expected.toSorted())
  }
})
