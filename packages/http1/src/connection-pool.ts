import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { openGuardedSocket } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import { passAllFields } from './answer-field-names.ts'
import type { AnswerFieldNames } from './answer-field-names.ts'
import type { ConnectionSweeper } from './connection-sweeper.ts'
import { IdleCount } from './idle-count.ts'
import { KnownAnswers } from './known-answers.ts'
import { reportFailure } from './outgoing-call.ts'
import type { OutgoingCall } from './outgoing-call.ts'
import { ReadBuffer } from './read-buffer.ts'
import { requestHead } from './request-head.ts'
import { UpstreamConnection } from './upstream-connection.ts'
import type { ConnectionHome } from './upstream-connection.ts'

type Connect = (
  target: Parameters<typeof openGuardedSocket>[1],
  callback: Parameters<typeof openGuardedSocket>[2],
) => Socket | null

/** What the pools of one process share. */
interface PoolSharing {
  sweeper: ConnectionSweeper
  /** Bounds the idle connections of all pools together; no bound unless given. */
  idle?: IdleCount
  /** Which fields of answers are passed on; all that do not belong to one connection unless given. */
  fieldNames?: AnswerFieldNames
}

/** Idle connections to one origin; more are closed when their answer ends. */
const idleMax = 1_024

interface Waiting {
  call: OutgoingCall
  head: string
}

/** The connections to one origin. A call takes an idle one, the one that was used last, or makes its own. */
export class ConnectionPool implements ConnectionHome {
  readonly answers: KnownAnswers
  readonly #url: URL
  readonly #connect: Connect
  readonly #sweeper: ConnectionSweeper
  readonly #all = new Set<UpstreamConnection>()
  readonly #idle: UpstreamConnection[] = []
  readonly #idleOfAll: IdleCount
  readonly #connecting = new Map<Waiting, Socket | null>()
  #isClosed = false

  constructor(
    origin: string,
    connect: Connect,
    { sweeper, idle = new IdleCount(Infinity), fieldNames = passAllFields }: PoolSharing,
  ) {
    this.answers = new KnownAnswers(fieldNames)
    this.#idleOfAll = idle
    this.#url = new URL(origin)
    this.#connect = connect
    this.#sweeper = sweeper
  }

  /** No connection is open or being opened. */
  get isUnused(): boolean {
    return this.#all.size === 0 && this.#connecting.size === 0
  }

  dispatch(call: OutgoingCall): void {
    const head = this.#headOf(call)
    if (head === null) return
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      this.#idleOfAll.remove()
      if (idle.isUsable) return idle.start(call, head)
    }
    this.#open({ call, head })
  }

  /** Opens a new connection: another idle one may be stale too. */
  handleStale(call: OutgoingCall): void {
    const head = this.#headOf(call)
    if (head !== null) this.#open({ call, head })
  }

  /** Null: it can't be sent, and the failure has been reported to the call. */
  #headOf(call: OutgoingCall): string | null {
    try {
      return requestHead(call, this.#url.host)
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      call.handleFailure(error)
      return null
    }
  }

  /** Gives up the idle connections, and the others once their calls have ended. */
  close(): void {
    this.#isClosed = true
    for (const idle of this.#idle.splice(0)) {
      this.#idleOfAll.remove()
      idle.destroy(stopped())
    }
  }

  /** Ends all connections, calls under way included. Resolves when they are gone. */
  async destroy(): Promise<void> {
    this.#isClosed = true
    const connections = [...this.#all]
    for (const connection of connections) connection.destroy(stopped())
    for (const [waiting, socket] of this.#connecting) {
      this.#connecting.delete(waiting)
      socket?.destroy()
      reportFailure(waiting.call, stopped())
    }
    await Promise.all(connections.map((connection) => connection.closed()))
  }

  handleIdle(connection: UpstreamConnection): void {
    const isFull = this.#idle.length >= idleMax || this.#idleOfAll.isFull
    if (this.#isClosed || isFull) return connection.destroy(stopped())
    const nowMs = performance.now()
    connection.keepIdle(nowMs)
    if (connection.deadlineMs <= nowMs) connection.destroy(stopped())
    else {
      this.#idle.push(connection)
      this.#idleOfAll.add()
    }
  }

  handleGone(connection: UpstreamConnection): void {
    this.#all.delete(connection)
    this.#sweeper.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at === -1) return
    this.#idle.splice(at, 1)
    this.#idleOfAll.remove()
  }

  #open(waiting: Waiting): void {
    const reading = new ReadBuffer()
    const { protocol, hostname, port } = this.#url
    // Before the connector: a refusal must find it.
    this.#connecting.set(waiting, null)
    const socket = this.#connect({ protocol, hostname, port, onread: reading.onread }, (...got) => {
      if (!this.#connecting.delete(waiting)) return
      const [error, connected] = got
      if (connected === null) reportFailure(waiting.call, error)
      else this.#take(connected, reading, waiting)
    })
    if (this.#connecting.has(waiting)) this.#connecting.set(waiting, socket)
  }

  #take(socket: Socket, reading: ReadBuffer, { call, head }: Waiting): void {
    if (this.#url.protocol === 'https:') {
      socket.on('data', (bytes: Buffer) => reading.handleBytes(bytes, bytes.length))
    }
    const connection = new UpstreamConnection(this, socket, reading)
    this.#all.add(connection)
    this.#sweeper.add(connection)
    connection.start(call, head)
  }
}

const stopped = () => new UpstreamFailure('aborted', 'calls to upstreams are being stopped')
