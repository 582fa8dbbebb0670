import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recordingGateway } from '../../test/servers/recording-gateway.ts'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect } from '../db/connect.ts'
import { listenTo } from '../db/postgres/listen.ts'
import { systemClock } from '../kernel/clock.ts'
import { reportsChannel } from '../publishing/gateways/gateway-account-store.ts'
import { gatewayMessage, type GatewayMessage } from '../publishing/gateways/gateway-messages.ts'
import { createGatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import { Publisher } from '../publishing/publisher.ts'
import { readSettings } from '../settings/settings.ts'
import { openGatewayPort } from './gateway-port.ts'
import { createTalk } from './gateway-talk.ts'

const log = pino({ level: 'silent' })
const account = 'postgres'
/** As many rows as a gateway keeps while nobody takes them. */
const rowsMax = 50_000

const rowOf = (_: unknown, at: number) => ({
  endpoint_id: at + 1,
  status: 200,
  requests: 3,
  duration_ms: 0,
  bytes_in: 0,
  bytes_out: 0,
  buckets: [],
})

/** A gateway whose reports nobody answers; `heard` are the messages as the control plane would open them. */
async function openGatewayTalk() {
  const postgres = await createEmptyPostgres()
  if (!postgres) return undefined
  const db = connect({ kind: 'postgres', url: postgres.url })
  const seal = createGatewaySeal(randomBytes(32))
  const gateway = recordingGateway()
  const publisher = new Publisher({
    db,
    clock: systemClock,
    log,
    gateway: gateway.link,
    databaseUrl: undefined,
  })
  const opened = { clock: systemClock, stop: async () => {} }
  const dataDir = { path: '/', instanceId: 'g', place: '' }
  const parts = { db, seal, opened, log, gateway: gateway.link, publisher, dataDir, version: '1' }
  const talk = createTalk({ ...parts, recordsAll: true, onLost: () => {} })
  const app = await openGatewayPort({
    ...parts,
    settings: readSettings({}),
    lostRequests: () => talk.reporter.lostRequests,
  })
  const heard: GatewayMessage[] = []
  const listener = listenTo(postgres.url, reportsChannel, {
    onNotification: (payload) => {
      const sealed = payload?.split(' ')[1]
      if (sealed)
        void seal
          .open(sealed, { kind: 'message', account })
          .then((message) => heard.push(gatewayMessage.parse(message)))
    },
  })
  onTestFinished(async () => {
    await Promise.all([talk.reporter.stop(), listener.stop(), app.close()])
    await db.destroy()
    await postgres.drop()
  })
  return { talk, app, gateway, heard }
}

it('requests that a gateway can neither report nor keep are in its metrics and in its sign of life', async () => {
  const opened = await openGatewayTalk()
  // Gateways that run alone need PostgreSQL.
  if (!opened) return
  const { talk, app, gateway, heard } = opened
  const lost = async () =>
    /^gateway_lost_requests_total (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1]
  gateway.report({ traffic: Array.from({ length: rowsMax }, rowOf) })
  expect(await lost()).toBe('0')
  gateway.report({ traffic: [rowOf(undefined, rowsMax), rowOf(undefined, 0)] })
  expect(await lost()).toBe('3')
  talk.reporter.start()
  await vi.waitFor(() => expect(heard).toMatchObject([{ state: { lost_requests: 3 } }]))
})
