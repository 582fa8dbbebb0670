import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../test/servers/build-server.ts'
import { longestTurnMs, turnMaxMs } from '../test/time/longest-turn.ts'
import { createFileDatabase } from '../test/test-database.ts'

// One request must not hold up the others. A process of its own keeps the garbage of other tests out of
// the turns that are measured.

/** A body of 4 MB takes up to 60 ms of one turn: SQLite writes it in one commit on this thread. */
const largeBodyMaxMs = 100

let server: TestServer
let authority: Server
let invoices: number
beforeAll(async () => {
  server = await buildServer({}, undefined, await createFileDatabase())
  authority = createServer((request, response) =>
    request.resume().on('end', () => response.end('{"status":"ok"}')),
  )
  await once(authority.listen(0, '127.0.0.1'), 'listening')
  invoices = await registerInvoices()
  await fillAudit()
})
afterAll(async () => {
  authority.close()
  await server.close()
})

/** An endpoint of the authority that takes documents. Returns its id. */
async function registerInvoices(): Promise<number> {
  const { port } = authority.address() as AddressInfo
  const create = async (path: string, body: unknown) =>
    ((await send('POST', path, body)).body as { id: number }).id
  const api_id = await create('/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: `http://127.0.0.1:${port}`,
  })
  return create('/api/endpoint', {
    api_id,
    method_type: 'post',
    status: 'active',
    path: '/invoices',
    summery: 'Report invoice',
    description: 'Report invoice',
    run_settings: { reference_path: 'reference' },
  })
}

async function fillAudit(): Promise<void> {
  const { db } = server
  const events = 200_000
  for (let from = 1; from < events; from += 10_000)
    await sql`insert into audit_event (at, actor, address, request_id, action, outcome, thing, thing_name)
      with recursive numbers(n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(from + 9999)})
      select '2026-05-01T00:00:00.000Z', 'Clerk ' || (n % 40), '10.0.0.1', printf('%08d', n), 'api.update', 'done', 'api', 'Thing ' || n
      from numbers`.execute(db)
}

const elements = JSON.stringify(
  Array.from({ length: 10_000 }, (_, index) => ({ a: index, b: 'x' })),
)
/** All into one key: the work is in the mapping, and what is sent stays small. */
const rows = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, () => ({
      from: '[*].a',
      to: 'lines[*].k',
      custom_input: '',
      type: 'string',
    })),
  )

const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  server.send(method, url, { token: server.admin.token, body })
const map = (second_endpoint: string) =>
  send('POST', '/api/prepare-data', { end_point: 1, first_endpoint: elements, second_endpoint })
const changePassword = (password: string) =>
  send('PUT', '/api/password', {
    current_password: testPassword,
    password,
    password_confirmation: password,
  })

/** A finished body: 80,000 lines are some 4 MB. */
const invoiceOf = (reference: string, lines: number) =>
  JSON.stringify({
    reference,
    lines: Array.from({ length: lines }, (_, index) => ({
      sku: `x${index}`,
      quantity: index,
      price: 1.25,
    })),
  })

/** A request that is written before it is measured, as a client in another process does. */
function prepared(url: string, body: () => unknown): () => Promise<{ status: number }> {
  let payload: Buffer
  beforeAll(() => {
    payload = Buffer.from(JSON.stringify(body()))
  })
  const headers = { 'content-type': 'application/json' }
  return () => server.send('POST', url, { token: server.admin.token, headers, payload })
}
const sendInvoice = prepared('/api/prepare-data', () => ({
  end_point: invoices,
  first_endpoint: '',
  second_endpoint: invoiceOf('INV-1', 80_000),
}))
const sendChain = prepared('/api/tax', () => ({
  endpoint_1: { end_point: invoices, body: '{"reference":"INV-2"}' },
  endpoint_2: {
    end_point: invoices,
    body: invoiceOf('INV-3', 20_000).replace('{', '{"status":"{{steps.1.body.status}}",'),
  },
}))

describe('no single request holds up the others', () => {
  it.each<[string, () => Promise<{ status: number }>, number, number?]>([
    ['a mapping past the bound', () => map(rows(200)), 422],
    ['a mapping just within the bound', () => map(rows(19)), 422],
    ['a large body that is sent', sendInvoice, 200, largeBodyMaxMs],
    ['a large body that takes values from an earlier answer', sendChain, 200],
    ['the strength of a long password', () => changePassword('p4ssw0rd@1!'.repeat(11)), 204],
    [
      'a search of the audit trail that finds little',
      () => send('GET', '/api/audit?search=Thing+77777'),
      200,
    ],
    ['one that finds all', () => send('GET', '/api/audit?search=clerk&page=15000'), 200],
    ['one for two letters', () => send('GET', '/api/audit?search=zz'), 200],
    ['the last page', () => send('GET', '/api/audit?page=20000&sort=actor'), 200],
    ['the export of the audit trail', () => send('GET', '/api/audit/export?search=clerk'), 200],
  ])('%s', async (_, request, status, boundMs = turnMaxMs) => {
    let answered = 0
    const longest = await longestTurnMs(async () => {
      answered = (await request()).status
    })
    expect(answered).toBe(status)
    expect(longest).toBeLessThan(boundMs)
  })

  it('a compressed body is refused before it is unpacked', async () => {
    const answer = await server.send('POST', '/api/apis', {
      token: server.admin.token,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: Buffer.from(randomUUID()),
    })
    expect(answer.status).toBe(415)
  })
})

it('an export is one JSON object with the newest 50,000 events, and says that there are more', async () => {
  const answer = await send('GET', '/api/audit/export?action=api.update')
  const { csv, is_complete } = answer.body as { csv: string; is_complete: boolean }
  const lines = csv.split('\r\n')
  expect(is_complete).toBe(false)
  expect(lines).toHaveLength(50_000 + 2)
  const ids = lines.slice(1, -1).map((line) => Number(line.split(',')[0]))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(new Set(ids).size).toBe(50_000)
})
