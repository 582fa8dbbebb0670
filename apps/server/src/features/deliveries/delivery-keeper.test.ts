import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildOutboxes, testSecret } from '../../../test/servers/delivery-server.ts'
import { startUpstream, type Received } from '../../../test/servers/hostile-upstream.ts'
import { wishFor } from '../../kernel/leases/lease-time.ts'

type Outboxes = Awaited<ReturnType<typeof buildOutboxes>>
type Receiver = Awaited<ReturnType<typeof startUpstream>>

let made: Outboxes
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  made = await buildOutboxes()
})
afterEach(async () => {
  await made.close()
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function receiver(...args: Parameters<typeof startUpstream>): Promise<Receiver> {
  const started = await startUpstream(...args)
  closing.push(started.close)
  return started
}

const takes = () => receiver((_request, response) => void response.writeHead(204).end())
const bodies = ({ received }: { received: Received[] }) =>
  received.map(({ body }) => JSON.parse(body) as { n: number })
const numbers = (of: Receiver) => bodies(of).map(({ n }) => n)

describe('a delivery', () => {
  it('is signed as Standard Webhooks ask', async () => {
    const shop = await takes()
    const id = await made.leave(`${shop.url}/in?from=gatehouse`, { n: 1 })
    await made.outbox.keeper.look()
    const [got] = shop.received
    const stored = await made.find(id)
    expect(stored).toMatchObject({ state: 'delivered', tries: 1, last_status: 204 })
    expect(got).toMatchObject({
      method: 'POST',
      url: '/in?from=gatehouse',
      body: '{"n":1}',
      headers: {
        'content-type': 'application/json',
        'webhook-id': stored.message_id,
        'webhook-timestamp': String(made.time.now.getTime() / 1000),
      },
    })
    const key = Buffer.from(testSecret.slice('whsec_'.length), 'base64')
    const signed = `${stored.message_id}.${made.time.now.getTime() / 1000}.{"n":1}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(got?.headers['webhook-signature']).toBe(`v1,${signature}`)
  })

  it('is not sent where what caused it was rolled back', async () => {
    const shop = await takes()
    const caused = made.inTransaction(async ({ deliveries }) => {
      await deliveries.insert({
        kind: 'callback',
        channel: 'webhook',
        subject: 'run.succeeded',
        target: { url: shop.url, secret: { of: 'workflow', id: 1 } },
        payload: '{}',
      })
      throw new Error('no')
    })
    await expect(caused).rejects.toThrow('no')
    await made.outbox.keeper.look()
    expect(shop.received).toEqual([])
  })

  it('keeps its id over all tries, and has a timestamp of its own at each', async () => {
    const answers = [500, 429, 200]
    const shop = await receiver((_request, response) => {
      response.writeHead(answers.shift() ?? 200).end('no')
    })
    const id = await made.leave(shop.url, { n: 1 })
    for (let tries = 0; tries < 3; tries++) {
      await made.outbox.keeper.look()
      made.later(60)
    }
    const headers = shop.received.map((each) => each.headers)
    expect(new Set(headers.map((each) => each['webhook-id'])).size).toBe(1)
    const stamps = headers.map((each) => Number(each['webhook-timestamp']))
    expect(stamps.map((stamp) => stamp - (stamps[0] ?? 0))).toEqual([0, 60, 120])
    expect(await made.find(id)).toMatchObject({ state: 'delivered', tries: 3, last_error: null })
  })
})

describe('a receiver that is away', () => {
  it('for an hour loses nothing: all arrives once it is back, in the order of each document', async () => {
    let isBack = false
    const shop = await receiver((_request, response) => {
      response.writeHead(isBack ? 200 : 503).end()
    })
    const documents = ['A', 'B', 'C']
    const taken: string[] = []
    for (let n = 1; n <= 30; n++) {
      const document = documents[n % 3] ?? ''
      await made.leave(shop.url, { n, document }, `7:${document}`)
    }
    for (let minute = 0; minute < 60; minute++) {
      await made.outbox.keeper.look()
      made.later(60)
    }
    const waiting = await made.outbox.service.measure()
    expect(waiting).toMatchObject({ waiting: 30, dead: 0, oldestSeconds: 3600 })
    // Only the first of each document was tried.
    expect(new Set(numbers(shop))).toEqual(new Set([1, 2, 3]))
    isBack = true
    shop.received.length = 0
    for (let minute = 0; minute < 70; minute++) {
      await made.outbox.keeper.look()
      made.later(60)
    }
    for (const { body } of shop.received) {
      const { n, document } = JSON.parse(body) as { n: number; document: string }
      taken.push(`${document}${n}`)
    }
    expect(taken).toHaveLength(30)
    for (const document of documents) {
      const own = taken.filter((each) => each.startsWith(document))
      expect(own).toEqual(own.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))))
      expect(own).toHaveLength(10)
    }
    expect(await made.outbox.service.measure()).toMatchObject({ waiting: 0, dead: 0 })
  })

  it('for a day gets it no more; then the next of the document has its turn', async () => {
    const shop = await receiver((_request, response) => void response.writeHead(500).end())
    const first = await made.leave(shop.url, { n: 1 }, 'A')
    const second = await made.leave(shop.url, { n: 2 }, 'A')
    for (let hour = 0; hour <= 24; hour++) {
      await made.outbox.keeper.look()
      made.later(3600)
    }
    expect(await made.find(first)).toMatchObject({ state: 'dead', last_status: 500 })
    // It never was first, so that it had no try: it gets one.
    expect(await made.find(second)).toMatchObject({ state: 'dead', tries: 1 })
    const { tries } = await made.find(first)
    expect(tries).toBeGreaterThan(10)
    expect(made.logLines.filter((line) => line.includes('given up'))).toHaveLength(2)
    expect(await made.outbox.service.measure()).toEqual({ waiting: 0, dead: 2, oldestSeconds: 0 })
  })

  it('is asked after the time that it names', async () => {
    const shop = await receiver((_request, response) => {
      response.writeHead(429, { 'retry-after': '900' }).end()
    })
    await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    made.later(899)
    await made.outbox.keeper.look()
    expect(shop.received).toHaveLength(1)
    made.later(1)
    await made.outbox.keeper.look()
    expect(shop.received).toHaveLength(2)
  })

  it('can’t ask for more than two hours', async () => {
    const shop = await receiver((_request, response) => {
      response.writeHead(503, { 'retry-after': '999999999' }).end()
    })
    await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    made.later(7200)
    await made.outbox.keeper.look()
    expect(shop.received).toHaveLength(2)
  })

  it('and says 410 gets it no more', async () => {
    const shop = await receiver((_request, response) => void response.writeHead(410).end())
    const id = await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    expect(await made.find(id)).toMatchObject({ state: 'dead', tries: 1, last_status: 410 })
  })
})

describe('a hostile receiver', () => {
  it('that hangs holds up no other', async () => {
    const hanging = await receiver(() => {})
    const arrived = Promise.withResolvers<void>()
    const shop = await receiver((_request, response) => {
      response.writeHead(204).end()
      arrived.resolve()
    })
    for (let n = 1; n <= 300; n++) await made.leave(hanging.url, { n })
    await made.leave(shop.url, { n: 1 })
    const look = made.outbox.keeper.look()
    await arrived.promise
    expect(hanging.received.length).toBeLessThanOrEqual(8)
    await made.outbox.keeper.stop()
    await look
  })

  it('that redirects is not followed', async () => {
    const other = await takes()
    const shop = await receiver((_request, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    const id = await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    expect(other.received).toEqual([])
    expect(await made.find(id)).toMatchObject({
      state: 'waiting',
      last_status: 307,
      last_error: 'It answered 307: redirects are not followed.',
    })
  })

  it.each([200, 500])('that answers %d with a gigabyte is cut off', async (status) => {
    let sentBytes = 0
    const closed = Promise.withResolvers<void>()
    const shop = await receiver((_request, response) => {
      response.writeHead(status, { 'content-length': String(2 ** 30) })
      const more = () => {
        sentBytes += 65_536
        if (response.destroyed || sentBytes >= 2 ** 30) return
        if (response.write(Buffer.alloc(65_536))) setImmediate(more)
        else response.once('drain', more)
      }
      response.once('close', closed.resolve)
      more()
    })
    const id = await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    await closed.promise
    expect(await made.find(id)).toMatchObject({
      state: status === 200 ? 'delivered' : 'waiting',
      last_status: status,
    })
    expect(sentBytes).toBeLessThan(2 ** 26)
  })

  it('that drips its answer counts by its status, once it is given up', async () => {
    const shop = await receiver((_request, response) => {
      response.writeHead(200)
      response.write('x')
    })
    const id = await made.leave(shop.url, { n: 1 })
    await made.outbox.keeper.look()
    expect(await made.find(id)).toMatchObject({ state: 'delivered', last_status: 200 })
  })
})

describe('several servers', () => {
  it('is not sent by a server that stood still until another one had it', async () => {
    const shop = await takes()
    await made.leave(shop.url, { n: 1 }, 'A')
    await made.leave(shop.url, { n: 2 }, 'A')
    let isStill = false
    const paused = made.outboxOf('paused', async () => {
      if (isStill) return
      isStill = true
      made.later(61)
      await made.outbox.keeper.look()
    })
    await paused.keeper.look()
    expect(numbers(shop)).toEqual([1, 2])
    await paused.keeper.stop()
  })

  it('never send the same try', async () => {
    const shop = await takes()
    for (let n = 1; n <= 200; n++) await made.leave(shop.url, { n }, `7:${n % 20}`)
    const second = made.outboxOf('second')
    await Promise.all([made.outbox.keeper.look(), second.keeper.look()])
    while ((await made.outbox.service.measure()).waiting > 0)
      await Promise.all([made.outbox.keeper.look(), second.keeper.look()])
    const ids = shop.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(200)
    expect(new Set(ids).size).toBe(200)
    const byKey = Map.groupBy(numbers(shop), (n) => n % 20)
    for (const own of byKey.values()) expect(own).toEqual(own.toSorted((a, b) => a - b))
    await second.keeper.stop()
  })

  it('take over what another has left under way, after a minute', async () => {
    const shop = await takes()
    const id = await made.leave(shop.url, { n: 1 })
    const lease = await wishFor({ clock: { now: () => made.time.now }, owner: 'second' }, 60_000)
    const claiming = { lease, limit: 1, perPlace: 1, underWay: new Map() }
    await made.inTransaction(({ deliveries }) => deliveries.claim(claiming))
    await made.outbox.keeper.look()
    made.later(59)
    await made.outbox.keeper.look()
    expect(shop.received).toEqual([])
    made.later(1)
    await made.outbox.keeper.look()
    expect(await made.find(id)).toMatchObject({ state: 'delivered', tries: 1 })
  })

  it('and one that starts again takes up at once what it has left', async () => {
    const shop = await takes()
    await made.leave(shop.url, { n: 1 })
    const lease = await wishFor({ clock: { now: () => made.time.now }, owner: 'first' }, 60_000)
    const claiming = { lease, limit: 1, perPlace: 1, underWay: new Map() }
    await made.inTransaction(({ deliveries }) => deliveries.claim(claiming))
    await made.outbox.keeper.start()
    await made.outbox.keeper.look()
    expect(shop.received).toHaveLength(1)
  })
})

it('removes what ended long ago, and nothing that waits', async () => {
  const shop = await takes()
  const gone = await receiver((_request, response) => void response.writeHead(410).end())
  const delivered = await made.leave(shop.url, { n: 1 })
  const dead = await made.leave(gone.url, { n: 2 })
  await made.outbox.keeper.look()
  const day = 86_400
  made.later(30 * day + 1)
  const waiting = await made.leave('http://127.0.0.1:9/', { n: 3 })
  await made.outbox.keeper.look()
  await expect(made.find(delivered)).rejects.toThrow('no delivery')
  expect((await made.find(dead)).state).toBe('dead')
  expect((await made.find(waiting)).state).toBe('waiting')
  made.later(60 * day)
  await made.outbox.keeper.look()
  await expect(made.find(dead)).rejects.toThrow('no delivery')
})
