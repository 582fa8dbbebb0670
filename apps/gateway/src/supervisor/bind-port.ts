import net, { type Server } from 'node:net'
import { getSystemErrorMap } from 'node:util'

/** A port that this process holds. Connections wait until a worker accepts them. */
export interface BoundPort {
  /** Sent with a message to a worker, which listens on it. Any number of workers may. */
  handle: Server
  address: string
  port: number
  /** Workers that listen keep the port until they end. */
  close(): void
}

interface Handle extends Server {
  getsockname(out: { address?: string; port?: number }): number
}

type CreateServerHandle = (address: string, port: number, family: 4 | 6) => Handle | number

/**
 * Node's own function for binding a port without listening on it. node:cluster uses it when workers
 * share one queue of connections. It has no public name: net.BoundSocket of Node 26.4 can't be sent
 * to a process, and a net.Server that listens would accept connections in this process too.
 *
 * Throws an Error where this Node no longer has it.
 */
export function createServerHandleOf(module: object): CreateServerHandle {
  const create: unknown = Reflect.get(module, '_createServerHandle')
  if (typeof create === 'function') return create as CreateServerHandle
  throw unsupportedNode('net._createServerHandle is missing')
}

/**
 * Binds a port without listening on it. As long as this process holds it, connections wait in the
 * kernel's queue while no worker is there to accept them. Throws with the code EADDRINUSE and the like.
 */
export function bindPort(host: string, port: number): BoundPort {
  const address = host === 'localhost' ? '127.0.0.1' : host
  const handle = createServerHandleOf(net)(address, port, net.isIPv6(address) ? 6 : 4)
  if (typeof handle === 'number') throw bindError(handle, address, port)
  if (!isHandle(handle)) throw unsupportedNode('net._createServerHandle returns another object')
  return portOf(handle, { address, port })
}

/** A port that another process has bound and sent here. Throws where it is none. */
export function adoptPort(handle: unknown): BoundPort {
  if (!isHandle(handle)) throw unsupportedNode('what arrived is no bound port')
  return portOf(handle, { address: '', port: 0 })
}

function portOf(handle: Handle, asked: { address: string; port: number }): BoundPort {
  // getsockname is the first call that reports an address in use.
  const bound: { address?: string; port?: number } = {}
  const failure = handle.getsockname(bound)
  if (failure !== 0) {
    handle.close()
    throw bindError(failure, asked.address, asked.port)
  }
  return {
    handle,
    address: bound.address ?? asked.address,
    port: bound.port ?? asked.port,
    close: () => void handle.close(),
  }
}

function bindError(number: number, address: string, port: number): Error {
  const [code, text] = getSystemErrorMap().get(number) ?? ['EINVAL', 'unknown error']
  return Object.assign(new Error(`bind ${address}:${port}: ${text}`), { code })
}

const isHandle = (handle: unknown): handle is Handle =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'getsockname') === 'function' &&
  typeof Reflect.get(handle, 'close') === 'function'

function unsupportedNode(what: string): Error {
  return new Error(
    `The gateway can't bind its port under Node ${process.version}: ${what}. Run it under Node 26.`,
  )
}
