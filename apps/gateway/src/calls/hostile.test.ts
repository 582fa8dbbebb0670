import { answerOk, startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { Answering } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { runHostileExchanges } from '../testing/hostile-exchanges.ts'
import { hostileUpstreams } from '../testing/hostile-upstreams.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

async function start(answer: Answering, answerTimeoutMs = 20_000) {
  const upstream = await startRecordingUpstream(answer)
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, answer_timeout_ms: answerTimeoutMs })],
      endpoints: [buildEndpoint(), buildEndpoint({ id: 2, method: 'POST' })],
    }),
  )
  return { upstream, gateway, client: new RawClient(gateway.port) }
}

const request = 'GET /sales/orders HTTP/1.1\r\nHost: a\r\n\r\n'

describe('an upstream that', () => {
  it.each(hostileUpstreams.map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { answer, expected, isSlow }) => {
      const { client, gateway } = await start(answer, isSlow ? 100 : 20_000)
      client.send(request)
      const got = await client.answer()
      if (expected === 'cut') {
        expect(got).toBeUndefined()
        expect(gateway.report().codes).toMatchObject({})
      } else if ('body' in expected) expect(got?.body).toBe(expected.body)
      else {
        expect(JSON.parse(got?.body ?? '')).toMatchObject({ code: expected.code })
        expect(got?.status).toBe(expected.status)
      }
      expect(gateway.report().in_flight).toBe(0)
    },
  )
})

it('a connection whose upstream failed serves the next request', async () => {
  const { client } = await start((socket) => socket.end())
  client.send(request)
  expect((await client.answer())?.status).toBe(502)
  client.send(request)
  expect((await client.answer())?.status).toBe(502)
})

it('what an upstream sends behind its answer never becomes the answer to another request', async () => {
  const extra = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad'
  const { client, upstream } = await start((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood${extra}`)
  })
  for (let round = 0; round < 5; round++) {
    client.send(request)
    expect((await client.answer())?.body).toBe('good')
  }
  expect(upstream.sockets.length).toBe(5)
})

it('an idle connection that the upstream closes is not used again', async () => {
  const { client, upstream } = await start(answerOk)
  client.send(request)
  expect((await client.answer())?.status).toBe(200)
  const [first] = upstream.sockets
  const closed = new Promise((resolve) => first?.once('close', resolve))
  first?.end()
  await closed
  client.send(request)
  expect((await client.answer())?.status).toBe(200)
  expect(upstream.sockets).toHaveLength(2)
})

it('an upstream that can’t be reached is a 502 with a code', async () => {
  const gateway = await startGateway(
    buildSnapshot({ apis: [buildApi({ base_url: 'http://127.0.0.1:1/' })] }),
  )
  const answer = await fetch(`${gateway.url}/sales/orders`)
  expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'upstream.refused' }])
})

it('nothing is left of 200 of them at once', async () => {
  const report = await runHostileExchanges(200, { atOnce: 50, gc: null })
  expect(report).toMatchObject({ wrong: [], inFlight: 0 })
})
