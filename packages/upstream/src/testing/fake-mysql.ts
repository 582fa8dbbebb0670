import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './raw-upstream.ts'

/** The answer to a packet of the client: payloads, silence, or the end of the connection. */
type PacketAnswer = Buffer[] | 'silence' | 'close'

interface FakeMysql {
  port: number
  /** Payloads of the client in order, the answer to the greeting first. */
  received: Buffer[]
  connections: number
}

export interface FakeMysqlScript {
  /** The first packet; a common greeting unless given, `silence` for none. */
  greeting?: Buffer | 'silence'
  answer(payload: Buffer, index: number): PacketAnswer
}

const capability = {
  connectWithDatabase: 0x8,
  localFiles: 0x80,
  protocol41: 0x200,
  tls: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  multiResults: 0x20000,
  pluginAuth: 0x80000,
}

/** A server that greets a client by the protocol and then sends what the script says. */
export async function startFakeMysql(script: FakeMysqlScript): Promise<FakeMysql> {
  const fake: FakeMysql = { port: 0, received: [], connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    fake.connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const { greeting = commonGreeting() } = script
    if (greeting !== 'silence') socket.write(packet(greeting, 0))
    readPackets(socket, (payload, sequence) => {
      const answer = script.answer(payload, fake.received.push(payload) - 1)
      if (answer === 'close') socket.end()
      else if (answer !== 'silence') {
        answer.forEach((each, index) => socket.write(packet(each, sequence + 1 + index)))
      }
    })
  })
  fake.port = await listen(server)
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy())
    await new Promise((resolve) => server.close(resolve))
  })
  return fake
}

export const okPacket = Buffer.from([0, 0, 0, 2, 0, 0, 0])

/** Asks the client for one of its files, as an answer to any statement. */
export const localInfile = (file: string) => Buffer.concat([Buffer.from([0xfb]), Buffer.from(file)])

export function errorPacket(code: number, state: string, message: string): Buffer {
  const head = Buffer.from([0xff, code & 0xff, code >> 8])
  return Buffer.concat([head, Buffer.from(`#${state}${message}`)])
}

/** Asks the client to sign in by another method. */
export const authSwitch = (plugin: string) =>
  Buffer.concat([Buffer.from([0xfe]), Buffer.from(`${plugin}\0`), Buffer.alloc(21)])

function commonGreeting(): Buffer {
  const { tls: _, ...offered } = capability
  const flags = Object.values(offered).reduce((all, each) => all | each, 0)
  const numbers = Buffer.alloc(2 + 1 + 2 + 2 + 1 + 10)
  numbers.writeUInt16LE(flags & 0xffff, 0)
  numbers.writeUInt8(45, 2)
  numbers.writeUInt16LE(2, 3)
  numbers.writeUInt16LE(flags >>> 16, 5)
  numbers.writeUInt8(21, 7)
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0-fake\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('saltsalt'),
    Buffer.from([0]),
    numbers,
    Buffer.from('saltsaltsalt\0'),
    Buffer.from('mysql_native_password\0'),
  ])
}

function packet(payload: Buffer, sequence: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(payload.length, 0, 3)
  head.writeUInt8(sequence & 0xff, 3)
  return Buffer.concat([head, payload])
}

function readPackets(socket: Socket, take: (payload: Buffer, sequence: number) => void) {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
      const end = 4 + rest.readUIntLE(0, 3)
      const payload = Buffer.from(rest.subarray(4, end))
      const sequence = rest.readUInt8(3)
      rest = rest.subarray(end)
      take(payload, sequence)
    }
  })
}
