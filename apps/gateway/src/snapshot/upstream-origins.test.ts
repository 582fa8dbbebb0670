import { RecordedCall } from '@gatehouse/http1/testing/recorded-call'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { Answering } from '@gatehouse/http1/testing/recording-upstream'
import { createAddressGuard } from '@gatehouse/upstream/http'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { UpstreamOrigins } from './upstream-origins.ts'

async function start(answer?: Answering) {
  const upstream = await startRecordingUpstream(answer)
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  const origins = new UpstreamOrigins({ guard })
  onTestFinished(() => origins.destroy())
  const target = origins.target(upstream.url, 5_000)
  const send = () => {
    const call = new RecordedCall()
    origins.poolOf(target.upstream).dispatch(call)
    return call
  }
  return { upstream, origins, target, send }
}

it('a call to an origin that a snapshot dropped leaves no connection behind', async () => {
  const { upstream, origins, send } = await start()
  origins.keep([])
  expect(await send().ended).toMatchObject({ body: 'ok' })
  const [socket] = upstream.sockets
  if (socket && !socket.destroyed) await once(socket, 'close')
  expect(upstream.sockets).toHaveLength(1)
})

it('the end of all connections ends calls to dropped origins too', async () => {
  const { origins, send } = await start(() => {})
  const before = send()
  await before.started
  origins.keep([])
  const after = send()
  await after.started
  origins.keep([])
  await origins.destroy()
  expect((await before.ended).failure?.failure).toBe('aborted')
  expect((await after.ended).failure?.failure).toBe('aborted')
})

it('an origin that comes back keeps its connections again', async () => {
  const { upstream, origins, target, send } = await start()
  origins.keep([])
  const again = origins.target(upstream.url, 5_000)
  origins.keep([again])
  for (let round = 0; round < 2; round++) {
    const call = new RecordedCall()
    origins.poolOf(again.upstream).dispatch(call)
    await call.ended
  }
  expect(upstream.sockets).toHaveLength(1)
  // A request that began before the origin was dropped has a connection of its own.
  expect(target.upstream).not.toBe(again.upstream)
  await send().ended
  expect(upstream.sockets).toHaveLength(2)
})
