// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok, startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'
import { json, type Answerer } from '../../../test/servers/run-server.ts'

// Runs of a lane whose API obtains its token from an address that may be ill (spec: ill-sign-in).

let app: LaneServer
/** What the token address answers. */
let token: Answerer
/** What the endpoint answers to these tokens; any other is accepted. */
let refused: string[] = []
let issued = 0

const secondMs = 1_000
const minuteMs = 60_000

const issue: Answerer = (...exchange) =>
  json(200, { access_token: `token-${++issued}`, expires_in: 3600 })(...exchange)

beforeAll(async () => {
  app = await startLaneServer()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.startOver()
  token = issue
  refused = []
  app.answer((request, ...rest) => {
    if (request.url === '/token') return token(request, ...rest)
    const shown = request.headers['authorization']?.slice(7) ?? ''
    return (refused.includes(shown) ? json(401, {}) : ok)(request, ...rest)
  })
})

/** A submit to an API that has a token of its own. */
async function endpointWithToken(): Promise<number> {
  const apiId = await app.createApi({
    name: `With a token ${++issued}`,
    credential: {
      kind: 'oauth2_client_credentials',
      token_url: `${app.upstream.url}/token`,
      client_id: 'client',
      client_secret: 'secret',
      client_authentication: 'basic',
    },
  })
  return app.endpoint({ path: `/submit-${issued}` }, apiId)
}

const flowWithToken = async () =>
  app.workflow([{ endpointId: await endpointWithToken(), text: '{"n":"{{input.n}}"}' }])

const submits = () => app.upstream.received.filter(({ url }) => url.startsWith('/submit'))

describe('a token address that is ill', () => {
  it.each<[string, Answerer]>([
    ['429', json(429, {})],
    ['500', json(500, {})],
    ['503', json(503, { error: 'invalid_client' })],
    ['400 that is not about the client', json(400, { error: 'Access Denied' })],
    ['nothing', (_, __, socket) => socket.destroy()],
  ])('with %s leaves the run queued and goes on by itself', async (_, answer) => {
    const flow = await flowWithToken()
    token = answer
    const { runId } = await app.put(flow)
    await app.settled()
    expect(await app.stateOf(runId)).toEqual({ state: 'queued', steps: ['waiting'] })
    const lane = await app.laneOf(flow)
    expect(lane).toMatchObject({ is_paused: 0, outage_since: app.server.time.now.toISOString() })
    expect(lane.next_try_at).not.toBeNull()
    const [attempt] = (await app.show(runId)).steps[0]?.attempts ?? []
    expect(attempt).toMatchObject({ outcome: 'not_sent', error_code: 'upstream.sign_in' })
    token = issue
    await app.later(minuteMs)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
    expect(submits()).toHaveLength(1)
    expect(await app.laneOf(flow)).toMatchObject({ failures: 0, outage_since: null })
  })

  it('is asked again no earlier than it says', async () => {
    const flow = await flowWithToken()
    token = json(429, {}, { 'retry-after': '120' })
    const { runId } = await app.put(flow)
    await app.settled()
    token = issue
    const asked = app.upstream.received.length
    await app.later(119 * secondMs)
    expect(app.upstream.received).toHaveLength(asked)
    await app.later(2 * secondMs)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('after a token was refused leaves the step not started, however often it is asked', async () => {
    const flow = await flowWithToken()
    await app.put(flow)
    await app.settled()
    refused = [submits()[0]?.headers['authorization']?.slice(7) ?? '']
    token = json(503, {})
    const { runId } = await app.put(flow)
    await app.settled()
    for (let minute = 0; minute < 12; minute++) {
      expect(await app.stateOf(runId)).toEqual({ state: 'queued', steps: ['waiting'] })
      expect((await app.laneOf(flow)).is_paused).toBe(0)
      await app.later(minuteMs)
    }
    const { steps } = await app.show(runId)
    expect(steps[0]?.message).toContain('did not accept the token (it answered 401)')
    token = issue
    await app.later(10 * minuteMs)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
  })
})

describe('a token address that says no', () => {
  it.each<[string, Answerer]>([
    ['400 invalid_client', json(400, { error: 'invalid_client' })],
    ['401', json(401, {})],
    ['403', json(403, {})],
  ])('with %s pauses the lane; its run waits there, however often', async (_, answer) => {
    const flow = await flowWithToken()
    token = answer
    const { runId } = await app.put(flow)
    await app.settled()
    for (let time = 0; time < 3; time++) {
      const lane = await app.laneOf(flow)
      expect(lane).toMatchObject({ is_paused: 1, paused_by: null, outage_since: null })
      expect(lane.pause_reason).toMatch(/^Sign-in refused, so nothing was sent/)
      expect((await app.stateOf(runId)).state).toBe('queued')
      await app.unpause(flow)
      await app.later(6 * minuteMs)
    }
    expect(submits()).toEqual([])
    token = issue
    await app.unpause(flow)
    await app.later(6 * minuteMs)
    expect((await app.stateOf(runId)).state).toBe('succeeded')
  })

  it('ends a run by hand as blocked, with nothing sent; it can be resumed', async () => {
    token = json(400, { error: 'invalid_client' })
    const step = { end_point: await endpointWithToken(), body: '{"by":"hand"}' }
    const answer = await app.tax([step])
    expect(answer.status).toBe(502)
    const { run } = answer.body as { run: { id: number } }
    const { state, steps, resume } = await app.show(run.id)
    expect([state, steps[0]?.state, steps[0]?.message]).toEqual([
      'blocked',
      'blocked',
      'Sign-in refused, so nothing was sent: The sign-in was refused: invalid_client. Resume with other credentials.',
    ])
    expect(resume).toEqual({ step: 1, refusal: null })
    expect(submits()).toEqual([])
  })
})

it('an endpoint that refuses a token obtained after its refusal pauses the lane', async () => {
  const flow = await flowWithToken()
  app.answer((request, ...rest) =>
    (request.url === '/token' ? token : json(401, {}))(request, ...rest),
  )
  const { runId } = await app.put(flow)
  await app.settled()
  expect(submits()).toHaveLength(2)
  expect((await app.stateOf(runId)).state).toBe('queued')
  expect((await app.laneOf(flow)).pause_reason).toMatch(/^Sign-in refused: the endpoint did not/)
})
