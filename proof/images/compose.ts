import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { creatorOf } from '../../e2e/harness/creator.ts'
import { adminPassword } from '../../e2e/harness/run-product.ts'
import { podman, run, startEngine } from './engine.ts'
import { call, startCalls } from './steady-calls.ts'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const project = 'gatehouse-proof'

interface Compose {
  name?: string
  version?: string
  services: Record<string, { environment?: Record<string, string>; ports?: string[] }>
  networks: Record<string, { internal?: boolean; ipam?: { config: Record<string, string>[] } }>
}

/**
 * What `deploy/compose.yaml` says, for the Compose of Debian, which is older: it knows no `name`, and compares
 * networks with what only Docker answers, so these are made beside it.
 */
async function makeFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compose-'))
  cpSync(deploy, folder, { recursive: true })
  const {
    name: _,
    networks,
    services,
    ...rest
  } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as Compose
  for (const [name, { internal, ipam }] of Object.entries(networks)) {
    const { subnet, ip_range } = ipam?.config[0] ?? {}
    await podman(
      'network',
      'create',
      ...(internal ? ['--internal'] : []),
      ...(subnet ? ['--subnet', subnet] : []),
      ...(ip_range ? ['--ip-range', ip_range] : []),
      `${project}_${name}`,
    )
  }
  // The first password is known, instead of read from the log.
  for (const name of ['control-1', 'control-2'])
    Object.assign(services[name]?.environment ?? {}, { ADMIN_PASSWORD: adminPassword })
  Object.assign(services['caddy'] ?? {}, { ports: ['127.0.0.1::443'] })
  const external = (name: string) => [name, { external: true, name: `${project}_${name}` }]
  const copy = {
    version: '3.8',
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-'))),
    services,
    networks: Object.fromEntries(Object.keys(networks).map(external)),
  }
  writeFileSync(join(folder, 'compose.yaml'), JSON.stringify(copy))
  return folder
}

/** Step 1 of `docs/operations/install.md`, "In containers". */
function makeSecrets(folder: string) {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const write = (name: string, text: string) => {
    writeFileSync(join(secrets, name), text)
    chmodSync(join(secrets, name), 0o644)
  }
  const password = randomBytes(16).toString('hex')
  write('postgres-password', password)
  write('database-url', `postgres://gatehouse:${password}@postgres:5432/gatehouse`)
  write('app-key', randomBytes(32).toString('base64'))
  write('metrics-token', randomBytes(16).toString('hex'))
  write('gateway-database-url', '')
  write('gateway-key', '')
  return write
}

/** On the address that this machine has in the network of the upstreams. Counts how often each document arrives. */
async function runUpstream(address: string) {
  const arrived = new Map<string, number>()
  const server = createServer((request, answer) => {
    const { document } = request.headers
    if (typeof document === 'string') arrived.set(document, (arrived.get(document) ?? 0) + 1)
    answer.setHeader('content-type', 'application/json')
    setTimeout(() => answer.end('{"hello":"there"}'), document === undefined ? 5 : 4_000)
  })
  await new Promise<void>((listening) => server.listen(0, address, listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://${address}:${port}`, arrived, stop: () => server.close() }
}

/** All of the compose file, then each server replaced by hand while calls come. Each line is a fault. */
export async function tryCompose(): Promise<string[]> {
  const faults: string[] = []
  const folder = await makeFolder()
  const engine = startEngine(join(folder, 'podman.sock'))
  while (!engine.isListening()) await sleep(100)
  const compose = (...parameters: string[]) =>
    run(
      'docker-compose',
      ['-p', project, '-f', join(folder, 'compose.yaml'), ...parameters],
      engine.env,
    )
  const containerOf = (service: string) => `${project}_${service}_1`
  const addressIn = (service: string, network: string) =>
    podman(
      'inspect',
      containerOf(service),
      '--format',
      `{{(index .NetworkSettings.Networks "${project}_${network}").IPAddress}}`,
    )
  let upstream: Awaited<ReturnType<typeof runUpstream>> | undefined
  try {
    const write = makeSecrets(folder)
    await compose('up', '-d', 'control-1')
    await healthy(containerOf('control-1'))
    const account = await compose(
      'exec',
      '-T',
      'control-1',
      'node',
      '/app/admin.mjs',
      'gateway-account',
    )
    const valueOf = (name: string) =>
      new RegExp(String.raw`^${name}=(\S+)`, 'm').exec(account)?.[1] ?? ''
    write('gateway-database-url', valueOf('DATABASE_URL'))
    write('gateway-key', valueOf('GATEWAY_KEY'))
    await compose('up', '-d')
    const servers = ['control-1', 'control-2', 'gateway-1', 'gateway-2', 'gateway-3']
    for (const service of servers) await healthy(containerOf(service))

    const [network] = JSON.parse(await podman('network', 'inspect', `${project}_upstream`)) as [
      { subnets: [{ gateway: string }] },
    ]
    upstream = await runUpstream(network.subnets[0].gateway)
    const { createApi, createEndpoint } = await creatorOf(
      `http://${await addressIn('control-1', 'inside')}:3000`,
    )
    const api = await createApi('Till', upstream.url)
    await createEndpoint(api, ['get', '/hello', 'Hello'])
    await createEndpoint(api, ['post', '/documents', 'Hand in'], { forward_headers: true })

    const root = await podman(
      'exec',
      containerOf('caddy'),
      'cat',
      '/data/caddy/pki/authorities/local/root.crt',
    )
    const port = Number((await podman('port', containerOf('caddy'), '443')).split(':').at(-1))
    const till = { ca: root, port, host: 'gateway.localhost' }
    const calls = startCalls({ ...till, path: '/till/hello' })
    await calls.after(200)
    for (const service of servers.toReversed()) {
      await compose('restart', '-t', '50', service)
      await healthy(containerOf(service))
      // So long Caddy takes to notice at most: one that restarts the next server before has fewer than it knows of.
      await sleep(6_000)
    }
    const { answers, failures } = await calls.stop()
    console.log(
      `${servers.length} servers restarted: ${answers} answers, ${failures.length} failures`,
    )
    faults.push(...new Set(failures))

    const documents = Array.from({ length: 60 }, (_, number) =>
      call({
        ...till,
        path: '/till/documents',
        method: 'POST',
        headers: { document: `${number}` },
      }),
    )
    while (upstream.arrived.size < documents.length / 2) await sleep(20)
    await podman('kill', '--signal', 'KILL', containerOf('gateway-1'))
    const outcomes = await Promise.all(documents)
    const lost = outcomes.filter((status) => status !== 200).length
    const twice = upstream.arrived
      .values()
      .filter((times) => times > 1)
      .toArray().length
    console.log(
      `a gateway killed under ${documents.length} submits: ${lost} answers lost, ${twice} sent twice`,
    )
    if (lost === 0) faults.push('the gateway that was killed carried no submit')
    if (twice > 0) faults.push(`${twice} submits were sent twice`)
  } finally {
    upstream?.stop()
    await compose('down', '--volumes', '--timeout', '5').catch((error: unknown) =>
      console.error(error),
    )
    await engine.stop()
    for (const name of ['inside', 'upstream', 'outside'])
      await podman('network', 'rm', '--force', `${project}_${name}`).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
  return faults
}

async function healthy(container: string): Promise<void> {
  for (;;) {
    const isHealthy = await podman('healthcheck', 'run', container).catch(() => undefined)
    if (isHealthy !== undefined) return
    await sleep(300)
  }
}
