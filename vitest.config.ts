import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  defineConfig,
  type TestProjectConfiguration,
  type TestProjectInlineConfiguration,
} from 'vitest/config'
import { memoryFolder } from './scripts/databases/memory-folder.mjs'
import { stampFolder } from './scripts/lib/places.mjs'
import { foundPrograms, suitesWithoutProgram } from './scripts/set-up/programs.mjs'
import { testsOnSqliteAlone } from './scripts/tests/without-database.mjs'
import SpreadWaiting from './scripts/tests/spread-waiting.mjs'
import { waitMaxMs } from './scripts/tests/wait-max.mjs'

// The same under `npm test`, which has looked already and installed what was missing.
Object.assign(process.env, foundPrograms())

// Tests start hundreds of processes of ours from source. Compiled modules are kept: each start takes half the CPU time.
process.env['NODE_COMPILE_CACHE'] ??= join(stampFolder, 'compile-cache')

/** Where a suite needs a program that is not here, it is left out; `npm test` says so. */
const missing = new Set(suitesWithoutProgram())

/** Tests wait for sockets and disks as much as they compute: with a worker for each core a fifth of two cores idles. */
const maxWorkers = Math.max(2, availableParallelism()) + 1

/** Journeys run as on a slow machine. */
const isSlow = process.env['GATEHOUSE_TEST_SLOW'] !== undefined

const expect = { poll: { timeout: waitMaxMs } }

/** What no suite with shared processes runs. */
const exclude = ['**/*.alone.test.ts', '**/node_modules/**']

/** Guards against a test that hangs; how long one takes says nothing on a busy machine. */
const testTimeout = isSlow ? 900_000 : 600_000
const hookTimeout = testTimeout

/** Nothing outlives a run: databases of tests wait for no disk. */
const env = { TMPDIR: memoryFolder() }

/** `npm test -- --times`: each worker notes what a file has cost, and a reporter prints it. */
const isTimed = process.env['GATEHOUSE_TEST_TIMES'] !== undefined
const timing = isTimed ? ['cpu-of-file.mjs'] : []

/** What the files of all suites begin with. */
const everywhere = ['patient-waits.mjs', ...timing].map((name) =>
  fileURLToPath(new URL(`scripts/tests/${name}`, import.meta.url)),
)

/** Set by `npm test` where it runs all files: then what they do is compared. */
const isWhole = process.env['GATEHOUSE_WHOLE_GATE'] !== undefined

/** Set by `npm run test:nightly`. */
const isNightly = process.env['GATEHOUSE_NIGHTLY'] !== undefined

/** What drives the whole product; the files of one process share a browser. */
const journeys = {
  globalSetup: ['e2e/harness/prepare-product.ts'],
  env,
  isolate: false,
}

type Suite = TestProjectInlineConfiguration['test'] & { name: string; setupFiles?: string[] }

// `isolate: false`: the files of a suite share processes. Loading Fastify or a database driver for each
// file costs about as much as its tests.
const gateSuites: Suite[] = [
  { name: 'scripts', include: ['scripts/**/*.test.ts'], isolate: false },
  {
    name: 'contract',
    include: ['packages/contract/src/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
  },
  { name: 'logging', include: ['packages/logging/src/**/*.test.ts'], isolate: false },
  {
    name: 'upstream',
    include: ['packages/upstream/src/**/*.test.ts'],
    exclude,
    isolate: false,
  },
  // Each measures its process, its memory or which modules it has loaded: needs a process of its own.
  { name: 'alone', include: ['{apps,packages}/**/*.alone.test.ts'] },
  {
    name: 'http1',
    include: ['packages/http1/src/**/*.test.ts'],
    isolate: false,
  },
  {
    name: 'gateway',
    include: ['apps/gateway/**/*.test.ts', 'proof/**/*.test.ts'],
    isolate: false,
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
  },
  {
    name: 'server',
    include: ['apps/{server,standalone}/**/*.test.ts'],
    exclude,
    env,
    setupFiles: isWhole ? ['scripts/tests/statements-of-file.mjs'] : [],
    isolate: false,
  },
  {
    name: 'server-postgres',
    include: ['apps/server/**/*.test.ts'],
    exclude: [...exclude, ...testsOnSqliteAlone()],
    env,
    isolate: false,
    globalSetup: ['scripts/tests/postgres-setup.mjs'],
    setupFiles: ['scripts/tests/postgres-environment.mjs'],
  },
  {
    name: 'procedures',
    include: ['{packages/upstream,apps/server}/src/**/*.mariadb.ts'],
    isolate: false,
    globalSetup: ['scripts/tests/mariadb-setup.mjs'],
  },
  { name: 'zbar', include: ['apps/server/**/*.zbar.ts'] },
  { name: 'tds', include: ['packages/tds-test-server/src/**/*.tds.ts'] },
  // Each file runs servers of its own, which it stops, freezes and kills.
  { name: 'redis', include: ['apps/**/*.redis.ts'] },
  // What the documentation and the screens show to be copied, run with the real program.
  {
    name: 'curl',
    include: ['{apps/server,e2e}/**/*.curl.ts'],
  },
  {
    name: 'e2e',
    include: ['e2e/**/*.test.ts'],
    // Each file starts the whole product, and waits for it and for the browser a part of its time: three at
    // a time keep two cores busy. After everything else.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    ...journeys,
  },
]

/** `npm run test:nightly`: too long for each change; see docs/contributing.md. */
const nightlySuites: Suite[] = [
  {
    name: 'nightly-server',
    include: ['apps/server/**/*.nightly.ts'],
    env,
  },
  { name: 'nightly-gateway', include: ['apps/gateway/**/*.nightly.ts'] },
  { name: 'nightly', include: ['e2e/**/*.nightly.ts'], ...journeys, maxWorkers: 2 },
]

const dashboard: TestProjectConfiguration = {
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
    setupFiles: [...everywhere, 'src/testing/setup.ts'],
    testTimeout,
    hookTimeout,
  },
}

export default defineConfig({
  test: {
    reporters: [
      'default',
      './scripts/tests/summary-reporter.mjs',
      ...(isTimed ? ['./scripts/tests/times-reporter.mjs'] : []),
      ...(isWhole ? ['./scripts/tests/one-database-reporter.mjs'] : []),
    ],
    sequence: { sequencer: SpreadWaiting },
    projects: [
      ...(isNightly ? nightlySuites : gateSuites)
        .filter(({ name }) => !missing.has(name))
        .map(({ setupFiles = [], ...test }) => ({
          test: {
            maxWorkers,
            expect,
            testTimeout,
            hookTimeout,
            setupFiles: [...everywhere, ...setupFiles],
            ...test,
          },
        })),
      ...(isNightly ? [] : [dashboard]),
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
