import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessFigures {
  pid: number
  /** What of it is in memory now. */
  rssMiB: number
  /** Open descriptors: files, sockets, pipes. */
  descriptors: number
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

/** Undefined: the process has ended. */
export function figuresOf(pid: number): ProcessFigures | undefined {
  try {
    const [, kB] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const descriptors = readdirSync(`/proc/${pid}/fd`).length
    return { pid, rssMiB: Number(kB ?? Number.NaN) / 1024, descriptors }
  } catch {
    return undefined
  }
}
