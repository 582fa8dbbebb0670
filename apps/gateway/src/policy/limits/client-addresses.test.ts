import { trafficPolicy, noTrafficPolicy } from '@gatehouse/contract/gateway'
import { cidrProblem, ClientAddresses } from '@gatehouse/upstream/http'
import { describe, expect, it } from 'vitest'
import { snapshotWith, startGateway, startUpstream } from '../testing/policy-gateway.ts'

describe('the lists of addresses of an API', () => {
  it.each([
    [['10.0.0.0/8'], [], '10.1.2.3', true],
    [['10.0.0.0/8'], [], '11.1.2.3', false],
    [['10.0.0.0/8'], [], '::ffff:10.1.2.3', true],
    [['203.0.113.7'], [], '203.0.113.7', true],
    [['203.0.113.7'], [], '203.0.113.8', false],
    [['fd00::/8'], [], 'fd12::1', true],
    [['fd00::/8'], [], '10.0.0.1', false],
    [[], ['203.0.113.0/24'], '203.0.113.9', false],
    [[], ['203.0.113.0/24'], '::ffff:203.0.113.9', false],
    [[], ['203.0.113.0/24'], '198.51.100.1', true],
    [['0.0.0.0/0'], ['203.0.113.9'], '203.0.113.9', false],
    [['0.0.0.0/0'], ['203.0.113.9'], '203.0.113.8', true],
    // A trusted proxy that gives no address.
    [[], ['203.0.113.0/24'], 'unknown', false],
    [['0.0.0.0/0', '::/0'], [], 'unknown', false],
  ])('allow %j, deny %j: takes %s is %s', (allow, deny, address, taken) => {
    expect(new ClientAddresses({ allow, deny }).takes(address)).toBe(taken)
  })

  it.each([
    '10.0.0.0/8',
    '10.0.0.1',
    'fd00::/8',
    '::1',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0',
    '010.0.0.1',
    '256.0.0.1',
    'fd00::/129',
    '::ffff:10.0.0.0/104',
    '::ffff:0a00:1/104',
    'fe80::1%eth0',
    'localhost',
    '',
    ' 10.0.0.1',
    '10.0.0.1 ',
    '1'.repeat(60),
  ])('%j is published only where it can be compiled', (range) => {
    const client_addresses = { allow: [range], deny: [] }
    const isPublished = trafficPolicy.safeParse({ ...noTrafficPolicy, client_addresses }).success
    expect(isPublished && cidrProblem(range) !== undefined).toBe(false)
  })

  it('refuse by the address behind trusted proxies, before the upstream is contacted', async () => {
    const { url, seen } = await startUpstream((_, res) => res.end('fine'))
    const client_addresses = { allow: ['203.0.113.0/24'], deny: ['203.0.113.9'] }
    const { ask } = await startGateway(snapshotWith({ client_addresses }, { base_url: url }))
    const from = (address: string) => ask({ headers: { 'x-forwarded-for': address } })
    expect(await from('203.0.113.1')).toMatchObject({ status: 200, text: 'fine' })
    // What a client wrote itself is further left.
    for (const address of ['203.0.113.9', '198.51.100.1', '203.0.113.1, 198.51.100.1', 'garbage'])
      expect(await from(address)).toMatchObject({ status: 403, code: 'client.address_denied' })
    expect(await ask()).toMatchObject({ status: 403 })
    expect(seen).toHaveLength(1)
  })
})
