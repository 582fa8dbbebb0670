import type { ConfigSnapshot, RevisionId, SnapshotChanges } from '@gatehouse/contract'
import type {
  GatewayLink,
  GatewayReport,
  TokenUsage,
  UnsavedEndpoint,
} from '../../src/publishing/gateway-link.ts'

/** Takes the place of the workers: keeps what is published, and reports and refuses as the test says. */
export function recordingGateway() {
  const published: ConfigSnapshot[] = []
  /** With each of them; undefined: it was published whole. */
  const changes: (SnapshotChanges | undefined)[] = []
  const listeners: Parameters<GatewayLink['onReport']>[0][] = []
  /** Definitions that were tried before they were saved. */
  const tried: UnsavedEndpoint[] = []
  const waiting: { revision: number; resolve: () => void }[] = []
  const control = {
    refusal: undefined as string | undefined,
    /** No worker runs that could take over what is published. */
    isWaiting: false,
    /** Workers don't answer before `release`. */
    isSlow: false,
    /** What the worker runs on. */
    openBreakers: [] as { api_id: number; open_ms: number }[],
    running: null as RevisionId | null,
    /** What answers agents; undefined: nothing does yet. */
    askAgent: undefined as Parameters<GatewayLink['onAgentAsked']>[0] | undefined,
    /** As it was told. */
    servers: 0,
    /** As it was told, one after the other. */
    usages: [] as TokenUsage[],
  }
  let released = Promise.withResolvers<void>()
  const link: GatewayLink = {
    address: { address: '127.0.0.1', port: 8080 },
    url: 'http://localhost:8080',
    startTrace: () => ({
      header: ['x-gatehouse-trace', 'none'],
      trace: Promise.resolve(undefined),
    }),
    startUnsavedTrace: async (unsaved) => {
      tried.push(unsaved)
      return { header: ['x-gatehouse-trace', 'none'], trace: Promise.resolve(undefined) }
    },
    publish: async (snapshot, changed) => {
      changes.push(changed)
      // As it travels to a worker.
      published.push(JSON.parse(JSON.stringify(snapshot)) as ConfigSnapshot)
      for (const each of waiting) if (snapshot.revision >= each.revision) each.resolve()
      if (control.isSlow) await released.promise
      if (!control.refusal) control.running = snapshot
      return { accepted: control.refusal || control.isWaiting ? 0 : 1, refusal: control.refusal }
    },
    workers: () => [
      {
        id: 1,
        pid: 4711,
        state: 'serving',
        revision: control.isWaiting ? null : (control.running?.revision ?? null),
        mark: control.isWaiting ? null : (control.running?.mark ?? null),
        started_at: '2026-06-01T08:00:00.000Z',
        restarts: 2,
        rss_bytes: 50_000_000,
        in_flight: 3,
        web_sockets: 1,
        open_breakers: control.openBreakers,
      },
    ],
    onReport: (listener) => void listeners.push(listener),
    onTokenWanted: () => undefined,
    onAgentAsked: (answer) => {
      control.askAgent = answer
    },
    setToken: () => undefined,
    onProcedureSeen: () => {},
    heard: () => {},
    setTokenUsage: (usages) => control.usages.push(...usages),
    setServers: (servers) => {
      control.servers = servers
    },
    limits: () => ({
      state: 'off',
      servers: control.servers,
      reason: null,
      since: new Date(0).toISOString(),
      times_away: 0,
    }),
    forget: () => {},
    blockAddresses: () => {},
    stop: async () => {},
  }
  return {
    link,
    published,
    changes,
    tried,
    control,
    report: (report: Partial<GatewayReport>) => {
      for (const listener of listeners)
        void listener({
          traffic: [],
          token_uses: [],
          quota_uses: [],
          tool_calls: [],
          unknown_keys: [],
          web_sockets: { opened: 0, refused: 0, bytes_in: 0, bytes_out: 0 },
          ...report,
        })
    },
    release: () => {
      released.resolve()
      released = Promise.withResolvers<void>()
    },
    /** Settles once a snapshot of this revision or a later one was published. */
    reaches: (revision: number) =>
      published.some((each) => each.revision >= revision)
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.push({ revision, resolve })),
  }
}
