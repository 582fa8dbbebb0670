import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import os from 'node:os'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { adoptSocket, ReadBuffer } from '@gatehouse/http1'
import { measure, median, summary, type Measured } from './gateway/measure.ts'

// What TLS costs in Node itself, per request: servers that answer each read by 300 bytes, in the way that costs
// least. What the gateway pays for TLS can't be less than their difference. Needs wrk.
//
//   npm run bench tls [rounds [seconds]]

const kinds = ['node:net', 'node:tls'] as const
const connections = 64
const head = 'HTTP/1.1 200 OK\r\nContent-Length: 150\r\nX-Padding: '
const answer = `${head}${'x'.repeat(146 - head.length)}\r\n\r\n${'x'.repeat(150)}`

if (process.argv[2] === 'serve') serve(process.argv[3] === 'node:tls')
else await compare()

function serve(isSecure: boolean): void {
  const held: Socket[] = []
  const reply = (socket: Socket): void => {
    socket.cork()
    if (held.push(socket) === 1) setImmediate(() => held.splice(0).forEach((each) => each.uncork()))
    socket.write(answer, 'latin1')
  }
  const options = { noDelay: true, allowHalfOpen: true }
  const pem = new URL('../packages/upstream/fixtures/self-signed-localhost.pem', import.meta.url)
  const cert = readFileSync(pem)
  const server = isSecure
    ? createTlsServer({ ...options, cert, key: cert }, (socket) => {
        socket.on('data', (bytes: Buffer) => bytes.toString('latin1') && reply(socket))
        socket.on('error', () => undefined)
      })
    : createServer(options, (made) => {
        const reading = new ReadBuffer()
        const socket = adoptSocket(made, reading) ?? made
        reading.handleBytes = (bytes, length) =>
          bytes.toString('latin1', 0, length) && reply(socket)
        socket.on('end', () => socket.end()).on('error', () => undefined)
      })
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}

async function compare(): Promise<void> {
  const [rounds = 7, seconds = 1] = process.argv.slice(2).map(Number)
  const servers = await Promise.all(
    kinds.map(async (name) => {
      const file = fileURLToPath(import.meta.url)
      const flags = ['--max-semi-space-size=4', '--no-parallel-scavenge']
      const child = spawn(process.execPath, [...flags, file, 'serve', name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [port] = (await once(child.stdout, 'data')) as [Buffer]
      const url = `${name === 'node:tls' ? 'https' : 'http'}://127.0.0.1:${String(port).trim()}`
      const peer = { name, url, headers: [], pids: [child.pid ?? 0], stop: async () => {} }
      return { child, peer, runs: [] as Measured[] }
    }),
  )
  const load = { connections, seconds, path: '/' }
  // The first two warm up.
  for (let round = -2; round < rounds; round++)
    for (const { peer, runs } of servers) {
      const run = measure(peer, load)
      if (round >= 0) runs.push(run)
    }
  for (const { child } of servers) child.kill()
  const [plain = [], secure = []] = servers.map(({ runs }) => runs)
  const [cpu] = os.cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} × ${cpu?.model}, Node ${process.version}; ${connections} connections, ${rounds} × ${seconds} s; load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  console.table(
    [plain, secure].map(summary).map(({ name, cpuUs, requestsPerSecond }) => ({
      server: name,
      'CPU µs/request': Number(cpuUs.toFixed(2)),
      'requests/s': Math.round(requestsPerSecond),
    })),
  )
  const more = secure.map(({ cpuUs }, round) => cpuUs - (plain[round]?.cpuUs ?? NaN))
  console.log(
    `TLS costs ${median(more).toFixed(2)} µs more, ${Math.min(...more).toFixed(2)} at least`,
  )
}
