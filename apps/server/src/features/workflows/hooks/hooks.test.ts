import { createHmac } from 'node:crypto'
import type { HookRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'

let app: LaneServer
let workflowId: number
let post: number
let token: string
const slug = 'receives'
beforeAll(async () => {
  app = await startLaneServer()
  post = await app.endpoint({ path: '/post' })
  const made = await app.server.send('POST', '/api/workflows', {
    token: app.server.admin.token,
    body: workflowOf(post, { slug, lane: { name: slug } }),
  })
  if (made.status !== 201) throw new Error(made.text)
  workflowId = (made.body as { id: number }).id
})
afterAll(() => app.close())
beforeEach(async () => {
  token = await app.server.signIn('admin@example.com')
  app.server.time.now = new Date(app.server.time.now.getTime() + 61_000)
})

let count = 0
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  app.server.send(method, url, { token, body })

interface Saved {
  hook: HookRecord
  secret: string | null
}
async function hook(overrides: Record<string, unknown> = {}) {
  const input = { name: `hook-${++count}`, preset: 'standard', ...overrides }
  const answer = await call('POST', `/api/workflows/${workflowId}/hooks`, input)
  expect(answer.status, answer.text).toBe(201)
  const { hook: record, secret } = answer.body as Saved
  return { ...record, input, secret: secret ?? String(overrides['secret']) }
}

const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
const hmac = (secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', keyOf(secret)).update(text).digest(encoding)
const receive = (name: string, body: string, headers: Record<string, string>) =>
  app.server.send('POST', `/hooks/${name}`, {
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
const standard = (secret: string, id: string, body: string, at = app.server.time.now) => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(secret, `${id}.${timestamp}.${body}`, 'base64')}`,
  }
}
const runIn = ({ body }: { body: unknown }) =>
  (body as { run: { id: number; state: string } | null }).run
const fresh = () => `{"id":${++count},"total":12345678901234567890.10}`
const shown = async (id: number) => {
  const { body } = await call('GET', `/api/workflows/${workflowId}/hooks`)
  return (body as { hooks: HookRecord[] }).hooks.find((each) => each.id === id)
}

describe('a signed message', () => {
  it('starts a run with its bytes as input, and is answered once the run is committed', async () => {
    const { id, name, secret } = await hook()
    const body = fresh()
    const answer = await receive(name, body, standard(secret, 'msg_1', body))
    expect(answer.status).toBe(202)
    const run = runIn(answer)
    expect(run).toEqual({ id: expect.any(Number), state: expect.any(String) })
    const stored = await app.server.db
      .selectFrom('run_input')
      .select('body')
      .where('run_id', '=', run?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(stored.body).toBe(body)
    expect(await shown(id)).toMatchObject({ last_received_at: expect.any(String) })
  })

  it.each([
    [
      'salla',
      (secret: string, body: string) => ({ 'x-salla-signature': hmac(secret, body, 'hex') }),
    ],
    [
      'shopify',
      (secret: string, body: string) => ({
        'x-shopify-hmac-sha256': hmac(secret, body, 'base64'),
      }),
    ],
    [
      'github',
      (secret: string, body: string) => ({
        'x-hub-signature-256': `sha256=${hmac(secret, body, 'hex')}`,
      }),
    ],
  ])('of %s is taken', async (preset, headers) => {
    const { name, secret } = await hook({ preset })
    const body = fresh()
    const first = await receive(name, body, headers(secret, body))
    expect(first.status).toBe(202)
    // A message that comes twice is the same run.
    const second = await receive(name, body, headers(secret, body))
    expect(runIn(second)?.id).toBe(runIn(first)?.id)
  })

  it('of a scheme of one’s own is taken', async () => {
    const scheme = {
      header: 'X-Shop-Sign',
      prefix: 't=',
      encoding: 'hex',
      signed: 'timestamp.body',
      timestamp_header: 'x-shop-time',
      id_header: '',
    }
    const { name, secret } = await hook({ preset: 'custom', scheme, secret: 's'.repeat(20) })
    const body = fresh()
    const time = app.server.time.now.toISOString()
    const sign = `t=${hmac(secret, `${time}.${body}`, 'hex')}`
    const headers = { 'x-shop-sign': sign, 'x-shop-time': time }
    expect((await receive(name, body, headers)).status).toBe(202)
    app.server.time.now = new Date(app.server.time.now.getTime() + 301_000)
    expect((await receive(name, body, headers)).status).toBe(401)
  })

  it('that comes again, or many times at once, is one run', async () => {
    const { name, secret } = await hook()
    const body = fresh()
    const headers = standard(secret, 'msg_same', body)
    const answers = await Promise.all(Array.from({ length: 8 }, () => receive(name, body, headers)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map((each) => runIn(each)?.id)).size).toBe(1)
    // Signed again at a later moment, under the same id.
    app.server.time.now = new Date(app.server.time.now.getTime() + 3_600_000)
    const again = await receive(name, body, standard(secret, 'msg_same', body))
    expect(runIn(again)?.id).toBe(runIn(answers[0] ?? { body: {} })?.id)
  })

  it('that the filter leaves out starts nothing', async () => {
    const filter = { where: 'header', name: 'X-Event', equals: 'order.created' }
    const { name, secret } = await hook({ filter })
    const other = { ...standard(secret, 'msg_f', '{"id":1}'), 'x-event': 'order.deleted' }
    const left = await receive(name, '{"id":1}', other)
    expect([left.status, left.body]).toEqual([200, { run: null }])
    const wanted = { ...standard(secret, 'msg_g', '{"id":2}'), 'x-event': 'order.created' }
    expect((await receive(name, '{"id":2}', wanted)).status).toBe(202)
    const byBody = await hook({ filter: { where: 'body', name: 'event', equals: 'a' } })
    const send = (body: string, id: string) =>
      receive(byBody.name, body, standard(byBody.secret, id, body))
    expect((await send('{"event":"b"}', 'msg_h')).status).toBe(200)
    expect((await send('{"event":"a"}', 'msg_i')).status).toBe(202)
  })
})

describe('a message is refused', () => {
  it('with 401 alike for a wrong signature, an old timestamp and an unknown name', async () => {
    const { id, name, secret } = await hook()
    const body = fresh()
    const late = new Date(app.server.time.now.getTime() - 301_000)
    const refused = [
      await receive(name, `${body} `, standard(secret, 'msg_1', body)),
      await receive(name, body, standard('whsec_AAAA', 'msg_1', body)),
      await receive(name, body, standard(secret, 'msg_1', body, late)),
      await receive(name, body, {}),
      await receive('nobody', body, standard(secret, 'msg_1', body)),
    ]
    for (const { status, body: answer } of refused)
      expect([status, { ...(answer as object), request_id: '' }]).toEqual([
        401,
        {
          message: 'Unauthenticated.',
          code: 'session.unauthenticated',
          request_id: '',
          help: '/dashboard?help=errors/session.unauthenticated',
        },
      ])
    const last = await shown(id)
    expect(last).toMatchObject({
      last_received_at: null,
      last_refusal: 'The signature does not fit.',
    })
    expect(app.server.logLines.join('')).not.toContain('12345678901234567890')
  })

  it('with 429 once an address has guessed too often', async () => {
    const { name, secret } = await hook()
    for (let guess = 0; guess < 60; guess++) await receive(name, '{}', {})
    const body = fresh()
    const throttled = await receive(name, body, standard(secret, 'msg_t', body))
    expect(throttled.status).toBe(429)
    expect(Number(throttled.headers['retry-after'])).toBeLessThanOrEqual(60)
    app.server.time.now = new Date(app.server.time.now.getTime() + 60_000)
    expect((await receive(name, body, standard(secret, 'msg_t', body))).status).toBe(202)
  })

  it('with 503 where it is paused, or its user may not run the workflow', async () => {
    const { id, name, secret, input } = await hook()
    const body = fresh()
    const send = () => receive(name, body, standard(secret, 'msg_p', body))
    await call('PUT', `/api/hooks/${id}`, { ...input, is_paused: true })
    expect((await send()).body).toMatchObject({ code: 'hook.paused' })
    const editor = await app.person(['workflow.view', 'workflow.edit', 'workflow.run'], [post])
    const put = await app.server.send('PUT', `/api/hooks/${id}`, {
      token: editor.token,
      body: input,
    })
    expect(put.status).toBe(200)
    await app.server.stores.users.setRoles(editor.id, [])
    const notReady = await send()
    expect([notReady.status, notReady.body]).toMatchObject([503, { code: 'hook.not_ready' }])
    expect(notReady.headers['retry-after']).toBe('300')
  })

  it.each([
    ['text/plain', 'x', 415],
    ['application/json', '{"a":', 400],
    ['application/json', '', 400],
  ])('of the type %s: %j', async (type, body, status) => {
    const { name, secret } = await hook()
    const headers = { ...standard(secret, `msg_${++count}`, body), 'content-type': type }
    expect((await receive(name, body, headers)).status).toBe(status)
  })
})

describe('the secret of a webhook', () => {
  it('is shown once, is sealed, and is accepted for a day after a change', async () => {
    const { id, name, secret, input } = await hook()
    expect(secret).toMatch(/^whsec_/)
    const list = await call('GET', `/api/workflows/${workflowId}/hooks`)
    expect(list.text).not.toContain(secret)
    const row = await app.server.stores.hooks.find(id)
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    const changed = await call('PUT', `/api/hooks/${id}`, { ...input, new_secret: true })
    const next = (changed.body as Saved).secret ?? ''
    for (const [signedWith, status] of [
      [secret, 202],
      [next, 202],
    ] as const) {
      const body = fresh()
      const answer = await receive(name, body, standard(signedWith, `msg_${++count}`, body))
      expect(answer.status).toBe(status)
    }
    app.server.time.now = new Date(app.server.time.now.getTime() + 86_400_000)
    const body = fresh()
    expect((await receive(name, body, standard(secret, 'msg_old', body))).status).toBe(401)
  })

  it('stays where a change leaves it out', async () => {
    const { id, name, secret, input } = await hook()
    const changed = await call('PUT', `/api/hooks/${id}`, { ...input, window_seconds: 600 })
    expect(changed.body).toMatchObject({ secret: null, hook: { window_seconds: 600 } })
    const body = fresh()
    expect((await receive(name, body, standard(secret, 'msg_k', body))).status).toBe(202)
  })
})

describe('saving a webhook', () => {
  it.each([
    [{ name: 'A b' }, 'name'],
    [{ preset: 'other' }, 'preset'],
    [{ preset: 'custom' }, 'scheme'],
    [{ secret: 'short' }, 'secret'],
    [{ preset: 'github', secret: 'short' }, 'secret'],
    [{ window_seconds: 5 }, 'window_seconds'],
  ])('422 for %j', async (wrong, field) => {
    const input = { name: 'right-name', preset: 'standard', ...wrong }
    const { status, body } = await call('POST', `/api/workflows/${workflowId}/hooks`, input)
    expect(status).toBe(422)
    expect(Object.keys((body as { errors: object }).errors)).toEqual([field])
  })

  it('422 for a name that is taken; a deleted hook gives its name back', async () => {
    const { id, input } = await hook()
    const url = `/api/workflows/${workflowId}/hooks`
    const taken = await call('POST', url, input)
    expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('already in use')])
    expect((await call('DELETE', `/api/hooks/${id}`)).status).toBe(204)
    expect((await call('POST', url, input)).status).toBe(201)
    expect((await call('DELETE', `/api/hooks/${id}`)).body).toMatchObject({
      code: 'hook.not_found',
    })
  })
})
