import { TdsReader } from './tds-bytes.ts'
import { readTyped } from './tds-types.ts'
import type { TdsValue } from './tds-value.ts'

export interface TdsParameter {
  /** With its `@`; empty where it is given by position. */
  name: string
  type: string
  value: TdsValue
  isOutput: boolean
}

/** What a client asked for, decoded from the bytes it sent. */
export type TdsRequest =
  | { kind: 'batch'; sql: string }
  | { kind: 'rpc'; procedure: string; parameters: TdsParameter[] }
  | { kind: 'begin' | 'commit' | 'rollback' }

/** ALL_HEADERS (MS-TDS 2.2.5.3) in front of a request: the transaction it belongs to. */
function readAllHeaders(reader: TdsReader): { transaction: string } {
  const total = reader.u32()
  const headers = new TdsReader(reader.bytes(total - 4))
  let transaction = ''
  while (!headers.isAtEnd) {
    const length = headers.u32()
    const body = headers.bytes(length - 4)
    if (body.readUInt16LE(0) === 2) transaction = body.subarray(2, 10).toString('hex')
  }
  return { transaction }
}

export interface ReadRequest {
  request: TdsRequest
  /** The descriptor that the client sent along; zeros without a transaction. */
  transaction: string
}

/** SQLBatch (2.2.6.7). */
export function readBatch(data: Buffer): ReadRequest {
  const reader = new TdsReader(data)
  const { transaction } = readAllHeaders(reader)
  return { request: { kind: 'batch', sql: reader.rest().toString('utf16le') }, transaction }
}

const wellKnownProcedures: Record<number, string> = { 10: 'sp_executesql' }

/** RPCRequest (2.2.6.6), one call only. */
export function readRpc(data: Buffer): ReadRequest {
  const reader = new TdsReader(data)
  const { transaction } = readAllHeaders(reader)
  const length = reader.u16()
  const id = length === 0xffff ? reader.u16() : 0
  const procedure = length === 0xffff ? (wellKnownProcedures[id] ?? `#${id}`) : reader.ucs2(length)
  reader.u16()
  const parameters: TdsParameter[] = []
  while (!reader.isAtEnd) {
    const name = reader.bVarChar()
    const status = reader.u8()
    parameters.push({ name, isOutput: (status & 0x01) !== 0, ...readTyped(reader) })
  }
  return { request: { kind: 'rpc', procedure, parameters }, transaction }
}

const transactionRequests: Record<number, 'begin' | 'commit' | 'rollback'> = {
  5: 'begin',
  7: 'commit',
  8: 'rollback',
}

/** TransMgrReq (2.2.6.9). */
export function readTransaction(data: Buffer): ReadRequest {
  const reader = new TdsReader(data)
  const { transaction } = readAllHeaders(reader)
  const kind = transactionRequests[reader.u16()]
  if (!kind) throw new RangeError('an unknown transaction request')
  return { request: { kind }, transaction }
}

/** The parts of a name as SQL Server reads them: `[a]]b].[c]`, `"a"."b"`, `a.b`; undefined if none. */
export function nameParts(text: string): string[] | undefined {
  const part = /\s*(?:\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^\s.[\]"';,()]+))\s*(\.|$)/y
  const parts: string[] = []
  while (part.lastIndex < text.length || parts.length === 0) {
    const match = part.exec(text)
    if (!match) return undefined
    const [, bracketed, quoted, plain, end] = match
    parts.push(bracketed?.replaceAll(']]', ']') ?? quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '') return parts
  }
  return undefined
}

/** `exec s.p @a = N'x', @b = 1, @c = NULL`, which is all the SQL this server can read. */
export function readExec(
  sql: string,
): { procedure: string; parameters: TdsParameter[] } | undefined {
  const match = /^\s*exec(?:ute)?\s+((?:\[[^\]]*\]|[\w.])+)\s*([^]*)$/i.exec(sql)
  if (!match) return undefined
  const argument = /(@\w+)\s*=\s*(?:N?'((?:[^']|'')*)'|(null)|([-\w.]+))\s*(?:,\s*|$)/giy
  const parameters = [...(match[2] ?? '').matchAll(argument)].map(
    ([, name = '', text, nothing, bare]) => ({
      name,
      type: text === undefined ? 'int' : 'nvarchar(4000)',
      value: nothing === undefined ? (text?.replaceAll("''", "'") ?? bare ?? null) : null,
      isOutput: false,
    }),
  )
  return { procedure: match[1] ?? '', parameters }
}
