import { generateKeyPairSync, sign } from 'node:crypto'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { measure, median, summary, type Measured } from './gateway/measure.ts'
import { benchPath, startOurs, type OurApi } from './gateway/our-gateway.ts'
import { startNginxProxy, startUpstream, type Peer } from './gateway/peers.ts'

// What larger bodies, TLS, many connections and each feature of the gateway cost, per request: beside nginx where
// it does the same, and beside a plain call of the same worker. Needs nginx and wrk.
//
//   npm run bench features [rounds [seconds]]

const [rounds = 5, seconds = 2] = process.argv.slice(2).map(Number)
// The certificate below is nobody's.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
const pem = fileURLToPath(
  new URL('../packages/upstream/fixtures/self-signed-localhost.pem', import.meta.url),
)

const connections = 64
const invoice = JSON.stringify({
  number: 'INV-1001',
  total: 1250.75,
  lines: Array.from({ length: 32 }, (_, at) => ({
    line: at,
    text: `Item ${at}`,
    amount: 12.5,
    tax: 'A',
  })),
})
const bodySchema = JSON.stringify({
  type: 'object',
  required: ['number', 'total', 'lines'],
  properties: {
    number: { type: 'string', pattern: '^INV-[0-9]+$' },
    total: { type: 'number', minimum: 0 },
    lines: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['line', 'amount'],
        properties: {
          line: { type: 'integer' },
          amount: { type: 'number' },
          tax: { enum: ['A', 'B'] },
        },
      },
    },
  },
})

const issuer = 'https://login.example.com/'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
function jwt(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const claims = { iss: issuer, aud: 'gatehouse', sub: 'till-7', exp, groups: ['tills'] }
  const signed = `${encode({ alg: 'RS256', kid: 'bench' })}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

const policy = (traffic_policy: object): OurApi => ({ api: { traffic_policy } })
const posts = (endpoint: object = {}): OurApi => ({
  endpoint: { method_type: 'post', ...endpoint },
})
const transformation = { request_rules: '', request_body: '', answer_rules: '', answer_body: '' }

/** By context. The upstream's paths follow the base URL. */
const apisAt = (upstream: string): Record<string, OurApi> => ({
  large: { api: { api_url: `${upstream}/large` } },
  kept: {
    api: { api_url: `${upstream}/kept`, traffic_policy: { cache: { max_bytes: '16 MiB' } } },
  },
  limited: policy({
    rate_limit: { requests: '1000000', window_seconds: '1', per: 'token' },
  }),
  listed: policy({
    client_addresses: { allow: ['127.0.0.0/8', '10.0.0.0/8'], deny: ['10.9.0.0/16'] },
  }),
  keyed: policy({ api_key: { header: 'X-API-Key' } }),
  bounded: policy({ max_concurrent: '1000' }),
  posts: posts(),
  checked: posts({
    validation: {
      mode: 'enforce',
      parameters_schema: '',
      body_schema: bodySchema,
      is_body_required: true,
      answer_schema: '',
    },
  }),
  headers: {
    endpoint: {
      transformation: {
        ...transformation,
        request_rules: 'set header X-Source: till\nremove header X-Debug',
      },
    },
  },
  mapped: posts({
    transformation: { ...transformation, request_body: '[{"from":"total","to":"invoice.amount"}]' },
  }),
  template: {
    endpoint: { enable_custom_output: 1, custom_output: '{"id":"{{params.id}}","ok":true}' },
  },
})

interface Row {
  what: string
  context: string
  /** Its context: what it is compared with. */
  beside?: string
  /** Most that it may cost more, µs; absent: no goal. */
  goalUs?: number
  headers?: string[]
  body?: string
}

const rows: Row[] = [
  { what: 'GET, 150 bytes', context: 'bench' },
  { what: 'token in a header of its own', context: 'keyed', beside: 'bench' },
  {
    what: 'JWT',
    context: 'bench',
    beside: 'bench',
    goalUs: 1,
    headers: [`Authorization: Bearer ${jwt()}`],
  },
  { what: 'address list', context: 'listed', beside: 'bench' },
  { what: 'rate limit', context: 'limited', beside: 'bench', goalUs: 1 },
  { what: 'bound of calls at once', context: 'bounded', beside: 'bench' },
  { what: 'answer from the cache', context: 'kept', beside: 'bench', goalUs: 0 },
  { what: 'two rules for headers', context: 'headers', beside: 'bench' },
  { what: 'custom output', context: 'template', beside: 'bench' },
  { what: 'POST of 2 KB', context: 'posts', body: invoice },
  {
    what: 'POST of 2 KB, validated',
    context: 'checked',
    beside: 'posts',
    goalUs: 8,
    body: invoice,
  },
  { what: 'POST of 2 KB, mapped', context: 'mapped', beside: 'posts', body: invoice },
]
const pathOf = (context: string) => benchPath.replace('bench', context)

const upstream = await startUpstream()
const started: Peer[] = []
async function start(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting
  started.push(peer)
  return peer
}
try {
  const nginx = await start(startNginxProxy(upstream.url))
  const nginxTls = await start(startNginxProxy(upstream.url, pem))
  const ours = await start(
    startOurs({
      endpoints: 10,
      upstream: upstream.url,
      apis: apisAt(upstream.url),
      // wrk is one address, and by default one address may have 512 connections to a worker.
      environment: { GATEWAY_CONNECTIONS_PER_ADDRESS: '2000' },
      setUp: (must, role_id) =>
        must('POST', '/api/token-issuers', {
          name: 'Bench',
          is_active: 1,
          issuer,
          audience: 'gatehouse',
          jwks: publicKey.export({ format: 'pem', type: 'spki' }),
          algorithms: ['RS256'],
          role_claim: 'groups',
          roles: [{ value: 'tills', role_id }],
        }),
    }),
  )
  const tlsFiles = { TLS_CERT: pem, TLS_KEY: pem }
  const oursTls = await start(
    startOurs({ endpoints: 10, upstream: upstream.url, environment: tlsFiles }),
  )
  const authorization = ours.headers[0] ?? ''
  const headersOf = ({ context, headers }: Row) =>
    headers ?? [
      context === 'keyed'
        ? authorization.replace('Authorization: Bearer', 'X-API-Key:')
        : authorization,
    ]

  const shared = [
    { what: '10 KB answers', path: pathOf('large'), nginxPath: '/large/item/1' },
    { what: 'POST of 2 KB', path: pathOf('posts'), body: invoice },
    { what: '1,000 connections', path: benchPath, connections: 1_000 },
    { what: '150 bytes', path: benchPath },
  ]
  const runs = new Map<string, Measured[]>()
  const run = (key: string, peer: Peer, load: Parameters<typeof measure>[1]) => {
    const measured = measure(peer, load)
    if (measured.errors > 0) throw new Error(`${key}: ${measured.errors} errors`)
    runs.set(key, [...(runs.get(key) ?? []), measured])
  }
  for (let round = 0; round <= rounds; round++) {
    // The first warms up.
    if (round === 1) runs.clear()
    const load = { connections, seconds: round === 0 ? 1 : seconds }
    for (const row of rows)
      run(row.what, ours, {
        ...load,
        path: pathOf(row.context),
        headers: headersOf(row),
        ...(row.body === undefined ? {} : { body: row.body }),
      })
    for (const { what, nginxPath, ...more } of shared) {
      run(`nginx, ${what}`, nginx, { ...load, ...more, path: nginxPath ?? more.path })
      run(`ours, ${what}`, ours, { ...load, ...more })
    }
    run('nginx, TLS', nginxTls, { ...load, path: benchPath })
    // As warm as the worker that takes all else.
    for (let more = round === 0 ? rows.length : 0; more >= 0; more--)
      run('ours, TLS', oursTls, { ...load, path: benchPath })
  }
  const cpuUs = (key: string) => summary(runs.get(key) ?? []).cpuUs
  const [cpu] = os.cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} × ${cpu?.model}, Node ${process.version}; ${connections} connections, ${rounds} × ${seconds} s; load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  console.table(
    [...shared.map(({ what }) => what), 'TLS'].map((what) => ({
      what,
      'nginx, µs': hundredths(cpuUs(`nginx, ${what}`)),
      'ours, µs': hundredths(cpuUs(`ours, ${what}`)),
      '× nginx': hundredths(cpuUs(`ours, ${what}`) / cpuUs(`nginx, ${what}`)),
      '× plain': hundredths(cpuUs(`ours, ${what}`) / cpuUs('ours, 150 bytes')),
    })),
  )
  const missed: string[] = []
  console.table(
    rows.map(({ what, context, beside, goalUs }) => {
      const base = rows.find((each) => each.context === beside)
      const pairs = (runs.get(what) ?? []).map(
        (each, at) => each.cpuUs - (runs.get(base?.what ?? '')?.[at]?.cpuUs ?? NaN),
      )
      const more = base === undefined ? undefined : median(pairs)
      if (more !== undefined && goalUs !== undefined && more > goalUs) missed.push(what)
      return {
        what,
        path: pathOf(context),
        'CPU µs/request': hundredths(cpuUs(what)),
        'more, µs': more === undefined ? '' : hundredths(more),
        'goal, µs': goalUs ?? '',
      }
    }),
  )
  for (const what of missed) console.error(`Missed: ${what}`)
  if (missed.length > 0) process.exitCode = 1
} finally {
  for (const peer of started) await peer.stop()
  await upstream.stop()
}

function hundredths(number: number): number {
  return Math.round(number * 100) / 100
}
