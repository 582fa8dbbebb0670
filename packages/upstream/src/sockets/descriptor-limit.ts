import { readFileSync } from 'node:fs'

/** What a process holds open beside sockets of clients and upstreams: logs, IPC, look-ups, databases. */
const reserved = 64

/** How many sockets a worker may hold. Infinity: the system sets no bound. */
interface SocketBudget {
  /** Connections of clients. */
  readonly clients: number
  /** Idle connections to upstreams, of all origins together. */
  readonly idleUpstreams: number
}

/**
 * Divides the descriptors that a process may open. Each client has one call under way at most, so that
 * `clients` calls and `idleUpstreams` fit beside the connections of the clients.
 */
export function socketBudget(limit: number = descriptorLimit()): SocketBudget {
  const free = Math.max(limit - reserved, limit / 2)
  return {
    clients: Math.max(1, Math.floor(free * 0.45)),
    idleUpstreams: Math.max(1, Math.floor(free * 0.1)),
  }
}

/** How many files and sockets this process may hold open (`ulimit -n`); Infinity where no bound is known. */
export function descriptorLimit(): number {
  try {
    const line = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return asLimit(line?.[1])
  } catch {
    return reportedLimit()
  }
}

/** Where there is no /proc. */
function reportedLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: string | number } }
  }
  return asLimit(userLimits?.open_files?.soft)
}

function asLimit(value: string | number | undefined): number {
  const limit = Number(value)
  return Number.isInteger(limit) && limit > 0 ? limit : Infinity
}
