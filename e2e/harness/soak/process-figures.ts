import { readdirSync, readFileSync } from 'node:fs'

interface ProcessFigures {
  pid: number
  /** What of it is in memory now. */
  rssMiB: number
  /** Open descriptors: files, sockets, pipes. */
  descriptors: number
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
