import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAwayDatabase, type AwayDatabase } from '../../../../test/away-database.ts'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'
import { isPostgres } from '../../../db/dialect.ts'
import { leaseMs } from '../../../kernel/leases/leases.ts'

let folder: string
let database: AwayDatabase
let app: RunServer
let post: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-evidence-'))
  database = await createAwayDatabase()
  app = await startRunServer({ DATA_DIR: folder }, database)
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  post = await app.endpoint({ run_settings: settings }, patient)
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const settings = { reference_path: 'no', authority_reference_path: 'id', is_duplicate_safe: true }
const accepted = json(200, { id: 'A-7' })
const files = () => {
  const place = join(folder, 'run-evidence')
  return existsSync(place) ? readdirSync(place).filter((name) => !name.endsWith('.new')) : []
}
const keeps = (count: number) =>
  vi.waitFor(() => expect(files()).toHaveLength(count), { interval: 20 })
const later = (ms: number) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + ms)
}

/** Sends so many, takes the database away once all of them have arrived, then answers. */
async function sendIntoTheDark(count: number, answer: Answerer = accepted, token = '') {
  const all = Promise.withResolvers<void>()
  const waiting: (() => void)[] = []
  app.answer((...exchange) => {
    waiting.push(() => answer(...exchange))
    if (waiting.length === count) all.resolve()
  })
  const sends = Array.from({ length: count }, (_, n) =>
    app.tax([{ end_point: post, body: `{"no":"N-${n}"}`, token }]),
  )
  await all.promise
  await database.goAway()
  for (const respond of waiting) respond()
  return sends
}

/** The database stays away until this server's lease is over. */
async function sendAndLoseTheLease(answer: Answerer = accepted, token = '') {
  const [send] = await sendIntoTheDark(1, answer, token)
  await keeps(1)
  later(leaseMs + 1)
  const refused = await send!
  await database.comeBack()
  return { refused, id: runOf(refused).id }
}

const lastStep = async (id: number) => {
  const { state, steps } = await app.show(id)
  const attempts = steps[0]?.attempts.map(({ kind, outcome }) => [kind, outcome])
  return { state, step: steps[0]?.state, attempts }
}

it('what was answered while the database was away for a while is written down afterwards', async () => {
  const sends = await sendIntoTheDark(20)
  await keeps(20)
  await database.comeBack()
  const answers = await Promise.all(sends)
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  for (const answer of answers)
    expect(await lastStep(runOf(answer).id)).toEqual({
      state: 'succeeded',
      step: 'succeeded',
      attempts: [['send', 'ok']],
    })
  expect(files()).toEqual([])
})

describe('when the lease ends first', () => {
  it('the client gets 503 with the run, and the answer counts once the database is back', async () => {
    const { refused, id } = await sendAndLoseTheLease()
    expect(refused.status, refused.text).toBe(503)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.body).toMatchObject({ code: 'run.held', run: { id, state: 'running' } })
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toEqual({
      state: 'succeeded',
      step: 'succeeded',
      attempts: [['send', 'ok']],
    })
    expect(files()).toEqual([])
    const documents = await app.server.db.selectFrom('document').selectAll().execute()
    expect(documents).toMatchObject([{ state: 'accepted', authority_reference: 'A-7' }])
  })

  it('the next start on the same folder reads it before it closes what was open', async () => {
    const { id } = await sendAndLoseTheLease()
    await app.server.runKeeper.start()
    expect(await lastStep(id)).toMatchObject({ state: 'succeeded', attempts: [['send', 'ok']] })
  })

  it('an acceptance settles what another server has called unknown, beside its crash', async () => {
    const { id } = await sendAndLoseTheLease()
    expect(await recoverElsewhere()).toBe(1)
    expect(await lastStep(id)).toMatchObject({ state: 'unknown' })
    await app.server.runKeeper.sweep()
    const settled = {
      state: 'succeeded',
      step: 'succeeded',
      attempts: [
        ['send', 'crash'],
        ['late_answer', 'ok'],
      ],
    }
    expect(await lastStep(id)).toEqual(settled)
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toEqual(settled)
  })

  it('a refusal is the outcome, as long as no other server has closed the attempt', async () => {
    const { id } = await sendAndLoseTheLease(json(400, {}))
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toEqual({
      state: 'rejected',
      step: 'rejected',
      attempts: [['send', 'rejected']],
    })
  })

  it('a refusal settles nothing that was called unknown', async () => {
    const { id } = await sendAndLoseTheLease(json(400, {}))
    await recoverElsewhere()
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toEqual({
      state: 'unknown',
      step: 'unknown',
      attempts: [
        ['send', 'crash'],
        ['late_answer', 'rejected'],
      ],
    })
  })

  it('an acceptance counts although a person has said that it was not received', async () => {
    const { id } = await sendAndLoseTheLease()
    await recoverElsewhere()
    await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toMatchObject({ state: 'succeeded', step: 'succeeded' })
    await app.server.unattended.alarms.keeper.look()
    const alarms = await app.server.db.selectFrom('alarm').select(['kind', 'subject']).execute()
    expect(alarms).toContainEqual({ kind: 'contradicted', subject: `run:${id}` })
  })

  it('what was taken is pending although a person has said that it was not received', async () => {
    const later = await app.endpoint({
      run_settings: {
        ...settings,
        status_query: {
          endpoint_id: await app.endpoint({ method_type: 'get', path: '/status/{no}' }),
          parameter: 'no',
          received: { statuses: '200' },
          not_received: { statuses: '404' },
        },
        pending: { rule: { statuses: '202' } },
      },
    })
    post = later
    const { id } = await sendAndLoseTheLease(json(202, {}))
    await recoverElsewhere()
    await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toMatchObject({ state: 'pending', step: 'pending' })
    const run = await app.server.db.selectFrom('run').select('contradicted_at').executeTakeFirst()
    expect(run?.contradicted_at).not.toBeNull()
  })

  it('an acceptance counts although a resend was rejected meanwhile', async () => {
    const { id } = await sendAndLoseTheLease()
    await recoverElsewhere()
    await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
    app.answer(json(422, {}))
    await app.post(`/api/runs/${id}/resume`, {})
    expect(await lastStep(id)).toMatchObject({ state: 'rejected' })
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toMatchObject({ state: 'succeeded', step: 'succeeded' })
    const documents = await app.server.db.selectFrom('document').select('state').execute()
    expect(documents).toEqual([{ state: 'accepted' }])
  })

  it('waits while the same is being sent again', async () => {
    const { id } = await sendAndLoseTheLease()
    await recoverElsewhere()
    const arrived = Promise.withResolvers<() => void>()
    app.answer((_request, _response, socket) => arrived.resolve(() => socket.destroy()))
    const resumed = app.post(`/api/runs/${id}/resume`, {})
    const cut = await arrived.promise
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toMatchObject({ state: 'running' })
    expect(files()).toHaveLength(1)
    cut()
    await resumed
    await app.server.runKeeper.sweep()
    expect(await lastStep(id)).toMatchObject({ state: 'succeeded' })
    expect(files()).toEqual([])
  })

  it('the file holds no credential, and no other user may read it', async () => {
    const token = 'a-token-that-is-secret'
    const echo: Answerer = (request, response) =>
      response.end(JSON.stringify({ id: 'A-7', saw: request.headers.authorization }))
    const [send] = await sendIntoTheDark(1, echo, token)
    await keeps(1)
    const [name = ''] = files()
    const kept = readFileSync(join(folder, 'run-evidence', name), 'utf8')
    expect(kept).toContain('A-7')
    expect(kept).not.toContain(token)
    await database.comeBack()
    expect((await send)?.status).toBe(200)
  })
})

it('a commit whose confirmation is lost counts, and the next step goes out once', async () => {
  const { loseNextConfirmation } = database
  // SQLite has no connection to lose.
  if (!loseNextConfirmation) return
  app.answer((...exchange) => {
    if (app.upstream.received.length === 1) loseNextConfirmation()
    accepted(...exchange)
  })
  const steps = [
    { end_point: post, body: '{"no":"N-1"}' },
    { end_point: await app.endpoint({}), body: '{"n":2}' },
  ]
  const answer = await app.tax(steps)
  expect(answer.status, answer.text).toBe(200)
  expect(app.upstream.received).toHaveLength(2)
  const { steps: shown } = await app.show(runOf(answer).id)
  expect(shown.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([
    ['ok'],
    ['ok'],
  ])
  expect(files()).toEqual([])
})

it('a damaged file is set aside and logged, and the others count', async () => {
  const { id } = await sendAndLoseTheLease()
  writeFileSync(join(folder, 'run-evidence', '999999.json'), '{"version":1')
  await app.server.runKeeper.sweep()
  expect(await lastStep(id)).toMatchObject({ state: 'succeeded' })
  expect(files()).toEqual(['999999.json.damaged'])
  expect(app.server.logLines.join('')).toContain('999999.json')
})

it('a call without a database is answered with Retry-After', async () => {
  await database.goAway()
  const answer = await app.tax([{ end_point: post, body: '{"no":"X"}' }])
  expect(answer.status, answer.text).toBe(503)
  // On SQLite another process holds the file.
  expect(answer.body).toMatchObject({
    code: isPostgres(app.server.db) ? 'database.away' : 'database.busy',
  })
  expect(answer.headers['retry-after']).toBe('5')
  expect(app.upstream.received).toEqual([])
  await database.comeBack()
})

async function recoverElsewhere(): Promise<number> {
  const upstream = createPeerUpstream()
  try {
    return await createRunPeer(app.server, upstream, 'elsewhere').ledger.recover({ own: false })
  } finally {
    await upstream.close()
  }
}
