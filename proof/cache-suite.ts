import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import { createGateway } from '../apps/gateway/src/gateway.ts'
import { bareWorker } from '../apps/gateway/src/testing/bare-worker.ts'
import { createTrafficPolicies } from '../apps/gateway/src/policy/traffic-policies.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
} from '../apps/gateway/src/testing/build-snapshot.ts'
import { isThere, peerNames, startPeer } from './cache-suite/start-peer.ts'

// The public suite of HTTP caches (https://cache-tests.fyi, BSD-3-Clause), as npm has it, against the cache of the
// gateway. It is fetched for the run, and is no part of the product.
//
//   npm run proof cache-suite            the gateway, and why each test fails
//   npm run proof cache-suite nginx      another cache, where its program is installed: varnish, squid or apache
//   npm run proof cache-suite peers      the gateway and all of them, a line each
const suite = {
  name: 'http-cache-tests',
  version: '0.4.5',
  integrity:
    'sha512-DjuwN9nUZXLTW+wav1LRESCZNVxl8SshwOy4z1pxuWbWt5/ay6sM9QQ1lebBaDO6P1IMBoK6mdf+PuVP/QNL8A==',
}

type Kind = 'required' | 'optimal' | 'check'
interface SuiteTest {
  id: string
  name: string
  kind?: Kind
  browser_only?: boolean
  depends_on?: string[]
}
interface SuiteGroup {
  name: string
  tests: SuiteTest[]
}
type Handle = (segments: string[], request: IncomingMessage, response: ServerResponse) => void
type Result = true | [kind: string, message: string]

const [asked = 'gateway'] = process.argv.slice(2)
if (asked === 'peers') {
  for (const name of ['gateway', ...peerNames]) {
    const lines = isThere(name) || name === 'gateway' ? scoreOf(name) : ['its program is not here']
    console.log(`${name.padEnd(8)} ${lines.join(', ')}`)
  }
  process.exit()
}

/** The last lines of a run of its own: no cache knows what another one has done. */
function scoreOf(name: string): string[] {
  return execFileSync(process.execPath, [import.meta.filename, name], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /^(required|optimal|check): /.test(line))
}

const folder = mkdtempSync(join(tmpdir(), 'cache-suite-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

function fetchSuite(): string {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', `${suite.name}@${suite.version}`], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as { filename: string }[]
  const file = join(folder, packed?.filename ?? '')
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== suite.integrity) throw new Error(`The suite is not the one that is known: ${found}`)
  execFileSync('tar', ['xzf', file, '-C', folder])
  return join(folder, 'package')
}

const root = fetchSuite()
const load = async <Module>(path: string) => (await import(join(root, path))) as Module

const handles: Record<string, Handle> = {
  config: (await load<{ default: Handle }>('server/handle-config.mjs')).default,
  state: (await load<{ default: Handle }>('server/handle-state.mjs')).default,
  test: (await load<{ default: Handle }>('server/handle-test.mjs')).default,
}
// Below the path that clients call: `Location` and `Content-Location` of the suite name paths of the server.
const upstream = createServer((request, response) => {
  const [, , first = '', ...segments] = new URL(request.url ?? '', 'http://a').pathname.split('/')
  const handle = handles[first]
  if (handle) handle(segments, request, response)
  else response.writeHead(404).end()
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))

const { port: upstreamPort } = upstream.address() as AddressInfo
const port =
  asked === 'gateway' ? await startGateway() : await startPeer(asked, upstreamPort, folder)

async function startGateway(): Promise<number> {
  const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const
  const paths = ['/test/{id}', '/test/{id}/{file}', '/config/{id}', '/state/{id}']
  const gateway = createGateway({
    ...bareWorker,
    compilePolicy: createTrafficPolicies().compile,
  })
  const swapped = gateway.swap(
    buildSnapshot({
      apis: [
        buildApi({
          context: 'suite',
          base_url: `http://127.0.0.1:${upstreamPort}/suite`,
          policy: { ...noTrafficPolicy, cache: { max_bytes: 64 * 1024 * 1024 } },
        }),
      ],
      endpoints: paths.flatMap((path, at) =>
        methods.map((method, place) =>
          buildEndpoint({ id: at * methods.length + place + 1, path, method }),
        ),
      ),
    }),
  )
  if (!swapped.ok) throw new Error(swapped.reason)
  return gateway.listen({ host: '127.0.0.1', port: 0 })
}

/** The `fetch` of Node adds `Cache-Control: no-cache` to what the suite sends; nothing is added here. */
async function plainFetch(
  url: string,
  {
    method = 'GET',
    headers = [],
    body,
  }: { method?: string; headers?: string[][]; body?: string } = {},
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const outgoing = request(url, { method, agent }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', reject).on('end', () => {
      const status = answer.statusCode ?? 0
      const fields: [string, string][] = []
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        fields.push([answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? ''])
      const isBodiless = status === 204 || status === 205 || status === 304
      try {
        const content = isBodiless ? null : Buffer.concat(chunks)
        resolve(new Response(content, { status, headers: fields }))
      } catch (error) {
        // A status beyond 599, as some caches pass it on.
        reject(error)
      }
    })
  })
  for (const name of new Set(headers.map(([each = '']) => each.toLowerCase())))
    outgoing.setHeader(
      name,
      headers.filter(([each = '']) => each.toLowerCase() === name).map(([, value = '']) => value),
    )
  if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.on('error', reject).end(body)
  return promise
}
const agent = new Agent({ keepAlive: true })

const { default: groups } = await load<{ default: SuiteGroup[] }>('tests/index.mjs')
const runner = await load<{
  runTests(groups: SuiteGroup[], fetch: unknown, isBrowser: boolean, base: string): Promise<void>
  getResults(): Record<string, Result>
}>('client/runner.mjs')
const log = console.log
console.log = () => {}
await runner.runTests(groups, plainFetch, false, `http://127.0.0.1:${port}/suite`)
console.log = log

const results = runner.getResults()
const counts = { required: [0, 0], optimal: [0, 0], check: [0, 0] }
for (const { name: group, tests } of groups) {
  for (const { id, name, kind = 'required', depends_on: basis = [] } of tests) {
    const result = results[id]
    if (result === undefined) continue
    const isPassed = result === true
    counts[kind][isPassed ? 0 : 1]!++
    if (isPassed || kind === 'check') continue
    const missing = basis.filter((each) => results[each] !== true)
    console.log(
      `${kind} ${id} (${group}): ${name}\n    ${result.join(': ')}${missing.length > 0 ? ` [needs ${missing.join(', ')}]` : ''}`,
    )
  }
}
console.log(`${suite.name} ${suite.version}`)
for (const [kind, [passed = 0, failed = 0]] of Object.entries(counts))
  console.log(`${kind}: ${passed} passed, ${failed} not`)
process.exit()
