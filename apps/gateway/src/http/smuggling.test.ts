import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { describe, expect, it } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { smugglingCases } from '../testing/smuggling-cases.ts'

const second = 'GET /sales/second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

async function start() {
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url })],
      endpoints: [
        buildEndpoint(),
        buildEndpoint({ id: 2, method: 'POST' }),
        buildEndpoint({ id: 3, path: '/second' }),
      ],
    }),
  )
  return { upstream, gateway, client: new RawClient(gateway.port) }
}

const refused = smugglingCases.filter((each) => each.code !== undefined)
const passed = smugglingCases.filter((each) => each.code === undefined)

it('there are at least 100 of them', () => {
  expect(smugglingCases.length).toBeGreaterThanOrEqual(100)
})

describe('refused, with nothing behind it read, and nothing reaches the upstream', () => {
  it.each(refused.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const { upstream, gateway, client } = await start()
    client.send(each.text + second)
    const answer = await client.answer()
    expect(answer).toBeDefined()
    const { code, request_id } = JSON.parse(answer?.body ?? '') as Record<string, string>
    if (each.code === 'either') expect(code).toMatch(/^client\./)
    else expect(code).toBe(each.code)
    expect(answer?.status).toBe(gatewayErrorTable[code as 'client.host'].status)
    expect(answer?.headers.get('x-request-id')).toBe(request_id)
    if (each.code !== 'client.expectation') {
      expect(answer?.headers.get('connection')).toBe('close')
      expect(await client.rest()).toBe('')
      expect(upstream.requests).toEqual([])
      expect(gateway.report().in_flight).toBe(0)
    }
    expect(upstream.stray).toEqual([])
  })
})

describe('passed on as exactly one request', () => {
  it.each(passed.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const { upstream, client } = await start()
    client.send(each.text + second)
    expect((await client.answer())?.status).toBe(200)
    expect((await client.answer())?.status).toBe(200)
    expect(await client.rest()).toBe('')
    expect(upstream.requests.map(({ requestLine }) => requestLine.split(' ')[1])).toEqual([
      '/orders',
      '/second',
    ])
    const names = upstream.requests[0]?.headers.map(([name]) => name) ?? []
    expect(names).not.toContain('x-mine')
    expect(names).not.toContain('x-late')
    expect(upstream.stray).toEqual([])
  })
})
