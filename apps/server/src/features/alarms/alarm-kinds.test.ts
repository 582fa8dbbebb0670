import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayClientId, type NodeState } from '@gatehouse/contract'
import { runTokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startAlarmServer, type AlarmServer } from '../../../test/servers/alarm-server.ts'
import { cut, json } from '../../../test/servers/run-server.ts'
import { ok } from '../../../test/servers/lane-server.ts'
import { refreshCredential } from '../../../test/servers/sign-in-server.ts'

// Every kind of rule on rows that the app itself has written: it is raised, and it ends.

let app: AlarmServer
let backups: string
let post: number
beforeAll(async () => {
  backups = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'))
  app = await startAlarmServer({ BACKUP_DIR: backups, DATA_DIR: backups })
  post = await app.endpoint({ path: '/post' })
  await app.check()
})
afterAll(async () => {
  await app.close()
  rmSync(backups, { recursive: true })
})
beforeEach(async () => {
  await app.startOver()
  await app.forget()
})

const step = () => ({ endpointId: post, text: '{"n":"{{input.n}}"}' })
const sentRun = async (overrides: Parameters<AlarmServer['put']>[1] = {}) => {
  const flow = await app.workflow([step()])
  const { runId } = await app.put(flow, overrides)
  await app.settled()
  return { flow, runId }
}

it('a new installation has a rule of every kind, and no alarm', async () => {
  expect((await app.rulesOf('unknown'))[0]).toMatchObject({
    is_on: true,
    limits: { minutes: null },
  })
  expect((await app.rulesOf('backup'))[0]).toMatchObject({ is_on: false })
  expect(await app.alarms('')).toEqual([])
  expect(await app.bell()).toMatchObject({ count: 0, alarms: [] })
})

it('a busy day on which all goes well raises nothing', async () => {
  const flow = await app.workflow([step()], { lane: { max_age_minutes: 30 } })
  for (let hour = 0; hour < 24; hour++) {
    for (let n = 0; n < 2; n++)
      await app.put(flow, {
        deadlineAt: new Date(app.server.time.now.getTime() + 1_800_000).toISOString(),
      })
    await app.settled()
    const every = hour % 12 === 0 ? 6 : 30
    for (let check = 0; check < 60 / every; check++) await app.check(every)
  }
  expect(await app.alarms('')).toEqual([])
})

describe('an unknown outcome', () => {
  it('is an alarm after an hour, and ends when the run is resolved', async () => {
    app.answer(cut)
    const { runId } = await sentRun()
    await app.check(59)
    expect(await app.subjects('unknown')).toEqual([])
    await app.check(1)
    expect(await app.subjects('unknown')).toEqual([`run:${runId}`])
    const [alarm] = await app.alarms('kind=unknown')
    expect(alarm).toMatchObject({
      state: 'open',
      title: `Run ${runId}: the outcome is unknown`,
      path: `/dashboard/admin/runs/${runId}`,
    })
    const line = app.server.logLines.findLast((text) => text.includes(`"run_id":${runId}`))
    expect(line).toContain('the outcome of this run is still unknown')
    const verdict = { step: 1, verdict: 'received', reference: 'A-1', note: 'Seen there' }
    const resolved = await app.post(`/api/runs/${runId}/resolve`, verdict)
    expect(resolved.status, resolved.text).toBe(200)
    await app.check(1)
    expect(await app.subjects('unknown')).toEqual([])
    expect((await app.alarms('state=ended'))[0]).toMatchObject({ id: alarm?.id, state: 'ended' })
  })

  it('is one inside the window of its authority', async () => {
    const endpoint = await app.endpoint({ run_settings: { profile: 'myinvois' } })
    const text = '{"documents":[{"codeNumber":"INV-1"}]}'
    const flow = await app.workflow([{ endpointId: endpoint, text }])
    app.answer(cut)
    const { runId } = await app.put(flow)
    await app.settled()
    await app.check(4)
    expect(await app.subjects('unknown')).toEqual([])
    await app.check(1)
    expect(await app.subjects('unknown')).toEqual([`run:${runId}`])
    await app.server.db
      .updateTable('run')
      .set({ state: 'stopped' })
      .where('id', '=', runId)
      .execute()
    await app.check()
    expect(await app.subjects('unknown')).toEqual([])
  })

  it('of a workflow with a rule of its own has one alarm, by that rule', async () => {
    app.answer(cut)
    const { flow, runId } = await sentRun()
    const { body } = await app.addRule({
      name: 'Quick',
      kind: 'unknown',
      limits: { minutes: 5 },
      where: { workflow_ids: [flow.id] },
    })
    await app.check(5)
    await app.check(120)
    const alarms = await app.alarms('state=current&kind=unknown')
    expect(alarms).toMatchObject([{ subject: `run:${runId}`, rule: { name: 'Quick' } }])
    const { rule } = body as { rule: { id: number } }
    await app.server.send('DELETE', `/api/alarm-rules/${rule.id}`, { token: app.token })
    await app.check()
    expect(await app.alarms('state=current&kind=unknown')).toMatchObject([
      { subject: `run:${runId}`, rule: { name: 'Outcome unknown' } },
    ])
    await app.server.db
      .updateTable('run')
      .set({ state: 'stopped' })
      .where('id', '=', runId)
      .execute()
  })
})

it('a decision that is pending for too long', async () => {
  app.answer(ok)
  const { runId } = await sentRun()
  const since = app.server.time.now.toISOString()
  const { db } = app.server
  const { id: step_id } = await db
    .selectFrom('run_step')
    .select('id')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const { id: poll_id } = await db
    .insertInto('pending_poll')
    .values({ submission: `s-${runId}`, next_at: '2030-01-01T00:00:00.000Z', ask_by: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('run_step').set({ state: 'pending' }).where('id', '=', step_id).execute()
  await db.updateTable('run').set({ state: 'pending' }).where('id', '=', runId).execute()
  await db.insertInto('pending_step').values({ step_id, run_id: runId, poll_id, since }).execute()
  await app.check(239)
  expect(await app.subjects('pending')).toEqual([])
  await app.check(1)
  expect(await app.subjects('pending')).toEqual([`run:${runId}`])
  await db.deleteFrom('pending_step').where('run_id', '=', runId).execute()
  await db.updateTable('run').set({ state: 'succeeded' }).where('id', '=', runId).execute()
  await app.check()
  expect(await app.subjects('pending')).toEqual([])
})

it('a lane in an outage, until its authority answers', async () => {
  const read = await app.endpoint({ method_type: 'get', path: '/read' })
  const flow = await app.workflow([{ endpointId: read, text: '' }], { lane: { concurrency: 8 } })
  app.answer(cut)
  await Promise.all(Array.from({ length: 8 }, () => app.put(flow)))
  await app.settled()
  expect(await app.laneOf(flow)).toMatchObject({ outage_since: expect.any(String) as string })
  await app.check(14)
  expect(await app.subjects('lane_outage')).toEqual([])
  await app.check(1)
  expect(await app.subjects('lane_outage')).toEqual([`lane:${flow.laneId}`])
  app.answer(ok)
  await app.later(600_000)
  await app.check()
  expect(await app.subjects('lane_outage')).toEqual([])
})

it('a lane with too many runs', async () => {
  await app.change('lane_depth', { limits: { runs: 3 } })
  const flow = await app.workflow([step()], { lane: { is_paused: 1, paused_by: 'A person' } })
  for (let n = 0; n < 4; n++) await app.put(flow)
  await app.check()
  expect(await app.subjects('lane_depth')).toContain(`lane:${flow.laneId}`)
  await app.unpause(flow)
  await app.later(0)
  await app.check()
  expect(await app.subjects('lane_depth')).not.toContain(`lane:${flow.laneId}`)
})

it('a deadline that comes near, and one that has passed, until a person closes the run', async () => {
  const flow = await app.workflow([step()], { lane: { is_paused: 1, paused_by: 'A person' } })
  const at = (hours: number) =>
    new Date(app.server.time.now.getTime() + hours * 3_600_000).toISOString()
  const near = await app.put(flow, { deadlineAt: at(10) })
  await app.put(flow, { deadlineAt: at(20) })
  await app.check(539)
  expect(await app.subjects('deadline')).toEqual([])
  await app.check(1)
  expect(await app.subjects('deadline')).toEqual([`run:${near.runId}`])
  await app.later(2 * 3_600_000)
  expect((await app.stateOf(near.runId)).state).toBe('not_started')
  await app.check()
  expect(await app.subjects('deadline')).toEqual([`run:${near.runId}`])
  const closed = await app.post(`/api/runs/${near.runId}/close`, { reason: 'Sent by hand' })
  expect(closed.status, closed.text).toBe(200)
  await app.check()
  expect(await app.subjects('deadline')).toEqual([])
})

it('a document that is rejected, until its run is closed; not those of before the rule', async () => {
  app.answer(json(422, { error: 'no' }))
  await app.change('rejected', { is_on: false })
  await sentRun()
  await app.check(1)
  await app.change('rejected', { is_on: true })
  await app.check(1)
  expect(await app.subjects('rejected')).toEqual([])
  const { runId } = await sentRun()
  await app.check(1)
  expect(await app.subjects('rejected')).toEqual([`run:${runId}`])
  await app.post(`/api/runs/${runId}/close`, { reason: 'A duplicate' })
  await app.check()
  expect(await app.subjects('rejected')).toEqual([])
})

it('a sign-in that is refused pauses its lane', async () => {
  const flow = await app.workflow([step()])
  app.answer(json(401, {}))
  await app.put(flow)
  await app.settled()
  await app.check()
  expect(await app.subjects('sign_in')).toEqual([`lane:${flow.laneId}`])
  app.answer(ok)
  await app.post(`/api/lanes/${flow.laneId}/resume`, {})
  await app.check()
  expect(await app.subjects('sign_in')).toEqual([])
})

it('a personal token that machines use is told 30, 7 and 1 days before its end', async () => {
  const { body } = await app.post('/admin/token/store', { name: 'ERP', expires_in_days: 40 })
  const { id } = (body as { access_token: { id: number } }).access_token
  const use = () => app.server.stores.tokens.touch([id], app.server.time.now.toISOString())
  const day = 1440
  await use()
  await app.check(9 * day)
  expect(await app.subjects('expiry')).toEqual([])
  await app.check(day)
  const [first] = await app.alarms('kind=expiry')
  expect(first).toMatchObject({ subject: `token:${id}`, state: 'open' })
  await app.post('/api/alarms/acknowledge', { ids: [first!.id] })
  await use()
  await app.check(10 * day)
  expect(await app.alarms('kind=expiry')).toMatchObject([{ state: 'acknowledged' }])
  await app.check(13 * day)
  // Closer now: nobody has acknowledged that.
  expect(await app.alarms('kind=expiry')).toMatchObject([{ id: first?.id, state: 'open' }])
  await app.server.send('DELETE', `/api/token/${id}`, { token: app.server.admin.token })
  await app.check()
  expect(await app.subjects('expiry')).toEqual([])
})

it('a refresh token, 30, 7 and 1 days before its end, until it is renewed', async () => {
  const authority = await runTokenAuthority()
  onTestFinished(() => authority.stop())
  const lives = (days: number) =>
    authority.change({
      mode: 'raw',
      raw: JSON.stringify({ access_token: 'a', refresh_token_expires_in: days * 86_400 }),
    })
  const credential = refreshCredential(authority.tokenUrl)
  const id = await app.createApi({ name: 'With a refresh token', credential })
  const signIn = async () => {
    const answer = await app.post(`/api/apis/${id}/sign-in`, {})
    expect(answer.status, answer.text).toBe(200)
  }
  await lives(100)
  await signIn()
  const expiresOn = new Date(app.server.time.now.getTime() + 100 * 86_400_000)
  const day = 1440
  // The session would end in a month without a call.
  for (const days of [23, 23, 23]) {
    await app.check(days * day)
    expect(await app.subjects('expiry')).toEqual([])
  }
  await app.check(day)
  expect(await app.alarms('state=current&kind=expiry')).toMatchObject([
    {
      subject: `refresh-token:${id}:live`,
      title: `The refresh token of With a refresh token expires on ${expiresOn.toISOString().slice(0, 10)}`,
      path: `/dashboard/admin/api/edit/${id}`,
    },
  ])
  const [first] = await app.alarms('kind=expiry')
  await app.post(`/api/alarms/acknowledge`, { ids: [first?.id], note: 'ok' })
  await app.check(23 * day)
  expect((await app.alarms('kind=expiry'))[0]).toMatchObject({ id: first?.id, state: 'open' })
  await lives(0.1)
  await signIn()
  await app.check()
  // It was renewed a moment ago, and will be again.
  expect(await app.subjects('expiry')).toEqual([])
  await app.server.send('DELETE', `/api/apis/${id}`, { token: app.server.admin.token })
})

it('silence: no accepted run for eight working hours', async () => {
  app.server.time.now = new Date('2026-07-24T08:00:00Z') // a Friday
  await app.check()
  await app.server.db.updateTable('workflow').set({ status: 'paused' }).execute()
  const { flow } = await sentRun()
  await app.change('silence', { is_on: true, where: { workflow_ids: [flow.id] } })
  await app.check()
  await app.check(8 * 60 - 1)
  expect(await app.subjects('silence')).toEqual([])
  // Over the weekend no hour counts: Monday at 08:00 there are 59 seconds to go.
  app.server.time.now = new Date('2026-07-24T15:30:00Z')
  await app.check(90)
  await app.check(60 * 24 * 2)
  expect(await app.subjects('silence')).toEqual([`workflow:${flow.id}`])
  await app.put(flow)
  await app.settled()
  await app.check(1)
  expect(await app.subjects('silence')).toEqual([])
  await app.change('silence', { is_on: false })
})

it('errors at the gateway, above a least number of requests', async () => {
  const { db, time } = app.server
  const add = async (requests: number, errors: number) => {
    const at = `${time.now.toISOString().slice(0, 16)}:00.000Z`
    await db.deleteFrom('traffic_minute').execute()
    await db
      .insertInto('traffic_minute')
      .values({
        at,
        endpoint_id: post,
        requests,
        errors,
        refused: 0,
        bytes_in: 0,
        bytes_out: 0,
      } as never)
      .execute()
  }
  await add(49, 49)
  await app.check()
  expect(await app.subjects('error_rate')).toEqual([])
  await add(50, 11)
  await app.check()
  expect(await app.subjects('error_rate')).toHaveLength(1)
  await app.check(6)
  expect(await app.subjects('error_rate')).toEqual([])
})

it('a procedure that has changed, until the change is accepted', async () => {
  const { db, time } = app.server
  const { id: api_id } = await db.selectFrom('api').select('id').executeTakeFirstOrThrow()
  const drift_seen_at = time.now.toISOString()
  await db
    .insertInto('procedure_contract')
    .values({ api_id, method: 'post_invoice', drift_kind: 'breaking', drift_seen_at } as never)
    .execute()
  await app.check()
  expect(await app.subjects('drift')).toEqual([`api:${api_id}`])
  await db.deleteFrom('procedure_contract').execute()
  await app.check()
  expect(await app.subjects('drift')).toEqual([])
})

/** Another server of the same database, which says this of itself at this moment. */
async function otherServer(state: Partial<NodeState>, starts: string[] | null = null) {
  const quiet = { refusal: null, isolated_apis: 0, workers: null, in_flight: 0 }
  const said = { revision: 1, mark: 'm', load: null, clock: null, ...quiet, ...state }
  const now = app.server.time.now.toISOString()
  const identity = { instance_id: 'other', start_id: 'one', beat: 1, place: '', name: 'erp-2' }
  const times = { started_at: now, seen_at: now, stopped_at: null }
  const stored = { state: JSON.stringify(said), starts: starts && JSON.stringify(starts) }
  const row = { ...identity, ...times, ...stored, version: '0', role: 'all' }
  const { db } = app.server
  await db.deleteFrom('node').where('instance_id', '=', 'other').execute()
  await db.insertInto('node').values(row).execute()
}

describe('a disk with little room', () => {
  it('of this server', async () => {
    expect(await app.server.nodes.start()).toBeUndefined()
    // Its next sign of life would fall into a later test.
    onTestFinished(() => app.server.nodes.stop())
    await app.change('disk', { limits: { percent: 100 } })
    await app.check()
    expect(await app.subjects('disk')).toEqual(['disk:test-server'])
    const [alarm] = await app.alarms('state=current&kind=disk')
    expect(alarm?.title).toMatch(
      new RegExp(`^${hostname()}: [\\d.]+ GB \\([\\d.]+ %\\) are free in ${backups}$`),
    )
    await app.change('disk', { limits: { percent: 1 } })
    await app.check()
    expect(await app.subjects('disk')).toEqual([])
  })

  it('of another server, which is named, until there is room for sure or it is gone', async () => {
    await app.change('disk', { limits: { percent: 1 } })
    const disk = { path: '/data', free_bytes: 4e9, total_bytes: 500e9 }
    await otherServer({ disk })
    await app.check()
    expect(await app.alarms('state=current&kind=disk')).toMatchObject([
      { subject: 'disk:other', title: 'erp-2: 4.0 GB (0.8 %) are free in /data' },
    ])
    await otherServer({ disk: null })
    await app.check()
    expect(await app.subjects('disk')).toEqual(['disk:other'])
    await otherServer({ disk: { ...disk, free_bytes: 40e9 } })
    await app.check()
    expect(await app.subjects('disk')).toEqual([])
    await otherServer({ disk })
    // A full disk may be why it says nothing.
    await app.check(9)
    expect(await app.subjects('disk')).toEqual(['disk:other'])
    await app.check(1)
    expect(await app.subjects('disk')).toEqual([])
  })

  it('says nothing of a server that does not know its disk', async () => {
    await app.change('disk', { limits: { percent: 100 } })
    await app.server.db.deleteFrom('node').execute()
    await otherServer({ disk: null })
    await app.check()
    expect(await app.subjects('disk')).toEqual([])
    await app.change('disk', { limits: { percent: 1 } })
  })
})

it('a server whose parts ended three times in ten minutes, until they were ten minutes ago', async () => {
  const { time } = app.server
  const ago = (minutes: number) => new Date(time.now.getTime() - minutes * 60_000).toISOString()
  const end = (minutes: number) =>
    ({ part: 'control', at: ago(minutes), reason: 'SIGABRT: its heap was full' }) as const
  await otherServer({ ends: [end(11), end(8), end(1)] })
  await app.check()
  expect(await app.subjects('server_stops')).toEqual([])
  await otherServer({ ends: [end(9), end(8), end(1)] })
  await app.check()
  expect(await app.alarms('state=current&kind=server_stops')).toMatchObject([
    {
      subject: 'server:other',
      title:
        'erp-2: a part of it ended 3 times in 10 minutes, last the control plane: SIGABRT: its heap was full',
      path: '/dashboard/admin/nodes',
    },
  ])
  await otherServer({ ends: [end(11), end(8), end(1)] })
  await app.check()
  expect(await app.subjects('server_stops')).toEqual([])
})

it('a server that was started three times in ten minutes, whatever ended it', async () => {
  const ago = (minutes: number) =>
    new Date(app.server.time.now.getTime() - minutes * 60_000).toISOString()
  await otherServer({}, [ago(11), ago(9), ago(1)])
  await app.check()
  expect(await app.subjects('server_stops')).toEqual([])
  await otherServer({}, [ago(40), ago(9), ago(5), ago(1)])
  await app.check()
  expect(await app.alarms('state=current&kind=server_stops')).toMatchObject([
    { subject: 'server:other', title: 'erp-2: it was started 3 times in 10 minutes' },
  ])
  await otherServer({}, [ago(40), ago(19), ago(15), ago(1)])
  await app.check()
  expect(await app.subjects('server_stops')).toEqual([])
})

it('a circuit breaker that is open for five minutes, until it closes', async () => {
  const { db, time } = app.server
  const api = await db.selectFrom('api').select(['id', 'name']).executeTakeFirstOrThrow()
  const since = time.now.toISOString()
  const open_breakers = [
    { api_id: api.id, since, workers: 2 },
    // Deleted meanwhile.
    { api_id: 999_999, since, workers: 1 },
  ]
  const later = (minutes: number) => (time.now = new Date(time.now.getTime() + minutes * 60_000))
  later(4)
  await otherServer({ open_breakers })
  await app.check()
  expect(await app.subjects('breaker')).toEqual([])
  later(1)
  await otherServer({ open_breakers })
  await app.check()
  expect(await app.alarms('state=current&kind=breaker')).toMatchObject([
    {
      subject: `api:${api.id}`,
      title: `The circuit breaker of ${api.name} is open on erp-2`,
      path: '/dashboard/admin/traffic',
      since,
    },
  ])
  await otherServer({ open_breakers: [] })
  await app.check()
  expect(await app.subjects('breaker')).toEqual([])
})

it('a token that has used 80 % of its quota of a month, told again once all is used, until the next month', async () => {
  const { server, token } = app
  const make = async (quota: object) => {
    const body = { user: gatewayClientId, limits: { quota } }
    const made = await server.send('POST', '/admin/token/store', { token, body })
    expect(made.status, made.text).toBe(201)
    return (made.body as { access_token: { id: number } }).access_token.id
  }
  const id = await make({ per_month: 1_000 })
  const ofDay = await make({ per_day: 10 })
  const use = async (requests: number, day = server.time.now.toISOString().slice(0, 10)) => {
    const uses = [id, ofDay].map((token_id) => ({ token_id, day, requests }))
    await server.stores.tokenUsage.add(uses, server.time.now.toISOString())
    await app.check()
  }
  const month = server.time.now.toISOString().slice(0, 7)
  await use(900, '2026-04-30')
  await use(799)
  expect(await app.subjects('quota')).toEqual([])
  await use(1)
  const { name } = await server.db
    .selectFrom('personal_token')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const found = () => app.alarms('state=current&kind=quota')
  const title = (share: number) =>
    `The token ${name} has used ${share} % of its 1000 requests of this month`
  expect(await found()).toMatchObject([{ subject: `token:${id}`, title: title(80) }])
  await use(205)
  expect(await found()).toMatchObject([{ subject: `token:${id}`, title: title(100) }])
  // A session ends after 30 days without a call.
  while (server.time.now.toISOString().startsWith(month)) {
    expect(await app.subjects('quota')).toEqual([`token:${id}`])
    await app.check(24 * 60)
  }
  expect(await app.subjects('quota')).toEqual([])
})

it('a round of the archive that stopped, until one succeeds', async () => {
  const { db, time } = app.server
  const problem_at = time.now.toISOString()
  await db
    .updateTable('archive_round')
    .set({ problem: 'disk_full', problem_text: 'ENOSPC: no space left on device', problem_at })
    .execute()
  await app.check()
  expect(await app.alarms('state=current&kind=archive')).toMatchObject([
    { title: 'The archive stopped: the disk is full', path: '/dashboard/admin/archive' },
  ])
  await db
    .updateTable('archive_round')
    .set({ problem: null, problem_text: null, problem_at: null })
    .execute()
  await app.check()
  expect(await app.subjects('archive')).toEqual([])
})

it('a backup that is missing or too old', async () => {
  await app.change('backup', { is_on: true })
  await app.check()
  expect(await app.subjects('backup')).toEqual(['backup:newest'])
  const file = join(backups, 'today.tar.gz')
  writeFileSync(file, 'x')
  utimesSync(file, app.server.time.now, app.server.time.now)
  await app.check()
  expect(await app.subjects('backup')).toEqual([])
  await app.check(26 * 60)
  expect(await app.subjects('backup')).toEqual(['backup:newest'])
  await app.change('backup', { is_on: false })
  await app.check()
  expect(await app.subjects('backup')).toEqual([])
})

it('a schedule that did not fire, or whose firing failed, until one is done', async () => {
  const { db, time } = app.server
  const flow = await app.workflow([step()])
  const at = (minutes: number) => new Date(time.now.getTime() + minutes * 60_000).toISOString()
  const { id } = await db
    .insertInto('schedule')
    .values({
      workflow_id: flow.id,
      name: 'Nightly',
      cron: '0 2 * * *',
      time_zone: 'UTC',
      is_active: 1,
      catches_up: 0,
      start: 'each',
      input: '{}',
      list: null,
      user_id: app.server.admin.id,
      user_name: 'admin',
      next_run_at: at(0),
      created_at: at(0),
      updated_at: at(0),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.check(9)
  expect(await app.subjects('schedule')).toEqual([])
  await app.check(1)
  expect(await app.subjects('schedule')).toEqual([`schedule:${id}`])
  await db
    .updateTable('schedule')
    .set({ next_run_at: at(1440) })
    .execute()
  await app.check()
  expect(await app.subjects('schedule')).toEqual([])
  const fire = (state: 'failed' | 'done', message: string | null) =>
    db
      .insertInto('schedule_firing')
      .values({
        schedule_id: id,
        planned_for: at(0),
        started_at: at(0),
        ended_at: at(0),
        state,
        is_by_hand: 0,
        user_id: app.server.admin.id,
        message,
      })
      .execute()
  await fire('failed', 'The list could not be fetched.')
  await app.check()
  expect((await app.alarms('kind=schedule&state=current'))[0]?.title).toBe(
    'The schedule Nightly has failed: The list could not be fetched.',
  )
  await app.check(1)
  await fire('done', null)
  await app.check()
  expect(await app.subjects('schedule')).toEqual([])
})

it('deliveries that were given up, until they are sent again', async () => {
  const { db, stores, time } = app.server
  const id = await stores.deliveries.insert({
    kind: 'callback',
    channel: 'webhook',
    subject: 'run.succeeded',
    target: { url: 'http://erp.example.com/in', secret: { of: 'workflow', id: 1 } },
    payload: '{}',
  })
  await app.check()
  expect(await app.subjects('dead_letter')).toEqual([])
  const ended_at = time.now.toISOString()
  await db.updateTable('delivery').set({ state: 'dead', ended_at }).where('id', '=', id).execute()
  await app.check()
  expect(await app.subjects('dead_letter')).toEqual(['place:erp.example.com'])
  const { text } = await app.server.send('GET', '/metrics')
  expect(text).toContain('alarms_open{what="dead_letter"} 1')
  expect(text).toContain('alarms_check_age_seconds 0')
  await db.deleteFrom('delivery').execute()
  await app.check()
  expect(await app.subjects('dead_letter')).toEqual([])
})
