import { randomBytes } from 'node:crypto'
import type { ConfigSnapshot } from '@gatehouse/contract'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { buildServer, httpApi } from '../../test/servers/build-server.ts'
import { createPreparedPostgres } from '../../test/test-database.ts'
import { connect } from '../db/connect.ts'
import { listenTo } from '../db/postgres/listen.ts'
import { systemClock } from '../kernel/clock.ts'
import { createSecretBox } from '../kernel/secret-box.ts'
import { buildSnapshot } from '../publishing/build-snapshot.ts'
import type { GatewayToken } from '../publishing/gateway-link.ts'
import { gatewaysChannel } from '../publishing/gateways/gateway-account-store.ts'
import { GatewayConfigs, sealGatewayKey } from '../publishing/gateways/gateway-configs.ts'
import { GatewayReports } from '../publishing/gateways/gateway-reports.ts'
import { createGatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import { GatewayTokens } from '../publishing/gateways/gateway-tokens.ts'
import { credentialSealOf } from '../publishing/snapshot-api.ts'
import { inTransactionOn } from '../stores.ts'
import { GatewayVoice } from './gateway-voice.ts'
import { RemoteTokens } from './remote-tokens.ts'

const clock = systemClock
const hourMs = 3_600_000
const account = 'postgres'
const log = pino({ level: 'silent' })
const tokenOf = (version: number): GatewayToken => ({
  token: `secret token ${version}`,
  version,
  renewAt: new Date(Date.now() + hourMs),
  expiresAt: new Date(Date.now() + 2 * hourMs),
})

/** A control plane and a gateway on one PostgreSQL, whose account both have. */
async function openBoth() {
  const postgres = await createPreparedPostgres()
  if (!postgres) return undefined
  const db = connect({ kind: 'postgres', url: postgres.url })
  const secrets = createSecretBox(randomBytes(32))
  const database = { db, drop: async () => {} }
  const server = await buildServer({}, undefined, database, { secrets, instanceId: 'control' })
  const body = httpApi()
  const { body: api } = await server.send('POST', '/api/apis', { token: server.admin.token, body })
  const key = randomBytes(32)
  const { stores } = server
  const created_at = clock.now().toISOString()
  const key_encrypted = sealGatewayKey(secrets, account, key)
  await stores.gatewayAccounts.insert({ name: account, key_encrypted, created_at })
  const inTransaction = inTransactionOn(db, clock)
  const configs = new GatewayConfigs({ stores, inTransaction, secrets, clock })
  const asked: (number | null)[] = []
  const figures = { requests: 0, quotaUses: [] as unknown[] }
  const issue = { token: tokenOf(1) as GatewayToken | undefined }
  const reports = new GatewayReports({
    databaseUrl: postgres.url,
    configs,
    tokens: new GatewayTokens({ stores, configs }),
    inTransaction,
    clock,
    log,
    onFigures: ({ traffic, quota_uses }) => {
      for (const { requests } of traffic) figures.requests += requests
      figures.quotaUses.push(...quota_uses)
    },
    onProcedureSeen: () => {},
    onAnswer: () => {},
    onTokenWanted: async (_, refused) => {
      asked.push(refused)
      if (!issue.token) throw new Error('The authority is away.')
      return issue.token
    },
  })
  const built = await buildSnapshot(db, secrets, clock)
  const credential_seal = credentialSealOf((await stores.apis.listAll())[0]!)
  const apis = built.snapshot.apis.map((each) => ({ ...each, credential_seal }))
  const snapshot = { ...built.snapshot, apis }
  const seal = createGatewaySeal(key)
  const voice = new GatewayVoice(db, seal)
  const given: number[] = []
  const gateway = { setToken: (_: number, { version }: GatewayToken) => void given.push(version) }
  const publisher: { snapshot: ConfigSnapshot | undefined } = { snapshot }
  const tokens = new RemoteTokens({ db, seal, voice, clock, gateway, publisher })
  const heard: string[] = []
  const listener = listenTo(postgres.url, gatewaysChannel, {
    onNotification: (payload = '') => {
      heard.push(payload)
      const [what, first = '', second = ''] = payload.split(' ')
      if (what === 'token') void tokens.arrived(Number(first))
      if (what === 'failed') tokens.failed(Number(first), second === '-' ? null : Number(second))
    },
  })
  reports.start()
  onTestFinished(async () => {
    await Promise.all([reports.stop(), listener.stop()])
    await server.close()
    await db.destroy()
    await postgres.drop()
  })
  // Both connections say that they are there.
  await vi.waitFor(() => expect(heard).toContain(''))
  const { id } = api as { id: number }
  return { id, tokens, voice, db, issue, asked, given, heard, figures, publisher }
}

it('a gateway gets a token that the control plane obtains, reads it again without asking, and gets another for one that was refused', async () => {
  const both = await openBoth()
  // SQLite has one server.
  if (!both) return
  const { id, tokens, db, issue, asked, given, publisher } = both
  await vi.waitFor(async () => expect((await tokens.supply(id, null)).version).toBe(1))
  const asks = asked.length
  expect((await tokens.supply(id, null)).token).toBe('secret token 1')
  expect(asked).toHaveLength(asks)
  issue.token = tokenOf(2)
  expect((await tokens.supply(id, 1)).token).toBe('secret token 2')
  expect(asked.at(-1)).toBe(1)
  expect(given).toContain(2)
  const rows = await db.selectFrom('gateway_token').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('secret token')

  // One for another credential is of no use.
  const { snapshot } = publisher
  const apis = snapshot!.apis.map((api) => ({ ...api, credential_seal: 'of another' }))
  publisher.snapshot = { ...snapshot!, apis }
  issue.token = undefined
  await expect(tokens.supply(id, null)).rejects.toThrow('has obtained no token')
})

it('a report that is sent twice is answered twice and counts once', async () => {
  const both = await openBoth()
  if (!both) return
  const { voice, heard, figures } = both
  const started_at = clock.now().toISOString()
  const node = {
    instance_id: 'g',
    start_id: 's',
    place: '',
    name: 'edge',
    version: '1',
    started_at,
  }
  const state = {
    revision: null,
    mark: null,
    refusal: null,
    isolated_apis: 0,
    workers: { serving: 1, total: 1 },
    in_flight: 0,
    load: null,
    clock: null,
    disk: null,
    open_breakers: [],
    limits: null,
    lost_requests: 0,
    ends: [],
  }
  const minute = `${started_at.slice(0, 16)}:00.000Z`
  const count = { endpoint_id: 0, status: 404, requests: 7, bytes_in: 0, bytes_out: 0, buckets: [] }
  const quotaUse: [number, string, number] = [7, started_at.slice(0, 10), 3]
  const payload = await voice.pack({
    kind: 'report',
    node,
    beat: 1,
    state,
    traffic: [{ minute, ...count }],
    token_uses: [],
    unknown_keys: [],
    tool_calls: [],
    quota_uses: [quotaUse],
    is_last: false,
  })
  const answers = () => heard.filter((each) => each === 'heard s 1 1').length
  await vi.waitFor(async () => {
    await voice.send(payload!)
    expect(answers()).toBeGreaterThan(1)
  })
  expect(figures).toEqual({ requests: 7, quotaUses: [quotaUse] })
})
