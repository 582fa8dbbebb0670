import { readdirSync, readFileSync } from 'node:fs'

/** A process of the product: its parent, a part, or a worker of the gateway. */
interface ProductProcess {
  /** `parent`, `control plane`, `gateway`, `worker 1` … */
  name: string
  pid: number
}

/** A process and all that it has started, directly or not. Linux only, like all that is read from /proc. */
export function processesFrom(pid: number): number[] {
  let children: string
  try {
    children = readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
      .join(' ')
  } catch {
    return []
  }
  return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processesFrom)]
}

/** All processes of the product that was started as this one, by what they do. */
export function productProcesses(parent: number): ProductProcess[] {
  let workers = 0
  return processesFrom(parent).map((pid) => {
    const program = pid === parent ? '' : programOf(pid)
    if (pid === parent) return { name: 'parent', pid }
    if (program.includes('control-part')) return { name: 'control plane', pid }
    if (program.includes('gateway-part')) return { name: 'gateway', pid }
    return { name: `worker ${++workers}`, pid }
  })
}

/** The process that serves the dashboard. Throws while there is none. */
export function controlPlaneOf(parent: number): number {
  const found = productProcesses(parent).find(({ name }) => name === 'control plane')
  if (!found) throw new Error('There is no process of the control plane.')
  return found.pid
}

/** Sends the signal to all of them at once, as the end of a machine or a container does. */
export function signalAll(parent: number, signal: NodeJS.Signals): void {
  for (const pid of processesFrom(parent)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
