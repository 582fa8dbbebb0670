/** Packet types of MS-TDS 2.2.3.1.1. */
export const packetType = {
  sqlBatch: 0x01,
  rpc: 0x03,
  response: 0x04,
  attention: 0x06,
  transaction: 0x0e,
  login7: 0x10,
  prelogin: 0x12,
} as const

const statusEndOfMessage = 0x01
const statusIgnore = 0x02
const statusResetConnection = 0x08
const headerBytes = 8

export interface TdsMessage {
  type: number
  data: Buffer
  /** The client takes the message back, and the server must ignore it (MS-TDS 2.2.3.1.2). */
  isIgnored: boolean
  /** The server resets the session before it acts upon the message. */
  resetsConnection: boolean
}

/** Joins packets to messages. Throws for a packet whose length is less than that of its header. */
export class MessageAssembler {
  #pending: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  #resets = false

  /** Whether a packet has come in part. */
  get isInPacket(): boolean {
    return this.#pending.length > 0
  }

  push(chunk: Buffer): TdsMessage[] {
    this.#pending = Buffer.concat([this.#pending, chunk])
    const messages: TdsMessage[] = []
    for (;;) {
      const packet = this.#takePacket()
      if (!packet) return messages
      const status = packet[1] ?? 0
      this.#parts.push(packet.subarray(headerBytes))
      this.#resets ||= (status & statusResetConnection) !== 0
      if ((status & statusEndOfMessage) === 0) continue
      messages.push({
        type: packet[0] ?? 0,
        data: Buffer.concat(this.#parts),
        isIgnored: (status & statusIgnore) !== 0,
        resetsConnection: this.#resets,
      })
      this.#parts = []
      this.#resets = false
    }
  }

  #takePacket(): Buffer | undefined {
    if (this.#pending.length < headerBytes) return undefined
    const length = this.#pending.readUInt16BE(2)
    if (length < headerBytes) throw new RangeError(`a packet of ${length} bytes`)
    if (this.#pending.length < length) return undefined
    const packet = this.#pending.subarray(0, length)
    this.#pending = this.#pending.subarray(length)
    return packet
  }
}

/** Cuts one message into packets of at most `packetSize` bytes, heads included (MS-TDS 2.2.3). */
export function toPackets(
  type: number,
  data: Buffer,
  { packetSize = 4096, isLast = true }: { packetSize?: number; isLast?: boolean } = {},
): Buffer {
  const room = packetSize - headerBytes
  const count = Math.max(1, Math.ceil(data.length / room))
  const packets = Array.from({ length: count }, (_, index) => {
    const body = data.subarray(index * room, (index + 1) * room)
    const head = Buffer.alloc(headerBytes)
    head[0] = type
    head[1] = isLast && index === count - 1 ? statusEndOfMessage : 0
    head.writeUInt16BE(body.length + headerBytes, 2)
    head.writeUInt16BE(51, 4)
    head[6] = (index + 1) & 0xff
    return Buffer.concat([head, body])
  })
  return Buffer.concat(packets)
}
