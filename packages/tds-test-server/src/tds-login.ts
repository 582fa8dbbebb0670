import { TdsReader, TdsWriter } from './tds-bytes.ts'

/** What the server says about encryption in PRELOGIN (MS-TDS 2.2.6.5). */
export type TdsEncryption = 'on' | 'required' | 'not supported'

const optionVersion = 0x00
const optionEncryption = 0x01
const optionMars = 0x04
const optionEnd = 0xff
const encryptionByte = { on: 0x01, 'not supported': 0x02, required: 0x03 } as const

/** The ENCRYPTION option of a client's PRELOGIN: 0 off, 1 on, 2 not supported, 3 required. */
export function readPrelogin(data: Buffer): { encryption: number } {
  const reader = new TdsReader(data)
  for (let option = reader.u8(); option !== optionEnd; option = reader.u8()) {
    const offset = reader.bytes(2).readUInt16BE()
    reader.bytes(2)
    if (option === optionEncryption) return { encryption: data[offset] ?? 0 }
  }
  return { encryption: 0 }
}

export function preloginAnswer(encryption: TdsEncryption): Buffer {
  const options: [number, Buffer][] = [
    [optionVersion, Buffer.from([16, 0, 0x10, 0x00, 0, 0])],
    [optionEncryption, Buffer.from([encryptionByte[encryption]])],
    [optionMars, Buffer.from([0])],
  ]
  const head = new TdsWriter()
  let offset = options.length * 5 + 1
  for (const [token, value] of options) {
    const place = Buffer.alloc(4)
    place.writeUInt16BE(offset, 0)
    place.writeUInt16BE(value.length, 2)
    head.u8(token).bytes(place)
    offset += value.length
  }
  head.u8(optionEnd)
  for (const [, value] of options) head.bytes(value)
  return head.done()
}

export interface TdsLogin {
  tdsVersion: string
  user: string
  password: string
  application: string
  database: string
}

/** LOGIN7 (MS-TDS 2.2.6.4): a table of offsets and lengths, texts behind it. */
export function readLogin7(data: Buffer): TdsLogin {
  const text = (place: number) => {
    const start = data.readUInt16LE(place)
    return data.subarray(start, start + data.readUInt16LE(place + 2) * 2)
  }
  return {
    tdsVersion: `0x${data.readUInt32LE(4).toString(16)}`,
    user: text(40).toString('utf16le'),
    password: unscramble(text(44)).toString('utf16le'),
    application: text(48).toString('utf16le'),
    database: text(68).toString('utf16le'),
  }
}

/** Each byte is exclusive-ored with 0xA5 after its halves were swapped. */
function unscramble(scrambled: Buffer): Buffer {
  return Buffer.from(
    scrambled.map((byte) => {
      const plain = byte ^ 0xa5
      return ((plain << 4) | (plain >> 4)) & 0xff
    }),
  )
}
