// With `--times`, a set-up file of every suite: notes for the reporter how much CPU time a test file took. Files of
// one suite share a process, so each takes what the process has used since the file before it ended.

import { readFileSync, readdirSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { afterAll } from 'vitest'

/** Clock ticks of Linux in the figures of /proc: fixed at 100 a second for programs, whatever the kernel uses. */
const tickMs = 10

/** The CPU time so far, of this worker and of the programs that it has started. */
function cpuMs() {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage()
  return (user + system) / 1000 + (isMainThread ? startedMs(process.pid) : 0)
}

/**
 * Of all programs below a process: those that have ended, and those that run. 0 where there is no /proc.
 *
 * @param {number} pid
 * @returns {number}
 */
function startedMs(pid) {
  try {
    const running = readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .filter((child) => child !== '')
      .map(Number)
    const { ended } = figuresOf(pid)
    return running.reduce((sum, child) => sum + figuresOf(child).own + startedMs(child), ended)
  } catch {
    return 0
  }
}

/** Fields 14 to 17 of proc_pid_stat(5). @param {number} pid */
function figuresOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) * tickMs)
  return { own: user + system, ended: endedUser + endedSystem }
}

/** What the files before have used, of all that share this worker: each loads this module again. */
const seen = /** @type {{ gatehouseCpuMs?: number }} */ (globalThis)

// Registered before those of the file, so it runs after them.
// oxlint-disable-next-line no-empty-pattern -- it reads the names of the first argument
afterAll(({}, file) => {
  const total = cpuMs()
  // What a program has used is lost where nobody waits for its end.
  Object.assign(file.meta, { cpuMs: Math.max(0, total - (seen.gatehouseCpuMs ?? 0)) })
  seen.gatehouseCpuMs = total
})
