import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { MessageAssembler, packetType, toPackets } from './tds-packets.ts'

/**
 * The socket under TLS: handshake records travel inside PRELOGIN packets, everything after them as
 * it is (MS-TDS 2.2.6.5, 3.3.5.1). The client sends first after the handshake, so its first record
 * outside of a packet ends the wrapping.
 */
class HandshakeInPackets extends Duplex {
  readonly #socket: Socket
  readonly #assembler = new MessageAssembler()
  #isWrapped = true

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('end', () => this.push(null))
    socket.on('close', () => this.destroy())
  }

  #receive(chunk: Buffer) {
    const isStart = !this.#assembler.isInPacket
    if (isStart && chunk[0] !== packetType.prelogin) this.#isWrapped = false
    if (!this.#isWrapped) this.push(chunk)
    else for (const { data } of this.#assembler.push(chunk)) this.push(data)
  }

  override _read() {
    // Data is pushed when it arrives. Tests send little, so there is no flow control.
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void) {
    const data = Buffer.concat(chunks.map(({ chunk }) => chunk))
    this.#socket.write(this.#isWrapped ? toPackets(packetType.prelogin, data) : data, callback)
  }

  override _final(callback: (error?: Error | null) => void) {
    this.#socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void) {
    this.#socket.destroy()
    callback(error)
  }
}

/** The server's side of TLS inside TDS; `pem` holds certificate and key. TLS 1.2, as SQL Server. */
export function secureInPackets(socket: Socket, pem: string): TLSSocket {
  return new TLSSocket(new HandshakeInPackets(socket), {
    isServer: true,
    cert: pem,
    key: pem,
    maxVersion: 'TLSv1.2',
  })
}
