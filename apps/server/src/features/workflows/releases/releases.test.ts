import type { ReleasePreview, RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  refusalIn,
  runIn,
  startMachineServer,
  type MachineServer,
} from '../../../../test/servers/machine-server.ts'
import { ok } from '../../../../test/servers/lane-server.ts'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'

let app: MachineServer
let post: number
let flow: Awaited<ReturnType<MachineServer['workflow']>>
let erp: Awaited<ReturnType<MachineServer['machine']>>
let clerk: { id: number; token: string }
beforeAll(async () => {
  app = await startMachineServer()
  post = await app.endpoint({ path: '/invoices' })
  flow = await guarded()
  erp = await app.machine(flow)
  clerk = await app.server.buildUser({ permissions: ['run.view', 'run.release'] })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(ok)
})

/** A workflow whose runs by tokens a person has to release. */
const guarded = (parts: Parameters<MachineServer['workflow']>[1] = {}) =>
  app.workflow([{ endpointId: post, text: '{"no":"{{input.no}}"}' }], {
    ...parts,
    definition: { needs_release: 'tokens', reference_path: 'no', ...parts.definition },
  })

const hourMs = 3_600_000
let count = 0
const invoice = () => ({ no: `REL-${++count}` })
const start = async (body: unknown = invoice(), of = flow, options = {}) =>
  app.start(of.slug, erp.token, body, options)

const preview = async (id: number, token = clerk.token) => {
  const answer = await app.server.send('GET', `/api/runs/${id}/release`, { token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as ReleasePreview
}
const decide = (id: number, verb: 'release' | 'refuse', body: object, token = clerk.token) =>
  app.server.send('POST', `/api/runs/${id}/${verb}`, { token, body })
const release = async (id: number, token = clerk.token) =>
  decide(id, 'release', { content: (await preview(id)).content, note: 'Seen' }, token)
const bodies = () => app.upstream.received.map(({ body }) => body)
const detail = (id: number): Promise<RunDetail> => app.show(id)

describe('a run by a token', () => {
  it('waits, is answered at once, and is sent once as it was shown when another person releases it', async () => {
    const answer = await start(undefined, flow, { headers: { prefer: 'wait=30' } })
    expect(answer.status, answer.text).toBe(202)
    const run = runIn(answer)
    expect(run).toMatchObject({ state: 'waits_for_release', queue: null, steps: [] })
    expect(run.message).toContain('It waits until a person releases it')
    await app.later(60_000)
    expect(bodies()).toEqual([])
    const shown = await preview(run.id)
    expect(shown).toMatchObject({ is_allowed: true, refusal: null, input_problems: {} })
    expect(shown.steps).toMatchObject([
      { what: 'send', method: 'POST', body: `{"no":"${run.reference}"}` },
    ])
    expect((await detail(run.id)).release).toMatchObject({ via: 'token', decision: null })
    const released = await release(run.id)
    expect(released.status, released.text).toBe(200)
    await app.settled()
    expect(bodies()).toEqual([shown.steps[0]?.body])
    expect((await detail(run.id)).state).toBe('succeeded')
    expect((await detail(run.id)).release).toMatchObject({ decision: 'released', note: 'Seen' })
    const again = await decide(run.id, 'release', { content: shown.content })
    expect([again.status, refusalIn(again).code]).toEqual([409, 'run.not_releasable'])
    await app.later(60_000)
    expect(bodies()).toHaveLength(1)
    const audit = await app.server.send('GET', '/api/audit?action=run.release', {
      token: app.token,
    })
    expect(audit.text).toContain('"run_state":"queued"')
  })

  it('shows what the last one sent beside it', async () => {
    const first = runIn(await start())
    await release(first.id)
    await app.settled()
    const second = runIn(await start())
    expect((await preview(second.id)).last).toMatchObject({
      id: first.id,
      steps: [{ position: 1, method: 'POST', body: `{"no":"${first.reference}"}` }],
    })
  })

  it('is the same run for the same key and for the same content, and is not sent twice', async () => {
    const body = invoice()
    const key = 'key-of-release-0001'
    const first = runIn(await start(body, flow, { key }))
    const again = await start(body, flow, { key })
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(runIn(again)).toMatchObject({ id: first.id, state: 'waits_for_release' })
  })

  it('is not sent when it is refused; its caller reads why, and the key stays its own', async () => {
    const body = invoice()
    const key = 'key-of-release-0002'
    const run = runIn(await start(body, flow, { key }))
    const empty = await decide(run.id, 'refuse', { note: ' ' })
    expect(empty.status).toBe(422)
    const refused = await decide(run.id, 'refuse', { note: 'Wrong branch' })
    expect(refused.status, refused.text).toBe(200)
    await app.later(60_000)
    expect(bodies()).toEqual([])
    expect(runIn(await start(body, flow, { key }))).toMatchObject({
      id: run.id,
      state: 'cancelled',
      message: expect.stringMatching(
        /refused to release it: Wrong branch\. Nothing of it was sent\.$/,
      ),
    })
    // Another key is another request, which waits again.
    expect(runIn(await start(body))).toMatchObject({ state: 'waits_for_release' })
  })

  it('is cancelled where nobody releases it in time', async () => {
    const usual = (await detail(runIn(await start()).id)).release
    expect(Date.parse(usual?.expires_at ?? '') - Date.parse(usual?.asked_at ?? '')).toBe(
      24 * hourMs,
    )
    const short = await guarded({ definition: { release_hours: 1 } })
    await app.server.stores.workflowAccess.set(erp.roleId, [flow.id, short.id])
    const run = runIn(await start(invoice(), short))
    await app.later(hourMs - 1)
    expect((await detail(run.id)).state).toBe('waits_for_release')
    await app.later(1)
    expect((await detail(run.id)).state).toBe('cancelled')
    expect((await detail(run.id)).release).toMatchObject({ decision: 'expired', decided_by: null })
    const late = await decide(run.id, 'refuse', { note: 'Late' })
    expect(refusalIn(late)).toMatchObject({
      code: 'run.not_releasable',
      message: 'This run was not released in time: it is cancelled.',
    })
    expect(bodies()).toEqual([])
  })

  it('does not wait longer than its lane allows', async () => {
    const short = await guarded({ lane: { max_age_minutes: 30 } })
    await app.server.stores.workflowAccess.set(erp.roleId, [flow.id, short.id])
    const run = runIn(await start(invoice(), short))
    const { release: asked, created_at } = await detail(run.id)
    expect(Date.parse(asked?.expires_at ?? '') - Date.parse(created_at)).toBe(30 * 60_000)
  })
})

describe('who decides', () => {
  it('is not the user whose token it is', async () => {
    const { id: role } = (await app.server.stores.users.rolesOf(clerk.id))[0]!
    await app.server.stores.workflowAccess.set(role, [flow.id])
    const { token } = await app.tokenFor(clerk.id)
    const run = runIn(await app.start(flow.slug, token, invoice()))
    expect(await preview(run.id)).toMatchObject({ is_allowed: false })
    const own = await release(run.id)
    expect([own.status, refusalIn(own).code]).toEqual([403, 'run.own_release'])
    const refused = await decide(run.id, 'refuse', { note: 'Mine' })
    expect(refused.status).toBe(403)
    expect((await release(run.id, app.token)).status).toBe(200)
    await app.settled()
    expect(bodies()).toHaveLength(1)
  })

  it('needs run.release', async () => {
    const run = runIn(await start())
    const reader = await app.server.buildUser({ permissions: ['run.view', 'run.resolve'] })
    expect((await release(run.id, reader.token)).status).toBe(403)
    expect(await preview(run.id, reader.token)).toMatchObject({ is_allowed: false })
  })

  it('of many at once, one: it is sent once', async () => {
    const run = runIn(await start())
    const { content } = await preview(run.id)
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => decide(run.id, 'release', { content })),
      ...Array.from({ length: 10 }, () => decide(run.id, 'refuse', { note: 'No' })),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await app.later(60_000)
    const isReleased = (await detail(run.id)).state === 'succeeded'
    expect(bodies()).toHaveLength(isReleased ? 1 : 0)
  })
})

describe('what was released', () => {
  it('is not other content than was shown', async () => {
    const run = runIn(await start())
    const { content } = await preview(run.id)
    const change = (path: string) =>
      app.server.db
        .updateTable('endpoint')
        .set({ path, path_key: path })
        .where('id', '=', post)
        .execute()
    await change('/elsewhere')
    const refused = await decide(run.id, 'release', { content })
    expect(refusalIn(refused)).toMatchObject({
      code: 'run.not_releasable',
      message: 'What would be sent has changed. Look at it again.',
    })
    await change('/invoices')
    // Changed after the release, before it is its turn.
    await app.server.db
      .updateTable('lane')
      .set({ is_paused: 1 })
      .where('id', '=', flow.laneId)
      .execute()
    expect((await decide(run.id, 'release', { content })).status).toBe(200)
    await change('/elsewhere')
    await app.unpause(flow)
    await app.later(0)
    expect(bodies()).toEqual([])
    const blocked = await detail(run.id)
    expect(blocked.state).toBe('blocked')
    expect(blocked.steps[0]?.message).toContain('no longer what was released')
    await change('/invoices')
  })

  it('is not sent as something else at a later try either', async () => {
    // Nobody listens there: nothing is sent, and the lane tries again.
    const away = await app.createApi({ name: 'Away', api_url: 'http://127.0.0.1:1' })
    const endpoint = await app.endpoint({ path: '/first' }, away)
    const unsent = await app.workflow([{ endpointId: endpoint, text: '{}' }], {
      definition: { needs_release: 'tokens' },
    })
    await app.server.stores.workflowAccess.set(erp.roleId, [flow.id, unsent.id])
    const run = runIn(await start(invoice(), unsent))
    await release(run.id)
    await app.settled()
    await app.later(10_000)
    expect((await detail(run.id)).state).toBe('queued')
    await app.server.db
      .updateTable('endpoint')
      .set({ path: '/second', path_key: '/second' })
      .where('id', '=', endpoint)
      .execute()
    await app.later(60_000)
    const blocked = await detail(run.id)
    expect(blocked.state).toBe('blocked')
    expect(blocked.steps[0]?.message).toContain('no longer what was released')
  })

  it('is sent by another server where the one that released it dies', async () => {
    const upstream = createPeerUpstream()
    const peer = createRunPeer(app.server, upstream, 'release-peer')
    const run = runIn(await start())
    // The lane of this server is asleep: it dies between the commit and its call.
    await app.server.db
      .updateTable('lane')
      .set({ is_paused: 1 })
      .where('id', '=', flow.laneId)
      .execute()
    expect((await release(run.id)).status).toBe(200)
    await app.settled()
    await app.unpause(flow)
    await Promise.all([peer.dispatcher.look(), app.server.dispatcher.look()])
    await Promise.all([peer.dispatcher.settled(), app.server.dispatcher.settled()])
    expect(bodies()).toHaveLength(1)
    await peer.dispatcher.stop()
    await upstream.close()
  })

  it('takes its place in the order of its key when it is released', async () => {
    const ordered = await guarded({
      lane: { is_strict_order: 1, is_paused: 1 },
      definition: { order_key_path: 'branch' },
    })
    await app.server.stores.workflowAccess.set(erp.roleId, [flow.id, ordered.id])
    const [first, second] = [
      runIn(await start({ ...invoice(), branch: 'A' }, ordered)),
      runIn(await start({ ...invoice(), branch: 'A' }, ordered)),
    ]
    await release(second.id)
    await release(first.id)
    await app.unpause(ordered)
    await app.later(0)
    await app.later(0)
    expect(bodies()).toEqual([`{"no":"${second.reference}"}`, `{"no":"${first.reference}"}`])
  })
})

describe('what does not wait', () => {
  it('is a run that a person starts', async () => {
    const person = await app.server.buildUser({ permissions: ['workflow.run'] })
    const run = runIn(await app.start(flow.slug, person.token, invoice(), { key: null }))
    expect(run.state).toBe('queued')
    await app.settled()
    expect(bodies()).toHaveLength(1)
  })

  it('is a run of a program where agents alone need a release', async () => {
    const ofAgents = await guarded({ definition: { needs_release: 'agents' } })
    await app.server.stores.workflowAccess.set(erp.roleId, [flow.id, ofAgents.id])
    expect(runIn(await start(invoice(), ofAgents)).state).toBe('queued')
    await app.settled()
  })
})

it('a batch is refused to a token: it would not wait', async () => {
  const answer = await app.server.send('POST', `/api/workflows/${flow.slug}/batches`, {
    token: erp.token,
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'key-of-batch-0001' },
    body: '{"no":"B-1"}\n',
  })
  expect([answer.status, refusalIn(answer).code]).toEqual([409, 'workflow.needs_release'])
})

it('is counted for the home screen, listed, and not open work', async () => {
  const run = runIn(await start())
  const get = (path: string) => app.server.send('GET', path, { token: app.token })
  const listed = await get('/api/runs?state=waits_for_release')
  expect(listed.text).toContain(`"id":${run.id},`)
  expect((await get('/api/home')).text).toContain('{"state":"waits_for_release","total":')
  for (const work of ['open', 'unclear'])
    expect((await get(`/api/runs?work=${work}`)).text).not.toContain('waits_for_release')
})
