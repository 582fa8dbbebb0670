import { spawn } from 'node:child_process'
import { createSecureServer } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { ServerConnection } from '@gatehouse/http1'
import { localhostCertificate } from '@gatehouse/http1/testing/localhost-certificate'

// What a TLS server costs for each answer of 150 bytes, with nothing behind it: ours for HTTP/1.1, and those
// of Node. 64 connections, one request at a time on each; in turns, each in a process of its own. Needs h2load.

const body = 'x'.repeat(150)
const fields = { 'content-type': 'text/plain', 'content-length': String(body.length) }
const tls = { ...localhostCertificate }
const [warmUp, counted] = [20_000, 60_000]
const rounds = Number(process.argv[2] ?? 5)

const servers: Record<string, () => Server> = {
  'HTTP/1.1, ours': () =>
    createTlsServer({ ...tls, allowHalfOpen: true, noDelay: true }).on(
      'secureConnection',
      (socket: Socket) => {
        const handleBroken = () => void socket.destroy()
        const owner: ConstructorParameters<typeof ServerConnection>[1] = {
          handleBroken,
          handleRequest: (_request, answer) => {
            answer.writeHead(200, Object.entries(fields).flat())
            answer.end(body)
          },
        }
        return new ServerConnection(socket, owner)
      },
    ),
  'HTTP/1.1, node:https': () =>
    createHttpsServer(tls, (_request, answer) => void answer.writeHead(200, fields).end(body)),
  'HTTP/2, node:http2 streams': () =>
    createSecureServer(tls).on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, ...fields })
      stream.end(body)
    }),
  'HTTP/2, node:http2 as node:http': () =>
    createSecureServer(tls, (_request, answer) => {
      answer.writeHead(200, fields)
      answer.end(body)
    }),
}

/** Serves in this process, and prints microseconds of CPU for each request. */
async function measure(name: string): Promise<void> {
  const server = servers[name]?.() ?? fail(name)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const load = (requests: number) =>
    run('h2load', [
      ...(name.startsWith('HTTP/1.1') ? ['--h1'] : []),
      `--requests=${requests}`,
      '--clients=64',
      '--max-concurrent-streams=1',
      `https://localhost:${port}/`,
    ])
  await load(warmUp)
  const before = process.cpuUsage()
  const report = await load(counted)
  const { user, system } = process.cpuUsage(before)
  if (!report.includes(`${counted} succeeded`)) throw new Error(report)
  console.log(((user + system) / counted).toFixed(2))
  process.exit(0)
}

function run(program: string, args: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }).on('error', reject)
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()))
  child.on('close', () => resolve(text))
  return promise
}

const fail = (name: string): never => {
  throw new Error(`There is no server called ${name}.`)
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

async function compare(): Promise<void> {
  const costs = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(servers)) {
      const printed = await run(process.execPath, [fileURLToPath(import.meta.url), 'measure', name])
      costs.set(name, [...(costs.get(name) ?? []), Number(printed)])
    }
  }
  const base = median(costs.get('HTTP/1.1, ours') ?? [])
  for (const [name, values] of costs) {
    const cost = median(values)
    console.log(`${name.padEnd(34)} ${cost.toFixed(1)} µs  ${(cost / base).toFixed(2)} ×`)
  }
}

await (process.argv[2] === 'measure' ? measure(process.argv[3] ?? '') : compare())
