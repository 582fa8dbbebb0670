import { execFileSync } from 'node:child_process'
import { connect as dial } from 'node:net'
import { openRelay, type Relay } from '../../apps/server/test/servers/relay.ts'

/** How one node is connected: with the databases, and with its clients and upstreams. */
export interface Wire {
  /** Put before the command that starts the node. */
  command: string[]
  /** Where the node reaches what listens on this port of this machine. */
  reach(port: number): Promise<string>
  /** Where this machine reaches the node. */
  address: string
  /** The databases are away for the node, without a word; clients and upstreams are not. */
  cut(): Promise<void>
  heal(): Promise<void>
}

export interface Wires {
  /** What it is made of. */
  kind: string
  /** Where every node reaches an upstream that listens on all addresses of this machine. */
  outside: string
  open(name: string): Promise<Wire>
  close(): Promise<void>
}

const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: 'pipe' })

/** A network namespace for each node, with one link to the databases and one to its clients. Root alone. */
export function openNamespaces(): Wires {
  const id = (process.pid % 3_600) + 400
  const bridges = { data: `ghd${id}`, outer: `gho${id}` }
  const nets = { data: `10.77.${id % 250}`, outer: `10.78.${id % 250}` }
  const names: string[] = []
  for (const kind of ['data', 'outer'] as const) {
    ip('link', 'add', bridges[kind], 'type', 'bridge')
    ip('addr', 'add', `${nets[kind]}.1/24`, 'dev', bridges[kind])
    ip('link', 'set', bridges[kind], 'up')
  }
  return {
    kind: 'network namespaces',
    outside: `${nets.outer}.1`,
    open: async () => {
      const number = names.length + 2
      const space = `gh${id}n${number}`
      ip('netns', 'add', space)
      names.push(space)
      ip('-n', space, 'link', 'set', 'lo', 'up')
      for (const kind of ['data', 'outer'] as const) {
        const near = `${kind[0]}${id}n${number}`
        ip('link', 'add', near, 'type', 'veth', 'peer', 'name', kind, 'netns', space)
        ip('-n', space, 'addr', 'add', `${nets[kind]}.${number}/24`, 'dev', kind)
        ip('-n', space, 'link', 'set', kind, 'up')
        ip('link', 'set', near, 'master', bridges[kind])
        ip('link', 'set', near, 'up')
      }
      const near = `d${id}n${number}`
      return {
        command: ['ip', 'netns', 'exec', space],
        reach: async (port) => `${nets.data}.1:${port}`,
        address: `${nets.outer}.${number}`,
        // The link stays up, and nothing comes through.
        cut: async () => ip('link', 'set', near, 'nomaster'),
        heal: async () => ip('link', 'set', near, 'master', bridges.data),
      }
    },
    close: async () => {
      for (const name of names) ip('netns', 'del', name)
      for (const kind of ['data', 'outer'] as const) ip('link', 'del', bridges[kind])
    },
  }
}

/** Relays in this process, where namespaces can't be made. A connection that was cut stays so. */
export function openRelays(): Wires {
  const relays: Relay[] = []
  return {
    kind: 'relays',
    outside: '127.0.0.1',
    open: async () => {
      const own: Relay[] = []
      return {
        command: [],
        reach: async (port) => {
          const relay = await openRelay(() => dial(port, '127.0.0.1'))
          own.push(relay)
          relays.push(relay)
          return `127.0.0.1:${relay.port}`
        },
        address: '127.0.0.1',
        cut: async () => {
          for (const relay of own) relay.silence()
        },
        heal: async () => {
          for (const relay of own) await relay.comeBack()
        },
      }
    },
    close: async () => {
      for (const relay of relays) await relay.close()
    },
  }
}
