import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { releaseHeld } from '@gatehouse/http1'
import { parseIp } from '@gatehouse/upstream/http'
import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Arriving, ArrivingBody } from './arriving-body.ts'
import type { ClientRules } from './client-rules.ts'

/** Requests that may wait on one connection while an earlier one is under way (pipelining). */
const waitingMax = 64

/** Header fields of a request, and what the guard stage made of them. */
export interface KnownFields {
  /** As they came. The list that comes again with the next request of a client that repeats its fields. */
  readonly raw: readonly string[]
  readonly passed: readonly string[]
  readonly host: string
  readonly authorization: string | null
  readonly contentLength: number
  readonly hasBody: boolean
}

/** A request that a connection has taken. */
export interface Served extends Arriving {
  /** All of it has arrived. */
  readonly isWhole: boolean
  readonly isUnread: boolean
  begin(): void
  handleClientGone(): void
  /** What the client sends is no longer the body of the request. */
  handleBrokenBody(code: GatewayErrorCode): void
  /** What came behind the request is not a request: the connection ends with the answer. */
  handleBrokenSuccessor(): void
}

const connections = new WeakMap<Socket, ClientConnection>()

/**
 * One connection of a client. Its requests are dealt with one after the other: what a client sent
 * behind a request that failed is never looked at, and two writes never overtake each other.
 */
export class ClientConnection {
  readonly socket: Socket
  /** In its one spelling; empty where the client has left already. */
  readonly address: string
  readonly isSecure: boolean
  readonly isTrustedProxy: boolean
  readonly isInternal: boolean
  /** After a refusal that ends the connection: nothing more is read from it. */
  isClosing = false
  /** What came behind the current request was not a request: the connection ends with the answer. */
  isBroken = false
  current: Served | null = null
  /** Looks for heads that do not come; null: Node's server does. */
  reader: { sweep(nowMs: number, headMs: number): void } | null = null
  /** The request that came last; null once all of it was seen to be here. */
  latest: Served | null = null
  /** Its body, if it still comes when the sweeper looks. */
  arriving: ArrivingBody | null = null
  /** When the last answer ended, or the connection was made. */
  idleSinceMs = performance.now()
  /** Bytes that had passed when the sweeper looked last, and how often nothing moved since. */
  bytesSeen = 0
  stalls = 0
  /** Of the last request; null where they say more than a list can. */
  knownFields: KnownFields | null = null
  /** Undefined: nobody has asked. */
  #certificate: X509Certificate | null | undefined
  readonly #waiting: Served[] = []

  constructor(socket: Socket, isSecure: boolean, rules: ClientRules) {
    this.socket = socket
    this.isSecure = isSecure
    const remote = socket.remoteAddress ?? ''
    this.address = parseIp(remote)?.text ?? remote
    this.isTrustedProxy = rules.isTrustedProxy(this.address)
    this.isInternal = rules.isInternal(this.address)
    connections.set(socket, this)
  }

  /** That which its client has shown and holds the key of; null: none. */
  get certificate(): X509Certificate | null {
    if (this.#certificate === undefined)
      this.#certificate =
        this.socket instanceof TLSSocket ? (this.socket.getPeerX509Certificate() ?? null) : null
    return this.#certificate
  }

  static of(socket: Socket): ClientConnection | undefined {
    return connections.get(socket)
  }

  /** Starts a request, now or once those before it are done. */
  take(exchange: Served): void {
    if (this.isClosing) return
    this.latest = exchange
    if (this.current === null) {
      this.current = exchange
      exchange.begin()
      return
    }
    this.#waiting.push(exchange)
    if (this.#waiting.length > waitingMax) this.close()
  }

  /** The answer of the current request has been handed over. */
  release(): void {
    this.current = null
    this.idleSinceMs = performance.now()
    if (this.isBroken) this.socket.destroySoon()
    const next = this.isClosing ? undefined : this.#waiting.shift()
    if (next === undefined) return
    this.current = next
    next.begin()
  }

  /** The body of the latest request comes too slowly. The answers to those before it are still given. */
  giveUpBody(): void {
    const { current, latest } = this
    if (current === null || latest === null) this.close()
    else if (current === latest) latest.handleBrokenBody('client.timeout')
  }

  /** Ends the connection at once. */
  close(): void {
    this.isClosing = true
    this.#waiting.length = 0
    releaseHeld(this.socket)
    this.socket.destroy()
  }

  /** The socket is gone. */
  handleClose(): void {
    this.isClosing = true
    this.#waiting.length = 0
    this.current?.handleClientGone()
  }
}
