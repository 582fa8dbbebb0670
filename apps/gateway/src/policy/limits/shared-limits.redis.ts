import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startRedis } from '../../testing/throwaway-redis.ts'
import { sixtyADay, startSharing } from '../testing/shared-gateway.ts'

describe('servers that count in one Redis', () => {
  it('let exactly the quota through together', async () => {
    const redis = await startRedis()
    const gateways = await Promise.all([startSharing(redis.url), startSharing(redis.url)])
    await Promise.all(gateways.map(({ reach }) => reach('shared')))
    const let200 = await Promise.all(gateways.map(({ letThrough }) => letThrough(90)))
    expect(gateways.flatMap(({ changes }) => changes)).toHaveLength(2)
    expect(let200[0]! + let200[1]!).toBe(60)
    expect(let200.every((count) => count > 0)).toBe(true)
    const refused = await gateways[0].ask()
    expect(refused).toMatchObject({ status: 429, code: 'client.rate_limited' })
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-policy': '60;w=86400',
    })
    // One request in 24 minutes; a few seconds of them may have passed.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1_380)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1_440)
  })

  it('see in each answer what the others have let through', async () => {
    const redis = await startRedis()
    const [one, other] = [await startSharing(redis.url), await startSharing(redis.url)]
    await Promise.all([one.reach('shared'), other.reach('shared')])
    expect(await one.letThrough(40)).toBe(40)
    expect((await other.ask()).headers['ratelimit-remaining']).toBe('19')
  })

  it('keep a quota that outlives the server, and forget it with the window', async () => {
    const redis = await startRedis()
    const first = await startSharing(redis.url)
    await first.reach('shared')
    await first.letThrough(20)
    const later = await startSharing(redis.url)
    await later.reach('shared')
    expect(await later.letThrough(60)).toBe(40)
    const [key] = (await redis.command('KEYS', 'test:1:*')) as string[]
    expect(key).toBe('test:1:60/86400/endpoint:1')
    // The whole quota is used up: it is there again after a day.
    const ttl = Number(await redis.command('TTL', key!))
    expect(ttl).toBeGreaterThan(86_000)
    expect(ttl).toBeLessThanOrEqual(86_400)
  })

  it('pass a body on that arrives while Redis is asked, and measure one in chunks', async () => {
    const redis = await startRedis()
    const gateway = await startSharing(redis.url, { policy: { max_body_bytes: 100_000 } })
    await gateway.reach('shared')
    async function* chunks(count: number) {
      for (let sent = 0; sent < count; sent++) yield Buffer.alloc(10_000, 'x')
    }
    const whole = await gateway.ask({ method: 'POST', body: chunks(9) })
    expect(whole).toMatchObject({ status: 200, text: 'x'.repeat(90_000) })
    const tooLarge = await gateway.ask({ method: 'POST', body: chunks(20) })
    expect(tooLarge).toMatchObject({ status: 413, code: 'client.too_large' })
  })

  it('ask nothing for an API without a limit, nor for a client that is over its own', async () => {
    const redis = await startRedis()
    const free = await startSharing(redis.url, {
      policy: { rate_limit: null, max_body_bytes: 100 },
    })
    const spent = await startSharing(redis.url)
    await Promise.all([free.reach('shared'), spent.reach('shared')])
    await spent.letThrough(61)
    const commands = async () =>
      Number(
        /calls=(\d+)/.exec(
          String(await redis.command('INFO', 'commandstats')).split('cmdstat_evalsha')[1] ?? '',
        )?.[1],
      )
    const before = await commands()
    expect(await free.letThrough(20)).toBe(20)
    expect(await spent.letThrough(20)).toBe(0)
    expect(await commands()).toBe(before)
  })
})

describe('while Redis is away', () => {
  it('each server counts its share, from where it was, says so once, and recovers', async () => {
    const redis = await startRedis()
    const gateways = [
      await startSharing(redis.url, { servers: 2 }),
      await startSharing(redis.url, { servers: 2 }),
    ] as const
    const [one, other] = gateways
    await Promise.all(gateways.map(({ reach }) => reach('shared')))
    await one.letThrough(15)
    await other.letThrough(15)
    await redis.kill()
    await Promise.all(gateways.map(({ reach }) => reach('away')))
    // Half of the quota is left, and so half of a share of 30. The first one had seen a quarter used.
    expect(await other.letThrough(60)).toBe(15)
    expect(await one.letThrough(60)).toBe(22)
    await redis.start()
    await Promise.all(gateways.map(({ reach }) => reach('shared')))
    for (const { changes } of gateways)
      expect(changes.map(({ state }) => state)).toEqual(['shared', 'away', 'shared'])
    expect(one.changes[1]?.reason).toMatch(/\S/)
  })

  it('a server that never reached it counts its share', async () => {
    const gateway = await startSharing('redis://127.0.0.1:9', { servers: 3 })
    await gateway.reach('away')
    expect(gateway.changes[0]?.reason).toContain('ECONNREFUSED')
    expect(await gateway.letThrough(60)).toBe(20)
  })

  it('a Redis that hangs holds no request up, and is used again when it answers', async () => {
    const redis = await startRedis()
    const gateway = await startSharing(redis.url, { servers: 2, isHurried: true })
    await gateway.reach('shared')
    redis.freeze()
    // All are answered although Redis stays as it is.
    expect(await gateway.letThrough(100)).toBe(30)
    expect(gateway.changes.at(-1)).toEqual({
      state: 'away',
      reason: 'It did not answer within 75 ms.',
    })
    redis.thaw()
    await gateway.reach('shared')
  })

  it('what each let through alone counts for all once it is back', async () => {
    const redis = await startRedis()
    const one = await startSharing(redis.url, { servers: 2 })
    const other = await startSharing(redis.url, { servers: 2 })
    await Promise.all([one.reach('shared'), other.reach('shared')])
    expect(await one.letThrough(10)).toBe(10)
    await redis.kill()
    await Promise.all([one.reach('away'), other.reach('away')])
    expect(await one.letThrough(5)).toBe(5)
    expect(await other.letThrough(15)).toBe(15)
    await redis.start()
    await Promise.all([one.reach('shared'), other.reach('shared')])
    // 30 of 60 are used. Each tells Redis of its own when it asks next.
    expect(await one.letThrough(1)).toBe(1)
    expect(await other.letThrough(60)).toBe(29)
    expect(await one.letThrough(60)).toBe(0)
  })

  it('one that was frozen for a moment keeps the quota', async () => {
    const redis = await startRedis()
    const gateway = await startSharing(redis.url, { isHurried: true })
    await gateway.reach('shared')
    expect(await gateway.letThrough(20)).toBe(20)
    redis.freeze()
    const meanwhile = await gateway.letThrough(20)
    expect(meanwhile).toBe(20)
    redis.thaw()
    await gateway.reach('shared')
    // What it was asked before it froze, it may have counted after: never more than the quota.
    expect(await gateway.letThrough(60)).toBeLessThanOrEqual(20)
  })

  it('a Redis that lost its scripts and counts learns them from those who ask', async () => {
    const redis = await startRedis()
    const gateways = await Promise.all([startSharing(redis.url), startSharing(redis.url)])
    const [one, other] = gateways
    await Promise.all(gateways.map(({ reach }) => reach('shared')))
    expect(await one.letThrough(30)).toBe(30)
    expect(await other.letThrough(20)).toBe(20)
    await redis.command('FLUSHALL')
    await redis.command('SCRIPT', 'FLUSH')
    // The one that asked last knows all.
    expect(await other.letThrough(5)).toBe(5)
    expect(await one.letThrough(70)).toBe(5)
    expect(gateways.flatMap(({ changes }) => changes)).toHaveLength(2)
  })

  it.each([
    ['a wrong password', ['--requirepass right-password'], 'x:wrong-password@', /WRONGPASS/],
    ['no password', ['--requirepass right-password'], '', /NOAUTH/],
    ['a replica that takes no writes', ['--replicaof 127.0.0.1 9'], '', /READONLY/],
  ])('%s is said, without the password', async (_name, options, account, reason) => {
    const redis = await startRedis(...options)
    const url = redis.url.replace('//', `//${account}`)
    const gateway = await startSharing(url, { servers: 2 })
    await gateway.reach('away')
    expect(gateway.changes[0]?.reason).toMatch(reason)
    expect(JSON.stringify(gateway.changes)).not.toContain('password@')
    expect(JSON.stringify(gateway.changes)).not.toContain('wrong-password')
    expect(await gateway.letThrough(60)).toBe(30)
  })

  it('the right password is used', async () => {
    const redis = await startRedis('--requirepass right/password')
    const url = redis.url.replace('//', `//:${encodeURIComponent('right/password')}@`)
    const gateway = await startSharing(url)
    await gateway.reach('shared')
    expect(gateway.changes).toEqual([{ state: 'shared', reason: null }])
  })

  it('a user that may do no more than docs/operations/fleet.md says will do', async () => {
    const redis = await startRedis()
    const commands = '+evalsha +eval +script|load +time +get +set'
    const rule = `on >a-password resetkeys ~test:* -@all ${commands}`
    await redis.command('ACL', 'SETUSER', 'limits', ...rule.split(' '))
    const gateway = await startSharing(redis.url.replace('//', '//limits:a-password@'))
    await gateway.reach('shared')
    await redis.command('SCRIPT', 'FLUSH')
    expect(await gateway.letThrough(70)).toBe(60)
    expect(gateway.changes).toEqual([{ state: 'shared', reason: null }])
  })

  it('one that is slow from the start is never asked, one that becomes slow is left', async () => {
    const redis = await startRedis()
    const line = await startSlowLine(redis.port)
    line.delayMs = 200
    const gateway = await startSharing(line.url, { servers: 2, isHurried: true })
    await gateway.reach('away')
    expect(await gateway.letThrough(10)).toBe(10)
    line.delayMs = 0
    await gateway.reach('shared')
    line.delayMs = 200
    expect(await gateway.letThrough(10)).toBe(10)
    expect(gateway.changes.at(-1)).toMatchObject({ state: 'away' })
  })
})

/** A connection to Redis on which each answer takes longer. */
async function startSlowLine(port: number) {
  const line = { delayMs: 0, url: '' }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const redis = connect(port, '127.0.0.1')
    for (const socket of [client, redis]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.pipe(redis)
    redis.on('data', (chunk) => setTimeout(() => client.write(chunk), line.delayMs))
    client.on('close', () => redis.destroy())
    redis.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  line.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return line
}

it('a limit of fewer requests than servers lets one through at each', async () => {
  const rate_limit = { ...sixtyADay, requests: 2 }
  const gateway = await startSharing('redis://127.0.0.1:9', { servers: 5, policy: { rate_limit } })
  await gateway.reach('away')
  expect(await gateway.letThrough(10)).toBe(1)
})
