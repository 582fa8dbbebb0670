// The one entry of every command: `node scripts/run.mjs start|admin|dev|build|test|…`.
// Plain JavaScript without dependencies: it runs on whatever Node the machine has (18 or newer)
// and brings the Node that runs the rest. The steps, in this order:
//
//   runtime       Node 24 or newer, or the one that tools/runtime installs
//   dependencies  npm ci, when the lock or a package.json changed
//   dashboard     vite build, when its sources changed               (start, build, test)
//   product       the server in one folder, when they changed        (start, test)
//   programs      Chromium, PostgreSQL …: found, or installed by apt  (test, setup)
//   and then the work itself: the server, the checks, the tests
//
// Each step prints one line. Two commands started at once take turns: see set-up-lock.mjs.

import path from 'node:path'
import { ensureDashboard } from './set-up/dashboard-build.mjs'
import { ensureDependencies } from './set-up/dependencies.mjs'
import { setUpPrograms } from './set-up/ensure-programs.mjs'
import { ensureProduct } from './set-up/product-build.mjs'
import { foundPrograms } from './set-up/programs.mjs'
import { runNamedScript } from './lib/named-scripts.mjs'
import { stampFolder } from './lib/places.mjs'
import { endWhenNpmEnds, exitCodeOf, forwardSignals, runInForeground } from './lib/processes.mjs'
import { ensureRuntime } from './set-up/runtime.mjs'
import { printBesideOutput } from './lib/steps.mjs'
import { toolPath } from './lib/tool-path.mjs'
import { check, test, testNightly, testQuickly } from './tests/test-command.mjs'

const server = 'apps/standalone/src/main.ts'
const adminCommands = 'apps/server/src/admin/admin.ts'

// Stripped and compiled modules are kept: a second start takes half the time.
const compileCache = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(stampFolder, 'compile-cache'),
}

/** @param {string[]} args */
async function runAdminCommand(args) {
  printBesideOutput()
  const node = await prepare()
  return runInForeground([
    { node, args: [adminCommands, ...args], env: compileCache, input: 'inherit' },
  ])
}

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  async start(args) {
    const node = await prepare()
    await ensureDashboard(node)
    const program = path.join(await ensureProduct(node), 'server.mjs')
    return runInForeground([{ node, args: [program, ...args], env: compileCache }])
  },
  async build(args) {
    const node = await prepare()
    await ensureDashboard(node)
    return runInForeground([{ node, args: ['scripts/build/main.mjs', ...args] }])
  },
  admin: runAdminCommand,
  // The one command of the operator that talks to a running server.
  config: (args) => runAdminCommand(['config', ...args]),
  async dev(args) {
    const node = await prepare()
    return runInForeground([
      { node, args: ['scripts/lib/watched.mjs', server, ...args] },
      { node, args: [toolPath('vite'), 'apps/dashboard'] },
    ])
  },
  async test(args) {
    const node = await prepare()
    await ensureDashboard(node)
    return test(node, args)
  },
  // What needs no database server and no browser: for the minutes between two changes.
  'test:quick': async () => testQuickly(await prepare()),
  async 'test:nightly'(args) {
    const node = await prepare()
    await ensureDashboard(node)
    return testNightly(node, args)
  },
  setup: () => setUpPrograms(),
  check: async (args) => check(await prepare(), args),
  format: async (args) =>
    runInForeground([
      { node: await prepare(), args: [toolPath('oxfmt'), ...(args.length ? args : ['.'])] },
    ]),
  async demo(args) {
    const node = await prepare()
    await ensureDashboard(node)
    const env = { ...compileCache, GATEHOUSE_BUILT: await ensureProduct(node) }
    return runInForeground([{ node, args: ['e2e/demo/run-demo.ts', ...args], env }])
  },
  release: async (args) =>
    runInForeground([{ node: await prepare(), args: ['scripts/release/main.mjs', ...args] }]),
  docs: async () =>
    runInForeground([{ node: await ensureRuntime(), args: ['scripts/build/docs-site.mjs'] }]),
  async screenshots(args) {
    const node = await prepare()
    await ensureDashboard(node)
    Object.assign(process.env, foundPrograms())
    const file = args.includes('--tutorial')
      ? 'e2e/demo/take-tutorial-pictures.ts'
      : 'e2e/screenshots/take-screenshots.ts'
    return runInForeground([{ node, args: [file, ...args] }])
  },
  proof: (args) => runNamedScript('proof', args, prepare),
  bench: (args) => runNamedScript('bench', args, prepare),
}

async function prepare() {
  const node = await ensureRuntime()
  await ensureDependencies(node)
  return node
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (!command) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`)
  process.exit(2)
}
forwardSignals()
void endWhenNpmEnds()
process.exitCode = await command(args).catch(exitCodeOf)
