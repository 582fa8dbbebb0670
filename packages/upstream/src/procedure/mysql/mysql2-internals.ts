import type { FieldPacket, ResultSetHeader } from 'mysql2'

/*
 * All that this product uses or replaces of mysql2 beyond its public interface (decision 0014): the
 * reading of an answer, which would describe all columns and build a parser for every call. The
 * version of mysql2 is pinned. `takeOver`, `problemOf` and `streamOf` name the part that is missing,
 * so that another version fails instead of misreading.
 */

/** One packet of the server, valid until the next one, with the reading methods of mysql2. */
export interface WirePacket {
  buffer: Buffer
  /** Where its header begins; the payload begins four bytes later. */
  start: number
  /** Where the next read begins. */
  offset: number
  end: number
  isEOF(): boolean
  eofStatusFlags(): number
  readInt8(): number
  readInt16(): number
  readInt32(): number
  readSInt8(): number
  readSInt16(): number
  readSInt32(): number
  readInt64String(): string
  readSInt64String(): string
  readFloat(): number
  readDouble(): number
  readDateTimeString(decimals: number, separator: null, type: number | undefined): string
  readTimeString(): string
  readLengthCodedString(encoding: string | undefined): string
  readLengthCodedBuffer(): Buffer
  parseGeometryValue(): unknown
  parseVector(): unknown
}

/** Takes one packet and returns the function that takes the next one; null at the end. */
export type WireState = (
  this: WireCommand,
  packet: WirePacket,
  connection: unknown,
) => WireState | null

/** A prepared statement that mysql2 has sent and whose answer it would read. */
export interface WireCommand extends Takeover {
  _fields: FieldPacket[][]
  _rows: unknown[]
  _fieldCount: number
  _localStreamError?: unknown
  /** Begins the next record set, or ends in `doneInsert`. */
  resultsetHeader: WireState
}

/** The steps that are replaced. */
export interface Takeover {
  readField: WireState
  doneInsert: (this: WireCommand, header: ResultSetHeader | null) => WireState | null
  execution: unknown
}

/**
 * Replaces the steps that read the answer to a statement that was just sent; returns those of mysql2.
 * Throws an Error that names what is missing in this version of mysql2.
 */
export function takeOver(command: object, steps: Takeover): Pick<Takeover, 'readField'> {
  if (!isWireCommand(command)) throw changed('Execute')
  const { readField } = command
  command.readField = steps.readField
  command.doneInsert = steps.doneInsert
  command.execution = steps.execution
  return { readField }
}

function isWireCommand(command: object): command is WireCommand {
  const lists = ['_fields', '_rows'].map((name): unknown => Reflect.get(command, name))
  return (
    ['readField', 'doneInsert', 'resultsetHeader'].every((name) => hasMethod(command, name)) &&
    lists.every(Array.isArray) &&
    '_fieldCount' in command
  )
}

const packetMethods = [
  'isEOF',
  'eofStatusFlags',
  'readInt8',
  'readInt16',
  'readInt32',
  'readSInt8',
  'readSInt16',
  'readSInt32',
  'readInt64String',
  'readSInt64String',
  'readFloat',
  'readDouble',
  'readDateTimeString',
  'readTimeString',
  'readLengthCodedString',
  'readLengthCodedBuffer',
  'parseGeometryValue',
  'parseVector',
] satisfies (keyof WirePacket)[]

const places = ['start', 'offset', 'end'] as const

let isPacketKnown = false

/** Checks packets until the first sound one. Returns an Error that names what has changed. */
export function problemOf(packet: WirePacket): Error | undefined {
  if (isPacketKnown) return undefined
  const missing = packetMethods.find((name) => !hasMethod(packet, name))
  if (missing !== undefined) return changed(`Packet.${missing}()`)
  if (!Buffer.isBuffer(packet.buffer)) return changed('Packet.buffer')
  const place = places.find((name) => !Number.isInteger(packet[name]))
  if (place !== undefined) return changed(`Packet.${place}`)
  isPacketKnown = true
  return undefined
}

/** The stream that a connection reads from: over TLS another one than its socket. */
export function streamOf(connection: object): NodeJS.ReadableStream {
  const stream: unknown = Reflect.get(connection, 'stream')
  if (!hasMethod(stream, 'on')) throw changed('Connection.stream')
  return stream as NodeJS.ReadableStream
}

const hasMethod = (owner: unknown, name: string): boolean =>
  Object(owner) === owner && typeof Reflect.get(owner as object, name) === 'function'

function changed(what: string): Error {
  const text = `This version of mysql2 is not supported: ${what} has changed. Install the version that packages/upstream/package.json pins.`
  return new Error(text)
}
