import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StoredCredential } from '@gatehouse/contract/credential'
import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TraceMessage } from '../messages/report-messages.ts'
import type { TokenWantedMessage, UpstreamToken } from '../messages/worker-messages.ts'
import {
  bearerCredential,
  buildApi,
  buildEndpoint,
  buildSnapshot,
} from '../testing/build-snapshot.ts'
import { startGateway, traceSecret } from '../testing/test-gateway.ts'
import { traceHeader, traceHeaderName } from '../trace/trace-signature.ts'

const oauth: StoredCredential = {
  kind: 'oauth2_client_credentials',
  refused_when: null,
  token_url: 'https://authority.test/token',
  client_id: 'client',
  client_secret: '',
  client_authentication: 'basic',
  private_key: '',
  key_id: '',
  algorithm: 'RS256',
  scope: '',
  audience: '',
  body_fields: [],
  login_headers: [],
  scheme: 'Bearer',
}

const loginCall: StoredCredential = {
  kind: 'login_call',
  refused_when: null,
  url: 'https://authority.test/login',
  method: 'POST',
  headers: [],
  body: '',
  content_type: 'application/json',
  token_path: 'token',
  expires_path: '',
  lifetime_seconds: null,
  send_as: [],
}

const tokenOf = (version: number, livesMs = 60_000): UpstreamToken => ({
  token: `token-${version}`,
  version,
  renew_at_ms: Date.now() + livesMs / 2,
  expires_at_ms: Date.now() + livesMs,
})

async function start(
  api: Partial<SnapshotApi>,
  {
    endpoint = {},
    answer = (_, res) => void res.end('ok'),
  }: {
    endpoint?: Partial<SnapshotEndpoint>
    answer?: RequestListener
  } = {},
  onTrace: (trace: TraceMessage) => void = () => {},
) {
  const seen: { headers: IncomingHttpHeaders; method: string }[] = []
  const upstream = createServer((req, res) => {
    seen.push({ headers: req.headers, method: req.method ?? '' })
    req.resume().on('end', () => answer(req, res))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => upstream.once('listening', resolve))
  onTestFinished(() => void upstream.close())
  const wanted: TokenWantedMessage[] = []
  let handle: (wanted: TokenWantedMessage) => void = () => {}
  const base_url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const snapshot = buildSnapshot({
    apis: [buildApi({ base_url, ...api })],
    endpoints: [
      buildEndpoint(endpoint),
      buildEndpoint({ id: 2, method: 'POST', is_repeatable: false, ...endpoint }),
    ],
  })
  const gateway = await startGateway(snapshot, {
    onTrace,
    onTokenWanted: (message) => {
      wanted.push(message)
      handle(message)
    },
  })
  const send = async (init: RequestInit = {}) => {
    const got = await fetch(`${gateway.url}/sales/orders`, init)
    return { status: got.status, text: await got.text() }
  }
  return {
    gateway,
    seen,
    wanted,
    send,
    /** What the parent does when a token is wanted. */
    supply: (next: typeof handle) => {
      handle = next
    },
  }
}

const authorizations = (seen: { headers: IncomingHttpHeaders }[]) =>
  seen.map(({ headers }) => headers.authorization)

describe('a static credential', () => {
  it('of headers replaces what the client sends under these names', async () => {
    const headers = [
      { name: 'Client-Id', value: 'ours' },
      { name: 'Secret-Key', value: 'secret' },
    ]
    const { send, seen } = await start({
      credential: { kind: 'headers', headers, refused_when: null },
    })
    await send({
      headers: { 'client-id': 'theirs', authorization: 'Bearer theirs', other: 'kept' },
    })
    expect(seen[0]?.headers).toMatchObject({
      'client-id': 'ours',
      'secret-key': 'secret',
      other: 'kept',
    })
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('of user name and password is sent as Basic', async () => {
    const credential = {
      kind: 'basic',
      username: 'ada',
      password: 'secret',
      refused_when: null,
    } as const
    const { send, seen } = await start({ credential })
    await send()
    expect(authorizations(seen)).toEqual([`Basic ${Buffer.from('ada:secret').toString('base64')}`])
  })

  it('is not repeated after a 401', async () => {
    const { send, seen } = await start(
      { credential: bearerCredential('static') },
      { answer: (_, res) => void res.writeHead(401).end('no') },
    )
    expect(await send()).toEqual({ status: 401, text: 'no' })
    expect(seen).toHaveLength(1)
  })
})

it('a trace shows neither credential nor token, nor an answer that repeats them', async () => {
  const traces: string[] = []
  const { gateway, send, supply } = await start(
    { credential: { ...loginCall, send_as: [{ name: 'X-Sign', value: 'id={token}' }] } },
    { answer: (req, res) => void res.setHeader('X-Echo', String(req.headers['x-sign'])).end() },
    (trace) => traces.push(JSON.stringify(trace)),
  )
  supply(() => gateway.acceptToken(1, { ...tokenOf(1), token: 'the-obtained-token' }))
  await send({ headers: { [traceHeaderName]: traceHeader(traceSecret, 'e1_t') } })
  expect(traces[0]).toContain('x-echo')
  expect(traces[0]).toContain('X-Sign')
  expect(traces[0]).not.toContain('the-obtained-token')
})

it('static headers are sent with every call, those of the endpoint win, {uuid} is fresh', async () => {
  const { send, seen } = await start(
    {
      static_headers: [
        { name: 'Accept-Version', value: 'V1' },
        { name: 'Request-Id', value: '{uuid}' },
      ],
    },
    { endpoint: { static_headers: [{ name: 'accept-version', value: 'V2' }] } },
  )
  await send({ headers: { 'request-id': 'theirs' } })
  await send()
  const [one, other] = seen
  expect(one?.headers).toMatchObject({
    'accept-version': 'V2',
    'request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(other?.headers['request-id']).not.toBe(one?.headers['request-id'])
})

describe('a token of an authority', () => {
  it('is asked for once it is needed, waits for nobody else, and is used again', async () => {
    const { gateway, send, seen, wanted } = await start({ credential: oauth })
    const waiting = [send(), send()]
    await expect.poll(() => wanted.length).toBe(2)
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    expect(seen).toEqual([])
    gateway.acceptToken(1, tokenOf(1))
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
    await send()
    expect(authorizations(seen)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1'])
    expect(wanted).toHaveLength(2)
  })

  it('that can not be obtained is a 502, and nothing is sent', async () => {
    const { gateway, send, seen, supply } = await start({ credential: oauth })
    supply(({ api_id, refused }) => gateway.failToken({ api_id, refused, message: 'refused' }))
    const { status, text } = await send()
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([502, 'upstream.sign_in'])
    expect(seen).toEqual([])
  })

  it('that does not come is waited for no longer than the time-outs of the API', async () => {
    const { send } = await start({
      credential: oauth,
      connect_timeout_ms: 20,
      answer_timeout_ms: 20,
    })
    expect((await send()).status).toBe(502)
  })

  it('is asked for again before it ends, while calls go on with it', async () => {
    const { gateway, send, wanted, supply } = await start({ credential: oauth })
    supply(() => gateway.acceptToken(1, { ...tokenOf(1), renew_at_ms: 0 }))
    await send()
    supply(() => {})
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    expect(wanted).toHaveLength(2)
  })

  it('survives a new configuration, unless the credential is another one', async () => {
    const { gateway, send, wanted, supply, seen } = await start({ credential: oauth })
    supply(() => gateway.acceptToken(1, tokenOf(1)))
    await send()
    const base_url = `http://${seen[0]?.headers.host}`
    const swap = (revision: number, credential: StoredCredential, credential_seal = '') => {
      const api = buildApi({ base_url, credential, credential_seal })
      gateway.swap(buildSnapshot({ revision, apis: [api] }))
    }
    swap(2, oauth)
    await send()
    expect(wanted).toHaveLength(1)
    swap(3, { ...oauth, client_id: 'another' })
    await send()
    expect(wanted).toHaveLength(2)
    swap(4, { ...oauth, client_id: 'another' }, 'of another secret')
    await send()
    expect(wanted).toHaveLength(3)
  })

  it.each(['GET', 'POST'])(
    'that is refused is replaced, and a %s is sent once more',
    async (method) => {
      const { gateway, send, seen, wanted, supply } = await start(
        { credential: oauth },
        {
          answer: (req, res) =>
            void (req.headers.authorization === 'Bearer token-1'
              ? res.writeHead(401).end('no')
              : res.end('ok')),
        },
      )
      supply(({ refused }) => gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
      const init = method === 'GET' ? {} : { method, body: 'a body' }
      expect(await send(init)).toEqual({ status: 200, text: 'ok' })
      expect(authorizations(seen)).toEqual(['Bearer token-1', 'Bearer token-2'])
      expect(wanted.map(({ refused }) => refused)).toEqual([null, 1])
    },
  )

  it('that is refused: the repetition is a call of its own, with a fresh {uuid}', async () => {
    const { gateway, send, seen, supply } = await start(
      { credential: oauth, static_headers: [{ name: 'Request-Id', value: '{uuid}' }] },
      { answer: (_, res) => void res.writeHead(401).end('no') },
    )
    supply(({ refused }) => gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
    await send()
    const ids = seen.map(({ headers }) => headers['request-id'])
    expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.any(String)])
    expect(new Set(ids).size).toBe(2)
  })

  it('that is refused twice passes the second refusal on', async () => {
    const { gateway, send, seen, supply } = await start(
      { credential: oauth },
      { answer: (_, res) => void res.writeHead(401).end('no') },
    )
    supply(({ refused }) => gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
    expect(await send()).toEqual({ status: 401, text: 'no' })
    expect(seen).toHaveLength(2)
  })

  it('that is refused, with no other to be had, is a 502, and nothing is sent again', async () => {
    const { gateway, send, seen, supply } = await start(
      { credential: oauth },
      { answer: (_, res) => void res.writeHead(401).end('no') },
    )
    supply(({ api_id, refused }) =>
      refused === null
        ? gateway.acceptToken(1, tokenOf(1))
        : gateway.failToken({ api_id, refused, message: 'refused' }),
    )
    const { status, text } = await send()
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([502, 'upstream.sign_in'])
    expect(seen).toHaveLength(1)
  })

  it('that is refused is not replaced for a streamed body', async () => {
    const { gateway, send, seen, supply } = await start(
      { credential: oauth },
      { answer: (_, res) => void res.writeHead(401).end('no') },
    )
    supply(({ refused }) => gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
    const body = 'x'.repeat(100_000)
    expect((await send({ method: 'POST', body })).status).toBe(401)
    expect(seen).toHaveLength(1)
  })
})

describe('a rule on the body that refuses a token', () => {
  const refused_when = {
    statuses: '200,403',
    join: 'all' as const,
    conditions: [{ path: 'error', test: 'equals' as const, value: 'INVALID_TOKEN' }],
  }
  const refusal = '{"error":"INVALID_TOKEN"}'
  const json = { 'content-type': 'application/json; charset=utf-8' }

  /** Refuses the first token so; any other gets `{"id":1}`. */
  async function startRuled(refuse: RequestListener, endpoint: Partial<SnapshotEndpoint> = {}) {
    const started = await start(
      { credential: { ...oauth, refused_when } },
      {
        endpoint,
        answer: (req, res) =>
          req.headers.authorization === 'Bearer token-1'
            ? refuse(req, res)
            : void res.writeHead(200, json).end('{"id":1}'),
      },
    )
    started.supply(({ refused }) => started.gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
    return started
  }

  it.each<[string, RequestListener]>([
    ['with a length', (_, res) => void res.writeHead(200, json).end(refusal)],
    [
      'in chunks',
      (_, res) => {
        res.writeHead(403, json).write(refusal.slice(0, 5))
        setImmediate(() => res.end(refusal.slice(5)))
      },
    ],
  ])('replaces it, and sends the request once more: an answer %s', async (_, refuse) => {
    const { send, seen } = await startRuled(refuse)
    expect(await send({ method: 'POST', body: 'a body' })).toEqual({
      status: 200,
      text: '{"id":1}',
    })
    expect(authorizations(seen)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('replaces it before a template reads the answer', async () => {
    const { send } = await startRuled((_, res) => void res.writeHead(200, json).end(refusal), {
      custom_output: '{"got": "{{body.id}}"}',
    })
    expect(await send()).toEqual({ status: 200, text: '{"got": 1}' })
  })

  it.each<[string, string, number, Record<string, string>]>([
    ['is another error', '{"error":"OTHER"}', 403, json],
    ['is not JSON', 'error', 200, json],
    ['is empty', '', 200, json],
    ['has another content type', refusal, 200, { 'content-type': 'text/plain' }],
    ['has a status that the rule does not name', refusal, 400, json],
    ['is the failure of the server', refusal, 500, json],
    ['is larger than 64 KiB', refusal.padEnd(65_537, ' '), 200, json],
  ])('passes an answer on as it came that %s', async (_, body, status, headers) => {
    for (const length of [{}, { 'content-length': String(body.length) }]) {
      const { send, seen } = await startRuled(
        (_req, res) => void res.writeHead(status, { ...headers, ...length }).end(body),
      )
      expect(await send()).toEqual({ status, text: body })
      expect(seen).toHaveLength(1)
    }
  })

  it('passes the second refusal on', async () => {
    const answer: RequestListener = (_, res) => void res.writeHead(200, json).end(refusal)
    const started = await start({ credential: { ...oauth, refused_when } }, { answer })
    started.supply(({ refused }) => started.gateway.acceptToken(1, tokenOf((refused ?? 0) + 1)))
    expect(await started.send()).toEqual({ status: 200, text: refusal })
    expect(started.seen).toHaveLength(2)
  })

  it('answers 502 where the answer breaks off before it is judged', async () => {
    const { send } = await startRuled((_, res) => {
      res.writeHead(200, json).write(refusal)
      setImmediate(() => res.destroy())
    })
    expect((await send()).status).toBe(502)
  })
})
