import { lookup } from 'node:dns/promises'
import { readPostgresAddress, type PostgresHost } from '../db/postgres/postgres-hosts.ts'
import type { Settings } from '../settings/settings.ts'

interface OwnAddress {
  address: string
  port: number
}

/** What no upstream call may reach: the gateway's port, and the database and Redis at every address of their hosts. */
export async function ownAddresses({
  host,
  gatewayPort,
  databaseUrl,
  redis,
}: Settings): Promise<OwnAddress[]> {
  const own = [{ address: host === 'localhost' ? '127.0.0.1' : host, port: gatewayPort }]
  const hosts = databaseUrl ? (readPostgresAddress(databaseUrl)?.hosts ?? []) : []
  // A folder holds a socket.
  const remote = hosts.filter(({ host }) => !host.startsWith('/'))
  return [
    ...own,
    ...(
      await Promise.all([...remote, ...(redis ? [redisHost(redis.url)] : [])].map(addressesOf))
    ).flat(),
  ]
}

type OwnHost = Pick<PostgresHost, 'host' | 'port'>

function redisHost(url: string): OwnHost {
  const { hostname, port } = new URL(url)
  // Brackets are around an IPv6 address in a URL alone.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 6379) }
}

async function addressesOf({ host, port }: OwnHost): Promise<OwnAddress[]> {
  const resolved = await lookup(host, { all: true }).catch(() => [])
  return [{ address: host, port }, ...resolved.map(({ address }) => ({ address, port }))]
}
