import type { ProcedureContract } from '@gatehouse/contract'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

// On a real MariaDB: what the card of the API form does, and the contract lock.

const url = new URL(inject('testMysqlUrl'))
const database = `gatehouse_routes_${process.pid}`
let admin: mysql.Connection
let server: TestServer

beforeAll(async () => {
  admin = await mysql.createConnection({ uri: url.href })
  await admin.query(`create database ${database}`)
  await admin.query(`use ${database}`)
  await admin.query('create table sale (id bigint primary key, total decimal(20,2))')
})
afterAll(async () => {
  await admin.query(`drop database ${database}`)
  await admin.end()
})

const original = `create procedure add_sale(in id bigint, in total decimal(20,2), out count_now bigint)
  begin insert into sale values (id, total); select s.id, s.total from sale s; set count_now = 9007199254740993; end`

async function define(statement: string) {
  await admin.query('drop procedure if exists add_sale')
  await admin.query(statement)
}

beforeEach(async () => {
  await admin.query('delete from sale')
  await define(original)
  server = await buildServer()
  return () => server.close()
})

const connection = {
  driver: 'mysql',
  host: url.hostname,
  port: url.port,
  database,
  username: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password) || 'none',
}
const definition = {
  name: 'Shop',
  api_protocol: 'stored_procedure',
  gateway_status: 'active',
  api_access: 'internally',
  func_name: 'add_sale',
  ...connection,
}
const token = () => server.admin.token
const post = (path: string, body: unknown = {}) =>
  server.send('POST', path, { token: token(), body })

async function createApi(): Promise<number> {
  const answer = await post('/api/apis', definition)
  expect(answer.status).toBe(201)
  return (answer.body as { id: number }).id
}

async function contractOf(id: number, path = ''): Promise<ProcedureContract> {
  const answer = await server.send(path ? 'POST' : 'GET', `/api/apis/${id}/procedure${path}`, {
    token: token(),
    ...(path ? { body: {} } : {}),
  })
  expect(answer.status).toBe(200)
  return answer.body as ProcedureContract
}

describe('Test connection', () => {
  test('lists the procedures with parameters, directions and types', async () => {
    const answer = await post('/api/apis/test-connection', connection)
    expect(answer.status).toBe(200)
    const { procedures } = answer.body as { procedures: { method: string; parameters: object[] }[] }
    expect(procedures.find(({ method }) => method === 'add_sale')?.parameters).toMatchObject([
      { name: 'id', direction: 'in', type: 'bigint(20)' },
      { name: 'total', direction: 'in', type: 'decimal(20,2)', precision: 20, scale: 2 },
      { name: 'count_now', direction: 'out', type: 'bigint(20)' },
    ])
  })

  test('names every missing field, and calls nothing', async () => {
    const answer = await post('/api/apis/test-connection', {})
    expect(answer.status).toBe(422)
    const { errors } = answer.body as { errors: object }
    expect(Object.keys(errors)).toEqual(['driver', 'host', 'port', 'database', 'username'])
  })

  test('a database that is not there is reported as such, without its own words', async () => {
    const answer = await post('/api/apis/test-connection', { ...connection, port: 1 })
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({ code: 'upstream.refused' })
  })

  test('the stored password serves where nothing moved, and nowhere else', async () => {
    const id = await createApi()
    const blank = { ...connection, password: '' }
    expect((await post(`/api/apis/${id}/test-connection`, blank)).status).toBe(200)
    for (const change of [{ port: 1 }, { host: 'localhost' }]) {
      const moved = await post(`/api/apis/${id}/test-connection`, { ...blank, ...change })
      expect(moved).toMatchObject({
        status: 422,
        body: { errors: { password: [expect.any(String)] } },
      })
    }
    expect((await post('/api/apis/test-connection', blank)).status).toBe(422)
    expect((await post('/api/apis/999/test-connection', blank)).status).toBe(404)
  })
})

describe('Run with a sample', () => {
  test('answers with exact numbers, and what it wrote is rolled back', async () => {
    const values = '{"id": 9007199254740995, "total": 12345678901234567.10}'
    const answer = await post('/api/apis/run-sample', {
      ...connection,
      func_name: 'add_sale',
      values,
    })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('"count_now":9007199254740993')
    expect(answer.text).toContain('"id":9007199254740995,"total":12345678901234567.10')
    expect(answer.body).toMatchObject({ is_rolled_back: true })
    const [rows] = await admin.query('select * from sale')
    expect(rows).toEqual([])
    const trail = await server.send('GET', '/api/audit?action=api.run_sample', { token: token() })
    expect((trail.body as [{ data: object[] }])[0].data).toMatchObject([
      { thing: 'api', thing_name: expect.stringContaining(`${database} add_sale`) },
    ])
  })

  test.each([
    ['no object', '[1]'],
    ['no JSON', '{'],
    ['an unknown parameter', '{"id":1,"total":1,"other":2}'],
    ['a missing parameter', '{"id":1}'],
    ['a value of another kind', '{"id":"x","total":1}'],
  ])('%s is a 422 on the values', async (_, values) => {
    const answer = await post('/api/apis/run-sample', {
      ...connection,
      func_name: 'add_sale',
      values,
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { values: [expect.any(String)] } },
    })
  })
})

describe('the contract lock', () => {
  test('keeps the signature from the save on, and takes it for no drift', async () => {
    const id = await createApi()
    await server.contracts.settle()
    const { locked, drift } = await contractOf(id)
    expect(locked?.signature.parameters.map(({ name }) => name)).toEqual([
      'id',
      'total',
      'count_now',
    ])
    expect(drift).toBeNull()
  })

  test('a drift is shown on the list and the screen, logged, and ends when it is accepted', async () => {
    const id = await createApi()
    await server.contracts.settle()
    await define('create procedure add_sale(in id int) select 1 as one')
    const { drift } = await contractOf(id, '/check')
    expect(drift?.kind).toBe('breaking')
    expect(drift?.changes.map(({ text }) => text)).toContain('The parameter total is gone.')
    expect(server.logLines.join('')).toContain('has changed (breaking)')
    const list = await server.send('GET', '/api/apis', { token: token() })
    expect((list.body as [{ data: object[] }])[0].data).toMatchObject([{ drift: 'breaking' }])

    expect((await contractOf(id, '/accept')).drift).toBeNull()
    expect((await contractOf(id)).locked?.signature.parameters).toHaveLength(1)
    expect((await post(`/api/apis/${id}/procedure/accept`)).status).toBe(409)
  })

  test('a drift that was undone is gone', async () => {
    const id = await createApi()
    await server.contracts.settle()
    await define('create procedure add_sale() select 1 as one')
    expect((await contractOf(id, '/check')).drift).not.toBeNull()
    await define(original)
    expect((await contractOf(id, '/check')).drift).toBeNull()
  })

  test('a check that can’t be made leaves the promise and says why', async () => {
    const id = await createApi()
    await server.contracts.settle()
    await admin.query('drop procedure add_sale')
    const { locked, drift, check_failure } = await contractOf(id, '/check')
    expect(locked).not.toBeNull()
    expect(drift).toBeNull()
    expect(check_failure).toMatch(/procedure/)
  })

  test('the hourly check takes those that are due, and only those', async () => {
    const id = await createApi()
    await server.contracts.settle()
    await define('create procedure add_sale() select 1 as one')
    await server.contracts.checkDue(new Date(server.time.now.getTime() - 1))
    expect((await contractOf(id)).drift).toBeNull()
    await server.contracts.checkDue(new Date(server.time.now.getTime() + 1))
    expect((await contractOf(id)).drift?.kind).toBe('breaking')
  })

  test('another procedure is another promise', async () => {
    const id = await createApi()
    await server.contracts.settle()
    await admin.query('create procedure other() select 1 as one')
    const saved = await server.send('PUT', `/api/apis/${id}`, {
      token: token(),
      body: { ...definition, func_name: 'other', password: '' },
    })
    expect(saved.status).toBe(200)
    await server.contracts.settle()
    const { method, locked, drift } = await contractOf(id)
    expect(method).toBe('other')
    expect(locked?.signature.parameters).toEqual([])
    expect(drift).toBeNull()
  })

  test('an API over HTTP has none', async () => {
    const http = await post('/api/apis', {
      name: 'Web',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'http://127.0.0.1:9',
    })
    const { id } = http.body as { id: number }
    const answer = await server.send('GET', `/api/apis/${id}/procedure`, { token: token() })
    expect(answer.status).toBe(404)
  })
})
