import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { Connection, TYPES } from 'tedious'
import type messageIoModule from 'tedious/lib/message-io.js'
import type tokenHelpersModule from 'tedious/lib/token/helpers.js'
import type rowTokenParserModule from 'tedious/lib/token/row-token-parser.js'
import type valueParserModule from 'tedious/lib/value-parser.js'

/*
 * All that this product uses or replaces of tedious beyond its public interface. The version of
 * tedious is pinned. `patchTedious` tries each part before the first connection and throws when a
 * part is missing or behaves differently, so that another version fails instead of rounding.
 */

/** The parts of tedious, as its own modules export them. */
export interface TediousParts {
  valueParser: typeof valueParserModule
  rowTokenParser: typeof rowTokenParserModule
  // Its type declares a default export; the module exports the class itself.
  MessageIO: typeof messageIoModule.default
  /** Their `writeTypeInfo` and `writeValue` are what our own types implement. */
  dataTypes: Readonly<Record<string, object>>
  /** Its `currentTransactionDescriptor` says which transaction is open. */
  Connection: { prototype: object }
}

/** Reads one value of a row or an output from its bytes. */
export type ReadValue = typeof valueParserModule.readValue

/** Bounds that a client and a server may agree on (MS-TDS 2.2.6.4, PacketSize). */
const packetSizes = { smallest: 512, initial: 4_096, largest: 32_767 } as const

const require = createRequire(import.meta.url)

/** tedious calls `readValue` through its exports object, which can therefore be replaced. */
const valueParser = load('value-parser') as typeof valueParserModule

/** `Result` is what `readValue` returns; it throws `NotEnoughDataError` to wait for more bytes. */
const helpers = load('token/helpers') as typeof tokenHelpersModule
export const { NotEnoughDataError, Result } = helpers

/** tedious's own reading, for all types that are not read here. */
export const readValueOfTedious: ReadValue = valueParser.readValue

export const tediousParts: TediousParts = {
  valueParser,
  rowTokenParser: load('token/row-token-parser') as typeof rowTokenParserModule,
  MessageIO: load('message-io') as typeof messageIoModule.default,
  dataTypes: TYPES,
  Connection,
}

const patched = new WeakSet<TediousParts>()

/**
 * Replaces two functions of tedious, for all connections of this process:
 *
 * - `readValue`, by the one given. tedious has no option to read numbers and times exactly.
 * - `packetSize`. A server may ask for packets of another size, and tedious takes any number: with
 *   one below the size of a packet's header it would cut its next request into empty packets until
 *   the memory is full. Sizes out of bounds are now ignored.
 *
 * May be called again. Throws an Error that names the part of tedious that has changed; tedious must
 * not be used then.
 */
export function patchTedious(readValue: ReadValue, parts: TediousParts = tediousParts): void {
  if (patched.has(parts)) return
  checkFunctions(parts)
  replaceReading(readValue, parts)
  boundPacketSize(parts)
  patched.add(parts)
}

function checkFunctions({ dataTypes, Connection }: TediousParts): void {
  if (!hasMethod(Connection.prototype, 'currentTransactionDescriptor')) {
    throw changed('Connection has no currentTransactionDescriptor()')
  }
  for (const name of ['NVarChar', 'VarBinary', 'Int']) {
    const type = dataTypes[name]
    if (!hasMethod(type, 'writeTypeInfo') || !hasMethod(type, 'writeValue')) {
      throw changed(`the type ${name} has no writeTypeInfo() and writeValue()`)
    }
  }
}

function replaceReading(readValue: ReadValue, { valueParser, rowTokenParser }: TediousParts): void {
  if (!hasMethod(valueParser, 'readValue')) throw changed('value-parser exports no readValue()')
  const original = valueParser.readValue
  const probe = Symbol('read by the replacement')
  try {
    valueParser.readValue = () => new Result(probe, 0)
    if (readRow(rowTokenParser) !== probe) throw new Error('its rows are read by another function')
    valueParser.readValue = readValue
  } catch (cause) {
    Reflect.set(valueParser, 'readValue', original)
    throw changed('readValue() of value-parser can not be replaced', cause)
  }
}

/** Has tedious read a row of one column, and returns the value. */
function readRow({ RowTokenReader }: typeof rowTokenParserModule): unknown {
  const colMetadata = [{ type: { name: 'DecimalN' }, colName: 'a', scale: 0 }]
  const parser = { buffer: Buffer.alloc(1), position: 0, colMetadata, options: {} }
  const reader = new RowTokenReader()
  reader.readColumns(parser as unknown as Parameters<typeof reader.readColumns>[0], undefined)
  return reader.columns[0]?.value
}

function boundPacketSize({ MessageIO }: TediousParts): void {
  if (!hasMethod(MessageIO.prototype, 'packetSize')) throw changed('MessageIO has no packetSize()')
  // A property, not a method: it is called with the `this` of each call below.
  const { packetSize: original } = MessageIO.prototype as unknown as {
    packetSize: (...size: [] | [number]) => number
  }
  MessageIO.prototype.packetSize = function (...[size]: [] | [number]) {
    const { smallest, largest } = packetSizes
    const isSound = size !== undefined && size >= smallest && size <= largest
    return isSound ? original.call(this, size) : original.call(this)
  }
  const sizes = sizesAfter(MessageIO, [packetSizes.smallest - 1, packetSizes.smallest])
  if (sizes[0] === packetSizes.initial && sizes[1] === packetSizes.smallest) return
  MessageIO.prototype.packetSize = original
  throw changed('packetSize() of MessageIO does not set the size of packets')
}

/** The sizes that a connection uses after a server asked for each of these. */
function sizesAfter(MessageIO: TediousParts['MessageIO'], asked: readonly number[]) {
  type Given = ConstructorParameters<typeof MessageIO>
  const debug = { log: () => {} } as unknown as Given[2]
  const socket = new PassThrough() as unknown as Given[0]
  const connection = new MessageIO(socket, packetSizes.initial, debug)
  return asked.map((size) => {
    connection.packetSize(size)
    return connection.outgoingMessageStream.packetSize
  })
}

function hasMethod(owner: unknown, name: string): boolean {
  return Object(owner) === owner && typeof Reflect.get(owner as object, name) === 'function'
}

function load(name: string): unknown {
  try {
    return require(`tedious/lib/${name}.js`)
  } catch (cause) {
    throw changed(`its module ${name} can not be loaded`, cause)
  }
}

/** Without a `code`: errors of connections have one, and are reported as a cut connection. */
function changed(what: string, cause?: unknown): Error {
  const text = `This version of tedious is not supported: ${what}. Install the version that packages/upstream/package.json pins.`
  return new Error(text, { cause })
}
