import type { ReleasePreview, RunDetail } from '@gatehouse/contract'
import type { AgentReply, HeldCall } from '@gatehouse/contract/gateway'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../../test/servers/lane-server.ts'
import {
  refusalIn,
  startMachineServer,
  type MachineServer,
} from '../../../../test/servers/machine-server.ts'
import { recordingGateway } from '../../../../test/servers/recording-gateway.ts'
import { cut } from '../../../../test/servers/run-server.ts'

// A gateway has decided that an agent may make a call, and the endpoint asks for a release.

const gateway = recordingGateway()
let app: MachineServer
let post: number
let erp: Awaited<ReturnType<MachineServer['machine']>>
let clerk: { id: number; token: string }
beforeAll(async () => {
  app = await startMachineServer({}, undefined, gateway.link)
  post = await app.endpoint({ path: '/orders/{id}' })
  await change({ agent_release_hours: 1 })
  erp = await app.machine()
  await give(erp.roleId, [post])
  clerk = await app.server.buildUser({ permissions: ['run.view', 'run.release'] })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(ok)
})

/** The endpoints that a role has access to. */
async function give(role_id: number, endpointIds: readonly number[]) {
  const { db } = app.server
  await db.deleteFrom('role_endpoint').where('role_id', '=', role_id).execute()
  for (const endpoint_id of endpointIds)
    await db.insertInto('role_endpoint').values({ role_id, endpoint_id }).execute()
}
const change = (to: { agent_release_hours?: number; status?: 'active' | 'disabled' }) =>
  app.server.db.updateTable('endpoint').set(to).where('id', '=', post).execute()

const hourMs = 3_600_000
let count = 0
const order = (more: Partial<HeldCall> = {}): HeldCall => ({
  endpoint_id: post,
  method: 'POST',
  target: `/orders/A%20${++count}?dry=no`,
  headers: [
    ['User-Agent', 'agent/1'],
    ['Content-Type', 'application/json'],
  ],
  body: `{"total": 10.00, "no":${count}}`,
  ...more,
})

function ask(question: object, token = erp.token): Promise<AgentReply> {
  return gateway.control.askAgent!({
    token,
    address: '127.0.0.1',
    agent: 'a client',
    requestId: 'request',
    traceparent: null,
    tool: 'sales_order',
    message: '',
    ...question,
  })
}
async function resultOf(asked: Promise<AgentReply>) {
  const reply = await asked
  if (reply.what !== 'result') throw new Error(reply.what)
  const { run } = JSON.parse(reply.structured ?? '{}') as {
    run?: { id: number; state: string; kind: string; steps: { answer?: string }[] }
  }
  return { isError: reply.isError, text: reply.texts.join('\n'), run }
}
const hold = (held = order(), token?: string) => resultOf(ask({ held }, token))
async function waiting(held?: HeldCall) {
  const { run, text } = await hold(held)
  if (!run) throw new Error(text)
  expect(run.state).toBe('waits_for_release')
  return run.id
}
const status = (given: object, token?: string) =>
  resultOf(
    ask(
      {
        tool: 'run_status',
        message: JSON.stringify({ params: { name: 'run_status', arguments: given } }),
      },
      token,
    ),
  )

const preview = async (id: number) => {
  const answer = await app.server.send('GET', `/api/runs/${id}/release`, { token: clerk.token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as ReleasePreview
}
const decide = (id: number, verb: 'release' | 'refuse', body: object, token = clerk.token) =>
  app.server.send('POST', `/api/runs/${id}/${verb}`, { token, body })
const release = async (id: number, token = clerk.token) =>
  decide(id, 'release', { content: (await preview(id)).content, note: 'Seen' }, token)
const detail = (id: number): Promise<RunDetail> => app.show(id)
const ended = async (id: number, state: string) => {
  await expect.poll(async () => (await detail(id)).state).toBe(state)
}

describe('a call that a person has to release', () => {
  it('is stored with its exact bytes, answered with its id, and sent once when another person releases it', async () => {
    const held = order()
    const first = await hold(held)
    expect(first).toMatchObject({
      isError: false,
      run: { state: 'waits_for_release', kind: 'call' },
    })
    expect(first.text).toContain('waits for release')
    const id = first.run?.id ?? 0
    await app.later(60_000)
    expect(app.upstream.received).toEqual([])
    const shown = await preview(id)
    expect(shown.steps).toMatchObject([
      {
        what: 'send',
        method: 'POST',
        url: expect.stringContaining(held.target),
        body: held.body,
        headers: { 'user-agent': 'agent/1', 'content-type': 'application/json' },
      },
    ])
    expect((await detail(id)).release).toMatchObject({
      via: 'agent',
      asked_by: expect.stringContaining('a client'),
    })
    const released = await release(id)
    expect(released.status, released.text).toBe(200)
    await ended(id, 'succeeded')
    expect(app.upstream.received).toMatchObject([
      { method: 'POST', url: held.target, body: held.body },
    ])
    const again = await decide(id, 'release', { content: shown.content })
    expect([again.status, refusalIn(again).code]).toEqual([409, 'run.not_releasable'])
    const asked = await status({ id })
    expect(asked.run).toMatchObject({ state: 'succeeded', steps: [{ answer: expect.any(String) }] })
    expect(asked.run).not.toHaveProperty('workflow')
    const audit = await app.server.send('GET', '/api/audit?action=run.release', {
      token: app.token,
    })
    expect(audit.text).toContain('"run_state":"running"')
    expect(app.upstream.received).toHaveLength(1)
  })

  it('needs a confirmation while the installation is held: it may have been sent after the backup', async () => {
    const { installationHold } = app.server.stores
    const id = await waiting()
    const moment = '2026-06-01T07:00:00.000Z'
    await installationHold.begin({ reason: 'restore', backup_made_at: moment, held_since: moment })
    const refused = await release(id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'installation.held' } })
    expect((await detail(id)).state).toBe('waits_for_release')
    const { content } = await preview(id)
    const confirmed = await decide(id, 'release', { content, confirm_held: true })
    expect(confirmed.status, confirmed.text).toBe(200)
    await ended(id, 'succeeded')
    expect(app.upstream.received).toHaveLength(1)
    await installationHold.release(moment)
  })

  it('is the same run while it waits, and another one afterwards or of another user', async () => {
    const held = order()
    const id = await waiting(held)
    expect(await waiting(held)).toBe(id)
    const other = await app.machine()
    await give(other.roleId, [post])
    expect((await hold(held, other.token)).run?.id).not.toBe(id)
    await decide(id, 'refuse', { note: 'Too much.' })
    expect(await waiting(held)).not.toBe(id)
    expect(app.upstream.received).toEqual([])
  })

  it('is shown beside the last one that succeeded', async () => {
    const first = await waiting()
    await release(first)
    await ended(first, 'succeeded')
    const held = order()
    expect((await preview(await waiting(held))).last).toMatchObject({
      id: first,
      steps: [{ position: 1, method: 'POST', body: expect.stringContaining('"total": 10.00') }],
    })
  })

  it('is not sent when it is refused or nobody releases it in time, and its agent reads why', async () => {
    const refused = await waiting()
    await decide(refused, 'refuse', { note: 'Wrong branch.' })
    expect(await status({ id: refused })).toMatchObject({
      isError: true,
      run: { state: 'cancelled' },
      text: expect.stringContaining('Wrong branch.'),
    })
    const late = await waiting()
    await app.later(hourMs - 1)
    expect((await detail(late)).state).toBe('waits_for_release')
    await app.later(1)
    expect((await detail(late)).state).toBe('cancelled')
    expect((await status({ id: late })).text).toContain('Nobody released it')
    expect(app.upstream.received).toEqual([])
  })

  it('is shown to no other user’s agent', async () => {
    const id = await waiting()
    const other = await app.machine()
    expect((await status({ id }, other.token)).text).toContain('There is no such run')
  })

  it('is released by nobody without the permission, and not by the owner of the token', async () => {
    const id = await waiting()
    const { content } = await preview(id)
    const viewer = await app.server.buildUser({ permissions: ['run.view'] })
    expect((await decide(id, 'release', { content }, viewer.token)).status).toBe(403)
    await app.server.db.updateTable('run').set({ user_id: clerk.id }).where('id', '=', id).execute()
    const own = await decide(id, 'release', { content })
    expect([own.status, refusalIn(own).code]).toEqual([403, 'run.own_release'])
    expect(app.upstream.received).toEqual([])
  })

  it('waits on where it must not be sent: access was taken away, the endpoint or the address is another', async () => {
    const id = await waiting()
    const words = async () => {
      const answer = await decide(id, 'release', { content: (await preview(id)).content })
      expect(answer.status, answer.text).toBe(409)
      expect((await detail(id)).state).toBe('waits_for_release')
      return refusalIn(answer).message
    }
    await give(erp.roleId, [])
    expect(await words()).toContain('No role of')
    await give(erp.roleId, [post])
    await change({ status: 'disabled' })
    expect(await words()).toBe('This endpoint is disabled.')
    await change({ status: 'active' })
    await app.server.db
      .updateTable('run_step')
      .set({ url: 'http://elsewhere.example:81/orders' })
      .where('run_id', '=', id)
      .execute()
    expect((await preview(id)).steps).toMatchObject([
      { what: 'refused', problems: { end_point: [expect.stringContaining('another address')] } },
    ])
    expect(await words()).toContain('Its API has another address by now')
    expect(app.upstream.received).toEqual([])
  })

  it('is refused at once where it can’t be sent, needs no release, or the token does not count', async () => {
    const gone = await app.machine()
    await app.server.stores.tokens.revoke(gone.tokenId, app.server.time.now.toISOString())
    expect((await hold(order(), gone.token)).text).toContain('does not count any more')
    expect((await hold(order({ method: 'DELETE' }))).text).toContain('does not take DELETE')
    const plain = await app.endpoint({ path: '/plain' })
    await give(erp.roleId, [post, plain])
    expect((await hold(order({ endpoint_id: plain }))).text).toContain('needs no release any more')
    await give(erp.roleId, [post])
    expect(await hold(order({ endpoint_id: plain }))).toMatchObject({
      isError: true,
      run: undefined,
      text: expect.stringMatching(/^Nothing was called\. None of your roles has access/),
    })
  })

  it('whose answer is lost is unknown, is told so, and is not sent again by hand', async () => {
    const id = await waiting()
    app.answer(cut)
    await release(id)
    await ended(id, 'unknown')
    const asked = await status({ id })
    expect(asked.isError).toBe(true)
    expect(asked.text).toContain('It may have been carried out. Do not call this again; ask what')
    expect(app.upstream.received).toHaveLength(1)
    for (const verb of ['resume', 'retry']) {
      const answer = await app.server.send('POST', `/api/runs/${id}/${verb}`, {
        token: app.token,
        body: {},
      })
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    }
    expect(app.upstream.received).toHaveLength(1)
  })
})
