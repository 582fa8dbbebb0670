import { noTokenLimits, type TokenDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointOf, httpApi } from '../../../test/servers/build-server.ts'
import { startInvoiceMachine } from '../../../test/servers/machine-server.ts'
import { buildSnapshot } from '../../publishing/build-snapshot.ts'

type App = Awaited<ReturnType<typeof startInvoiceMachine>>
let shared: App
let admin: string
let endpoints: number[]
const server = () => shared.app.server
beforeAll(async () => {
  shared = await startInvoiceMachine()
  admin = server().admin.token
  const api = await make('/api/apis', httpApi())
  endpoints = [
    await make('/api/endpoint', endpointOf(api, { path: '/one', summery: 'First' })),
    await make('/api/endpoint', endpointOf(api, { path: '/two', summery: 'Second' })),
  ]
})
afterAll(() => shared.app.server.close())

async function make(url: string, body: unknown): Promise<number> {
  const answer = await server().send('POST', url, { token: admin, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
async function makeToken(body: object, as = admin) {
  const answer = await server().send('POST', '/admin/token/store', { token: as, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { access_token: { id: number; token: string } }).access_token
}
const limit = (id: number, limits: object, { as = admin, version }: Change = {}) =>
  server().send('PUT', `/api/token/${id}/limits`, { token: as, body: { limits, version } })
interface Change {
  as?: string
  version?: number
}
const show = async (id: number, as = admin) =>
  (await server().send('GET', `/api/token/${id}`, { token: as })).body as TokenDetail

describe('the limits of a token', () => {
  it('are given with it, shown with names, and changed while the token stays', async () => {
    const limits = { endpoints: [endpoints[0]!], methods: ['GET'] }
    const { id } = await makeToken({ user: 4, limits })
    const shown = await show(id)
    expect(shown).toMatchObject({
      token: { is_limited: true, limits: { ...noTokenLimits, ...limits }, version: 1 },
      named: { endpoints: [{ id: endpoints[0], name: 'First' }], workflows: [] },
      can_change: true,
    })
    const changed = await limit(id, { workflows: [shared.invoices.id] }, { version: 1 })
    expect(changed.body).toMatchObject({
      token: { limits: { ...noTokenLimits, workflows: [shared.invoices.id] }, version: 2 },
      named: { workflows: [{ id: shared.invoices.id, line: shared.invoices.slug }] },
    })
    expect((await limit(id, {}, { version: 1 })).body).toMatchObject({ code: 'record.changed' })
    expect((await limit(id, {})).body).toMatchObject({ token: { is_limited: false } })
    const [event] = await server()
      .db.selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'token.limit')
      .orderBy('id')
      .execute()
    expect(event).toMatchObject({ thing_id: id, actor_id: server().admin.id })
  })

  it('of another name are refused: the token would open everything', async () => {
    const { id } = await makeToken({ user: 4, limits: { methods: ['GET'] } })
    expect(await limit(id, { quotas: { per_day: 3 }, quota: { day: 3 } })).toMatchObject({
      status: 422,
      body: {
        errors: { 'limits.quotas': [expect.any(String)], 'limits.quota.day': [expect.any(String)] },
      },
    })
    expect(await show(id)).toMatchObject({ token: { limits: { methods: ['GET'] } } })
  })

  it('reach the gateway with the token, and with each change', async () => {
    const published = async (id: number) => {
      const clock = { now: () => server().time.now }
      const { tokens } = (await buildSnapshot(server().db, server().secrets, clock)).snapshot
      return tokens.find((token) => token.id === id)?.limits
    }
    const { id } = await makeToken({ user: 4, limits: { methods: ['GET'] } })
    expect(await published(id)).toEqual({ ...noTokenLimits, methods: ['GET'] })
    await limit(id, {})
    expect(await published(id)).toBeNull()
    // By hand, and not readable: the token is refused, not the configuration.
    await server()
      .db.updateTable('personal_token')
      .set({ limits: '{' })
      .where('id', '=', id)
      .execute()
    expect(await published(id)).toBeUndefined()
    await server()
      .db.updateTable('personal_token')
      .set({ limits: null })
      .where('id', '=', id)
      .execute()
  })

  it.each([
    ['endpoints', { endpoints: [999_999] }],
    ['endpoints', { endpoints: 'x' }],
    ['endpoints', { endpoints: [-1] }],
    ['workflows', { workflows: [999_999] }],
    ['methods', { methods: ['get'] }],
    ['methods', { methods: ['OPTIONS'] }],
    ['client_addresses.allow', { client_addresses: { allow: ['10.0.0.0/33'] } }],
    ['client_addresses.deny', { client_addresses: { deny: '::ffff:10.0.0.1' } }],
    ['client_addresses.allow', { client_addresses: { allow: [], deny: [] } }],
  ])('are refused on %s for %j', async (field, limits) => {
    const answer = await server().send('POST', '/admin/token/store', {
      token: admin,
      body: { user: 4, limits },
    })
    expect(answer.status, answer.text).toBe(422)
    const [named = ''] = Object.keys((answer.body as { errors: object }).errors)
    expect(named.replace(/\.\d+$/, '')).toBe(`limits.${field}`)
  })

  it('stay closed when what they name is deleted', async () => {
    const api = await make('/api/apis', httpApi({ name: 'Short-lived' }))
    const gone = await make('/api/endpoint', endpointOf(api))
    const { id } = await makeToken({ user: 4, limits: { endpoints: [gone] } })
    await server().send('DELETE', `/api/endpoint/${gone}`, { token: admin })
    const { token, named } = await show(id)
    expect(token.limits.endpoints).toEqual([gone])
    expect(named.endpoints).toEqual([])
    expect((await limit(id, { endpoints: [gone], methods: ['GET'] })).status).toBe(200)
  })

  it('are changed by those alone who could make the token', async () => {
    const person = await server().buildUser({ role: 'Admin' })
    const { id } = await makeToken({ user: server().admin.id, limits: { methods: ['GET'] } })
    expect((await limit(id, {}, { as: person.token })).status).toBe(404)
    const auditor = await server().buildUser({ role: 'Auditor' })
    const ofClient = await makeToken({ user: 4 })
    expect((await limit(ofClient.id, {}, { as: auditor.token })).status).toBe(403)
    expect((await show(ofClient.id, auditor.token)).can_change).toBe(false)
  })

  it('are chosen out of what the user of the token may call', async () => {
    const choices = async (user: number, search = '') =>
      (
        await server().send('GET', `/api/token/choices?user=${user}&search=${search}`, {
          token: admin,
        })
      ).body as TokenDetail['named']
    const names = async (user: number, search?: string) => {
      const found = await choices(user, search)
      return [...found.endpoints, ...found.workflows].map(({ name }) => name)
    }
    expect(await names(server().admin.id, 'first')).toEqual(['First'])
    expect(await names(4)).toEqual([])
    expect(await names(shared.erp.id)).toHaveLength(2)
  })

  it('for an agent: name a tool or a workflow at least, chosen out of what agents find', async () => {
    const refused = await server().send('POST', '/admin/token/store', {
      token: admin,
      body: { is_for_agent: true, limits: { methods: ['GET'] } },
    })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { 'limits.endpoints': ['Choose a tool or a workflow at least.'] } },
    })
    const api = await make('/api/apis', httpApi({ name: 'Offered', offer_to_agents: true }))
    const read = await make('/api/endpoint', endpointOf(api, { method_type: 'get', path: '/r' }))
    await make('/api/endpoint', endpointOf(api, { method_type: 'post', path: '/w' }))
    const tools = async () => {
      const url = `/api/token/choices?user=${server().admin.id}&endpoints=tools`
      const found = await server().send('GET', url, { token: admin })
      expect(found.status, found.text).toBe(200)
      return (found.body as TokenDetail['named']).endpoints
    }
    expect(await tools()).toMatchObject([
      { id: read, line: expect.stringMatching(/^offered_.* · /) },
    ])
    const hidden = { method_type: 'get', path: '/r', agent_offer: 'not_offered' }
    await server().send('PUT', `/api/endpoint/${read}`, {
      token: admin,
      body: endpointOf(api, hidden),
    })
    expect(await tools()).toEqual([])
  })
})

describe('a limited token runs', () => {
  const scoped = (limits: object) => makeToken({ user: shared.erp.id, limits })
  const start = (slug: string, token: string) =>
    shared.app.start(slug, token, { no: '1', branch: 'A' })
  const refused = { status: 403, body: { code: 'token.scope' } }

  it('the workflows that it names, and sees the runs of no others', async () => {
    const { token } = await scoped({ workflows: [shared.paused.id] })
    const queued = await start(shared.paused.slug, token)
    expect(queued.status, queued.text).toBe(202)
    const other = await start(shared.invoices.slug, shared.erp.token)
    const look = (slug: string, id: number) =>
      server().send('GET', `/api/workflows/${slug}/runs/${id}`, { token })
    const idOf = (answer: typeof queued) => (answer.body as { run: { id: number } }).run.id
    expect((await look(shared.paused.slug, idOf(queued))).status).toBe(200)
    expect(await look(shared.invoices.slug, idOf(other))).toMatchObject(refused)
    expect(await start(shared.invoices.slug, token)).toMatchObject(refused)
    expect(await start('none', token)).toMatchObject(refused)
  })

  it('none where it names endpoints alone', async () => {
    const { token } = await scoped({ endpoints: [endpoints[0]] })
    expect(await start(shared.paused.slug, token)).toMatchObject(refused)
  })

  it('from the addresses that it names', async () => {
    const client_addresses = { allow: ['203.0.113.0/24'], deny: [] }
    const { id, token } = await scoped({ client_addresses })
    const denied = { status: 403, body: { code: 'token.address' } }
    expect(await start(shared.paused.slug, token)).toMatchObject(denied)
    await limit(id, { client_addresses: { allow: ['127.0.0.0/8', '::1'], deny: [] } })
    expect((await start(shared.paused.slug, token)).status).toBe(202)
  })

  it('none without POST, and may still look', async () => {
    const { token } = await scoped({ methods: ['GET'] })
    expect(await start(shared.paused.slug, token)).toMatchObject(refused)
    const url = `/api/workflows/${shared.paused.slug}/runs?reference=x`
    expect((await server().send('GET', url, { token })).status).toBe(200)
  })
})

describe('who can call what', () => {
  it('takes the limits of tokens into account', async () => {
    const reader = await server().buildUser()
    const [roleId] = (await server().stores.users.rolesOf(reader.id)).map(({ id }) => id)
    await server().stores.access.addEndpoints(roleId!, endpoints)
    await server().stores.workflowAccess.set(roleId!, [shared.invoices.id])
    const limits = { endpoints: [endpoints[0]!], methods: ['GET'] }
    const { id } = await makeToken({ user: reader.id, name: 'Till 1', limits })
    const get = async (url: string) => (await server().send('GET', url, { token: admin })).body
    type Verdict = { allowed: boolean; reason: string }
    const called = (await get(`/api/access/token/${id}/endpoints`)) as {
      endpoints: (Verdict & { endpoint: { id: number } })[]
      workflows: (Verdict & { workflow: { id: number } })[]
    }
    const allowed = called.endpoints.filter((each) => each.allowed)
    expect(allowed.map(({ endpoint }) => endpoint.id)).toEqual([endpoints[0]])
    const second = called.endpoints.find(({ endpoint }) => endpoint.id === endpoints[1])
    expect(second?.reason).toBe('The token is limited to others.')
    expect(called.workflows.some((each) => each.allowed)).toBe(false)

    type Callers = { callers: (Verdict & { user: { id: number } })[] }
    const reasonOf = ({ callers }: Callers) =>
      callers.find(({ user }) => user.id === reader.id)?.reason
    const whoCalls = async (endpoint: number) =>
      reasonOf((await get(`/api/access/endpoint/${endpoint}`)) as Callers)
    expect(await whoCalls(endpoints[0]!)).not.toContain('Till 1')
    expect(await whoCalls(endpoints[1]!)).toContain(
      'Not with tokens that are limited to others: Till 1.',
    )
    const runs = reasonOf((await get(`/api/access/workflow/${shared.invoices.id}`)) as Callers)
    expect(runs).toContain('Till 1')

    const api = (await server().stores.endpoints.find(endpoints[0]!))!.api_id
    const [tokens] = (await get(`/api/apis/${api}/access/tokens?token_id=${id}`)) as [
      { data: { endpoints_count: number }[] },
    ]
    expect(tokens.data).toMatchObject([{ endpoints_count: 1 }])
    const [callable] = (await get(`/api/apis/${api}/access/endpoints?token_id=${id}`)) as [
      { data: { id: number }[] },
    ]
    expect(callable.data.map((each) => each.id)).toEqual([endpoints[0]])
  })
})
