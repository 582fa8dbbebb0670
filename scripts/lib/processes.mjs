// Starting other programs, and ending them: with our signals, with npm, and with ourselves.

import { spawn } from 'node:child_process'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import { parentOf } from './parent-of.mjs'
import { inRoot, root } from './places.mjs'
import { StepFailed } from './steps.mjs'

/**
 * @typedef {{ path: string, version: string, env: NodeJS.ProcessEnv }} Node
 * The Node that runs the product, and the environment in which it comes first on the PATH.
 * @typedef {{ node?: Node, command?: string, args: string[], cwd?: string, env?: NodeJS.ProcessEnv, input?: 'inherit' }} Program
 * What to start: Node on a script, or any other command. It reads our input only where that is asked for.
 * @typedef {{ code: number, output: string }} Outcome
 */

const isWindows = process.platform === 'win32'
const endWithParent = pathToFileURL(inRoot('scripts', 'lib', 'end-with-parent.mjs')).href

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

/** @type {NodeJS.Signals | undefined} */
let stoppedBy
let stoppedAt = 0

/** Runs a program to its end and keeps what it prints. Ends early when we get a signal to stop.
 * @param {Program} program
 * @returns {Promise<Outcome>}
 */
export async function runQuietly(program) {
  const child = startProgram(program, 'pipe')
  /** @type {Buffer[]} */
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  child.on('error', (error) => chunks.push(Buffer.from(error.message)))
  const code = await ended(child)
  if (stoppedBy) throw new StepFailed('Stopped.')
  return { code, output: Buffer.concat(chunks).toString() }
}

/** Like runQuietly, for a program that must succeed: its output is shown only if it fails.
 * @param {string} what
 * @param {Program} program
 */
export async function mustRun(what, program) {
  const { code, output } = await runQuietly(program)
  if (code !== 0)
    throw new StepFailed(`${output.trimEnd()}\n${what} failed with exit code ${code}.`)
  return output
}

/**
 * Runs programs side by side, printing straight to our output, until the first of them ends. The
 * others then get a SIGTERM. Returns the exit code of the first.
 *
 * @param {Program[]} programs
 * @param {(message: any) => void} [onMessage] what a Node program sends over its channel
 */
export async function runInForeground(programs, onMessage) {
  const started = programs.map((program) => startProgram(program, 'inherit'))
  for (const child of started) {
    child.on('error', (error) => console.error(error.message))
    if (onMessage) child.on('message', onMessage)
  }
  const ends = started.map(ended)
  const code = await Promise.race(ends)
  for (const child of started) child.kill('SIGTERM')
  await Promise.all(ends)
  return code
}

/**
 * @param {Program} program
 * @param {'inherit' | 'pipe'} output
 */
function startProgram({ node, command, args, cwd = root, env, input }, output) {
  if (stoppedBy) throw new StepFailed('Stopped.')
  // In its own group: Ctrl-C in a terminal would reach it beside our forwarded signal, and a second
  // SIGINT means "at once" to many programs. The group also lets us end what the program started.
  const child = spawn(
    node?.path ?? command ?? '',
    node ? ['--import', endWithParent, ...args] : args,
    {
      cwd,
      env: { ...(node?.env ?? process.env), ...env },
      stdio: [input ?? 'ignore', output, output, node ? 'ipc' : 'ignore'],
      detached: !isWindows,
      windowsHide: true,
    },
  )
  children.add(child)
  return child
}

/** Resolves to the exit code once a program and everything in its group has ended.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function ended(child) {
  return new Promise((resolve) => {
    child.once('error', () => {
      if (child.pid !== undefined) return
      children.delete(child)
      resolve(127)
    })
    child.once('exit', (code, signal) => {
      children.delete(child)
      signalGroup(child, 'SIGKILL')
      const done = () => resolve(code ?? 128 + os.constants.signals[signal ?? 'SIGTERM'])
      if (child.stdout) child.once('close', done)
      else done()
    })
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined || isWindows) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // No process is left in the group.
  }
}

/** Passes SIGINT, SIGTERM and SIGHUP on to whatever runs, which decides how to end. */
export function forwardSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => stop(signal))
  }
  // The reader of our output may be gone. The children must still be ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  // Ctrl-C reaches us twice, from the terminal and from npm: both mean one stop.
  const now = performance.now()
  if (stoppedBy && now - stoppedAt < 1000) return
  stoppedBy = signal
  stoppedAt = now
  // Nothing runs: we are between two steps, or wait for our turn.
  if (children.size === 0) process.exit(128 + os.constants.signals[signal])
  // A step has to end on any signal, but npm ignores SIGINT and goes on.
  for (const child of children) child.kill(child.stdout ? 'SIGTERM' : signal)
}

/**
 * npm leaves its child running when it is killed, so we watch it: its end is our SIGTERM. Started by
 * anything else, we outlive our parent, as `nohup node scripts/run.mjs start &` expects.
 */
export async function endWhenNpmEnds() {
  if (process.env['npm_lifecycle_event'] === undefined || isWindows) return
  const parent = process.ppid
  const { name, ppid } = await parentOf(parent)
  // npm itself, if a shell is between it and us.
  const grandparent = /(^|\/|-)(ba|da|z|k|a)?sh$/.test(name) && ppid > 1 ? ppid : undefined
  const watch = setInterval(() => {
    if (process.ppid === parent && (grandparent === undefined || isAlive(grandparent))) return
    clearInterval(watch)
    stop('SIGTERM')
  }, 500)
  watch.unref()
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The exit code for a command that threw; says why, without a stack where the reason is expected.
 * @param {unknown} error
 */
export function exitCodeOf(error) {
  if (stoppedBy) return 128 + os.constants.signals[stoppedBy]
  console.error(error instanceof StepFailed ? error.message : error)
  return 1
}
