/** One server of PostgreSQL that an address names. */
export interface PostgresHost {
  /** A name, an IP address, or the folder of a socket. */
  host: string
  port: number
  /** The address with this host alone, as pg reads it. */
  url: string
}

/** What `DATABASE_URL` says. */
export interface PostgresAddress {
  /** In the order in which they are tried. */
  hosts: readonly PostgresHost[]
  /** Only a server that takes writes will do: not a standby, not one that is read only. */
  isWritable: boolean
}

/** Of `target_session_attrs`. This product writes, so that no other value of libpq is of use. */
const sessionKinds = new Set(['any', 'primary', 'read-write'])
const defaultPort = '5432'

/**
 * Reads an address as libpq does: `postgres://user@h1:5432,h2:5433/db?target_session_attrs=read-write`,
 * or with `?host=h1,h2&port=5432,5433`. With several hosts a server that takes writes is asked for, unless
 * `target_session_attrs` is `any`. Undefined: it can't be read.
 */
export function readPostgresAddress(text: string): PostgresAddress | undefined {
  const parts = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<rest>.*)$/s.exec(text)
  if (!parts?.groups) return undefined
  const { scheme = '', authority = '', rest = '' } = parts.groups
  const at = authority.lastIndexOf('@') + 1
  const path = URL.parse(rest, 'http://localhost/')
  const places = path && placesOf(authority.slice(at), path.searchParams)
  if (!path || !places) return undefined
  const kind = path.searchParams.get('target_session_attrs')
  if (kind !== null && !sessionKinds.has(kind)) return undefined
  path.searchParams.delete('target_session_attrs')
  const hosts = places.map((place): PostgresHost => {
    const own = new URLSearchParams(path.searchParams)
    own.set('host', place.host)
    own.set('port', place.port)
    const url = `${scheme}${authority.slice(0, at)}localhost${path.pathname}?${own.toString()}`
    return { host: place.host, port: Number(place.port), url }
  })
  if (!hosts.every(({ url }) => URL.canParse(url.replace(scheme, 'http://')))) return undefined
  return { hosts, isWritable: kind === null ? hosts.length > 1 : kind !== 'any' }
}

/** The parameters `host` and `port` take the place of the authority, as in libpq. */
function placesOf(
  authority: string,
  parameters: URLSearchParams,
): { host: string; port: string }[] | undefined {
  const named = parameters.get('host')?.split(',')
  const ports = parameters.get('port')?.split(',') ?? []
  const places = (named ?? authority.split(',')).map((each, index) => {
    const [, host, port] = named ? ['', each] : (authorityPattern.exec(each) ?? [])
    return {
      host: host?.replace(/^\[|\]$/g, '') || (host === '' ? 'localhost' : undefined),
      port: port ?? ports[index] ?? ports.at(-1) ?? defaultPort,
    }
  })
  const isReadable = ({ host, port }: (typeof places)[number]) =>
    host !== undefined && /^\d{1,5}$/.test(port) && Number(port) <= 65_535
  return places.every(isReadable) ? (places as { host: string; port: string }[]) : undefined
}

/** A name or an address, in brackets where it has colons, and a port. */
const authorityPattern = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d+))?$/
