import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../test/servers/lane-server.ts'
import { json } from '../../../test/servers/run-server.ts'

// Runs of workflows whose authority decides later.

/** Two questions and what they wait for fit into a lease of a minute. */
const everySeconds = 20

let app: LaneServer
let submit: number
let next: number
let decision = 'taken'
beforeAll(async () => {
  app = await startLaneServer()
  const status = await app.endpoint({ method_type: 'get', path: '/decision/{uid}' })
  const says = (value: string) => ({
    statuses: '200',
    conditions: [{ path: 'state', test: 'equals', value }],
  })
  submit = await app.endpoint({
    run_settings: {
      status_query: {
        endpoint_id: status,
        parameter: 'uid',
        received: says('valid'),
        not_received: { statuses: '404' },
      },
      pending: {
        rule: { statuses: '202' },
        parameter_path: 'uid',
        first_after_seconds: everySeconds,
        factor: 1,
        max_every_seconds: everySeconds,
      },
    },
  })
  next = await app.endpoint({ path: '/next' })
})
afterAll(() => app.close())

let uid = 0
beforeEach(() => {
  decision = 'taken'
  app.upstream.received.length = 0
  app.answer((request, ...rest) => {
    const isAsked = request.method === 'GET'
    const isNext = request.url === '/next'
    const answer = isAsked
      ? json(200, { state: decision, number: 'N-1' })
      : isNext
        ? json(200, {})
        : json(202, { uid: `U-${++uid}` })
    return answer(request, ...rest)
  })
})

const received = (method: string, part = '') =>
  app.upstream.received.filter((each) => each.method === method && each.url.includes(part)).length
const pass = (seconds: number) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + seconds * 1000)
}
const flowOf = (lane: object = {}) =>
  app.workflow(
    [
      { endpointId: submit, text: '{"n":"{{input.n}}"}' },
      { endpointId: next, text: '{"number":"{{steps.1.body.number}}"}' },
    ],
    { lane },
  )

it('what was accepted goes back to its lane, which sends the next step', async () => {
  const { runId } = await app.put(await flowOf())
  await app.settled()
  expect(await app.stateOf(runId)).toMatchObject({ state: 'pending' })
  decision = 'valid'
  pass(everySeconds)
  await app.server.polls.round()
  await app.server.polls.idle()
  await app.server.dispatcher.look()
  await app.settled()
  expect(await app.stateOf(runId)).toMatchObject({ state: 'succeeded' })
  expect(app.upstream.received.at(-1)?.body).toBe('{"number":"N-1"}')
  expect(await app.entryOf(runId)).toBeUndefined()
})

it('questions count for the limits of the lane', async () => {
  const { runId } = await app.put(await flowOf({ per_minute: 2 }))
  await app.settled()
  expect(await app.stateOf(runId)).toMatchObject({ state: 'pending' })
  pass(everySeconds)
  await app.server.polls.round()
  await app.server.polls.idle()
  expect(received('GET')).toBe(1)
  // The submit and the first question have used the minute.
  pass(everySeconds)
  await app.server.polls.round()
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(received('GET')).toBe(1)
  // The minute of the submit is over, and the question is still this server's.
  pass(everySeconds + 1)
  await app.server.dispatcher.look()
  await app.server.polls.idle()
  expect(received('GET')).toBe(2)
})
