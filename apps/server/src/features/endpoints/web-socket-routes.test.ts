import type { EndpointRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../test/servers/endpoint-server.ts'
import { toSnapshotEndpoint } from '../../publishing/snapshot-endpoint.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('endpoint').execute())

const bounds = { idle_seconds: 60, life_seconds: 3_600, max_message_bytes: 65_536 }
const create = (web_socket: unknown, more: object = {}) =>
  server.send('POST', '/api/endpoint', {
    token,
    body: endpointOf(apiId, { method_type: 'get', web_socket, ...more }),
  })
const stored = async (id: number) => (await server.stores.endpoints.find(id))!

it('the switch is stored, shown and published; a save without it keeps it, null takes it away', async () => {
  const answer = await create({ ...bounds, idle_seconds: '60', max_message_bytes: '64 KiB' })
  expect(answer.status, answer.text).toBe(201)
  const { id, web_socket } = answer.body as EndpointRecord
  expect(web_socket).toEqual(bounds)
  expect(toSnapshotEndpoint(await stored(id))?.web_socket).toEqual(bounds)
  const save = (more: Record<string, unknown>) =>
    server.send('PUT', `/api/endpoint/${id}`, {
      token,
      body: endpointOf(apiId, { method_type: 'get', ...more }),
    })
  expect((await save({})).body).toMatchObject({ web_socket: bounds })
  expect((await save({ web_socket: null })).body).toMatchObject({ web_socket: null })
  expect(toSnapshotEndpoint(await stored(id))?.web_socket).toBeNull()
})

it.each<[string, unknown, object, string, string]>([
  ['another method than GET', bounds, { method_type: 'post' }, 'web_socket', 'GET'],
  [
    'a custom output',
    bounds,
    { enable_custom_output: 1, custom_output: '{}' },
    'web_socket',
    'Custom Output',
  ],
  [
    'no idle time',
    { ...bounds, idle_seconds: 0 },
    {},
    'web_socket.idle_seconds',
    'from 5 to 86400',
  ],
  ['a part of a second', { ...bounds, life_seconds: 60.5 }, {}, 'web_socket.life_seconds', 'whole'],
  [
    'messages without a bound',
    { ...bounds, max_message_bytes: null },
    {},
    'web_socket.max_message_bytes',
    'required',
  ],
])('%s is refused', async (_name, web_socket, more, field, message) => {
  const answer = await create(web_socket, more)
  expect(answer.status).toBe(422)
  const { errors } = answer.body as { errors: Record<string, string[]> }
  expect(Object.keys(errors)).toEqual([field])
  expect(errors[field]?.join(' ')).toContain(message)
})
