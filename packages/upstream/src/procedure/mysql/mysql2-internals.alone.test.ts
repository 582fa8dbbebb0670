import { once } from 'node:events'
import mysql from 'mysql2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { okPacket, startFakeMysql } from '../../testing/fake-mysql.ts'
import { problemOf, streamOf, takeOver } from './mysql2-internals.ts'
import type { Takeover, WireCommand, WirePacket } from './mysql2-internals.ts'

// Fails when a new version of mysql2 has changed what we use and replace in it.
// Alone, because a process checks packets only until one was sound.

const prepare = 0x16
const execute = 0x17
const prepared = Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const definition = Buffer.concat([
  Buffer.from('\x03def\0\0\0\x01a\0\x0c'),
  Buffer.from([45, 0, 255, 0, 0, 0, 253, 0, 0, 0, 0, 0]),
])

async function connect() {
  const fake = await startFakeMysql({
    answer: ([command]) =>
      command === prepare
        ? [prepared]
        : command === execute
          ? [Buffer.from([1]), definition]
          : [okPacket],
  })
  const connection = mysql.createConnection({ host: '127.0.0.1', port: fake.port, user: 'reader' })
  onTestFinished(() => connection.destroy())
  await once(connection, 'connect')
  return connection
}

type Prepared = { execute(values: unknown[]): object }

const prepareOn = (connection: mysql.Connection) =>
  new Promise<Prepared>((resolve, reject) => {
    connection.prepare('SELECT 1', (error, statement) =>
      error ? reject(error) : resolve(statement),
    )
  })

const steps: Takeover = { readField: () => null, doneInsert: () => null, execution: undefined }

describe('the installed mysql2', () => {
  it('reads the answer to a statement by our steps, which get its command and its packet', async () => {
    const connection = await connect()
    const statement = await prepareOn(connection)
    const taken = Promise.withResolvers<[WireCommand, WirePacket]>()
    const command = statement.execute([])
    const own = takeOver(command, {
      ...steps,
      readField(this: WireCommand, packet) {
        taken.resolve([this, packet])
        return null
      },
    })
    const [reading, packet] = await taken.promise
    expect(own.readField).toBeInstanceOf(Function)
    expect(reading).toBe(command)
    expect(reading._fieldCount).toBe(1)
    expect(problemOf({ buffer: packet.buffer } as unknown as WirePacket)?.message).toMatch(
      'This version of mysql2 is not supported: Packet.isEOF() has changed.',
    )
    expect(problemOf(packet)).toBeUndefined()
    expect(packet.buffer.subarray(packet.offset, packet.end)).toEqual(definition)
  })

  it('has a stream that it reads from', async () => {
    const connection = await connect()
    const received = once(streamOf(connection), 'data')
    connection.ping(() => {})
    expect(await received).toHaveLength(1)
  })
})

describe('another mysql2', () => {
  const refused = /^This version of mysql2 is not supported: .+ has changed\./

  it.each([
    ['without readField', { doneInsert() {}, resultsetHeader() {}, _fields: [], _rows: [] }],
    ['that keeps rows elsewhere', { readField() {}, doneInsert() {}, resultsetHeader() {} }],
  ])('%s is refused', (_, command) => {
    expect(() => takeOver(command, steps)).toThrow(refused)
  })

  it('without a stream is refused', () => {
    expect(() => streamOf({})).toThrow(refused)
  })
})
