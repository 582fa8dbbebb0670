import { BlockList, type Socket } from 'node:net'
import { openGuardedSocket, type AddressGuard } from '@gatehouse/upstream/http'

const connectTimeoutMs = 8_000

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4')
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  return privateNetworks.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

interface MailServer {
  guard: AddressGuard
  host: string
  port: number
  /** Nothing will be encrypted: only private networks may carry it. */
  isPlain: boolean
}

/** A connection to a mail server, at an address that the guard has checked. */
export async function openMailSocket({ guard, host, port, isPlain }: MailServer): Promise<Socket> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    openGuardedSocket(
      { guard, connectTimeoutMs },
      { protocol: 'http:', hostname: host, port: String(port) },
      (error, connected) => (error ? reject(error) : resolve(connected)),
    )
  })
  const address = socket.remoteAddress ?? ''
  if (!isPlain || isPrivate(address)) return socket
  socket.destroy()
  throw new Error(`${host} is at ${address}, outside of private networks: encrypt the connection.`)
}
