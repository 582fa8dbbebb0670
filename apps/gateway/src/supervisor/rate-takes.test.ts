import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { noTrafficPolicy } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { FromWorker, ToWorker } from '../messages/worker-messages.ts'
import { openHarness, snapshotOf, testSettings, type Harness } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

it('what the limits of one worker let through is reported to every other one, and not to itself', async () => {
  const received = new Set<string>()
  const all = Promise.withResolvers<void>()
  const fleet = harness.start({
    size: 3,
    workerFile: new URL('testing/sharing-worker.ts', import.meta.url),
    onReport: ({ codes }) => {
      for (const code of Object.keys(codes)) received.add(code)
      if (received.size === 6) all.resolve()
    },
  })
  await fleet.ready()
  await fleet.publish(snapshotOf(1))
  await all.promise
  expect([...received].toSorted()).toEqual([
    'client of 1, at 2',
    'client of 1, at 3',
    'client of 2, at 1',
    'client of 2, at 3',
    'client of 3, at 1',
    'client of 3, at 2',
  ])
})

it('a worker reports what its limits let through, and counts what others report', async () => {
  const worker = fork(new URL('../worker.ts', import.meta.url), { execArgv: [] })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const received = on(worker, 'message') as AsyncIterableIterator<[FromWorker]>
  const send = (message: ToWorker) => void worker.send(message)
  const wait = async <T extends FromWorker['type']>(type: T) => {
    // Not a loop over them all: it would end the messages with the first that is found.
    let found: FromWorker
    do found = (await received.next()).value[0]
    while (found.type !== type)
    return found as Extract<FromWorker, { type: T }>
  }
  const listen = { host: '127.0.0.1', port: 0 }
  send({ type: 'start', settings: { ...testSettings(), worker: 1, listen } })
  const snapshot = snapshotOf(1)
  const [api] = snapshot.apis
  const rate_limit = { requests: 2, window_seconds: 86_400, per: 'address' } as const
  snapshot.apis = api ? [{ ...api, policy: { ...noTrafficPolicy, rate_limit } }] : []
  send({ type: 'snapshot', snapshot })
  const { port } = await wait('ready')
  const url = `http://127.0.0.1:${port}/t/ping`
  expect((await request(url)).status).toBe(200)
  expect(await wait('rate-takes')).toMatchObject({ takes: [[1, '127.0.0.1', 1]] })

  send({ type: 'rate-takes', takes: [[1, '127.0.0.1', 1]] })
  // Messages keep their order: once this one is answered, the one before has been counted.
  send({ type: 'snapshot', snapshot })
  await wait('snapshot-accepted')
  expect((await request(url)).status).toBe(429)
  send({ type: 'lame-duck' })
  await once(worker, 'exit')
})
