import { expect, it } from 'vitest'
import { startGateway, testedServer } from '../testing/test-gateway.ts'
import { BareClient, handshake, webSocketSnapshot } from '../testing/web-socket-client.ts'
import { startWebSocketUpstream } from '../testing/web-socket-upstream.ts'

it('our server switches to WebSocket; Node’s says that it can’t', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const client = new BareClient(gateway.port)
  client.socket.write(handshake())
  const status = await client.status()
  if (testedServer === 'node') {
    await client.ended
    expect(client.text).toContain('config.no_websockets')
    expect([status, upstream.sockets.length]).toEqual([501, 0])
  } else expect([status, upstream.sockets.length]).toEqual([101, 1])
})

it('a plain request to the same endpoint is answered as any other', async () => {
  const upstream = await startWebSocketUpstream()
  const gateway = await startGateway(webSocketSnapshot(upstream.url))
  const answer = await fetch(`${gateway.url}/sales/live`)
  expect([answer.status, await answer.text()]).toEqual([200, 'plain'])
})
