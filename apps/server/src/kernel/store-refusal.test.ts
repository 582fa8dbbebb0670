import { gatewayClientId } from '@gatehouse/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type Answer,
  type TestServer,
} from '../../test/servers/build-server.ts'
import { isPostgres } from '../db/dialect.ts'
import { storeRefusalOf } from './store-refusal.ts'

let server: TestServer
beforeEach(async () => {
  server = await buildServer()
})
afterEach(() => server.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
const idOf = ({ body }: Answer) => (body as { id: number }).id
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]

/** The answer to a call whose write the database refuses with this error. */
async function refusalOf(write: Promise<unknown>) {
  const error: unknown = await write.then(
    () => undefined,
    (error: unknown) => error,
  )
  const refusal = storeRefusalOf(error)
  return [refusal?.status, refusal?.code, refusal?.details.fields]
}

describe('a write that the database refuses', () => {
  it('is reported under the field whose value is taken', async () => {
    const api = idOf(await call('POST', '/api/apis', httpApi()))
    await call('POST', '/api/endpoint', endpointOf(api))
    const copy = (table: 'api' | 'endpoint' | 'role' | 'user', changes: object) =>
      server.db.transaction().execute(async (transaction) => {
        const { id: _id, ...row } = await transaction
          .selectFrom(table)
          .selectAll()
          .limit(1)
          .executeTakeFirstOrThrow()
        await transaction.insertInto(table).values(Object.assign(row, changes)).execute()
      })
    const taken = (field: string) => [
      422,
      'request.invalid',
      { [field]: ['This value is already in use.'] },
    ]
    expect(await refusalOf(copy('api', { context: 'other' }))).toEqual(taken('name'))
    expect(await refusalOf(copy('api', { name_key: 'other' }))).toEqual(taken('context'))
    expect(await refusalOf(copy('endpoint', {}))).toEqual(taken('path'))
    expect(await refusalOf(copy('role', {}))).toEqual(taken('name'))
    expect(await refusalOf(copy('user', { username_key: 'other' }))).toEqual(taken('email'))
    expect(await refusalOf(copy('user', { email_key: 'other' }))).toEqual(taken('username'))
  })

  it('is a conflict where what it points to is gone, under its field where the database names it', async () => {
    const missing = 999_999
    const role = (role_id: number, endpoint_id: number) =>
      refusalOf(server.db.insertInto('role_endpoint').values({ role_id, endpoint_id }).execute())
    const endpoint = idOf(
      await call(
        'POST',
        '/api/endpoint',
        endpointOf(idOf(await call('POST', '/api/apis', httpApi()))),
      ),
    )
    expect(await role(missing, endpoint)).toEqual([409, 'record.conflict', undefined])
    const named = [422, 'request.invalid', { endpoints: ['Choose endpoints from the list.'] }]
    const unnamed = [409, 'record.conflict', undefined]
    expect(await role(1, missing)).toEqual(isPostgres(server.db) ? named : unnamed)
  })

  it('is a conflict where something still points to what is deleted', async () => {
    const api = idOf(await call('POST', '/api/apis', httpApi()))
    await call('POST', '/api/endpoint', endpointOf(api))
    const [status, code] = await refusalOf(
      server.db.deleteFrom('api').where('id', '=', api).execute(),
    )
    const expected = isPostgres(server.db) ? 'api.has_endpoints' : 'record.conflict'
    expect([status, code]).toEqual([409, expected])
  })

  it('is a bug where it is about none of these', async () => {
    expect(await refusalOf(sql`select * from nowhere`.execute(server.db))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('calls at once', () => {
  it('that create APIs whose names make one context each get one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call('POST', '/api/apis', httpApi({ name: `Till${'!'.repeat(at)}` })),
      ),
    )
    expect(statuses(answers)).toEqual([201])
    const apis = await server.db.selectFrom('api').select('context').execute()
    expect(new Set(apis.map(({ context }) => context)).size).toBe(50)
    expect(apis.map(({ context }) => context)).toContain('till-50')
  })

  it('that create and delete what belongs together never fail', async () => {
    const rounds = Array.from({ length: 10 }, async (_, at) => {
      const api = idOf(await call('POST', '/api/apis', httpApi({ name: `API ${at}` })))
      return Promise.all([
        ...Array.from({ length: 3 }, (_, path) =>
          call('POST', '/api/endpoint', endpointOf(api, { path: `/${path}` })),
        ),
        call('DELETE', `/api/apis/${api}`),
      ])
    })
    const answers = (await Promise.all(rounds)).flat()
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  it('that give away a role or a user which is deleted meanwhile never fail', async () => {
    const rounds = Array.from({ length: 10 }, async (_, at) => {
      const name = `Role ${at}`
      const role = idOf(await call('POST', '/api/role', { name, permissions: [] }))
      const person = {
        name: 'Somebody',
        username: `somebody-${at}`,
        email: `somebody-${at}@example.com`,
        password: 'correct horse battery',
        password_confirmation: 'correct horse battery',
        roles: [name],
      }
      return Promise.all([
        call('POST', '/api/user', person),
        call('PUT', `/api/api-permission/${role}/update`, { endpoints: [] }),
        call('DELETE', `/api/role/${role}`),
        call('POST', '/admin/token/store', { user: gatewayClientId }),
      ])
    })
    const answers = (await Promise.all(rounds)).flat()
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })
})

it('ids that no column holds and NUL where it can’t be stored are no bug', async () => {
  for (const id of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect((await call('GET', `/api/apis/${id}/edit`)).status).toBe(404)
    expect((await call('GET', `/api/endpoint?api_id=${id}`)).status).toBe(422)
  }
  const search = await call('GET', '/api/apis?search=a%00b')
  expect(search.status).toBe(isPostgres(server.db) ? 400 : 200)
})

describe('a database that is full', () => {
  it('answers 507 with words, keeps nothing, and goes on once there is room', async () => {
    // PostgreSQL has no such bound that could be set here.
    if (isPostgres(server.db)) return
    const { page_count } = (await sql<{ page_count: number }>`pragma page_count`.execute(server.db))
      .rows[0]!
    await sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(server.db)
    const large = endpointOf(idOf(await call('POST', '/api/apis', httpApi())), {
      enable_custom_output: 1,
      custom_output: 'x'.repeat(200_000),
    })
    const refused = await call('POST', '/api/endpoint', large)
    expect(refused.status).toBe(507)
    expect(refused.body).toMatchObject({
      code: 'store.full',
      message: 'The disk of the database is full. Nothing was saved: make room, then try again.',
    })
    expect((await call('GET', '/api/endpoint')).body).toMatchObject([{ total: 0 }])
    await sql`pragma max_page_count = 1000000`.execute(server.db)
    expect((await call('POST', '/api/endpoint', large)).status).toBe(201)
  })

  it.each([
    ['a disk that is full', { code: 'ENOSPC' }],
    ['a quota that is used up', { code: 'EDQUOT' }],
    ['PostgreSQL', { code: '53100' }],
    ['SQLite', { errcode: 13 }],
  ])('is reported for %s', (_, facts) => {
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), facts) })
    expect(storeRefusalOf(error)?.status).toBe(507)
  })
})
