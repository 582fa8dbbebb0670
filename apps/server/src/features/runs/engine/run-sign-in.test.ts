// Databases: SQLite.

import type { StoredCredential } from '@gatehouse/contract'
import type { CallToken } from '@gatehouse/upstream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeerUpstream, createRunPeer } from '../../../../test/servers/run-peer.ts'
import {
  json,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

// A step whose API obtains its token from an authority.

let app: RunServer
let post: number
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint({ path: '/post' })
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
})

const oauth = {
  kind: 'oauth2_client_credentials',
  refused_when: null,
  token_url: 'https://authority.test/token',
  client_id: 'client',
  client_secret: 'the-client-secret',
  client_authentication: 'basic',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  scheme: 'Bearer',
} as const satisfies StoredCredential

const tokenOf = (version: number) => ({ token: `the-access-token-${version}`, version })

/** An authority that always has another token. */
const tokens = {
  token: async (): Promise<CallToken> => tokenOf(1),
  renewRefused: async (_: unknown, version: number) => tokenOf(version + 1),
}

let content = 0

interface Sending {
  credential?: StoredCredential
  source?: typeof tokens
  staticHeaders?: { name: string; value: string }[]
}

async function send({ credential = oauth, source = tokens, staticHeaders = [] }: Sending = {}) {
  const peer = createRunPeer(app.server, upstream, 'signing', source, {
    credential,
    staticHeaders,
  })
  const step = { endpointId: post, body: `{"n":${++content}}` }
  const started = await peer.start([step], `sign-in-number-${content}`)
  if (started.what !== 'began') throw new Error('It was not begun.')
  await peer.engine.carryOut(started.live)
  const detail = await app.show(started.live.id)
  const attempts = detail.steps[0]?.attempts ?? []
  return { state: detail.state, attempts, outcomes: attempts.map(({ outcome }) => outcome), detail }
}

const received = () => app.upstream.received.map(({ headers }) => headers['authorization'])

/** Refuses these tokens, and accepts any other. */
const refusing =
  (answer: Answerer, ...refused: string[]): Answerer =>
  (request, ...rest) => {
    const isRefused = refused.includes(request.headers['authorization']?.slice(7) ?? '')
    return (isRefused ? answer : json(200, { id: 7 }))(request, ...rest)
  }

describe('a submit whose token is refused', () => {
  it('is sent once more with a new one, as an attempt of its own with the same bytes', async () => {
    app.answer(refusing(json(401, {}), 'the-access-token-1'))
    expect(await send()).toMatchObject({ state: 'succeeded', outcomes: ['auth', 'ok'] })
    expect(received()).toEqual(['Bearer the-access-token-1', 'Bearer the-access-token-2'])
    const [first, second] = app.upstream.received
    expect(second?.body).toBe(first?.body)
  })

  it('is committed as a second attempt before it is sent', async () => {
    const seen: unknown[] = []
    app.answer((request, ...rest) => {
      void app.server.db
        .selectFrom('run_attempt')
        .select(['number', 'outcome'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
        .then((row) => {
          seen.push(row)
          refusing(json(401, {}), 'the-access-token-1')(request, ...rest)
        })
    })
    await send()
    expect(seen).toEqual([
      { number: 1, outcome: null },
      { number: 2, outcome: null },
    ])
  })

  it('is never sent a third time', async () => {
    app.answer(json(401, {}))
    expect(await send()).toMatchObject({ state: 'blocked', outcomes: ['auth', 'auth'] })
    expect(app.upstream.received).toHaveLength(2)
  })

  it('is not repeated where there is no new token', async () => {
    app.answer(json(401, {}))
    const source = { ...tokens, renewRefused: async () => Promise.reject(new Error('refused')) }
    expect(await send({ source })).toMatchObject({ outcomes: ['auth'] })
    expect(app.upstream.received).toHaveLength(1)
  })

  it('is recognised by the rule of the credential, in an answer of 200 too', async () => {
    const refused_when = {
      statuses: '200',
      join: 'all',
      conditions: [{ path: 'error', test: 'equals', value: 'INVALID_TOKEN' }],
    } as const
    const credential = {
      ...oauth,
      refused_when: { ...refused_when, conditions: [...refused_when.conditions] },
    }
    app.answer(refusing(json(200, { error: 'INVALID_TOKEN' }), 'the-access-token-1'))
    expect(await send({ credential })).toMatchObject({ outcomes: ['auth', 'ok'] })
    app.answer(json(200, { error: 'INVALID_TOKEN' }))
    expect(await send({ credential })).toMatchObject({
      state: 'blocked',
      outcomes: ['auth', 'auth'],
    })
  })
})

describe('is never repeated', () => {
  it.each<[string, Answerer]>([
    ['an answer of 500', json(500, {})],
    ['an answer of 403 without a rule', json(403, {})],
    ['a connection that was cut', (_, response) => response.destroy()],
    ['an answer that never came', () => {}],
  ])('after %s', async (_, answer) => {
    app.answer(answer)
    const { attempts } = await send()
    expect(attempts).toHaveLength(1)
    expect(app.upstream.received).toHaveLength(1)
  })

  it('with a static token', async () => {
    app.answer(json(401, {}))
    const credential = {
      kind: 'bearer',
      token: 'static',
      scheme: 'Key',
      refused_when: null,
    } as const
    expect(await send({ credential })).toMatchObject({ outcomes: ['auth'] })
    expect(received()).toEqual(['Key static'])
  })
})

it('without a token nothing is sent', async () => {
  const source = { ...tokens, token: () => Promise.reject(new Error('no')) }
  const { state, attempts, outcomes } = await send({ source })
  expect({ state, outcomes }).toEqual({ state: 'not_started', outcomes: ['not_sent'] })
  expect(attempts[0]?.error_code).toBe('upstream.sign_in')
  expect(app.upstream.received).toEqual([])
})

it('the token and the client secret are masked in what is stored', async () => {
  app.answer((request, response) => {
    const token = request.headers['authorization'] ?? ''
    const basic = Buffer.from('the-client-secret').toString('base64')
    response.end(JSON.stringify({ token, basic }))
  })
  const { detail } = await send()
  const shown = JSON.stringify(detail)
  expect(shown).toContain('[credential]')
  expect(shown).not.toContain('the-access-token-1')
  expect(shown).not.toContain(Buffer.from('the-client-secret').toString('base64'))
})

it('static headers are sent and kept with the request, {uuid} as a new UUID for each call', async () => {
  app.answer(json(200, {}))
  const staticHeaders = [
    { name: 'Accept', value: 'application/xml' },
    { name: 'Request-Id', value: 'r-{uuid}' },
  ]
  const { detail } = await send({ staticHeaders })
  await send({ staticHeaders })
  const [one, other] = app.upstream.received.map(({ headers }) => headers)
  expect(one).toMatchObject({
    accept: 'application/xml',
    'request-id': expect.stringMatching(/^r-[0-9a-f-]{36}$/),
  })
  expect(other?.['request-id']).not.toBe(one?.['request-id'])
  expect(detail.steps[0]?.headers).toMatchObject({ 'request-id': one?.['request-id'] })
})

it('the repetition after a refused token is the same request, {uuid} included', async () => {
  app.answer(refusing(json(401, {}), 'the-access-token-1'))
  await send({ staticHeaders: [{ name: 'Request-Id', value: '{uuid}' }] })
  const ids = app.upstream.received.map(({ headers }) => headers['request-id'])
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), ids[0]])
})
