import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogFolder } from '../../test/places/log-folder.ts'
import { createPreparedPostgres } from '../../test/test-database.ts'
import { connect } from '../db/connect.ts'
import { listenTo } from '../db/postgres/listen.ts'
import { LoneGateways } from '../features/gateway-requests/lone-gateways.ts'
import { systemClock } from '../kernel/clock.ts'
import { createSecretBox } from '../kernel/secret-box.ts'
import { gatewaysChannel } from '../publishing/gateways/gateway-account-store.ts'
import { GatewayConfigs, sealGatewayKey } from '../publishing/gateways/gateway-configs.ts'
import { GatewayQuestions } from '../publishing/gateways/gateway-questions.ts'
import { GatewayReports } from '../publishing/gateways/gateway-reports.ts'
import { createGatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import { GatewayTokens } from '../publishing/gateways/gateway-tokens.ts'
import { createStores, inTransactionOn } from '../stores.ts'
import { GatewayVoice } from './gateway-voice.ts'
import { RequestAnswers } from './request-answers.ts'

const clock = systemClock
const account = 'postgres'
const log = pino({ level: 'silent' })
const filter = { search: '' }

/** A control plane and a gateway on one PostgreSQL; undefined without one. */
async function openBoth() {
  const postgres = await createPreparedPostgres()
  if (!postgres) return undefined
  const db = connect({ kind: 'postgres', url: postgres.url })
  const stores = createStores(db, clock)
  const secrets = createSecretBox(randomBytes(32))
  const key = randomBytes(32)
  const key_encrypted = sealGatewayKey(secrets, account, key)
  const created_at = clock.now().toISOString()
  await stores.gatewayAccounts.insert({ name: account, key_encrypted, created_at })
  const inTransaction = inTransactionOn(db, clock)
  const configs = new GatewayConfigs({ stores, inTransaction, secrets, clock })
  const questions = new GatewayQuestions({ stores, configs })
  const reports = new GatewayReports({
    databaseUrl: postgres.url,
    configs,
    tokens: new GatewayTokens({ stores, configs }),
    inTransaction,
    clock,
    log,
    onFigures: () => {},
    onProcedureSeen: () => {},
    onAnswer: (part) => questions.receive(part),
    onTokenWanted: () => Promise.reject(new Error('There is none.')),
  })
  const seal = createGatewaySeal(key)
  const voice = new GatewayVoice(db, seal)
  const folder = createLogFolder()
  const own = { instanceId: 'edge', path: folder.dataDir, recordsAll: true }
  const answers = new RequestAnswers({ voice, seal, log, ...own })
  const heard: string[] = []
  const listener = listenTo(postgres.url, gatewaysChannel, {
    onNotification: (payload = '') => {
      heard.push(payload)
      const [what, first = '', second = ''] = payload.split(' ')
      if (what === 'ask') answers.asked(first, second)
    },
  })
  reports.start()
  onTestFinished(async () => {
    await Promise.all([reports.stop(), listener.stop(), answers.close()])
    await db.destroy()
    await postgres.drop()
    folder.remove()
  })
  // Both connections say that they are there.
  await vi.waitFor(() => expect(heard).toContain(''))
  const live = [
    { id: 'edge', name: 'edge-1' },
    { id: 'gone', name: 'edge-2' },
  ]
  return { folder, heard, questions, lone: new LoneGateways(async () => live, questions) }
}

const lineAt = (second: number, fields: object = {}) =>
  `${JSON.stringify({
    level: 'info',
    time: new Date(Date.parse('2026-06-01T08:00:00.000Z') + second * 1_000).toISOString(),
    context: 'gateway',
    request_id: `r-${second}`,
    method: 'GET',
    path: '/shop/orders',
    status: 200,
    ...fields,
  })}\n`

it('a gateway that runs alone answers from its own log, page by page, whatever it takes to carry it', async () => {
  const both = await openBoth()
  // SQLite has one server.
  if (!both) return
  const { folder, lone, heard } = both
  // Paths that can't be packed: 200 lines of them are more than one notification takes, and than one answer.
  const path = () => `/shop/${randomBytes(1_000).toString('base64url')}`
  const lines = Array.from({ length: 250 }, (_, at) => lineAt(at, { path: path() }))
  folder.write('gateway/gateway-1-2026-06-01.log', lines.join(''))
  const ids: unknown[] = []
  let older: { file: string; offset: number }[] | undefined
  await vi.waitFor(async () =>
    expect((await lone.ask('edge', { filter, limit: 1 })).lines).toHaveLength(1),
  )
  do {
    const answer = await lone.ask('edge', { filter, limit: 200, older })
    expect(answer.recordsAll).toBe(true)
    ids.push(...answer.lines.map(({ fields }) => fields['request_id']))
    older = answer.older
  } while (older.length > 0)
  expect(ids).toEqual(lines.map((_, at) => `r-${249 - at}`))
  const { newest } = await lone.ask('edge', { filter, limit: 1 })
  folder.write('gateway/gateway-1-2026-06-02.log', lineAt(90_000, { level: 'warn', status: 504 }))
  const since = await lone.ask('edge', {
    filter: { search: '', status: 'failed' },
    limit: 9,
    since: newest,
  })
  expect(since.lines.map(({ fields }) => fields['request_id'])).toEqual(['r-90000'])
  // Nobody reads along: question and answer are sealed.
  expect(heard.join('')).not.toContain('requests')
})

it('one that does not answer, or is not known, is reported as such', async () => {
  const both = await openBoth()
  if (!both) return
  const { lone } = both
  await expect(lone.ask('gone', { filter, limit: 1 })).rejects.toMatchObject({
    code: 'gateway.silent',
  })
  await expect(lone.ask('unknown', { filter, limit: 1 })).rejects.toMatchObject({ status: 422 })
})
