import type { RoleEditForm } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

let server: TestServer
let token: string
let id: number
const gateway = recordingGateway()
const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  server.send(method, url, { token, body })
const create = async (url: string, body: unknown) =>
  ((await send('POST', url, body)).body as { id: number }).id

beforeAll(async () => {
  server = await buildServer({}, gateway.link)
  token = server.admin.token
  const endpoint = await create('/api/endpoint', endpointOf(await create('/api/apis', httpApi())))
  id = await create('/api/role', { name: 'Tills', permissions: [] })
  await send('PUT', `/api/api-permission/${id}/update`, { endpoints: [endpoint] })
})
afterAll(() => server.close())

const save = (more: object) =>
  send('PUT', `/api/role/${id}`, { name: 'Tills', permissions: [], ...more })
const published = () =>
  gateway.published.at(-1)?.access.find(({ role_id }) => role_id === id)?.addresses
const shown = async () =>
  ((await send('GET', `/api/role/${id}/edit`)).body as RoleEditForm).role.allowed_addresses

describe('addresses of a role', () => {
  it('are stored, shown and with the gateway when the save is answered', async () => {
    expect(published()).toBeUndefined()
    expect((await save({ allowed_addresses: '10.0.0.0/8\nfd00::/8' })).status).toBe(200)
    expect(await shown()).toEqual(['10.0.0.0/8', 'fd00::/8'])
    expect(published()).toEqual(['10.0.0.0/8', 'fd00::/8'])
    const event = await server.db
      .selectFrom('audit_event')
      .select(['action', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event.action).toBe('role.update')
    expect(JSON.parse(event.after ?? '')).toMatchObject({
      allowed_addresses: ['10.0.0.0/8', 'fd00::/8'],
    })
  })

  it('stay with a save that does not name them, which changes nothing for the gateway', async () => {
    await save({ allowed_addresses: ['10.0.0.1'] })
    const publications = gateway.published.length
    expect((await save({ needs_second_factor: true })).status).toBe(200)
    expect(await shown()).toEqual(['10.0.0.1'])
    expect(gateway.published).toHaveLength(publications)
    await save({ allowed_addresses: '' })
    expect(await shown()).toEqual([])
    expect(published()).toBeUndefined()
  })

  it('that can’t be read take the role out of what is published', async () => {
    await save({ allowed_addresses: ['10.0.0.1'] })
    await server.db
      .updateTable('role')
      .set({ allowed_addresses: '["everywhere"]' })
      .where('id', '=', id)
      .execute()
    await create('/api/apis', httpApi({ name: 'Another' }))
    expect(gateway.published.at(-1)?.access).toEqual([])
  })

  it.each(['10.0.0', '10.0.0.0/33', 'example.com'])('are refused: %s', async (address) => {
    const answer = await save({ allowed_addresses: [address] })
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual(['allowed_addresses'])
  })

  it('are not for Super Admin', async () => {
    const role = (await server.stores.roles.findByName('Super Admin'))!
    const { permissions } = (await server.stores.roles.find(role.id))!
    const body = { name: 'Super Admin', permissions, allowed_addresses: ['10.0.0.1'] }
    expect((await send('PUT', `/api/role/${role.id}`, body)).status).toBe(403)
  })
})
