import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { memoryFolder } from './scripts/databases/memory-folder.mjs'
import { foundPrograms, suitesWithoutProgram } from './scripts/set-up/programs.mjs'
import SpreadWaiting from './scripts/tests/spread-waiting.mjs'

// The same under `npm test`, which has looked already and installed what was missing.
Object.assign(process.env, foundPrograms())

/** Where a suite needs a program that is not here, it is left out; `npm test` says so. */
const missing = new Set(suitesWithoutProgram())

/** Tests wait for sockets and disks as much as they compute: no core is left idle for them. */
const maxWorkers = Math.max(2, availableParallelism())

/** Journeys run as on a slow machine. */
const isSlow = process.env['GATEHOUSE_TEST_SLOW'] !== undefined

/** Waits for an event: a second, as Vitest has it, is too short for a busy machine. */
const expect = { poll: { timeout: isSlow ? 120_000 : 20_000 } }

/** What no suite with shared processes runs. */
const exclude = ['**/*.alone.test.ts', '**/node_modules/**']

/** Long tests whose results no database decides: one run, with SQLite, is enough. */
const withoutDatabase = [
  'apps/server/src/{admin-port,refused-bodies}.test.ts',
  'apps/server/src/features/images/{convert-image,draw-qr,image-service}.test.ts',
  'apps/server/src/features/logs/reading/*.test.ts',
  // On PostgreSQL in the long proof.
  'apps/server/src/features/schedules/simulated-week.test.ts',
  'apps/server/src/features/session/login-throttle.test.ts',
  'apps/server/src/features/workflows/definitions/input-schema.test.ts',
  'apps/server/src/kernel/{cron,password-hash,worker-link}.test.ts',
]

/** Nothing outlives a run: databases of tests wait for no disk. */
const env = { TMPDIR: memoryFolder() }

/** Milliseconds for one journey. */
const e2eTimeout = isSlow ? 900_000 : 120_000

// `isolate: false`: the files of a suite share processes. Loading Fastify or a database driver for each
// file costs about as much as its tests.
const suites = [
  { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 30_000 },
  {
    name: 'contract',
    include: ['packages/contract/src/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
  { name: 'logging', include: ['packages/logging/src/**/*.test.ts'] },
  {
    name: 'upstream',
    include: ['packages/upstream/src/**/*.test.ts'],
    exclude,
    isolate: false,
    testTimeout: 30_000,
  },
  // Each measures its process, its memory or which modules it has loaded: needs a process of its own.
  { name: 'alone', include: ['{apps,packages}/**/*.alone.test.ts'], testTimeout: 120_000 },
  { name: 'http1', include: ['packages/http1/src/**/*.test.ts'], testTimeout: 30_000 },
  {
    name: 'gateway',
    include: ['apps/gateway/**/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  // What clients see of HTTP, with Node's server in place of ours (GATEWAY_HTTP_SERVER=node).
  {
    name: 'gateway-node',
    include: [
      'apps/gateway/src/{http,stages}/**/*.test.ts',
      'apps/gateway/src/calls/{streaming,hostile,added-fields}.test.ts',
    ],
    env: { GATEHOUSE_TEST_HTTP_SERVER: 'node' },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  {
    name: 'server',
    include: ['apps/{server,standalone}/**/*.test.ts'],
    exclude,
    env,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  {
    name: 'server-postgres',
    include: ['apps/server/**/*.test.ts'],
    exclude: [...exclude, ...withoutDatabase],
    env,
    isolate: false,
    globalSetup: ['scripts/tests/postgres-setup.mjs'],
    setupFiles: ['scripts/tests/postgres-environment.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  {
    name: 'procedures',
    include: ['{packages/upstream,apps/server}/src/**/*.mariadb.ts'],
    globalSetup: ['scripts/tests/mariadb-setup.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
  { name: 'zbar', include: ['apps/server/**/*.zbar.ts'], testTimeout: 60_000 },
  { name: 'tds', include: ['packages/tds-test-server/src/**/*.tds.ts'], testTimeout: 30_000 },
  // Each file runs servers of its own, which it stops, freezes and kills.
  { name: 'redis', include: ['apps/**/*.redis.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
  // What the documentation and the screens show to be copied, run with the real program.
  {
    name: 'curl',
    include: ['{apps/server,e2e}/**/*.curl.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
  {
    name: 'e2e',
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/harness/fill-compile-cache.ts'],
    env,
    // Each file starts the whole product and a browser, and waits for them a part of its time: three at
    // a time keep two cores busy. After everything else.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    testTimeout: e2eTimeout,
    hookTimeout: e2eTimeout,
  },
]

export default defineConfig({
  test: {
    reporters: ['default', './scripts/tests/summary-reporter.mjs'],
    sequence: { sequencer: SpreadWaiting },
    projects: [
      ...suites
        .filter(({ name }) => !missing.has(name))
        .map((test) => ({ test: { maxWorkers, expect, ...test } })),
      {
        // The dashboard's own plugins, as it is built with them.
        extends: 'apps/dashboard/vite.config.ts',
        root: 'apps/dashboard',
        test: {
          name: 'dashboard',
          maxWorkers,
          expect,
          environment: 'happy-dom',
          // All files share the page: no click on a download may lead it away.
          environmentOptions: {
            happyDOM: {
              settings: {
                navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
              },
            },
          },
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/testing/setup.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    testDatabaseUrl: string
    secondDatabaseUrl: string
    testMysqlUrl: string
  }
}
