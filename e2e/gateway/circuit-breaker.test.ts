import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AlarmRecord, AlarmRuleRecord } from '@gatehouse/contract'
import { expect, it } from 'vitest'
import { expectAccessible, startOwnJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

// A dead upstream opens the circuit breaker of a real gateway, and an alarm says so.

const journey = startOwnJourney()

/** An address at which nobody listens. */
async function deadUpstream(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

it('a breaker that a dead upstream opened is an alarm, and Home and Nodes show it', async () => {
  const call = await signIn(journey.url)
  const created = await call('POST', '/api/apis', {
    name: 'Orders',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: await deadUpstream(),
    traffic_policy: {
      circuit_breaker: {
        failure_percent: 50,
        window_seconds: 60,
        minimum_requests: 1,
        cool_down_seconds: 3_600,
      },
    },
  })
  const { id } = created.body as { id: number }
  await call('POST', '/api/endpoint', {
    api_id: id,
    method_type: 'get',
    status: 'active',
    path: '/all',
    authentication: 0,
    summery: 'All orders',
    description: 'All orders',
  })
  const found = await call('GET', '/api/alarm-rules?search=breaker')
  const rule = (found.body as [{ data: AlarmRuleRecord[] }])[0].data[0]
  const changed = await call('PUT', `/api/alarm-rules/${rule?.id}`, {
    ...rule,
    limits: { minutes: 0 },
  })
  expect(changed.status).toBe(200)
  expect((await fetch(`${journey.gatewayUrl}/orders/all`)).status).toBe(502)

  const alarms = async () => {
    const { body } = await call('GET', '/api/alarms?state=current&kind=breaker')
    return (body as [{ data: AlarmRecord[] }])[0].data
  }
  // Rules are looked at every 30 s.
  await expect
    .poll(alarms, { interval: 500 })
    .toMatchObject([{ subject: `api:${id}`, path: '/dashboard/admin/traffic' }])
  expect((await alarms())[0]?.title).toContain('The circuit breaker of Orders is open on ')

  const { page } = journey
  await showScreen(page, '/dashboard')
  const traffic = page.getByRole('region', { name: 'Gateway traffic' })
  await traffic.getByText('A circuit breaker is open').waitFor()
  await page.getByRole('link', { name: /1 Open circuit breakers/ }).waitFor()
  await expectAccessible(page)
  await showScreen(page, '/dashboard/admin/nodes')
  await page.getByText('1 circuit breaker open').waitFor()
  await page.getByText(/GB free/).waitFor()
  await expectAccessible(page)
})
