import type { SpanSettings } from '@gatehouse/logging/spans'

/** How slowly the body of a request may arrive. */
export interface UploadBounds {
  /** The time that every body has. */
  graceMs: number
  /** Beyond that, this many bytes for each further second. */
  minBytesPerSecond: number
  /** For all of it, however fast. */
  maxMs: number
}

/** A Redis that several servers share. */
export interface RedisSettings {
  url: string
  /** Before each key. */
  prefix: string
  /** How long to wait for it; what is not here is as short as clients need it. Tests are not in a hurry. */
  patience?: { connectMs: number; answerMs: number }
}

/** How clients are spoken to over TLS. */
export interface TlsSettings {
  /** PEM texts. */
  cert: string
  key: string
  /** 48 bytes in Base64: a session that one worker has begun is resumed by each with the same keys. */
  ticketKeys: string
}

/** Everything a worker needs beside the snapshot. It reads no environment variable and no other file. */
export interface WorkerSettings {
  /** Part of the name of its log file: `gateway-1-2026-11-21.log`. From 1, one per slot, so that a restart goes on in the same file. */
  worker: number
  /** Where `logs/gateway` lies; null: no access log. */
  dataDir: string | null
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** The oldest files of its access log go as soon as all of them hold more. */
  accessLogMaxBytes: number
  /** Where to listen, unless a listening socket comes with the message. */
  listen: { host: string; port: number } | null
  /** Null: plain HTTP. */
  tls: TlsSettings | null
  /** What reads requests: the parser of `packages/http1`, or `node:http`. */
  httpServer: 'http1' | 'node'
  /** CIDR ranges of peers whose X-Forwarded-* are believed. */
  trustedProxies: string[]
  /** CIDR ranges that count as internal. */
  internalNetworks: string[]
  upstreamAllow: string[]
  upstreamDeny: string[]
  /** Our listeners and the store: never called as an upstream. */
  ownAddresses: { address: string; port: number }[]
  /** Signs `x-gatehouse-trace`; null: no traces. */
  traceSecret: string | null
  /** Null: no spans are made, and `traceparent` is passed on as it came. */
  spans: SpanSettings | null
  /** How long an idle connection of a client is kept. */
  keepAliveMs: number
  /** Connections that one client address may have to this worker; trusted proxies have no such bound. */
  connectionsPerAddress: number
  /** WebSockets that this worker holds open at a time; 0: none. */
  webSocketsMax: number
  /** How slowly bodies of requests may arrive. */
  upload: UploadBounds
  /** How long what is in flight may take once the worker is to stop. */
  drainMs: number
  /** `/readyz` says no where the database was silent for longer; null: it does not matter. */
  staleAfterMs: number | null
  /** How long the database has been silent when the worker is started. */
  unheardMs: number
  /** Where rate limits are counted together with other servers; null: each server counts its share. */
  redis: RedisSettings | null
  /** Servers that carry traffic, this one among them, as far as is known. */
  servers: number
}

export const workerDefaults = {
  accessLogMaxBytes: 1024 ** 3,
  tls: null,
  httpServer: 'http1',
  trustedProxies: [],
  internalNetworks: [
    '127.0.0.0/8',
    '::1',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    'fc00::/7',
  ],
  upstreamAllow: [],
  upstreamDeny: [],
  ownAddresses: [],
  traceSecret: null,
  spans: null,
  keepAliveMs: 5_000,
  connectionsPerAddress: 512,
  webSocketsMax: 1_000,
  upload: { graceMs: 20_000, minBytesPerSecond: 500, maxMs: 3_600_000 },
  drainMs: 30_000,
  staleAfterMs: null,
  unheardMs: 0,
  redis: null,
  servers: 1,
} as const satisfies Partial<WorkerSettings>
