import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { ownConnection } from './ask-workers.ts'
import { runProduct, signIn, type Call, type Product } from './run-product.ts'

interface LivesRun {
  /** The two servers share this PostgreSQL. */
  databaseUrl: string
  calls: number
  /** So many at once, then the next a while later. */
  burst: number
  /** How long a token lives, and how long all calls take together, at least. */
  lifeSeconds: number
  spanSeconds: number
  workersPerServer: number
  /** For how long the authority accepts a token that has ended: a call may be under way by then. */
  graceMs: number
}

interface LivesReport {
  calls: number
  /** By status as the clients got it. */
  statuses: Record<string, number>
  spanSeconds: number
  logins: number
  /** A token is renewed at 80 % of its life: no more than that fit into the time. */
  loginsMax: number
  /** Two logins were never under way at once. */
  loginsAtOnce: number
  /** Calls that reached the API with a token that had ended. */
  refusedCalls: number
  /** Of all servers together. */
  workers: number
}

/**
 * Calls an API whose token lives shortly through the gateways of two servers, in bursts, and counts how
 * often they signed in.
 */
export async function callThroughLives(options: LivesRun): Promise<LivesReport> {
  const { lifeSeconds, workersPerServer, graceMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lives-'))
  const authority = await runTokenAuthority({
    expiresIn: lifeSeconds,
    lifeMs: lifeSeconds * 1_000 + graceMs,
  })
  const shared = {
    APP_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: options.databaseUrl,
    GATEWAY_WORKERS: String(workersPerServer),
  }
  const products: Product[] = []
  try {
    for (const name of ['one', 'other'])
      products.push(await runProduct({ ...shared, DATA_DIR: join(folder, name) }))
    const calls = await Promise.all(products.map(({ url }) => signIn(url)))
    await register(calls[0]!, authority)
    return await report(options, authority, products, calls)
  } finally {
    await Promise.all(products.map((product) => product.end('SIGTERM')))
    await authority.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `GET /authority/hello`, whose API wants a token. */
async function register(call: Call, authority: TokenAuthority): Promise<void> {
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: authority.apiUrl,
    credential: {
      kind: 'oauth2_client_credentials',
      token_url: authority.tokenUrl,
      client_id: 'client-1',
      client_secret: 'client-secret-of-test',
    },
  })
  await create('/api/endpoint', {
    api_id,
    method_type: 'get',
    status: 'active',
    path: '/hello',
    authentication: 0,
    summery: 'Hello',
    description: 'Says hello',
  })
}

async function report(
  { calls, burst, spanSeconds, lifeSeconds }: LivesRun,
  authority: TokenAuthority,
  products: readonly Product[],
  signedIn: readonly Call[],
): Promise<LivesReport> {
  let workers = 0
  for (const call of signedIn) workers += await whenPublished(call)
  const startedAtMs = performance.now()
  const statuses: Record<string, number> = {}
  const pauseMs = (spanSeconds * 1_000 * burst) / calls
  for (let sent = 0; sent < calls; sent += burst) {
    await sleep(Math.max(0, startedAtMs + (sent / burst) * pauseMs - performance.now()))
    const size = Math.min(burst, calls - sent)
    await Promise.all(
      Array.from({ length: size }, async (_, at) => {
        const status = await statusOf(
          `${products[at % products.length]!.gatewayUrl}/authority/hello`,
        )
        statuses[status] = (statuses[status] ?? 0) + 1
      }),
    )
  }
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  const { logins, sameTimeMax, refusedCalls } = await authority.counts()
  return {
    calls,
    statuses,
    spanSeconds: Math.round(tookSeconds),
    logins,
    loginsMax: 1 + Math.floor(tookSeconds / (0.8 * lifeSeconds)),
    loginsAtOnce: sameTimeMax,
    refusedCalls,
    workers,
  }
}

/** Each call on a connection of its own, so that all workers get some. */
async function statusOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: ownConnection }).catch(String)
  if (typeof answer === 'string') return answer
  await answer.arrayBuffer()
  return String(answer.status)
}

interface Status {
  revision: number
  workers: { revision: number | null }[]
}

/** A change that one server makes reaches the workers of the other a moment later. Their number. */
async function whenPublished(call: Call): Promise<number> {
  for (;;) {
    const { revision, workers } = (await call('GET', '/api/gateway')).body as Status
    if (workers.every((worker) => worker.revision === revision)) return workers.length
    await sleep(50)
  }
}
