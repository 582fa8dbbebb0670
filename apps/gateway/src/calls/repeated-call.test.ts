import { answerOk, startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { Answering } from '@gatehouse/http1/testing/recording-upstream'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

it('a call on a kept connection that ends without a byte of an answer is sent twice at most', async () => {
  let requests = 0
  const answer: Answering = (socket, request) =>
    ++requests === 1 ? answerOk(socket, request) : socket.end()
  const upstream = await startRecordingUpstream(answer)
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
  )
  const statuses = []
  for (let round = 0; round < 2; round++) {
    statuses.push((await fetch(`${gateway.url}/sales/orders`)).status)
  }
  expect([statuses, requests]).toEqual([[200, 502], 3])
})
it('a connection that is new is not tried again', async () => {
  const upstream = await startRecordingUpstream((socket) => socket.end())
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: upstream.url })] }),
  )
  expect((await fetch(`${gateway.url}/sales/orders`)).status).toBe(502)
  expect(upstream.requests).toHaveLength(1)
})

it('a client sees nothing of an upstream that closes a kept connection as the request arrives', async () => {
  const served = new WeakSet<Socket>()
  const upstream = await startRecordingUpstream((socket, request) => {
    if (served.has(socket)) socket.resetAndDestroy()
    else answerOk(socket, request)
    served.add(socket)
  })
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, method: 'PUT' })],
    }),
  )
  const client = new RawClient(gateway.port)
  for (const method of ['GET', 'GET', 'PUT', 'GET']) {
    client.send(`${method} /sales/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`)
    expect((await client.answer())?.status).toBe(200)
  }
  expect(upstream.requests).toHaveLength(7)
})

it.each(['GET', 'HEAD', 'PUT'])(
  'a %s of an endpoint that is declared a submit is not sent again',
  async (method) => {
    const served = new WeakSet<Socket>()
    const upstream = await startRecordingUpstream((socket, request) => {
      if (served.has(socket)) socket.end()
      else answerOk(socket, request)
      served.add(socket)
    })
    const gateway = await startGateway(
      buildSnapshot({
        apis: [buildApi({ base_url: upstream.url })],
        endpoints: [
          buildEndpoint({ is_repeatable: false }),
          buildEndpoint({ id: 2, method: 'PUT', is_repeatable: false }),
        ],
      }),
    )
    const ask = async (asked: string) =>
      (await fetch(`${gateway.url}/sales/orders`, { method: asked })).status
    expect([await ask('GET'), await ask(method)]).toEqual([200, 502])
    expect(upstream.requests).toHaveLength(2)
  },
)
