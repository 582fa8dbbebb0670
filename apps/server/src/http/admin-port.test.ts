import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { socketBudget } from '@gatehouse/upstream/http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runServerProcess } from '../../test/servers/run-server-process.ts'

const openFilesMax = 256
const clients = socketBudget(openFilesMax).clients

interface Held {
  socket: Socket
  /** What came before it was closed; connections that send nothing get an answer only as a refusal. */
  refusal: Promise<string>
}

function open(port: number, localAddress: string): Held {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
  const refusal = once(socket, 'close').then(() => text)
  return { socket, refusal }
}

const openMany = (port: number, count: number, localAddress: string) =>
  Array.from({ length: count }, () => open(port, localAddress))

async function statusOf(port: number, localAddress: string): Promise<string> {
  const { socket, refusal } = open(port, localAddress)
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return (await refusal).split('\r\n')[0] ?? ''
}

async function start() {
  const { url, child } = await runServerProcess({ openFilesMax })
  return { port: Number(new URL(url).port), child }
}

// Elsewhere loopback has one address, and no `ulimit`.
describe.runIf(process.platform === 'linux')('a server whose process may open 256 files', () => {
  it('one address takes at most half of the connections, and is told so', async () => {
    const { port } = await start()
    const perAddress = Math.ceil(clients / 2)
    const held = openMany(port, perAddress + 20, '127.0.0.2')
    // One round trip from another address: what was opened before has been accepted.
    expect(await statusOf(port, '127.0.0.3')).toBe('HTTP/1.1 200 OK')
    const refused = held.slice(perAddress)
    const texts = await Promise.all(refused.map(({ refusal }) => refusal))
    for (const text of texts) {
      expect(text).toContain('HTTP/1.1 503 Service Unavailable')
      expect(text).toContain('"code":"server.connections"')
      expect(text).toContain('content-security-policy: ')
    }
    expect(held.slice(0, perAddress).every(({ socket }) => !socket.destroyed)).toBe(true)
    const [first] = held
    first!.socket.destroy()
    await first!.refusal
    await expect.poll(() => statusOf(port, '127.0.0.2')).toBe('HTTP/1.1 200 OK')
  })

  it('many addresses do not use up its files, and it serves on when they are gone', async () => {
    const { port, child } = await start()
    const held = Array.from({ length: 10 }, (_, at) =>
      openMany(port, 30, `127.0.0.${at + 2}`),
    ).flat()
    // The bound on all: what is beyond is closed without an answer.
    const closed: Held[] = []
    for (const each of held) void each.refusal.then(() => closed.push(each))
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(300 - clients)
    for (const { socket } of held) socket.destroy()
    await Promise.all(held.map(({ refusal }) => refusal))
    await expect.poll(() => statusOf(port, '127.0.0.20')).toBe('HTTP/1.1 200 OK')
    expect(child.exitCode).toBeNull()
  })
})
