import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigSnapshot, SnapshotChanges } from '@gatehouse/contract'
import type { ReportMessage } from '../../messages/report-messages.ts'
import { workerDefaults } from '../../messages/worker-settings.ts'
import { bareWorker } from '../../testing/bare-worker.ts'
import {
  bearerCredential,
  buildApi,
  buildEndpoint,
  buildSnapshot,
} from '../../testing/build-snapshot.ts'
import type { FleetOptions } from '../fleet-options.ts'
import { Fleet } from '../fleet.ts'
import { SnapshotFile, type Seal } from '../snapshot-file.ts'

/** One API with one endpoint, `GET /t/ping`, with a fixed answer, and one that calls `upstream`. */
export function snapshotOf(revision: number, upstream = 'http://127.0.0.1:9'): ConfigSnapshot {
  const api = buildApi({
    name: 'T',
    context: 't',
    is_internal: true,
    base_url: upstream,
    credential: bearerCredential('a secret of the upstream'),
    connect_timeout_ms: 1_000,
    answer_timeout_ms: 10_000,
  })
  return buildSnapshot({
    revision,
    apis: [api],
    endpoints: [
      buildEndpoint({ id: 1, name: 'Ping', path: '/ping', custom_output: `"${revision}"` }),
      buildEndpoint({ id: 2, name: 'Slow', path: '/slow' }),
    ],
    tokens: [],
    access: [],
    super_admin_role_id: null,
  })
}

/** What leads from `snapshotOf(revision - 1)` to `snapshotOf(revision)`. */
export function changesTo(revision: number): SnapshotChanges {
  const { endpoints, ...next } = snapshotOf(revision)
  return {
    format: next.format,
    base: { revision: revision - 1, mark: next.mark },
    revision,
    mark: next.mark,
    built_at: next.built_at,
    apis: [],
    removed_apis: [],
    endpoints: endpoints.slice(0, 1),
    removed_endpoints: [],
    tokens: [],
    removed_tokens: [],
    issuers: [],
    removed_issuers: [],
    access: [],
    removed_roles: [],
    super_admin_role_id: null,
  }
}

/** Turns every character round, and notices a text that was not. */
export const seal: Seal = {
  seal: (plain) => Buffer.from(`sealed ${plain}`).toString('base64'),
  open: (sealed) => {
    const text = Buffer.from(sealed, 'base64').toString('utf8')
    if (!text.startsWith('sealed ')) throw new Error('It was not sealed with this key.')
    return text.slice('sealed '.length)
  },
}

export const testSettings = (): ReturnType<FleetOptions['settings']> => ({
  ...bareWorker,
  internalNetworks: [...workerDefaults.internalNetworks],
  logLevel: 'error',
  keepAliveMs: 200,
})

/** As the product gives its workers one; that of the whole run. */
const compileCache = process.env.NODE_COMPILE_CACHE

export interface Harness {
  folder: string
  logged: string[]
  reports: ReportMessage[]
  /** Another fleet on the same folder; ended with the test. */
  start(options?: Partial<FleetOptions>): Fleet
  end(): Promise<void>
}

export function openHarness(): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-'))
  const logged: string[] = []
  const reports: ReportMessage[] = []
  const fleets: Fleet[] = []
  const say = (_details: object, message: string) => void logged.push(message)
  return {
    folder,
    logged,
    reports,
    start: (options = {}) => {
      const fleet = new Fleet({
        ...(compileCache ? { cacheFolder: compileCache } : {}),
        size: 2,
        host: '127.0.0.1',
        port: 0,
        settings: testSettings,
        file: new SnapshotFile(
          folder,
          () => seal,
          (error) => logged.push(String(error)),
        ),
        log: { info: say, warn: say, error: say },
        onReport: (report) => reports.push(report),
        onProcedureSeen: () => {},
        onTrace: () => {},
        onTokenWanted: () => Promise.reject(new Error('This fleet obtains no tokens.')),
        onAgentAsked: () => Promise.reject(new Error('This fleet has no control plane.')),
        ...options,
      })
      fleets.push(fleet)
      return fleet
    },
    end: async () => {
      await Promise.all(fleets.map((fleet) => fleet.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
