import { isIP } from 'node:net'
import { forwardedAddress } from '@gatehouse/upstream/http'

/** The address of a client. A proxy may append the port, which would make each connection another client. */
export const addressOf = (ip: string) => (isIP(ip) === 0 ? (forwardedAddress(ip) ?? 'unknown') : ip)
