import { randomBytes } from 'node:crypto'

/**
 * A frame that closes a WebSocket (RFC 6455 §5.5.1). `reason`: 123 bytes of ASCII at most. `isMasked`: it goes
 * to a server.
 */
export function closeFrame(code: number, reason: string, isMasked: boolean): Buffer {
  const payload = Buffer.alloc(2 + reason.length)
  payload.writeUInt16BE(code)
  payload.write(reason, 2, 'latin1')
  if (!isMasked) return Buffer.concat([Buffer.from([0x88, payload.length]), payload])
  const mask = randomBytes(4)
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x88, 0x80 | payload.length]), mask, masked])
}
