import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../test/servers/build-server.ts'
import { relayTo } from '../../test/servers/database-relay.ts'
import { recordingGateway } from '../../test/servers/recording-gateway.ts'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect } from '../db/connect.ts'
import { databaseTroubleOf } from '../db/outages/database-away.ts'
import { isPostgres } from '../db/dialect.ts'
import { migrate } from '../db/migrate.ts'
import { seed } from '../db/seed.ts'
import { systemClock } from '../kernel/clock.ts'
import { createSecretBox } from '../kernel/secret-box.ts'
import { inTransactionOn } from '../stores.ts'
import { Publisher } from './publisher.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
})
afterEach(() => server.close())

const token = () => server.admin.token
const create = (name: string) =>
  server.send('POST', '/api/apis', { token: token(), body: httpApi({ name }) })
const status = async () =>
  (await server.send('GET', '/api/gateway', { token: token() })).body as Record<string, unknown>

describe('a change', () => {
  it('is with the workers when it is answered', async () => {
    const { body } = await create('First')
    expect(gateway.published.at(-1)?.apis.map(({ name }) => name)).toEqual(['First'])
    await server.send('POST', '/api/endpoint', {
      token: token(),
      body: endpointOf((body as { id: number }).id),
    })
    expect(gateway.published.at(-1)?.endpoints).toHaveLength(1)
  })

  it('is published together with others that arrive at once, and none is forgotten', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => create(`API ${number}`)))
    expect(gateway.published.at(-1)?.apis).toHaveLength(20)
    const revisions = gateway.published.map(({ revision }) => revision)
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b))
  })

  it('that is rolled back is not published', async () => {
    await create('First')
    const { length } = gateway.published
    expect((await create('First')).status).toBe(422)
    expect(gateway.published).toHaveLength(length)
  })
})

describe('GET /api/gateway', () => {
  it('shows what is in force, and the workers', async () => {
    await create('First')
    const { revision } = gateway.published.at(-1)!
    expect(await status()).toMatchObject({
      revision,
      published_revision: revision,
      published_at: '2026-06-01T08:00:00.000Z',
      refusal: null,
      address: '127.0.0.1:8080',
      gateway_url: 'http://localhost:8080',
      workers: [{ id: 1, pid: 4711, state: 'serving', revision, restarts: 2, in_flight: 3 }],
    })
  })

  it('shows what the workers refused, until something is accepted again', async () => {
    await create('First')
    const published = gateway.published.at(-1)!.revision
    gateway.control.refusal = 'Worker 1: two endpoints are alike.'
    await create('Second')
    expect(await status()).toMatchObject({
      revision: published + 1,
      published_revision: published,
      refusal: {
        revision: published + 1,
        reason: 'Worker 1: two endpoints are alike.',
        at: '2026-06-01T08:00:00.000Z',
      },
    })
    gateway.control.refusal = undefined
    await create('Third')
    expect(await status()).toMatchObject({ published_revision: published + 2, refusal: null })
  })

  it('shows that no worker has taken it over, until all run on it', async () => {
    await create('First')
    const published = gateway.published.at(-1)!.revision
    gateway.control.isWaiting = true
    await create('Second')
    expect(await status()).toMatchObject({
      published_revision: published,
      refusal: { revision: published + 1, reason: 'No worker has taken it over so far.' },
    })
    await server.publisher.publish()
    expect(await status()).toMatchObject({ published_revision: published })
    gateway.control.isWaiting = false
    const offered = gateway.published.length
    await server.publisher.publish()
    expect(await status()).toMatchObject({ published_revision: published + 1, refusal: null })
    expect(gateway.published).toHaveLength(offered)
  })

  it('counts a worker as late that runs on a lost configuration of the same number', async () => {
    await create('First')
    const lost = gateway.published.at(-1)!
    gateway.control.isWaiting = true
    await server.db.updateTable('config_revision').set({ mark: 'another' }).execute()
    await server.publisher.publish()
    gateway.control.isWaiting = false
    gateway.control.running = lost
    await server.publisher.publish()
    expect(await status()).toMatchObject({
      mark: 'another',
      published_mark: lost.mark,
      refusal: { revision: lost.revision, reason: 'No worker has taken it over so far.' },
    })
    gateway.control.running = { revision: lost.revision, mark: 'another' }
    await server.publisher.publish()
    expect(await status()).toMatchObject({ published_mark: 'another', refusal: null })
  })

  it('shows which APIs can’t be read; everything else is in force', async () => {
    const { body } = await create('First')
    const { id } = body as { id: number }
    await server.db.updateTable('api').set({ upstream_token_encrypted: 'v1.broken' }).execute()
    expect((await create('Second')).status).toBe(201)
    expect(gateway.published.at(-1)?.apis).toHaveLength(2)
    expect(await status()).toMatchObject({
      refusal: null,
      faults: [{ api_id: id, name: 'First', fault: 'upstream_token' }],
    })
    await server.db.updateTable('api').set({ upstream_token_encrypted: null }).execute()
    await create('Third')
    expect(await status()).toMatchObject({ refusal: null, faults: [] })
  })
})

it('GET /readyz refuses while PostgreSQL has been silent for longer than GATEWAY_STALE_AFTER', async () => {
  const strict = await buildServer({ GATEWAY_STALE_AFTER: '30' }, gateway.link)
  const ready = async () => (await strict.send('GET', '/readyz')).status
  await strict.publisher.publish()
  expect(await ready()).toBe(200)
  strict.time.now = new Date(strict.time.now.getTime() + 31_000)
  // SQLite is in this process.
  expect(await ready()).toBe(isPostgres(strict.db) ? 503 : 200)
  await strict.publisher.publish()
  expect(await ready()).toBe(200)
  await strict.close()
})

describe('servers that share a PostgreSQL', () => {
  it.each([
    { by: 'LISTEN', isListening: true, pollMs: 3_600_000 },
    { by: 'looking', isListening: false, pollMs: 10 },
  ])("publish each other's changes, by $by", async ({ isListening, pollMs }) => {
    const shared = await createEmptyPostgres()
    // SQLite has one server.
    if (!shared) return
    const ours = connect({ kind: 'postgres', url: shared.url })
    const theirs = connect({ kind: 'postgres', url: shared.url })
    const recorder = recordingGateway()
    const publisher = new Publisher({
      db: ours,
      clock: systemClock,
      log: pino({ enabled: false }),
      secrets: createSecretBox(randomBytes(32)),
      gateway: recorder.link,
      databaseUrl: isListening ? shared.url : undefined,
      pollMs,
    })
    try {
      await migrate(ours)
      await seed(ours, new Date())
      await publisher.start()
      const first = recorder.published.at(-1)!.revision
      await inTransactionOn(theirs, systemClock)(({ revisions }) => revisions.bump())
      await recorder.reaches(first + 1)
      expect(recorder.published.at(-1)?.revision).toBe(first + 1)
    } finally {
      await publisher.stop()
      await ours.destroy()
      await theirs.destroy()
      await shared.drop()
    }
  })

  it('learn of them as soon as a network is back that had swallowed everything', async () => {
    const shared = await createEmptyPostgres()
    if (!shared) return
    const relay = await relayTo(shared.url)
    const ours = connect({ kind: 'postgres', url: relay.url })
    const theirs = connect({ kind: 'postgres', url: shared.url })
    const recorder = recordingGateway()
    const publisher = new Publisher({
      db: ours,
      clock: systemClock,
      log: pino({ enabled: false }),
      secrets: createSecretBox(randomBytes(32)),
      gateway: recorder.link,
      databaseUrl: relay.url,
      pollMs: 3_600_000,
    })
    try {
      await migrate(theirs)
      await seed(theirs, new Date())
      await publisher.start()
      const first = recorder.published.at(-1)!.revision
      await inTransactionOn(theirs, systemClock)(({ revisions }) => revisions.bump())
      await recorder.reaches(first + 1)

      relay.silence()
      const before = relay.attempts()
      await inTransactionOn(theirs, systemClock)(({ revisions }) => revisions.bump())
      // A query that was sent into the dark ends, and so does the listening.
      const lost = await inTransactionOn(
        ours,
        systemClock,
      )(({ revisions }) => revisions.get()).catch((error: unknown) => error)
      expect(databaseTroubleOf(lost)).toBe('away')
      await vi.waitFor(() => expect(relay.attempts()).toBeGreaterThan(before + 3))
      expect(recorder.published.at(-1)?.revision).toBe(first + 1)
      expect(publisher.unheardMs).toBeGreaterThan(1_000)

      await relay.comeBack()
      await recorder.reaches(first + 2)
      expect(publisher.unheardMs).toBeLessThan(10_000)
    } finally {
      await publisher.stop()
      await ours.destroy()
      await theirs.destroy()
      await relay.close()
      await shared.drop()
    }
  })
})
