import type { RunDetail } from '@gatehouse/contract'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

// Build Request and tax runs on stored procedures of a real MariaDB.

const url = new URL(inject('testMysqlUrl'))
const database = `gatehouse_runs_${process.pid}`
let admin: mysql.Connection
let server: TestServer
let apiCount = 0

beforeAll(async () => {
  admin = await mysql.createConnection({ uri: url.href })
  await admin.query(`create database ${database}`)
  await admin.query(`use ${database}`)
  await admin.query('create table invoice (code varchar(40) primary key, total decimal(30,10))')
  await admin.query(
    'create procedure find_customer(in id bigint) reads sql data select id, "Ada" as name',
  )
  await admin.query(`create procedure add_invoice(in code varchar(40), in total decimal(30,10), out number bigint)
    begin insert into invoice values (code, total); set number = 9007199254740993; end`)
  await admin.query(
    `create procedure refuse() begin signal sqlstate '45000' set message_text = 'No such period'; end`,
  )
  await admin.query('create procedure slow() select sleep(20)')
})
afterAll(async () => {
  await admin.query(`drop database ${database}`)
  await admin.end()
})
beforeEach(async () => {
  await admin.query('delete from invoice')
  server = await buildServer()
  return () => server.close()
})

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  server.send(method, path, { token: server.admin.token, ...(body ? { body } : {}) })

async function endpointOn(func_name: string, method_type: string, more = {}): Promise<number> {
  const api = await send('POST', '/api/apis', {
    name: `Shop ${++apiCount}`,
    api_protocol: 'stored_procedure',
    gateway_status: 'active',
    api_access: 'internally',
    driver: 'mysql',
    host: url.hostname,
    port: url.port,
    database,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password) || 'none',
    func_name,
    ...more,
  })
  const endpoint = await send('POST', '/api/endpoint', {
    api_id: (api.body as { id: number }).id,
    method_type,
    status: 'active',
    path: '/{id}',
    authentication: 0,
    summery: func_name,
    description: func_name,
  })
  return (endpoint.body as { id: number }).id
}

const invoices = async () =>
  (await admin.query('select code, cast(total as char) as total from invoice'))[0]

test('Get fetches from a procedure that declares to read, its parameters filled by name', async () => {
  const end_point = await endpointOn('find_customer', 'get')
  const answer = await send(
    'GET',
    `/admin/get-data?end_point=${end_point}&body=${encodeURIComponent('{"id":9007199254740993}')}`,
  )
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('"recordsets":[[{"id":9007199254740993,"name":"Ada"}]]')
})

test('GET does not call what may write', async () => {
  const end_point = await endpointOn('add_invoice', 'get')
  const body = encodeURIComponent('{"code":"A","total":1}')
  const answer = await send('GET', `/admin/get-data?end_point=${end_point}&body=${body}`)
  expect(answer.status).toBe(502)
  expect(answer.text).toContain('declare')
  expect(await invoices()).toEqual([])
})

test('Send carries values exactly, and the ledger keeps what was called without the password', async () => {
  const end_point = await endpointOn('add_invoice', 'post')
  const answer = await send('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '',
    second_endpoint: '{"code":"A-1","total":12345678901234567890.0123456789}',
  })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('"number":9007199254740993')
  expect(await invoices()).toEqual([{ code: 'A-1', total: '12345678901234567890.0123456789' }])
  const { run } = answer.body as { run: { id: number } }
  const detail = await send('GET', `/api/runs/${run.id}`)
  const [step] = (detail.body as RunDetail).steps
  expect(step?.url).toMatch(new RegExp(`^mysql://.+/${database}/add_invoice\\?api=\\d+$`))
  expect(step?.body?.text).toBe('{"code":"A-1","total":12345678901234567890.0123456789}')
  const password = decodeURIComponent(url.password)
  if (password) expect(detail.text).not.toContain(password)
})

test('a chain of procedures is a run like any other, and what the procedure refuses is rejected', async () => {
  const customer = await endpointOn('find_customer', 'get')
  const invoice = await endpointOn('add_invoice', 'post')
  const refused = await endpointOn('refuse', 'post')
  const bundle = (last: number) => ({
    endpoint_1: { end_point: customer, body: '{"id":7}' },
    endpoint_2: {
      end_point: invoice,
      body: `{"code":"T-${last}","total":"{{steps.1.body.recordsets[0][0].id}}"}`,
    },
    endpoint_3: { end_point: last, body: '' },
  })
  const answer = await send('POST', '/api/tax', bundle(refused))
  expect(answer).toMatchObject({ status: 502, body: { run: { state: 'rejected' } } })
  const { run } = answer.body as { run: { id: number } }
  expect((await send('GET', `/api/runs/${run.id}`)).text).toContain('No such period')
  expect(await invoices()).toEqual([{ code: `T-${refused}`, total: '7.0000000000' }])
})

test('a call that did not end in time is unknown where it may have had its effect', async () => {
  const end_point = await endpointOn('slow', 'post', { answer_timeout_ms: 300 })
  const answer = await send('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '',
    second_endpoint: '{}',
  })
  expect(answer).toMatchObject({ status: 504, body: { run: { state: 'unknown' } } })
})

test('unknown parameters are reported before anything is called', async () => {
  const end_point = await endpointOn('add_invoice', 'post')
  const answer = await send('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '',
    second_endpoint: '{"code":"A","total":1,"other":1}',
  })
  expect(answer.status).toBe(502)
  expect(answer.text).toContain('other')
  expect(await invoices()).toEqual([])
})

test('a database that is not there leaves the run not started', async () => {
  const end_point = await endpointOn('add_invoice', 'post', { port: 1 })
  const answer = await send('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '',
    second_endpoint: '{"code":"A","total":1}',
  })
  expect(answer).toMatchObject({ status: 502, body: { run: { state: 'not_started' } } })
})

test('a call shows a drift to the contract lock', async () => {
  const end_point = await endpointOn('find_customer', 'get')
  await server.contracts.settle()
  const get = () =>
    send('GET', `/admin/get-data?end_point=${end_point}&body=${encodeURIComponent('{"id":1}')}`)
  expect((await get()).status).toBe(200)
  await admin.query('drop procedure find_customer')
  await admin.query('create procedure find_customer(in id bigint) reads sql data select id')
  expect((await get()).status).toBe(200)
  const list = await send('GET', '/api/apis')
  expect((list.body as [{ data: { drift: string | null }[] }])[0].data[0]?.drift).toBe('breaking')
})
