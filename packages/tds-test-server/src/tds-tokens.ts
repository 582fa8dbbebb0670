import { TdsWriter } from './tds-bytes.ts'
import { latin1Collation, parseTdsType, writeTypeInfo, writeTypeValue } from './tds-types.ts'
import type { TdsValue } from './tds-value.ts'

/** Status bits of DONE, DONEINPROC and DONEPROC (MS-TDS 2.2.7.6). */
export const doneStatus = { more: 0x01, error: 0x02, count: 0x10, attention: 0x20 } as const
const doneToken = { done: 0xfd, doneProc: 0xfe, doneInProc: 0xff } as const

export function done(
  kind: keyof typeof doneToken,
  status: number,
  rowCount: number | bigint = 0,
): Buffer {
  const counted = rowCount === 0 ? status : status | doneStatus.count
  return new TdsWriter().u8(doneToken[kind]).u16(counted).u16(0xc1).uint(rowCount, 8).done()
}

export interface TdsColumn {
  name: string
  /** Like `decimal(38,10)`, `nvarchar(max)`, `int not null`. */
  type: string
}

/** COLMETADATA (2.2.7.4). */
export function columnMetadata(columns: readonly TdsColumn[]): Buffer {
  const writer = new TdsWriter().u8(0x81).u16(columns.length)
  for (const { name, type } of columns) {
    const parsed = parseTdsType(type)
    writer.u32(0).u16(parsed.isFixed ? 0x0008 : 0x0009)
    writeTypeInfo(writer, parsed)
    // TableName: only image, text and ntext have one.
    if (['text', 'ntext', 'image'].includes(parsed.name)) writer.u8(1).usVarChar('t')
    writer.bVarChar(name)
  }
  return writer.done()
}

/** ROW (2.2.7.19). */
export function row(columns: readonly TdsColumn[], values: readonly TdsValue[]): Buffer {
  const writer = new TdsWriter().u8(0xd1)
  columns.forEach(({ type }, at) => writeTypeValue(writer, parseTdsType(type), values[at] ?? null))
  return writer.done()
}

/** NBCROW (2.2.7.13): a bit for each column that is null, and the values of the others. */
export function nullBitmapRow(columns: readonly TdsColumn[], values: readonly TdsValue[]): Buffer {
  const bitmap = Buffer.alloc(Math.ceil(columns.length / 8))
  columns.forEach((_, at) => {
    if ((values[at] ?? null) === null) bitmap[at >> 3] = (bitmap[at >> 3] ?? 0) | (1 << (at & 7))
  })
  const writer = new TdsWriter().u8(0xd2).bytes(bitmap)
  columns.forEach(({ type }, at) => {
    const value = values[at] ?? null
    if (value !== null) writeTypeValue(writer, parseTdsType(type), value)
  })
  return writer.done()
}

export interface TdsMessageText {
  number: number
  message: string
  /** 16 unless given: an error a user can correct; 20 and above end the connection. */
  severity?: number
  procedure?: string
}

/** ERROR (2.2.7.10) and INFO (2.2.7.13), which differ in the first byte. */
export function messageToken(kind: 'error' | 'info', message: TdsMessageText): Buffer {
  const body = new TdsWriter()
    .u32(message.number)
    .u8(1, message.severity ?? (kind === 'error' ? 16 : 0))
    .usVarChar(message.message)
    .bVarChar('TDS-TEST')
    .bVarChar(message.procedure ?? '')
    .u32(1)
    .done()
  return new TdsWriter()
    .u8(kind === 'error' ? 0xaa : 0xab)
    .u16(body.length)
    .bytes(body)
    .done()
}

/** RETURNSTATUS (2.2.7.18). */
export const returnStatus = (value: number): Buffer => new TdsWriter().u8(0x79).u32(value).done()

/** RETURNVALUE (2.2.7.19): the value of an OUTPUT parameter. */
export function returnValue(ordinal: number, name: string, type: string, value: TdsValue): Buffer {
  const parsed = parseTdsType(type)
  const writer = new TdsWriter().u8(0xac).u16(ordinal).bVarChar(name).u8(0x01).u32(0).u16(0)
  writeTypeInfo(writer, parsed)
  writeTypeValue(writer, parsed, value)
  return writer.done()
}

const environment = { database: 1, language: 2, packetSize: 4 } as const

/** ENVCHANGE with a text (2.2.7.9). */
export function environmentText(kind: keyof typeof environment, now: string, was = ''): Buffer {
  return environmentChange(new TdsWriter().u8(environment[kind]).bVarChar(now).bVarChar(was).done())
}

export const environmentCollation = (): Buffer =>
  environmentChange(new TdsWriter().u8(7, 5).bytes(latin1Collation).u8(0).done())

/** A transaction began (8): the client sends its descriptor along from now on. */
export const transactionBegan = (descriptor: Buffer): Buffer =>
  environmentChange(new TdsWriter().u8(8, descriptor.length).bytes(descriptor).u8(0).done())

/** A transaction was committed (9) or rolled back (10). */
export const transactionEnded = (kind: 9 | 10, descriptor: Buffer): Buffer =>
  environmentChange(new TdsWriter().u8(kind, 0, descriptor.length).bytes(descriptor).done())

/** The session is as after login again (18). */
export const connectionReset = (): Buffer => environmentChange(Buffer.from([18, 0, 0]))

/** The server asks the client to log in elsewhere (20). */
export function routeTo(host: string, port: number): Buffer {
  const route = new TdsWriter().u8(0).u16(port).usVarChar(host).done()
  return environmentChange(new TdsWriter().u8(20).u16(route.length).bytes(route).u16(0).done())
}

function environmentChange(body: Buffer): Buffer {
  return new TdsWriter().u8(0xe3).u16(body.length).bytes(body).done()
}

/** LOGINACK (2.2.7.14) for TDS 7.4. */
export function loginAck(): Buffer {
  const body = new TdsWriter()
    .u8(1)
    .bytes(Buffer.from([0x74, 0x00, 0x00, 0x04]))
    .bVarChar('Microsoft SQL Server')
    .bytes(Buffer.from([16, 0, 0x10, 0x00]))
    .done()
  return new TdsWriter().u8(0xad).u16(body.length).bytes(body).done()
}
