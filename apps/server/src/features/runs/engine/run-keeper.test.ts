import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import { startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint()
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const begin = async (owner: string, n: number) => {
  const peer = createRunPeer(app.server, upstream, owner)
  const started = await peer.start([{ endpointId: post, body: `{"n":${n}}` }], `key-number-${n}`)
  return started.what === 'began' ? started.live.id : 0
}
const stateOf = async (id: number) => (await app.show(id)).state

it('a start closes what its last life left open, and leaves the work of others alone', async () => {
  // `test-server` is the name of the app in the ledger.
  const own = await begin('test-server', 1)
  const other = await begin('another-server', 2)
  await app.server.runKeeper.start()
  expect(await stateOf(own)).toBe('unknown')
  expect(await stateOf(other)).toBe('running')
  expect(app.server.logLines.join('')).toContain('runs were cut off by a crash')
})

it('a sweep closes what others left whose lease has run out', async () => {
  const id = await begin('another-server', 3)
  await app.server.runKeeper.sweep()
  expect(await stateOf(id)).toBe('running')
  app.server.time.now = new Date(app.server.time.now.getTime() + 31_000)
  await app.server.runKeeper.sweep()
  expect(await stateOf(id)).toBe('unknown')
})
