import type { Socket } from 'node:net'
import type { UploadBounds } from '../messages/worker-settings.ts'
import { ClientConnection } from './client-connection.ts'
import type { Served } from './client-connection.ts'
import { ArrivingBody } from './arriving-body.ts'
import type { ClientRules } from './client-rules.ts'
import { headMs } from './open-server.ts'

/** Seconds without a byte after which a client that should send or read is given up. */
const stallSeconds = 60
/** An idle connection is closed this long after the time it was promised to be kept. */
const graceMs = 1_000

/**
 * All connections of clients. `sweep` closes those that are idle for longer than the keep-alive time,
 * those of clients that neither send the rest of a request nor read an answer, and those whose bodies
 * come too slowly. Looking at each once a
 * second costs far less than a timer for each request.
 */
export class ClientConnections {
  readonly #rules: ClientRules
  readonly #keepAliveMs: number
  readonly #upload: UploadBounds
  readonly #all = new Set<ClientConnection>()
  #whenNone: (() => void) | null = null

  constructor(rules: ClientRules, keepAliveMs: number, upload: UploadBounds) {
    this.#rules = rules
    this.#keepAliveMs = keepAliveMs
    this.#upload = upload
  }

  get count(): number {
    return this.#all.size
  }

  add(socket: Socket, isSecure: boolean): ClientConnection {
    const connection = new ClientConnection(socket, isSecure, this.#rules)
    this.#all.add(connection)
    socket.once('close', () => {
      this.#all.delete(connection)
      connection.handleClose()
      if (this.#all.size === 0) this.#whenNone?.()
    })
    return connection
  }

  /** To be called each second. */
  sweep(): void {
    const nowMs = performance.now()
    for (const connection of this.#all) {
      connection.reader?.sweep(nowMs, headMs)
      this.#look(connection, nowMs)
    }
  }

  /** Resolves when the last one is gone. */
  async none(): Promise<void> {
    if (this.#all.size === 0) return
    await new Promise<void>((resolve) => (this.#whenNone = resolve))
  }

  destroy(): void {
    for (const connection of this.#all) connection.close()
  }

  #look(connection: ClientConnection, nowMs: number): void {
    const { socket, current } = connection
    if (connection.latest !== null && this.#isTooSlow(connection, connection.latest, nowMs)) {
      return connection.giveUpBody()
    }
    const bytes = socket.bytesRead + socket.bytesWritten
    const isMoving = bytes !== connection.bytesSeen
    connection.bytesSeen = bytes
    if (isMoving) {
      connection.stalls = 0
      if (current === null) connection.idleSinceMs = nowMs
      return
    }
    const isReading = socket.writableLength > 0
    if (current === null && !isReading) {
      if (nowMs - connection.idleSinceMs > this.#keepAliveMs + graceMs) connection.close()
      return
    }
    // While an upstream thinks, nothing moves here either.
    if (isReading || current?.isUnread) connection.stalls++
    if (connection.stalls > stallSeconds) connection.close()
  }
  #isTooSlow(connection: ClientConnection, latest: Served, nowMs: number): boolean {
    const { bytesRead } = connection.socket
    if (latest.isWhole) {
      connection.latest = null
      connection.arriving = null
      return false
    }
    if (connection.arriving?.of !== latest) {
      connection.arriving = new ArrivingBody(latest, nowMs, bytesRead)
      return false
    }
    return connection.arriving.isTooSlow(nowMs, bytesRead, this.#upload)
  }
}
