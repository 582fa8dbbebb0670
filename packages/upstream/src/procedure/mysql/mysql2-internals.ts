import type { FieldPacket, ResultSetHeader } from 'mysql2'

// What we use of mysql2 beyond its public interface, whose reading of an answer describes all columns
// and makes a parser anew for each. The version is pinned; should another one be built differently,
// `takeOver` refuses every call.

/** One packet of the server, good until the next one, with mysql2's own ways to read on in it. */
export interface WirePacket {
  buffer: Buffer
  /** Where its header stands; the payload is four bytes on. */
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

/** Takes one packet and says who takes the next one; null at the end. */
export type WireState = (
  this: WireCommand,
  packet: WirePacket,
  connection: unknown,
) => WireState | null

/** A prepared statement that mysql2 has sent, and whose answer it would read. */
export interface WireCommand extends Takeover {
  _fields: FieldPacket[][]
  _rows: unknown[]
  _fieldCount: number
  _localStreamError?: unknown
  /** Begins the next record set, or ends in `doneInsert`. */
  resultsetHeader: WireState
}

/** The steps that are done differently. */
export interface Takeover {
  readField: WireState
  doneInsert: (this: WireCommand, header: ResultSetHeader | null) => WireState | null
  execution: unknown
}

/** Has the answer to a statement that was just sent read by these steps; gives mysql2's own back. */
export function takeOver(command: object, steps: Takeover): Pick<Takeover, 'readField'> {
  if (!isWireCommand(command)) throw new Error('This version of mysql2 is not known.')
  const { readField } = command
  command.readField = steps.readField
  command.doneInsert = steps.doneInsert
  command.execution = steps.execution
  return { readField }
}

const isWireCommand = (command: object): command is WireCommand =>
  'readField' in command &&
  'doneInsert' in command &&
  'resultsetHeader' in command &&
  '_fields' in command
