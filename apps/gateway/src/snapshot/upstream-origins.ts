import { AnswerFieldNames, ConnectionPool, ConnectionSweeper, IdleCount } from '@gatehouse/http1'
import {
  openGuardedSocket,
  secureContextOf,
  tlsKey,
  UpstreamFailure,
} from '@gatehouse/upstream/http'
import type { StoredTls } from '@gatehouse/contract/credential'
import type { AddressGuard, LookupAll } from '@gatehouse/upstream/http'
import { isAnswerFieldPassed } from '../http/field-names.ts'
import { setsOwnCookie } from '../http/own-cookie.ts'

/** For all upstreams: what the gateway passes on to clients. */
const fieldNames = new AnswerFieldNames({
  isPassed: isAnswerFieldPassed,
  isCookiePassed: (value) => !setsOwnCookie(value),
})

/** One origin that is called, with the connections to it. Shared by all APIs that call it. */
interface UpstreamOrigin {
  readonly key: string
  readonly origin: string
  readonly connectTimeoutMs: number
  readonly tls: StoredTls | null
  /** Null while nothing uses it; see `poolOf`. */
  pool: ConnectionPool | null
}

/** Where the requests of an API go: an origin, and what its paths begin with. */
export interface UpstreamTarget {
  readonly upstream: UpstreamOrigin
  /** Without a slash at its end; empty for none. */
  readonly basePath: string
  /** For administrators: scheme, host, port and base path. */
  readonly url: string
  /** Why this literal address is never called; undefined: the connector decides. */
  readonly refusal: string | undefined
}

interface UpstreamOriginsOptions {
  guard: AddressGuard
  /** Idle connections that are kept, of all origins together; no bound unless given. */
  idleMax?: number
  lookup?: LookupAll
  ca?: string
}

/**
 * Connections to upstreams. They outlive snapshots: a change of the configuration costs none of the
 * connections that are still of use.
 */
export class UpstreamOrigins {
  readonly #options: UpstreamOriginsOptions
  readonly #sweeper = new ConnectionSweeper()
  readonly #idle: IdleCount
  readonly #origins = new Map<string, UpstreamOrigin>()
  /** Closed, and perhaps with calls under way; those without are dropped when the next is given up. */
  readonly #givenUp = new Set<ConnectionPool>()

  constructor(options: UpstreamOriginsOptions) {
    this.#options = options
    this.#idle = new IdleCount(options.idleMax ?? Infinity)
  }

  /** `baseUrl` has been checked. */
  target(baseUrl: string, connectTimeoutMs: number, tls: StoredTls | null = null): UpstreamTarget {
    const url = new URL(baseUrl)
    const key = `${url.origin} ${connectTimeoutMs} ${tlsKey(tls)}`
    let upstream = this.#origins.get(key)
    if (upstream === undefined) {
      upstream = { key, origin: url.origin, connectTimeoutMs, tls, pool: null }
      this.#origins.set(key, upstream)
    }
    const basePath = url.pathname.replace(/\/+$/, '')
    const refusal = this.#options.guard.literalRefusal(url)
    return { upstream, basePath, url: url.origin + basePath, refusal }
  }

  /** For targets that no snapshot has: each call has a connection of its own, which ends with it. */
  passing(): UpstreamOrigins {
    return new UpstreamOrigins(this.#options)
  }

  /**
   * The connections of an origin, opened again where they had been given up. Those for a request that began
   * with a snapshot before are given up too, once its call has ended.
   */
  poolOf(upstream: UpstreamOrigin): ConnectionPool {
    const pool = (upstream.pool ??= this.#open(upstream))
    if (this.#origins.get(upstream.key) !== upstream) this.#giveUp(pool)
    return pool
  }

  /** Gives up the connections of origins that are not among these; calls under way finish first. */
  keep(targets: Iterable<UpstreamTarget>): void {
    const kept = new Set<string>()
    for (const target of targets) kept.add(target.upstream.key)
    for (const [key, upstream] of this.#origins) {
      if (kept.has(key)) continue
      this.#origins.delete(key)
      if (upstream.pool) this.#giveUp(upstream.pool)
      // A request that began with the snapshot before may still want it.
      upstream.pool = null
    }
  }

  /** Ends all connections, calls under way included. */
  async destroy(): Promise<void> {
    const pools = this.#origins.values().flatMap(({ pool }) => (pool === null ? [] : [pool]))
    await Promise.all([...pools, ...this.#givenUp].map((pool) => pool.destroy()))
  }

  #giveUp(pool: ConnectionPool): void {
    for (const former of this.#givenUp) if (former.isUnused) this.#givenUp.delete(former)
    pool.close()
    this.#givenUp.add(pool)
  }

  #open({ origin, connectTimeoutMs, tls }: UpstreamOrigin): ConnectionPool {
    const secureContext = secureContextOf(tls, this.#options.ca)
    if (secureContext instanceof UpstreamFailure) return this.#openNone(origin, secureContext)
    const secure = secureContext === undefined ? {} : { secureContext }
    const options = { ...this.#options, connectTimeoutMs, ...secure }
    return new ConnectionPool(
      origin,
      (target, callback) => openGuardedSocket(options, target, callback),
      { sweeper: this.#sweeper, idle: this.#idle, fieldNames },
    )
  }

  /** Every call fails: the client certificate can't be used. */
  #openNone(origin: string, failure: UpstreamFailure): ConnectionPool {
    const refuse: ConstructorParameters<typeof ConnectionPool>[1] = (_, callback) => {
      queueMicrotask(() => callback(failure, null))
      return null
    }
    return new ConnectionPool(origin, refuse, {
      sweeper: this.#sweeper,
      idle: this.#idle,
      fieldNames,
    })
  }
}
