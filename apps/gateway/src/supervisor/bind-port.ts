import net, { type Server } from 'node:net'
import { getSystemErrorMap } from 'node:util'

/** A port that is ours, and on which nobody accepts yet. */
export interface BoundPort {
  /** To be sent along with a message to a worker, which listens on it. Any number of them may. */
  handle: Server
  address: string
  port: number
  /** Workers that listen keep it until they end. */
  close(): void
}

interface Handle extends Server {
  getsockname(out: { address?: string; port?: number }): number
}

// What node:cluster binds with when workers are to share one queue of connections. It has no public
// name before Node 26.4, whose net.BoundSocket can't be sent to a process: a net.Server that
// listens would accept connections here too.
const { _createServerHandle: createServerHandle } = net as unknown as {
  _createServerHandle: (address: string, port: number, family: 4 | 6) => Handle | number
}

/**
 * Binds a port without listening on it. As long as this process holds it, connections wait in the
 * kernel's queue while no worker is there to accept them. Throws with the code EADDRINUSE and the like.
 */
export function bindPort(host: string, port: number): BoundPort {
  const address = host === 'localhost' ? '127.0.0.1' : host
  const handle = createServerHandle(address, port, net.isIPv6(address) ? 6 : 4)
  if (typeof handle === 'number') throw bindError(handle, address, port)
  // Only now does the system report an address in use.
  const bound: { address?: string; port?: number } = {}
  const failure = handle.getsockname(bound)
  if (failure !== 0) {
    handle.close()
    throw bindError(failure, address, port)
  }
  return {
    handle,
    address: bound.address ?? address,
    port: bound.port ?? port,
    close: () => void handle.close(),
  }
}

function bindError(number: number, address: string, port: number): Error {
  const [code, text] = getSystemErrorMap().get(number) ?? ['EINVAL', 'unknown error']
  return Object.assign(new Error(`bind ${address}:${port}: ${text}`), { code })
}
